// npm run conformance -- <name> [options]: runs one part of the conformance corpus against this program. Each part says what it
// skipped; a violation fails the run.

const [name, ...rest] = process.argv.slice(2);
const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  refs: () => import('./conformance-refs.ts'),
  facts: () => import('./conformance-facts.ts'),
  rename: async () => (await import('./conformance-renames.ts')).runSuite('rename'),
  capture: async () => (await import('./conformance-renames.ts')).runSuite('capture'),
  'first-answers': () => import('./conformance-first-answers.ts'),
  parse: () => import('./conformance-parse.ts'),
  behaviour: () => import('./conformance-behaviour.ts'),
};
const part = name === undefined ? undefined : parts[name];
if (part === undefined) {
  console.error(`${name === undefined ? 'name a part' : `unknown part '${name}'`}: ${Object.keys(parts).join(', ')}`);
  process.exitCode = 2;
} else {
  // The part reads its own options.
  process.argv.splice(2, process.argv.length, ...rest);
  await part();
}
