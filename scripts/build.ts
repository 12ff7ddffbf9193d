// Builds what the published package runs: the sources bundled into few files, because a start that resolves 250 modules
// takes four times as long as one that resolves thirty. Dependencies stay outside, and so are installed as usual.

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChunkingContext, type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { buildPage } from '../src/serve/page/page-files.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
// What is no dependency of the published package is carried inside: of zod, GraphQL and the protocol for agents a tenth is used.
const outside = Object.keys(manifest.dependencies);

// Another place than the package itself may be named, for the test of the built form.
const target = `${process.argv[2] ?? '.'}/dist`;
rmSync(target, { recursive: true, force: true });
// The workers are files of their own: threads start from them by name.
const workers = {
  'source-worker': 'src/probes/source-worker.ts',
  'index-worker': 'src/index/sync/index-worker.ts',
  'import-worker': 'src/index/refresh/import-worker.ts',
  'regex-worker': 'src/probes/conventions/regex-worker.ts',
  'search-regex-worker': 'src/index/search/search-regex-worker.ts',
  'unsaved-worker': 'src/serve/unsaved/unsaved-worker.ts',
  'tsgo-share': 'src/languages/typescript/tsgo/tsgo-share.ts',
  // Processes of their own, started by name too.
  'tsgo-job': 'src/languages/typescript/tsgo/tsgo-job.ts',
  'fleet-query-job': 'src/fleet/store/query-job.ts',
};
/**
 * A process that the user waits for, and that shares little with the rest: bundled apart it loads what it uses, and not the files of the
 * program in which some of that happens to stand.
 */
const job = { 'compiler-job': 'src/mutate/compiler/job/compiler-job.ts' };
const main = 'src/cli/main.ts';
const library = 'src/serve/library/library.ts';

// What a gather loads in any case is a few files, not 170: resolving and linking each costs about half a millisecond. A later group leaves out what an
// earlier one has; what threads load, too, stays apart from it, so that they do not read the rest.
const groups: readonly (readonly [name: string, roots: readonly string[]])[] = [
  ['open', ['src/serve/workspace/open-workspace.ts', 'src/cli/ask.ts']],
  [
    'code',
    [
      'src/serve/workspace/local-workspace.ts',
      'src/index/view/code-view.ts',
      'src/index/sync/reconcile.ts',
      'src/gather/run/code-facts.ts',
    ],
  ],
  ['gather', ['src/serve/workspace/local-gathering.ts', 'src/gather/report/summary-lines.ts']],
];
/** Left to the bundler: probes of the user's own are handed the whole of it with its translations, all others a part. */
const isZod = (id: string) => id.includes('/node_modules/zod/');
let chosen: ReadonlyMap<string, string> | undefined;

function chooseGroups(context: ChunkingContext): ReadonlyMap<string, string> {
  const reach = (roots: readonly string[]): ReadonlySet<string> => {
    const found = new Set(roots.map((root) => resolve(root)));
    // A set that grows while it is walked.
    for (const id of found) for (const next of context.getModuleInfo(id)?.importedIds ?? []) found.add(next);
    return found;
  };
  const first = reach([main]);
  const inThreads = reach(Object.values(workers));
  const names = new Map<string, string>();
  for (const [name, roots] of groups)
    for (const id of reach(roots))
      if (!first.has(id) && !names.has(id) && !isZod(id))
        names.set(id, inThreads.has(id) ? `${name}-and-threads` : name);
  return names;
}

const shared = {
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  // Who builds the page has it; what is published carries the page built.
  external: [/^node:/, 'vite', ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
} satisfies InputOptions;
const written = {
  dir: target,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
} satisfies OutputOptions;
const apart = await (await rolldown({ ...shared, input: job })).write(written);
const bundle = await rolldown({ ...shared, input: { main, library, ...workers } });
const { output } = await bundle.write({
  ...written,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'what a gather loads',
        name: (id, context) => {
          chosen ??= chooseGroups(context);
          return chosen.get(id) ?? null;
        },
      },
    ],
  },
});
const ofPage = await buildPage(resolve(target, 'page'));
// Types alone, which nothing has to be compiled for.
const types = readFileSync('src/serve/library/library-types.ts', 'utf8');
writeFileSync(`${target}/library.d.ts`, `${types}\nexport declare const openWorkspace: OpenWorkspace;\n`);
// Read at run time, beside the code that reads it.
copyFileSync('src/index/store/schema.sql', `${target}/schema.sql`);
// Of their packages, which have sources and builds for every system, only these are used.
const carried = [
  '@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm',
  'oxc-parser/parser.wasm32-wasip1.wasm',
  '@ast-grep/wasm/wasm_bg.wasm',
];
for (const file of carried) copyFileSync(fileURLToPath(import.meta.resolve(file)), `${target}/${basename(file)}`);
writeFileSync(`${target}/THIRD-PARTY-LICENSES.txt`, quoteLicences([...output, ...apart.output], ofPage));

/** What others wrote and is carried inside, with what they ask to be said. */
function quoteLicences(parts: readonly (typeof output)[number][], others: readonly string[]): string {
  const packages = new Map<string, string>();
  for (const id of [...parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])), ...others]) {
    const [, home, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? [];
    if (home !== undefined && name !== undefined) packages.set(name, home);
  }
  return [...packages]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, home]) => {
      const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
      const { license } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8')) as { license?: string };
      return `${name} (${license})\n\n${file === undefined ? '' : readFileSync(`${home}/${file}`, 'utf8')}`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
