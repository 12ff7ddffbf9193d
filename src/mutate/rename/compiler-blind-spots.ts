/**
 * What the compiler does not follow, as questions (mutation.md §2.4, §2.6): imports that it cannot resolve, names that it binds to a build
 * output of the renamed package, and the script beside a declaration file.
 */

import { basename, dirname, join } from 'node:path/posix';
import type { Question } from '../../index/navigate/question.ts';
import { listAllPaths } from '../../index/store/stored-files.ts';
import type { SourceText } from '../../index/view/code-view.ts';
import type {
  CensusAccount,
  CodeSpan,
  CompilerEdit,
  DeclarationPlace,
  ItemDraft,
  RenameFindings,
} from '../compiler/session/messages.ts';
import { declarationTwin } from '../move/move-target.ts';
import { spanKey } from './names-in-text.ts';

/**
 * Imports that may lead to the renamed export where the compiler does not follow them: a package of the repository that is not installed, a
 * path that only a bundler knows. The compiler binds such a name to its own specifier, and a proof over that says nothing about what the
 * import means: so it is a question, never another symbol.
 */
export function findUnfollowedImports(
  question: Question,
  answer: Pick<RenameFindings, 'edits' | 'census' | 'isMember' | 'reach'>,
  /** What is asked already. */
  doubts: readonly CodeSpan[],
  names: { readonly oldName: string; readonly newName: string },
): readonly ItemDraft[] {
  if (answer.isMember || answer.reach === 'file') return [];
  const providers = listProviders(question, new Set(answer.edits.map(({ path }) => path)));
  const asked = new Set(doubts.map(spanKey));
  const items: ItemDraft[] = [];
  for (const [path, accounts] of Map.groupBy(answer.census, (one) => one.path)) {
    const source = question.source(path);
    if (source === undefined) continue;
    const byStart = new Map(accounts.map((one) => [one.start, one]));
    for (const { specifier, targets, names: imported } of question.imports(path)) {
      const leads = targets.some((target) => providers.has(target));
      if (!leads && (targets.length > 0 || !mayMean(specifier, providers))) continue;
      for (const { name, start } of imported) {
        const own = name === names.oldName ? byStart.get(toUnit(source, start)) : undefined;
        if (own?.account !== 'other_symbol' || own.declaredIn !== undefined || asked.has(spanKey(own))) continue;
        items.push(doubt(own, accounts, names, leads));
      }
    }
  }
  return items;
}

function doubt(
  own: CensusAccount,
  accounts: readonly CensusAccount[],
  { oldName, newName }: { readonly oldName: string; readonly newName: string },
  leads: boolean,
): ItemDraft {
  const { path, start, end, detail } = own;
  // Uses of the specifier's own name are bound to the specifier.
  const uses = accounts.filter((one) => spanKey(one) === spanKey(own) || (detail !== null && one.detail === detail));
  const edits = uses.map(
    (use): CompilerEdit => ({
      path,
      start: use.start,
      end: use.end,
      oldText: oldName,
      newText: newName,
      form: 'plain',
    }),
  );
  const says = leads
    ? 'the import leads to the renamed export, and the compiler cannot follow it'
    : 'the compiler finds no such module, and the path fits a file that exports the renamed name';
  return { path, start, end, kind: 'unresolved_reference', detail: says, edits: { rename: edits } };
}

/** Files that are edited, and those that pass everything of them on. */
function listProviders(question: Question, edited: ReadonlySet<string>): ReadonlySet<string> {
  const providers = new Set(edited);
  // A set may grow while it is walked.
  for (const path of providers) {
    for (const importer of question.importers(path)) {
      const passes = question.imports(importer.path)[importer.ordinal];
      if (passes?.kind === 'reexport' && passes.names.some(({ name }) => name === '*')) providers.add(importer.path);
    }
  }
  return providers;
}

/**
 * Could this path, which nothing resolves, be one of the files after all? Bundlers and test runners have prefixes of their own (`@/a`,
 * `~lib/a`, `#a`, `src/a`), so what comes behind the prefix is compared with the ends of the files' paths.
 */
function mayMean(specifier: string, providers: ReadonlySet<string>): boolean {
  if (/^(?:\.|\/|[a-z]+:)/.test(specifier)) return false;
  const bare = withoutSuffix(specifier.replace(/[?].*$/, ''));
  const rest = bare.slice(bare.indexOf('/') + 1);
  const ends = new Set([bare.replace(/^[@~#$]\/?/, ''), rest]);
  ends.delete('');
  return [...providers].some((path) => {
    const file = withoutSuffix(path);
    return [...ends].some((end) => file === end || file.endsWith(`/${end}`));
  });
}

function withoutSuffix(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

function toUnit({ bytes, bom }: SourceText, byte: number): number {
  return bytes.subarray(bom ? 3 : 0, byte).toString('utf8').length;
}

// Names that the compiler binds to a build output of the package whose source is renamed (mutation.md §2.6, `dist_boundary`): the next build
// brings the new name, and until then, or if these uses are not edited, the two disagree. One question a file; the uses stay as they are.

/** What compilers write; a generated source is another question. */
const isOutput = /(?:\.d\.[cm]?ts|\.[cm]?jsx?)$/;

export function findDistBoundaries(
  question: Question,
  { census, family, reach }: Pick<RenameFindings, 'census' | 'family' | 'reach'>,
): readonly ItemDraft[] {
  if (reach === 'file') return [];
  const packages = new Set(family.filter(isInside).map(({ path }) => packageOf(question, path)));
  const known = new Map<string, boolean>();
  const isBuilt = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const isOurs =
      isOutput.test(path) &&
      !path.startsWith('/') &&
      isBuildOutput(question, path) &&
      packages.has(packageOf(question, path));
    known.set(path, isOurs);
    return isOurs;
  };
  const first = new Map<string, { readonly one: CensusAccount; readonly output: string; count: number }>();
  for (const one of census) {
    const output = one.account === 'other_symbol' ? one.declaredIn?.find(isBuilt) : undefined;
    if (output === undefined || isBuilt(one.path)) continue;
    const seen = first.get(one.path);
    if (seen === undefined) first.set(one.path, { one, output, count: 1 });
    else seen.count += 1;
  }
  return [...first.values()].map(({ one: { path, start, end }, output, count }) => ({
    path,
    start,
    end,
    kind: 'dist_boundary',
    detail: `the compiler follows it ${count === 1 ? '' : `and ${count - 1} more here `}to ${output}, a build output of the package that is renamed in; build it and edit this file afterwards`,
    edits: {},
  }));
}

/** Not in scope, called generated, or below a directory that builds are written to: outputs are committed as well. */
function isBuildOutput(question: Question, path: string): boolean {
  const row = question.file(path);
  return row === undefined || row.generated || /(?:^|\/)(?:dist|build|out|output)\//.test(path);
}

function isInside({ outside }: DeclarationPlace): boolean {
  return !outside;
}

/** The directory of the nearest `package.json`. */
function packageOf(question: Question, path: string): string {
  let directory = dirname(path);
  while (directory !== '.' && question.file(`${directory}/package.json`) === undefined) directory = dirname(directory);
  return directory;
}

/**
 * One module in two files, of which the compiler reads one: a declaration beside its script (`a.d.ts`, `a.js`), the same module for another
 * platform (`a.ios.ts`), under another condition of `package.json`, or for tests (`__mocks__/a.ts`). What it calls another symbol in the
 * other file is, by name, the same one. That is not proved, so it is a question.
 */
export function findTwins(
  question: Question,
  { census, family, edits, isMember, reach }: RenameFindings,
  { oldName, newName }: { readonly oldName: string; readonly newName: string },
): readonly ItemDraft[] {
  if (reach === 'file') return [];
  const declaring = new Set(family.filter(({ outside }) => !outside).map(({ path }) => path));
  const edited = new Set(edits.map(({ path }) => path));
  const items: ItemDraft[] = [];
  for (const { twin, path, why } of listTwins(question, isMember ? declaring : listProviders(question, edited))) {
    if (edited.has(twin) || items.some((item) => item.path === twin)) continue;
    if (question.file(twin)?.presence !== 'present') continue;
    // Of an export, what the file itself exports by that name; of a member there is no more than the name.
    if (!isMember && !question.exports(twin).some(({ publicName }) => publicName === oldName)) continue;
    const own = census.filter((one) => one.path === twin && one.account !== 'planned');
    const uses = isMember ? own : sameAs(own, twin);
    const [first] = uses;
    if (first === undefined) continue;
    const rename = uses.map(
      ({ start, end }): CompilerEdit => ({ path: twin, start, end, oldText: oldName, newText: newName, form: 'plain' }),
    );
    const detail = `${twin} and ${path} are one module (${why}), and the compiler follows the latter alone`;
    const { start, end } = first;
    items.push({ path: twin, start, end, kind: 'unresolved_reference', detail, edits: { rename } });
  }
  return items;
}

type Twin = { readonly twin: string; readonly path: string; readonly why: string };

function listTwins(question: Question, paths: ReadonlySet<string>): readonly Twin[] {
  const all = question.ask(listAllPaths);
  const conditions = listConditions(question, all);
  return [...paths].flatMap((path) => {
    const twinOf = (twin: string, why: string): Twin => ({ twin, path, why });
    const declaration = declarationTwin(path);
    const platforms = all.filter((one) => one !== path && isOtherPlatform(one, path));
    return [
      ...(declaration === undefined ? [] : [twinOf(declaration, 'a script and its declarations')]),
      ...platforms.map((one) => twinOf(one, 'for another platform')),
      ...[mockOf(path), path.replace(/(^|\/)__mocks__\//, '$1')]
        .filter((one) => one !== path)
        .map((one) => twinOf(one, 'what tests put in its place')),
      ...conditions
        .filter((targets) => targets.has(path))
        .flatMap((targets) => [...targets].filter((one) => one !== path))
        .map((one) => twinOf(one, 'under another condition of package.json')),
    ];
  });
}

function mockOf(path: string): string {
  return path.includes('__mocks__/') ? path : join(dirname(path), '__mocks__', basename(path));
}

/** Endings that bundlers try before the plain one (reactnative.dev/docs/platform-specific-code; webpack and Metro, `resolve.extensions`). */
const platform =
  /\.(?:ios|android|native|web|windows|macos|server|client|browser|node|electron|desktop|mobile|worker|workerd|edge|deno|bun)$/;

function isOtherPlatform(one: string, path: string): boolean {
  const [first, second] = [one, path].map((each) => each.replace(/\.[cm]?[jt]sx?$/, ''));
  if (first === undefined || second === undefined || first === one || second === path) return false;
  if (!platform.test(first) && !platform.test(second)) return false;
  return first !== second && first.replace(platform, '') === second.replace(platform, '');
}

/** Files that one name of a package leads to, by the condition it is asked under. */
function listConditions(question: Question, all: readonly string[]): readonly ReadonlySet<string>[] {
  const manifests = all.filter((path) => basename(path) === 'package.json');
  return manifests.flatMap((path) => {
    const fields = readFields(question.source(path)?.text ?? '');
    const names = ['imports', 'exports'].flatMap((field) => listTargets(fields[field]));
    const { browser } = fields;
    const replaced = typeof browser === 'object' && browser !== null ? Object.entries(browser) : [];
    return [...names, ...replaced]
      .map((targets) => targets.flatMap((one) => (typeof one === 'string' ? [join(dirname(path), one)] : [])))
      .filter((targets) => targets.length > 1)
      .flatMap((targets) => fillIn(targets, all));
  });
}

function readFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // A manifest that cannot be read has no conditions; other doubts are about it.
    return {};
  }
}

/** By name, all that it may lead to. */
function listTargets(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const isByCondition = entries.every(([key]) => !/^[.#]/.test(key));
  return isByCondition ? [leaves(value)] : entries.map(([, target]) => leaves(target));
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** `./src/*.node.ts` and `./src/*.web.ts`, for each file that fits the first. */
function fillIn(targets: readonly string[], all: readonly string[]): readonly ReadonlySet<string>[] {
  if (!targets.some((one) => one.includes('*'))) return [new Set(targets)];
  return targets.flatMap((target) => {
    const [before = '', after] = target.split('*');
    if (after === undefined) return [];
    const stars = all
      .filter((path) => path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length)
      .map((path) => path.slice(before.length, path.length - after.length));
    return stars.map((star) => new Set(targets.map((one) => one.replace('*', star))));
  });
}

/** All that is bound to the first declaration of the name in the file: exports stand at its top, and most come first. */
function sameAs(own: readonly CensusAccount[], twin: string): readonly CensusAccount[] {
  const [first] = own.filter(({ detail }) => detail?.startsWith(`${twin}:`));
  return first === undefined ? own : own.filter(({ detail }) => detail === first.detail);
}
