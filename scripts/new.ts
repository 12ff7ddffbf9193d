/**
 * `npm run new -- probe|language|refactoring|operation|command <name>`: writes a skeleton with an example that runs, brings generated
 * files up to date, and says what to do next. It overwrites nothing.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Skeleton = {
  readonly files: Readonly<Record<string, string>>;
  /** Lines that join a list that is written by hand: file, what stands there, what shall. */
  readonly edits?: readonly (readonly [path: string, from: RegExp, to: string])[];
  readonly next: readonly string[];
};

const root = fileURLToPath(new URL('../', import.meta.url));

/** `my_probe`, `my-probe`, `myProbe` and `myprobe` of one name. */
type Names = { readonly snake: string; readonly kebab: string; readonly camel: string; readonly word: string };

const skeletons: Readonly<Record<string, (names: Names) => Skeleton>> = {
  probe: ({ snake, kebab, camel }) => ({
    files: {
      [`src/probes/${kebab}/${kebab}.ts`]: `/** ${snake}: what the NOTICE file of a repository says. Replace this by what the probe promises. */

import { defineProbe } from '../../gather/contract.ts';
import { ${camel}Facts } from './${kebab}-facts.ts';
import { ${camel}Section } from './${kebab}-section.ts';

export default defineProbe({
  name: '${snake}',
  version: '0.1.0',
  layer: 'A',
  says: 'How long the NOTICE file is.',
  heaviness: 'light',
  sections: { ${snake}: ${camel}Section },
  facts: ${camel}Facts,
  declaredInputs: ['NOTICE'],
  timeoutSeconds: 5,
  warningIds: ['${snake}.unreadable'],
  confidenceRule: 'high when the file was read or is not there, low when it could not be read',
  examples: [
    {
      shows: 'a file with two lines',
      files: { NOTICE: 'one\\ntwo\\n' },
      gives: { ${snake}: { path: 'NOTICE', lines: 2 } },
      facts: [{ id: '${snake}.lines', scope: '.', value: 2, confidence: 'high', evidence: ['NOTICE:1'] }],
      confidence: 'high',
    },
    {
      shows: 'a repository without one',
      files: { 'a.txt': 'x' },
      gives: { ${snake}: { path: null, lines: 0 } },
      facts: [{ id: '${snake}.lines', scope: '.', state: 'none', value: null }],
      confidence: 'high',
    },
  ],
  async run(repo) {
    const { gatherLines } = await import('./gather-${kebab}.ts');
    const slice = await gatherLines(repo.inputs);
    if (slice === undefined)
      return {
        kind: 'ran',
        slice: { ${snake}: { path: 'NOTICE', lines: null } },
        confidence: 'low',
        warnings: ['${snake}.unreadable'],
      };
    return { kind: 'ran', slice: { ${snake}: slice }, confidence: 'high', warnings: [] };
  },
});
`,
      [`src/probes/${kebab}/${kebab}-section.ts`]: `/** What ${snake} publishes. \`lines\` is null where the file could not be read. */

import { z } from '../../kernel/base/schema.ts';

export const ${camel}Section = z.strictObject({ path: z.string().nullable(), lines: z.int().nullable() });
`,
      [`src/probes/${kebab}/${kebab}-facts.ts`]: `/** What ${snake} states of its section. A fact of what is there names its evidence; one that is not certain is unknown, never none. */

import { factsOf, known, none, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { ${camel}Section } from './${kebab}-section.ts';

export const ${camel}Facts = factsOf('${snake}', ${camel}Section, [
  {
    id: '${snake}.lines',
    says: 'How many lines the NOTICE file has.',
    of: 'the repository',
    value: z.int(),
    from: 'NOTICE',
    state: ({ path, lines }) => {
      if (path === null) return [none('.', { because: 'looked', how: 'there is no NOTICE' })];
      if (lines === null) return [unknown('.', { because: 'incomplete', how: 'NOTICE could not be read' })];
      // That the file is there is the evidence; without \`shows: null\` the line has to hold the value.
      return [known('.', lines, { because: 'counted', how: 'its lines', evidence: [{ path, shows: null }] })];
    },
  },
]);
`,
      [`src/probes/${kebab}/gather-${kebab}.ts`]: `/** Loaded only when the probe runs. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { decodeLenient } from '../../kernel/base/text.ts';

/** Undefined: it is there and could not be read. */
export async function gatherLines(
  inputs: ProbeRepo['inputs'],
): Promise<{ readonly path: string | null; readonly lines: number } | undefined> {
  const file = await inputs.read('NOTICE', 64 * 1024);
  if (file.kind === 'absent') return { path: null, lines: 0 };
  if (file.kind === 'failed') return undefined;
  return { path: 'NOTICE', lines: decodeLenient(file.bytes).split('\\n').length - 1 };
}
`,
    },
    next: [
      `npx vitest run test/probe-examples.test.ts -t ${snake}`,
      'describe it in docs/spec/probes.md, then replace inputs, section, facts and examples by your own',
    ],
  }),

  operation: ({ snake, kebab, camel }) => ({
    files: {
      [`src/serve/operations/${kebab}.ts`]: `/** How many files the index knows. Replace this by what the question is. */

import { countRows } from '../../index/store/store-counts.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { countOf, countWith, whyStale } from './answer-words.ts';
import { Count, defineOperation } from './operation.ts';

export default defineOperation({
  name: '${snake}',
  says: 'How many files the index knows',
  sweeps: true,
  input: strictInput({}),
  output: z.object({ count: Count }),
  // T14: what was not swept, or differs on disk, could add to it.
  run: async (view) => view.read((session) => ({ count: countWith(countRows(session), whyStale(view)) })),
  render: ({ count }) => countOf(count, 'file'),
});
`,
      [`test/serve/${kebab}.test.ts`]: skeletonTest([kebab], camel),
    },
    edits: [
      [
        'src/cli/commands/questions.ts',
        /\n\];\n/,
        `
  question({
    name: '${kebab}',
    says: 'Show how many files the index knows',
    args: [],
    flags: [],
    load: () => import('../../serve/operations/${kebab}.ts'),
    input: () => ({}),
  }),
];
`,
      ],
    ],
    next: [
      `npx vitest run test/serve/${kebab}.test.ts`,
      'name its route in src/serve/http/routes.ts if it shall be asked over HTTP',
    ],
  }),

  command: ({ kebab, camel }) => ({
    files: {
      [`src/cli/commands/${kebab}.ts`]: `/** \`codegenie ${kebab.replaceAll('-', ' ')}\`: says where it was called. Replace this by what the command does. */

import { defineCommand } from '../command.ts';

export default defineCommand({
  name: '${kebab.replaceAll('-', ' ')}',
  says: 'Print the current directory',
  args: [],
  flags: [],
  async run({ terminal }) {
    terminal.stdout.write(\`\${terminal.cwd}\\n\`);
    return 'ok';
  },
});
`,
      [`test/e2e/${kebab}.test.ts`]: skeletonTest(kebab.split('-'), camel),
    },
    next: [
      `npx vitest run test/e2e/${kebab}.test.ts`,
      'add what it asks to src/serve/workspace/workspace.ts; load heavy modules inside `run`',
    ],
  }),

  refactoring: ({ snake, kebab, camel }) => ({
    files: {
      [`src/mutate/${kebab}/${kebab}.ts`]: `/** ${kebab}: finds what has to change and never writes. Replace this by what it promises. */

import { z } from '../../kernel/base/schema.ts';
import { unsupportedAnswer } from '../plans/answers.ts';
import { defineRefactoring } from '../refactoring.ts';

export default defineRefactoring({
  kind: '${snake}',
  name: '${kebab}',
  says: 'say what it does, in one clause',
  input: z.strictObject({ target: z.string() }),
  languages: ['typescript', 'javascript'],
  async find(_world, { target }) {
    const answer = unsupportedAnswer('operation', \`nothing can be done to \${target} yet\`, { can_force_syntactic: false });
    return { kind: 'answer', answer };
  },
});
`,
      [`src/mutate/${kebab}/${kebab}.test.ts`]: `import { expect, test } from 'vitest';
import type { LookingWorld } from '../refactoring.ts';
import ${camel} from './${kebab}.ts';

test('it answers, and says that it cannot do anything yet', async () => {
  const found = await ${camel}.find({} as LookingWorld, { target: 'a' });
  expect(found).toMatchObject({ kind: 'answer', answer: { outcome: { kind: 'unsupported' } } });
});
`,
    },
    edits: [['src/mutate/vocabulary.ts', /(export const planKinds = \[[^\]]*)\]/, `$1, '${snake}']`]],
    next: [
      `npx vitest run src/mutate/${kebab}`,
      'give it a change in src/serve/changes, and a test for each outcome it can end in (docs/spec/mutation.md section 12)',
    ],
  }),

  // A language has one word.
  language: ({ word }) => ({
    files: {
      [`src/languages/${word}/${word}.ts`]: `/** ${word}: shell scripts with another ending. Replace this by what the language is. */

import { defineLanguage } from '../language.ts';

export default defineLanguage({
  name: '${word}',
  title: '${word}',
  extensions: ['${word}'],
  grammars: { ${word}: { wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm' } },
  tokens: {
    names: { word: 'name', variable_name: 'name' },
    strings: new Set(['string', 'raw_string', 'heredoc_body']),
    comments: new Set(['comment']),
  },
  names: { shape: /^[a-zA-Z_][a-zA-Z0-9_]*$/ },
  reserved: { always: 'if then else elif fi for do done while until case esac function' },
});
`,
      [`src/languages/${word}/${word}-facts.ts`]: `/** Functions, one after the other. Total: broken text gives what could be read. */

import type { RawFacts, RawSymbol, SourceTree } from '../facts.ts';
import { walkTree } from '../parsing/walk-tree.ts';

export default function extractFacts({ root }: SourceTree): RawFacts {
  const symbols: RawSymbol[] = [];
  walkTree(root, {
    function_definition(node) {
      const name = node.childForFieldName('name');
      if (name === null) return undefined;
      symbols.push({
        name: name.text,
        kind: 'function',
        parent: -1,
        exported: true,
        nameStart: name.startIndex,
        nameEnd: name.endIndex,
        start: node.startIndex,
        end: node.endIndex,
      });
      return undefined;
    },
  });
  return { symbols, imports: [], exports: [], dynamicSites: [], interfaceRecords: null, canClose: false, provides: [] };
}
`,
      [`src/languages/${word}/${word}-scopes.ts`]: `/** Nothing is bound: every name may mean anything, which is a true answer and never \`eq\`. */

import { byTable } from '../scopes/scope-table.ts';

export default byTable({
  names: new Set(['variable_name']),
  members: new Set(),
  memberPlaces: [],
  types: new Set(),
  elsewhere: [],
  opaque: new Set(),
  scopes: {},
  declares: {},
  through: {},
  writes: {},
  isModule: false,
});
`,
      [`src/languages/${word}/${word}-facts.test.ts`]: `import { expect, test } from 'vitest';
import { withParsedSource } from '../parsing/parse-source.ts';
import extract from './${word}-facts.ts';

test('a function is declared', async () => {
  const text = 'greet() {\\n  echo hello\\n}\\n';
  const facts = await withParsedSource('${word}', Buffer.from(text), ({ root, hasErrors }) =>
    extract({ root, text, path: 'a.${word}', hasErrors }),
  );
  expect(facts).toMatchObject({ symbols: [{ name: 'greet', kind: 'function' }] });
});
`,
    },
    next: [
      `npx vitest run src/languages/${word}`,
      `put sources below test/fixtures/syntax/${word}/ and read what UPDATE_GOLDENS=1 npx vitest run test/syntax-goldens.test.ts writes`,
    ],
  }),
};

function skeletonTest(command: readonly string[], camel: string): string {
  return `import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

test('${camel} answers', async () => {
  repo = createFixtureRepo({ 'a.ts': 'export const a = 1;\\n' });
  const { code, stdout } = await runCli([${command.map((word) => `'${word}'`).join(', ')}], { cwd: repo.root, home: repo.home });
  expect(code).toBe(0);
  expect(stdout).not.toBe('');
});
`;
}

function write(kind: string, name: string): string {
  const skeleton = skeletons[kind];
  if (skeleton === undefined) return `unknown kind '${kind}': one of ${Object.keys(skeletons).join(', ')}`;
  if (!/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/.test(name))
    return `'${name}' is no name: lower case words with - or _ between them`;
  const words = name.split(/[-_]/);
  const camel = words.map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('');
  const {
    files,
    edits = [],
    next,
  } = skeleton({ snake: words.join('_'), kebab: words.join('-'), camel, word: words.join('') });
  const taken = Object.keys(files).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) return `there already: ${taken.join(', ')}`;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, from, to] of edits)
    writeFileSync(join(root, path), readFileSync(join(root, path), 'utf8').replace(from, to));
  spawnSync('npx', ['biome', 'check', '--write', ...Object.keys(files)], { cwd: root });
  const generated = spawnSync(process.execPath, ['scripts/generate.ts'], { cwd: root, encoding: 'utf8' });
  if (generated.status !== 0) return `the skeleton is written, but npm run gen failed:\n${generated.stderr}`;
  console.log(
    ['written:', ...Object.keys(files).map((path) => `  ${path}`), 'next:', ...next.map((step) => `  ${step}`)].join(
      '\n',
    ),
  );
  return '';
}

const problem = write(process.argv[2] ?? '', process.argv[3] ?? '');
if (problem !== '') {
  console.error(problem);
  process.exitCode = 2;
}
