// Builds what the published package runs: the sources bundled into few files, because a start that resolves 250 modules
// takes four times as long as one that resolves thirty. Dependencies stay outside, and so are installed as usual.

import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
// zod is loaded at every start and in ninety files; it is the one dependency worth carrying inside.
const outside = Object.keys(manifest.dependencies).filter((name) => name !== 'zod');

// Another place than the package itself may be named, for the test of the built form.
const target = `${process.argv[2] ?? '.'}/dist`;
rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  // The workers are files of their own: threads start from them by name.
  input: {
    main: 'src/cli/main.ts',
    'source-worker': 'src/probes/source-worker.ts',
    'index-worker': 'src/index/sync/index-worker.ts',
    'import-worker': 'src/index/refresh/import-worker.ts',
    'regex-worker': 'src/probes/conventions/regex-worker.ts',
    'search-regex-worker': 'src/index/search/search-regex-worker.ts',
    'tsgo-share': 'src/languages/typescript/tsgo/tsgo-share.ts',
    // Processes of their own, started by name too.
    'compiler-job': 'src/mutate/compiler/job/compiler-job.ts',
    'tsgo-job': 'src/languages/typescript/tsgo/tsgo-job.ts',
  },
  platform: 'node',
  external: [/^node:/, ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({ dir: target, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
// Read at run time, beside the code that reads it.
copyFileSync('src/index/store/schema.sql', `${target}/schema.sql`);
