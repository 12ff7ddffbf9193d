/**
 * `RUN --mount` that a build may not have. The builder of podman binds what it names from outside the container, and before podman 5.3
 * it follows links of the repository, of an image and of a cache there: a Dockerfile could read and write any file of the machine.
 * Allowed is only what cannot lead out: memory, secrets that are never given, caches of their own, and files of the repository read-only.
 *
 * Promise: all that the builder's parser takes for a mount is judged here or refused. It knows flags by the `--` they begin with, right
 * behind RUN; then it takes quotes and escapes out of them and puts variables in, so flags that have such are not read at all.
 */

/** The first mount that is refused, as written; null where there is none. `isInput`: a file or directory that no link leads to. */
export function refuseMounts(dockerfile: string, isInput: (path: string) => boolean): string | null {
  const caches: string[] = [];
  for (const flag of listFlags(dockerfile)) {
    const mount = plainMount.test(flag) ? readOptions(flag.slice('--mount='.length)) : undefined;
    const cache = mount?.get('type') === 'cache' ? (mount.get('id') ?? mount.get('target')) : undefined;
    if (mount === undefined || !isHarmless(mount, isInput) || caches.some((other) => isInside(cache, other)))
      return flag;
    if (cache !== undefined) caches.push(cache);
  }
  return null;
}

/** Also no letters beyond ASCII: the builder looks for spaces byte by byte, and finds some in them. */
const plainMount = /^--mount=[^\s\\`"'$\x7f-\uffff]+$/;

/**
 * Words behind RUN that begin with `--`, up to the first that does not. Lines are joined by either escape character, and RUN is looked
 * for anywhere: which of the two it is, and what is text of another command, is not decided here.
 */
function* listFlags(dockerfile: string): Generator<string> {
  const text = dockerfile
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/[\\`][ \t\r]*\n(?:[ \t\r]*\n)*/g, '');
  let read = 0;
  for (const { index } of text.matchAll(/run(?=\s+--)/gi)) {
    // Itself a flag behind another: so is what follows, and was looked at.
    if (index < read) continue;
    for (const word of text.slice(index + 'run'.length).matchAll(/\s+(\S+)/g)) {
      const flag = word[1] ?? '';
      if (!flag.startsWith('--')) break;
      read = index + 'run'.length + word.index + word[0].length;
      // Others are those of `npm run` and its like; the builder knows none.
      if (/[\\`"'$\x7f-\uffff]|--mount/i.test(flag)) yield flag;
    }
  }
}

const names: Readonly<Record<string, string>> = { dst: 'target', destination: 'target', src: 'source', readonly: 'ro' };
const allowed: Readonly<Record<string, readonly string[]>> = {
  tmpfs: ['target', 'size', 'tmpfs-size', 'tmpfs-mode'],
  secret: ['target', 'id', 'required', 'mode', 'uid', 'gid'],
  ssh: ['target', 'id', 'required', 'mode', 'uid', 'gid'],
  cache: ['target', 'id', 'sharing', 'mode', 'uid', 'gid', 'ro'],
  bind: ['target', 'source', 'ro'],
};

function readOptions(text: string): ReadonlyMap<string, string> | undefined {
  const options = new Map<string, string>();
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const written = at < 0 ? part : part.slice(0, at);
    const name = names[written] ?? written;
    // The last of two would win, or the first: both are refused.
    if (options.has(name)) return undefined;
    options.set(name, at < 0 ? '' : part.slice(at + 1));
  }
  if (!options.has('type')) options.set('type', 'bind');
  return options;
}

function isHarmless(mount: ReadonlyMap<string, string>, isInput: (path: string) => boolean): boolean {
  const type = mount.get('type') ?? '';
  const known = Object.hasOwn(allowed, type) ? (allowed[type] ?? []) : [];
  if ([...mount.keys()].some((name) => name !== 'type' && !known.includes(name))) return false;
  if (['', 'true', undefined].includes(mount.get('ro')) === false) return false;
  if (type === 'cache') return isPlace(mount.get('target')) && (mount.get('id') ?? 'x').split('/').every(isName);
  if (type !== 'bind') return known.length > 0;
  const source = (mount.get('source') ?? '').replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return source === '' || source === '.' || (source.split('/').every(isName) && isInput(source));
}

function isPlace(path = ''): boolean {
  return path.startsWith('/') && path.split('/').every((name) => name !== '.' && name !== '..');
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..';
}

/** Below another cache there may be a link that was put there by a program. */
function isInside(cache: string | undefined, other: string): boolean {
  if (cache === undefined) return false;
  const [a, b] = [cache, other].map((path) => `/${path.split('/').filter(Boolean).join('/')}/`) as [string, string];
  return a !== b && (a.startsWith(b) || b.startsWith(a));
}
