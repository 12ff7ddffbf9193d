/**
 * Takes this machine out of what is published (gather.md §7.2): the repository's root becomes `.`, the home directory `~`,
 * other people's homes `~/`, the probe's workspace `<workspace>`. One pass, the longest prefix first. `/root` is the home of no person,
 * and a place in most images: it stays.
 * Only whole path segments are rewritten: `/work/main` is not found in `/work/main2`, `/mnt/work/main` or `~/work/main`.
 */

/** `workspace` is null for a probe that never asked for one. */
export type SanitiserOptions = { readonly root: string; readonly home: string; readonly workspace: string | null };
export type Sanitiser = (text: string) => string;

// What may stand beside a path without being part of it is everything but these: letters, digits, and the signs of file names.
const segment = '[A-Za-z0-9_+@~%\\-\\u0080-\\uffff]';
// Letters may touch a path when they belong to a flag such as `-I`, an escaped line end or a colour.
// What follows `://` is a name: `mysql://root` names a user, and no home directory.
const before = `(?<!${segment}|\\.|<workspace>|:/)|(?<=(?:^|\\s)-[A-Za-z]|\\\\[nrt]|\\u001b\\[[0-9;]{0,16}m)`;
// A dot ends a sentence or begins an extension.
const after = `(?!${segment}|\\.[A-Za-z0-9_\\-])`;
const anyHome = '/(?:Users|home)/[^/\\s"\'`<>:;,|*?(){}\\[\\]$\\\\]+/';

export function createSanitiser(options: SanitiserOptions): Sanitiser {
  const rewrites = listRewrites(options);
  const literals = [...rewrites.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp);
  const alternatives = [...(literals.length === 0 ? [] : [`(?:${literals.join('|')})${after}`]), anyHome];
  const slashless = slashlessRoot(options.root);
  const expression = new RegExp(
    `(?:${before})(?:${alternatives.join('|')})${slashless === undefined ? '' : `|(?<!${segment}|[./])${escapeRegExp(slashless)}(?=/)`}`,
    'g',
  );
  return (text) => text.replace(expression, (found) => rewrites.get(found) ?? (found === slashless ? '.' : '~/'));
}

function listRewrites(options: SanitiserOptions): ReadonlyMap<string, string> {
  const rewrites = new Map<string, string>();
  const prefixes: (readonly [string | null, string])[] = [
    [options.home, '~'],
    [options.workspace, '<workspace>'],
    [options.root, '.'],
  ];
  // Where two are the same directory the last of the list names it.
  for (const [path, name] of prefixes) {
    const clean = path?.replace(/\/+$/, '') ?? '';
    if (clean.startsWith('/') && !(clean === '/root' && name === '~')) rewrites.set(clean, name);
  }
  return rewrites;
}

/** Whether a sanitiser may have anything to do in these bytes, wherever a text begins or ends in them. */
export function createMention(options: SanitiserOptions): (bytes: Uint8Array) => boolean {
  const slashless = slashlessRoot(options.root);
  const said = ['/Users/', '/home/', ...listRewrites(options).keys(), ...(slashless === undefined ? [] : [slashless])];
  const needles = said.map((path) => Buffer.from(path));
  return (bytes) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return needles.some((needle) => buffer.includes(needle));
  };
}

/**
 * SCIP symbols of repositories without a package carry the root without its first slash. A root of one segment is left alone
 * there: `/app` without its slash is a word that any path may begin with.
 */
function slashlessRoot(root: string): string | undefined {
  const path = root.replace(/^\/+|\/+$/g, '');
  return path.includes('/') ? path : undefined;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
