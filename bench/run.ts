// npm run bench -- <name> [names…] [flags]: prints figures beside a named peer measured in the same run. Nothing is asserted: machines differ.

import { useOwnState } from './build-program.ts';

const benches: Readonly<Record<string, (flags: readonly string[]) => Promise<void>>> = {
  fleet: async (flags) => (await import('./fleet.ts')).benchFleet(flags),
  gather: async (flags) => (await import('./gather.ts')).benchGather(flags),
  index: async (flags) => (await import('./index.ts')).benchIndex(flags),
  page: async (flags) => (await import('./page.ts')).benchPage(flags),
  parse: async () => (await import('./parse.ts')).benchParse(),
  redact: async () => (await import('./redact.ts')).benchRedact(),
  rename: async (flags) => (await import('./rename.ts')).benchRename(flags),
  runtime: async (flags) => (await import('./runtime.ts')).benchRuntime(flags),
  semantic: async (flags) => (await import('./semantic.ts')).benchSemantic(flags),
  serve: async (flags) => (await import('./serve.ts')).benchServe(flags),
  tokens: async (flags) => (await import('./tokens.ts')).benchTokens(flags),
  tsgo: async (flags) => (await import('./tsgo.ts')).benchTsgo(flags),
};

const isFlag = (word: string): boolean => word.startsWith('--');
const flags = process.argv.slice(2).filter(isFlag);
const names = process.argv.slice(2).filter((word) => !isFlag(word));
const unknown = names.find((name) => !(name in benches));
if (names.length === 0 || unknown !== undefined) {
  console.error(
    `${unknown === undefined ? 'name a benchmark' : `unknown benchmark '${unknown}'`}: ${Object.keys(benches).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  useOwnState();
  for (const name of names) await benches[name]?.(flags);
}
