// npm run bench -- <name> [names…]: prints figures beside a named peer measured in the same run. Nothing is asserted: machines differ.

const benches: Readonly<Record<string, () => Promise<void>>> = {
  gather: async () => (await import('./gather.ts')).benchGather(),
  index: async () => (await import('./index.ts')).benchIndex(),
  parse: async () => (await import('./parse.ts')).benchParse(),
  redact: async () => (await import('./redact.ts')).benchRedact(),
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in benches));
if (names.length === 0 || unknown !== undefined) {
  console.error(
    `${unknown === undefined ? 'name a benchmark' : `unknown benchmark '${unknown}'`}: ${Object.keys(benches).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  for (const name of names) await benches[name]?.();
}
