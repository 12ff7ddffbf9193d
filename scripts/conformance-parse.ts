// npm run conformance -- parse [--count] [files…]: are the TypeScript sources of fifteen npm packages read whole, and do both parsers say the same of them?
//
// A file that TypeScript's own parser accepts and that is called broken is a violation. Where tree-sitter reads a file without an error
// too, everything that is kept of it is compared with what oxc's tree gives; each difference is told, with where it first shows.
// With `--count` nothing is compared.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachePackage, realPackages } from '../bench/real-corpus.ts';
import { languageOf } from '../src/languages/file-language.ts';
import { findLanguage, grammarOf } from '../src/languages/languages.ts';
import { type ParsedSource, withGrammarTree, withParsedSource } from '../src/languages/parsing/parse-source.ts';
import { type ToldSource, tellSource } from '../test/support/tell-source.ts';

/** TypeScript 5.9, whose parser is a library; it comes with scip-typescript. */
type TypeScript = {
  readonly ScriptTarget: { readonly Latest: number };
  createSourceFile(path: string, text: string, target: number): { readonly parseDiagnostics: readonly unknown[] };
};
const require = createRequire(createRequire(import.meta.url).resolve('@sourcegraph/scip-typescript/package.json'));
const typescript = require('typescript') as TypeScript;

const countsOnly = process.argv.includes('--count');
const given = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const roots = given.length > 0 ? given : realPackages.map(cachePackage);
const counts = { files: 0, accepted: 0, broken: 0, brokenToTreeSitter: 0, compared: 0, different: 0 };
const differences = new Map<string, { count: number; readonly first: string }>();

for (const file of roots.flatMap(listSources)) {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const language = findLanguage(languageOf(file) ?? '');
  if (language === undefined) continue;
  counts.files += 1;
  const { parseDiagnostics } = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest);
  const grammar = grammarOf(language, file);
  if (parseDiagnostics.length > 0) continue;
  counts.accepted += 1;
  const tell = (source: ParsedSource): ToldSource =>
    countsOnly ? { hasErrors: source.hasErrors, told: {} } : tellSource({ ...source, path: file }, language.name);
  const ours = await withParsedSource(grammar, text, tell);
  if (ours.hasErrors) {
    counts.broken += 1;
    console.log(`broken: ${file}`);
  }
  if (countsOnly) continue;
  const other = await withGrammarTree(grammar, text, tell);
  if (other.hasErrors) counts.brokenToTreeSitter += 1;
  if (ours.hasErrors || other.hasErrors) continue;
  counts.compared += 1;
  const kinds = Object.keys(ours.told).filter((kind) => ours.told[kind]?.join('\n') !== other.told[kind]?.join('\n'));
  if (kinds.length > 0) counts.different += 1;
  for (const kind of kinds) {
    const lines = ours.told[kind] ?? [];
    const at = lines.findIndex((line, index) => line !== other.told[kind]?.[index]);
    const found = differences.get(kind) ?? {
      count: 0,
      first: `${file}\n    oxc         ${lines[at]}\n    tree-sitter ${other.told[kind]?.[at]}`,
    };
    found.count += 1;
    differences.set(kind, found);
  }
}
console.log(
  `${counts.files} sources; TypeScript accepts ${counts.accepted}, of which we call ${counts.broken} broken` +
    (countsOnly
      ? '.'
      : ` (tree-sitter alone: ${counts.brokenToTreeSitter}).\n` +
        `${counts.compared} are read by both parsers; something differs in ${counts.different}:`),
);
for (const [kind, { count, first }] of differences) console.log(`  ${kind}: ${count} files, first ${first}`);
if (counts.broken > 0) process.exitCode = 1;

function listSources(root: string): string[] {
  if (!statSync(root).isDirectory()) return [root];
  return (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$|(?:^|\/)node_modules\//.test(path))
    .map((path) => join(root, path))
    .filter((path) => statSync(path).isFile())
    .sort();
}
