/** What each command can be given, so that a test of all of them cannot leave one out. */

/** `odd` where anything may stand, `file` where a file is meant; the tree has `src/use.ts`. Null: it runs until it is stopped. */
export const argumentsOfCommands = ({
  file,
  odd,
}: {
  readonly file: string;
  readonly odd: string;
}): Readonly<Record<string, readonly string[] | null>> => ({
  'audit verify': [],
  clean: ['--yes', odd],
  'daemon logs': [],
  'daemon start': null,
  'daemon status': [],
  'daemon stop': [],
  def: ['src/use.ts:2:22'],
  deps: ['src/use.ts'],
  diff: ['.', odd],
  doctor: [],
  facts: ['commands'],
  gather: ['--only', 'node_manifest,commands'],
  implementations: ['told'],
  index: [],
  mcp: null,
  move: [file, `src/x${odd}.ts`],
  outline: [file],
  'plan cancel': [odd],
  'plan commit': [odd],
  'plan list': [],
  'plan show': [odd],
  'plan undo': [odd],
  'probes list': [],
  'probes show': [odd],
  refs: ['src/use.ts:2:22'],
  rename: ['src/use.ts:2:22', 'said'],
  report: [],
  schema: [odd],
  search: ['odd'],
  serve: null,
  setup: [odd],
  slice: [file, '--kind', 'imports'],
  state: [],
  status: [],
  symbols: ['told'],
  ui: null,
});
