/**
 * What a command of the repository does in the end: scripts, targets, environments and shell scripts are opened until programs are reached.
 * A call that leads to nothing known is what its name says, and is marked so.
 */

import { joinWords } from '../../kernel/formats/shell-words.ts';
import { compileGlob } from '../../kernel/tree/path-patterns.ts';
import { type Deed, deedOf, deedOfTaskName, isNothing, joinDeeds, taskNameOf } from '../shared/command-deeds.ts';
import { commandInContainer, listCommandLines, listInvocations, scriptNameOf } from '../shared/shell-commands.ts';
import type { Task } from './task-files.ts';

export type PlacedTask = Task & { readonly dir: string; readonly path: string };

/** What can be opened. Directories are root-relative, `.` is the root. */
export type Workshop = {
  readonly tasks: readonly PlacedTask[];
  /** Those of one tool in one directory, by name, in the order of the file. */
  readonly tasksIn: (tool: Task['tool'], dir: string) => ReadonlyMap<string, PlacedTask>;
  /** Text of shell scripts by path; those without an ending, too. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Directories of packages by name. */
  readonly packages: ReadonlyMap<string, string>;
  readonly isDirectory: (path: string) => boolean;
  /** What the compiler's configuration says about output: none of it, in a directory of its own, or null for beside the sources. */
  readonly outputOf: (config: string) => 'none' | 'apart' | null;
  /** Does the configuration around a directory let the linter mend what it finds, without an option that says so? */
  readonly mends: (linter: string, dir: string) => boolean;
};

export type Leaf = {
  readonly text: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly deed: Deed;
};

export type Followed = {
  readonly deed: Deed;
  readonly leaves: readonly Leaf[];
  readonly byName: boolean;
  /** The single task or script that the line calls; undefined where it is anything else. */
  readonly calls?: PlacedTask | undefined;
  /** It waits for changes instead of ending. */
  readonly watches: boolean;
  /** It only says that there is nothing. */
  readonly placeholder: boolean;
};

const maxLeaves = 200;
const maxDepth = 8;

export function followCommand(line: string, cwd: string, shop: Workshop): Followed {
  const leaves: Leaf[] = [];
  const opened = new Set<string>();
  let byName = false;
  let calls: PlacedTask | undefined;
  const walk = (text: string, from: string, depth: number): Deed => {
    let here = from;
    const deeds = listInvocations(text).map((words): Deed => {
      if (words[0] === 'cd') {
        here = enter(here, words[1] ?? '') ?? here;
        return nothing;
      }
      if (leaves.length >= maxLeaves || depth > maxDepth) return nothing;
      const inside = commandInContainer(words);
      if (inside !== null) return joinDeeds([deedOf(words), walk(inside, here, depth + 1)]);
      const several = scriptsOfRunner(words, here, shop);
      if (several !== undefined) return joinDeeds(several.map((one) => walk(one, here, depth + 1)));
      const called = findTask(words, here, shop);
      if (called !== undefined) {
        if (depth === 0) calls = called;
        const key = `${called.path}#${called.tool}#${called.name}`;
        if (opened.has(key)) return nothing;
        opened.add(key);
        const inner = joinDeeds(called.lines.map((one) => walk(one, called.dir, depth + 1)));
        // `dist: mkdir -p dist` is what it does; a target that only waits for files does nothing of its own.
        if (called.lines.length > 0 && called.lines.every(isPreparation)) return inner;
        const named = orByName(inner, called.name);
        return called.lines.length === 0 ? { ...named, effects: [] } : named;
      }
      const script = findScript(words, here, shop);
      if (script !== undefined) {
        if (opened.has(script)) return nothing;
        opened.add(script);
        const name = script.slice(script.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
        let at = here;
        const inner = fillInVariables(listCommandLines(shop.scripts.get(script) ?? '')).map((one) => {
          const moved = /^cd\s+(\S+)$/.exec(one);
          if (moved !== null) at = enter(at, moved[1] ?? '') ?? at;
          return walk(one, at, depth + 1);
        });
        return orByName(joinDeeds(inner), name);
      }
      const meant = withLinterOptions(withCompilerOptions(words, here, shop), here, shop);
      const deed = deedOf(meant);
      const name = isNothing(deed) ? (scriptNameOf(words) ?? taskNameOf(words)) : null;
      const judged = name === null ? deed : deedOfTaskName(name);
      if (name !== null && judged.roles.length > 0) byName = true;
      leaves.push({ text: joinWords(words), words, cwd: here, deed: judged });
      return judged;
    });
    return joinDeeds(deeds);
  };
  const orByName = (deed: Deed, name: string): Deed => {
    if (deed.roles.length > 0) return deed;
    const meant = deedOfTaskName(name);
    // What does something to the world may still be a test; that it is a build or a check is not believed by its name.
    if (deed.effects.some((effect) => effect !== 'network') && !meant.roles.some((role) => role.startsWith('test.')))
      return deed;
    if (meant.roles.length > 0) byName = true;
    return joinDeeds([deed, meant]);
  };
  const deed = walk(line, cwd, 0);
  const isSingle = listInvocations(line).filter(([program]) => program !== 'cd').length === 1;
  return {
    deed,
    leaves,
    byName,
    calls: isSingle ? calls : undefined,
    watches: leaves.some(isWatching),
    placeholder: leaves.some(({ text }) => /no test specified/i.test(text)),
  };
}

const nothing: Deed = { roles: [], effects: [] };

function isPreparation(line: string): boolean {
  return listInvocations(line).every(([program = '']) => /^(?:mkdir|touch|echo|printf|true|cd|test|\[)$/.test(program));
}

/** Variables of a shell script that it first gives a plain value; arguments that are passed on are nothing. */
function fillInVariables(lines: readonly string[]): readonly string[] {
  const values = new Map<string, string>();
  return lines.map((line) => {
    const [, name = '', value] =
      /^(?:export\s+|readonly\s+|local\s+)?([A-Za-z_]\w*)=("[^"$`]*"|'[^']*'|[^\s"'$`();&|]*)$/.exec(line) ?? [];
    if (value !== undefined && !values.has(name)) values.set(name, value.replace(/^["']|["']$/g, ''));
    return line
      .replace(/\s*"?\$\{?@\}?"?/g, '')
      .replace(
        /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
        (written, braced?: string, bare?: string) => values.get(braced ?? bare ?? '') ?? written,
      );
  });
}

function isWatching({ words }: Leaf): boolean {
  if (words.some((word) => /^--(?:watch|watchAll|ui|inspect|inspect-brk|debug)\b/.test(word))) return true;
  // On a terminal vitest waits unless it is told to run once.
  return (
    words[0] === 'vitest' &&
    !words.some((word) => /^(?:run|related|bench|list|--run|--no-watch|--watch=false)$/.test(word))
  );
}

/** `x` as seen from a directory; undefined for what leaves the tree or is computed. */
export function enter(from: string, to: string): string | undefined {
  if (/[$~*`{]/.test(to) || to.startsWith('/')) return undefined;
  const parts = from === '.' ? [] : from.split('/');
  for (const part of to.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

const placeFlags = new Set([
  '--filter',
  '-F',
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '-w',
  '--workspace',
  '--directory',
  '-d',
  '--working-dir',
]);

/** Where `--filter x`, `-C x` and their like send a call; undefined where that is not one known place. */
function placeOf(words: readonly string[], cwd: string, shop: Workshop): string | undefined {
  const given: string[] = [];
  for (const [at, word] of words.entries()) {
    if (placeFlags.has(word)) given.push(words[at + 1] ?? '');
    const joined = /^(--(?:filter|prefix|dir|cwd|workspace|directory))=(.+)$/.exec(word);
    if (joined !== null) given.push(joined[2] ?? '');
    if (/^(?:-r|--recursive|--workspaces|-ws|--parallel)$/.test(word)) return undefined;
  }
  if (words[0] === 'yarn' && words[1] === 'workspace') given.push(words[2] ?? '');
  if (given.length === 0) return cwd;
  const [name = ''] = given;
  const named = shop.packages.get(name);
  if (named !== undefined) return named;
  const path = enter(cwd, name);
  return given.length === 1 && path !== undefined && shop.isDirectory(path) ? path : undefined;
}

function findTask(words: readonly string[], cwd: string, shop: Workshop): PlacedTask | undefined {
  const [program = '', ...rest] = words;
  const plain = rest.filter((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  const find = (tool: Task['tool'], name: string | undefined, dir: string | undefined) =>
    dir === undefined || name === undefined ? undefined : shop.tasksIn(tool, dir).get(name);
  const script = scriptNameOf(words);
  if (script !== null) {
    if (program === 'bun' && rest[0] === 'test') return undefined;
    const place = placeOf(words, cwd, shop);
    return place === undefined ? undefined : find('npm', script, nearest(place, 'npm', shop));
  }
  if (program === 'make' || program === 'gmake') {
    const place = placeOf(words, cwd, shop);
    const targets = plain.filter((word) => word !== place);
    const [first] = place === undefined ? [] : shop.tasksIn('make', place).keys();
    return find('make', targets[0] ?? first, place);
  }
  if (program === 'just') return find('just', plain[0], nearest(cwd, 'just', shop));
  if (program === 'task') return find('task', plain[0], cwd);
  if (program === 'rake') return find('rake', plain[0] ?? 'default', nearest(cwd, 'rake', shop));
  if (program === 'composer')
    return find('composer', /^run(?:-script)?$/.test(plain[0] ?? '') ? plain[1] : plain[0], cwd);
  if (program === 'tox') {
    const at = rest.findIndex((word) => word === '-e' || word === '--env');
    return find('tox', at < 0 ? '' : rest[at + 1], cwd);
  }
  if (program === 'poe') return find('poe', plain[0] === 'run' ? plain[1] : plain[0], cwd);
  // `hatch run x` and `pdm run x` have lost their first two words: what is left may be a script of the manifest.
  if (rest[0]?.startsWith('-') === true) return undefined;
  return find('hatch', program, cwd) ?? find('pdm', program, cwd);
}

/** `run-s lint test:*`, `npm-run-all --parallel a b`: scripts of the same manifest, by name. */
function scriptsOfRunner(words: readonly string[], cwd: string, shop: Workshop): readonly string[] | undefined {
  const [program = '', ...rest] = words;
  if (!/^(?:run-s|run-p|npm-run-all2?|concurrently)$/.test(program)) return undefined;
  const dir = nearest(cwd, 'npm', shop);
  const names = dir === undefined ? [] : [...shop.tasksIn('npm', dir).keys()];
  const found = rest.flatMap((word) => {
    const name = word.replace(/^npm:/, '');
    if (name.startsWith('-')) return [];
    if (!name.includes('*')) return names.includes(name) ? [name] : [];
    const start = name.slice(0, name.indexOf('*'));
    return names.filter((one) => one.startsWith(start));
  });
  return found.length === 0 ? undefined : found.map((name) => `npm run ${name}`);
}

function nearest(from: string, tool: Task['tool'], shop: Workshop): string | undefined {
  for (
    let dir: string | undefined = from;
    dir !== undefined;
    dir = dir === '.' ? undefined : (enter(dir, '..') as string)
  ) {
    if (shop.tasksIn(tool, dir).size > 0) return dir;
  }
  return undefined;
}

function findScript(words: readonly string[], cwd: string, shop: Workshop): string | undefined {
  for (const word of words.slice(0, 4)) {
    // The program is known by its last part only: it is looked for where scripts stand.
    const path = enter(cwd, word);
    if (path !== undefined && shop.scripts.has(path)) return path;
  }
  const [program = ''] = words;
  if (!/\.(?:sh|bash)$/.test(program)) return undefined;
  const found = [...shop.scripts.keys()].filter(
    (path) => path.endsWith(`/${program}`) && path.startsWith(cwd === '.' ? '' : `${cwd}/`),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** `tsc -p x` writes nothing, or into a directory of its own, where x says so. */
function withCompilerOptions(words: readonly string[], cwd: string, shop: Workshop): readonly string[] {
  if (/^(?:yarn|pnpm|bun)$/.test(words[0] ?? '') && /^(?:tsc|tsgo)$/.test(words[1] ?? ''))
    return withCompilerOptions(words.slice(1), cwd, shop);
  if (words[0] !== 'tsc' && words[0] !== 'tsgo') return words;
  const at = words.findIndex((word) => word === '-p' || word === '--project');
  const config = at < 0 ? 'tsconfig.json' : (words[at + 1] ?? '');
  const path = enter(cwd, config.endsWith('.json') ? config : `${config}/tsconfig.json`);
  const output = path === undefined ? null : shop.outputOf(path);
  return output === null ? words : [...words, output === 'none' ? '--noEmit' : '--outDir'];
}

/** `ruff check` rewrites files where its configuration says `fix = true`. */
function withLinterOptions(words: readonly string[], cwd: string, shop: Workshop): readonly string[] {
  const [linter = ''] = words;
  if (words.some((word) => /^--(?:no-fix|fix=false|diff)$/.test(word))) return words;
  return shop.mends(linter, cwd) ? [...words, '--fix'] : words;
}

/**
 * Directories of packages in which a command of the whole workspace runs the script of that name: `turbo lint`, `pnpm -r build`,
 * `npm run test --workspaces`. Filters by directory and by name are followed; one that asks for what depends on something fits no name.
 */
export function listReached({ words, cwd }: Leaf, shop: Workshop): readonly string[] {
  const [program = '', ...rest] = words;
  const isRunner = /^(?:turbo|nx|lerna)$/.test(program);
  const isRecursive =
    /^(?:npm|pnpm|yarn|bun)$/.test(program) &&
    rest.some((word) => /^(?:-r|--recursive|--workspaces|-ws|workspaces|--filter(?:=.*)?|-F)$/.test(word));
  if (!isRunner && !isRecursive) return [];
  const filters: string[] = [];
  const names: string[] = [];
  for (let at = 0; at < rest.length && rest[at] !== '--'; at += 1) {
    const [, flag = '', value] = /^(--?[\w-]+)(?:=(.*))?$/.exec(rest[at] ?? '') ?? [];
    const given = value ?? (valued.test(flag) ? rest[at + 1] : undefined);
    if (flag === '') names.push(rest[at] ?? '');
    else if (value === undefined && valued.test(flag)) at += 1;
    if (/^(?:--filter|-F|--scope|-p|--projects)$/.test(flag)) filters.push(...(given ?? '').split(','));
    if (/^(?:-t|--targets?)$/.test(flag)) names.push(...(given ?? '').split(','));
  }
  const called = names.filter((name) => !/^(?:run|run-many|run-script|affected|workspaces|foreach|exec)$/.test(name));
  const wanted = filters.filter((filter) => !filter.startsWith('!') && filter !== '*');
  const isWanted = (name: string, dir: string) =>
    (wanted.length === 0 || wanted.some((filter) => fits(filter, name, dir, cwd))) &&
    !filters.some((filter) => filter.startsWith('!') && fits(filter.slice(1), name, dir, cwd));
  return [...shop.packages].flatMap(([name, dir]) => {
    if (dir === cwd || !(cwd === '.' || dir.startsWith(`${cwd}/`)) || !isWanted(name, dir)) return [];
    return called.some((one) => shop.tasksIn('npm', dir).has(one)) ? [dir] : [];
  });
}

/** Flags of the runners whose value is the next word. */
const valued = /^(?:--filter|-F|--scope|-p|--projects|-t|--targets?|--concurrency|--cache-dir|-c|--configuration)$/;

function fits(filter: string, name: string, dir: string, cwd: string): boolean {
  const place = /^\{?(\.\/[^}]*)\}?$/.exec(filter)?.[1];
  if (place === undefined) return compileGlob(filter)(name);
  return compileGlob(enterGlob(cwd, place))(dir);
}

function enterGlob(cwd: string, place: string): string {
  const bare = place.replace(/^\.\//, '').replace(/\/$/, '');
  return cwd === '.' ? bare : `${cwd}/${bare}`;
}
