/**
 * Test cases of every candidate file, counted off the main thread. A file that cannot be read as code makes the count a lower
 * bound, never a smaller exact number.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { mapBounded } from '../../kernel/base/turns.ts';
import { isForeignManifest, isTestFile } from '../../kernel/tree/file-roles.ts';
import { dataLanguages, languageOf } from '../../languages/file-language.ts';
import { findGrammar, type PinnedGrammar } from '../../languages/parsing/grammar-pins.ts';
import { openParsePool, parseLimits } from './parse-pool.ts';
import { testSourceGlobs } from './source-globs.ts';

export type TestFamily = 'javascript' | 'python' | 'go' | 'rust' | 'java';

type CountedTests = {
  readonly files: readonly string[];
  readonly filesByFamily: ReadonlyMap<TestFamily, number>;
  readonly cases: { readonly value: number; readonly relation: 'eq' | 'gte' };
  /** Modules of test libraries that test files import. */
  readonly libraries: ReadonlySet<string>;
};

type FileCount = {
  readonly path: string;
  readonly cases: number;
  readonly exact: boolean;
  readonly libraries: readonly string[];
};

/** Enough to keep every thread busy, little enough to bound what is held in memory. */
const atOnce = 32;

const familyByGrammar: Readonly<Record<PinnedGrammar, TestFamily>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  javascript: 'javascript',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
};

export async function countCases(repo: ProbeRepo, signal: AbortSignal): Promise<CountedTests> {
  const candidates = repo.inputs.list(testSourceGlobs).filter((path) => isFile(repo, path) && mayHoldCases(path));
  const pool = openParsePool({ signal });
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
  const files = [...counts.map(({ path }) => path), ...others];
  const filesByFamily = new Map<TestFamily, number>();
  for (const path of files) {
    const grammar = findGrammar(path);
    if (grammar === undefined) continue;
    const family = familyByGrammar[grammar];
    filesByFamily.set(family, (filesByFamily.get(family) ?? 0) + 1);
  }
  return {
    files,
    filesByFamily,
    cases: {
      value: counts.reduce((sum, { cases }) => sum + cases, 0),
      relation: counts.every(({ exact }) => exact) && others.length === 0 ? 'eq' : 'gte',
    },
    libraries: new Set(counts.flatMap(({ libraries }) => libraries)),
  };
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
  return named || facts.cases > 0 ? { path, ...facts } : null;
}

/** A look at the bytes that spares most files the parse: no case can be written without one of these. */
const hints: Readonly<Record<TestFamily, readonly string[]>> = {
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
  return isTestFile(path) && language !== null && !dataLanguages.has(language);
}

/** In a test directory, or Rust: a test file if it holds a case. What lies among fixtures is input of tests, not a test. */
export function mayHoldCases(path: string): boolean {
  if (findGrammar(path) === undefined) return false;
  return isNamedTestFile(path) || !isForeignManifest(path);
}
