/**
 * Test cases of every candidate file, counted off the main thread. A file that cannot be read as code makes the count a lower
 * bound, never a smaller exact number.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { mapBounded } from '../../kernel/base/turns.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { dataLanguages, languageOf } from '../../languages/file-language.ts';
import { findGrammar, type PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import { openParsePool, parseLimits } from './parse-pool.ts';
import { hasTestName, linedTestGlobs, testSourceGlobs } from './source-globs.ts';

type ParsedFamily = 'javascript' | 'python' | 'go' | 'rust' | 'java';
export type TestFamily = ParsedFamily | 'ruby' | 'php' | 'dotnet' | 'elixir';

export type CountedFile = {
  readonly path: string;
  readonly cases: number;
  /** Nothing in the file can make more cases at run time, and it was read as code. */
  readonly exact: boolean;
  /** Tests beside the code that they test, in a file that is not named as a test. */
  readonly inline: boolean;
};

type CountedTests = {
  readonly files: readonly CountedFile[];
  readonly filesByFamily: ReadonlyMap<TestFamily, number>;
  readonly cases: { readonly value: number; readonly relation: 'eq' | 'gte' };
  /** Modules of test libraries that test files import, each with the first file that does. */
  readonly libraries: ReadonlyMap<string, string>;
};

type FileCount = {
  readonly path: string;
  readonly cases: number;
  readonly exact: boolean;
  readonly libraries: readonly string[];
};

/** Enough to keep every thread busy, little enough to bound what is held in memory. */
const atOnce = 32;

const familyByGrammar: Readonly<Record<PinnedGrammar, ParsedFamily>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  javascript: 'javascript',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
};
const familyByLanguage: ReadonlyMap<string | null, TestFamily> = new Map([
  ['ruby', 'ruby'],
  ['php', 'php'],
  ['csharp', 'dotnet'],
  ['fsharp', 'dotnet'],
  ['elixir', 'elixir'],
  ['kotlin', 'java'],
  ['scala', 'java'],
  ['groovy', 'java'],
]);

function familyOf(path: string): TestFamily | undefined {
  const grammar = findGrammar(path);
  return grammar === undefined ? familyByLanguage.get(languageOf(path)) : familyByGrammar[grammar];
}

/** With `byLine`, files of languages that are not parsed are read as well, which must be declared inputs then. */
export async function countCases(
  repo: ProbeRepo,
  signal: AbortSignal,
  { byLine = false }: { readonly byLine?: boolean } = {},
): Promise<CountedTests> {
  const candidates = repo.inputs.list(testSourceGlobs).filter((path) => isFile(repo, path) && mayHoldCases(path));
  const pool = openParsePool({ signal, memo: repo.inputs.extracted });
  let counts: FileCount[];
  try {
    counts = (await mapBounded(candidates, atOnce, (path) => countFile(repo, path, pool))).filter(
      (count) => count !== null,
    );
  } finally {
    await pool.close();
  }
  const parsedPaths = new Set(candidates);
  const others = repo.inputs
    .list()
    .filter((path) => !parsedPaths.has(path) && isFile(repo, path) && isNamedTestFile(path));
  const named = new Set(others);
  const unnamed = byLine
    ? repo.inputs
        .list(linedTestGlobs)
        .filter((path) => !named.has(path) && isFile(repo, path) && !isForeignManifest(path))
    : [];
  const counted = await mapBounded([...others, ...unnamed], atOnce, async (path) => ({
    path,
    cases: byLine ? await countLines(repo, path) : 0,
    exact: false,
    inline: false,
  }));
  // Without the name of a test, a file there is one if it holds a case; in .NET nothing is without.
  const lined = counted.filter(
    ({ path, cases }) => cases > 0 || (named.has(path) && !(byLine && familyOf(path) === 'dotnet')),
  );
  const tests = withoutHelpers(counts, packagesOf(repo));
  const files = [...tests.map(({ path, cases, exact }) => ({ path, cases, exact, inline: isInline(path) })), ...lined];
  const filesByFamily = new Map<TestFamily, number>();
  for (const { path } of files) {
    const family = familyOf(path);
    if (family !== undefined) filesByFamily.set(family, (filesByFamily.get(family) ?? 0) + 1);
  }
  const libraries = new Map<string, string>();
  for (const count of counts) {
    for (const library of count.libraries) if (!libraries.has(library)) libraries.set(library, count.path);
  }
  return {
    files,
    filesByFamily,
    cases: {
      value: files.reduce((sum, { cases }) => sum + cases, 0),
      relation: tests.every(({ exact }) => exact) && lined.length === 0 ? 'eq' : 'gte',
    },
    libraries,
  };
}

/** Rust keeps unit tests in the file that they test. */
function isInline(path: string): boolean {
  return path.endsWith('.rs') && !/(?:^|\/)tests\//.test(path);
}

/** How many files with a test's name make one without it a helper, whose cases run from them: in its package; in the repository, where its package has any. */
const namedPerHelper = 4;
const namedPerHelperEverywhere = 10;

/**
 * Where a package names its tests (`*.test.js`, `test_*.py`), its runner looks for the names: a file without one that holds cases is a
 * helper. Where hardly any has such a name, the directory says what a test is.
 */
function withoutHelpers(counts: readonly FileCount[], packages: ReadonlySet<string>): readonly FileCount[] {
  const groupOf = ({ path }: FileCount) => `${familyOf(path)} ${packageAround(path, packages)}`;
  const named = new Map<string, { yes: number; no: number }>();
  for (const count of counts) {
    for (const group of [groupOf(count), `${familyOf(count.path)}`]) {
      const held = named.get(group) ?? { yes: 0, no: 0 };
      held[isNamedTestFile(count.path) ? 'yes' : 'no'] += 1;
      named.set(group, held);
    }
  }
  return counts.filter((count) => {
    const family = familyOf(count.path);
    if (isNamedTestFile(count.path) || (family !== 'javascript' && family !== 'python')) return true;
    const { yes = 0, no = 0 } = named.get(groupOf(count)) ?? {};
    const everywhere = named.get(family) ?? { yes: 0, no: 0 };
    return yes < namedPerHelper * no && (yes === 0 || everywhere.yes < namedPerHelperEverywhere * everywhere.no);
  });
}

/** Directories of packages; one among tests is a sample of theirs. */
function packagesOf(repo: ProbeRepo): ReadonlySet<string> {
  return new Set(
    repo.inputs
      .list(['**/{package.json,pyproject.toml}'])
      .map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))
      .filter((dir) => !/(?:^|\/)(?:tests?|__tests__|e2e)(?:\/|$)/.test(dir)),
  );
}

function packageAround(path: string, packages: ReadonlySet<string>): string {
  let dir = path;
  do dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/')));
  while (dir !== '' && !packages.has(dir));
  return dir;
}

/** Null for a file that turns out to be no test. */
async function countFile(
  repo: ProbeRepo,
  path: string,
  pool: ReturnType<typeof openParsePool>,
): Promise<FileCount | null> {
  const grammar = findGrammar(path);
  const named = isNamedTestFile(path);
  const unknown = named ? { path, cases: 0, exact: false, libraries: [] } : null;
  if (grammar === undefined) return unknown;
  const read = await repo.inputs.read(path, parseLimits.parseBytes);
  if (read.kind !== 'read') return unknown;
  if (!named && !mentionsTests(grammar, read.bytes)) return null;
  const outcome = await pool.run({ grammar, bytes: read.bytes, extract: ['test-cases'] });
  if (outcome.kind === 'failed') return unknown;
  const facts = outcome.facts['test-cases'];
  // A new application of Django comes with a `tests.py` without tests.
  const isStub = path.endsWith('tests.py') && facts.cases === 0;
  return (named && !isStub) || facts.cases > 0 ? { path, ...facts } : null;
}

/** How a case begins in languages that are not parsed: one for each line. */
const caseLines: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:rb|cr)$/, /^[ \t]*(?:it|specify|scenario|example|test)(?:[ \t(]+["']|[ \t]*\{|[ \t]+do\b)|^[ \t]*def test_/gm],
  [/\.php$/, /^[ \t]*(?:public )?function test\w*\(|^[ \t]*(?:#\[Test\b|\*[ \t]*@test\b)|^(?:it|test)\(/gm],
  [/\.(?:cs|fs|vb)$/, /^[ \t]*[[<]{1,2}(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/gm],
  [/\.(?:kt|groovy|scala)$/, /^[ \t]*@(?:Test|ParameterizedTest)\b/gm],
  [/\.exs$/, /^[ \t]*(?:test|property) "/gm],
  [/\.dart$/, /^[ \t]*(?:test|testWidgets)\(/gm],
  [/\.swift$/, /^[ \t]*func test\w*\(|^[ \t]*@Test\b/gm],
];

async function countLines(repo: ProbeRepo, path: string): Promise<number> {
  const form = caseLines.find(([ending]) => ending.test(path))?.[1];
  if (form === undefined) return 0;
  const read = await repo.inputs.read(path, parseLimits.parseBytes);
  return read.kind === 'read' ? [...decodeLenient(read.bytes).matchAll(form)].length : 0;
}

/** A look at the bytes that spares most files the parse: no case can be written without one of these. */
const hints: Readonly<Record<ParsedFamily, readonly string[]>> = {
  javascript: ['test', 'it(', 'it.', 'specify'],
  python: ['test'],
  go: ['Test'],
  rust: ['test]', 'test(', 'test_case'],
  java: ['@', 'Test'],
};

function mentionsTests(grammar: PinnedGrammar, bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return hints[familyByGrammar[grammar]].some((hint) => buffer.includes(hint));
}

/** A link owns no facts: its file does. */
function isFile(repo: ProbeRepo, path: string): boolean {
  return repo.inputs.fingerprint(path)?.kind !== 'link';
}

/** A test file by its name: code, not a snapshot or a fixture in JSON. */
export function isNamedTestFile(path: string): boolean {
  const language = languageOf(path);
  return hasTestName(path) && language !== null && !dataLanguages.has(language);
}

/** In a test directory, or Rust: a test file if it holds a case. What lies among fixtures is input of tests, not a test. */
export function mayHoldCases(path: string): boolean {
  if (findGrammar(path) === undefined) return false;
  return isNamedTestFile(path) || !isForeignManifest(path);
}
