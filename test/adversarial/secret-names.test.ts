/**
 * P8 Tokens in names: of files, folders, links and what they lead to, submodules and other repositories; between bytes that are not UTF-8, beside
 * line ends and escapes, written as in an address; of files that are too large, no text, or no files. No command, no route, no tool and no
 * listing says one, and no byte that the program leaves holds one. Names are written with one character per byte.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.gen.ts';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { listScope } from '../../src/kernel/tree/file-scope.ts';
import { createTreeLister } from '../../src/kernel/tree/list-tree.ts';
import { routes } from '../../src/serve/http/routes.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { startTestDaemon } from '../support/daemon-world.ts';
import { argumentsOfCommands } from '../support/every-command.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { connectHttp } from '../support/mcp-clients.ts';
import fc from '../support/properties.ts';
import { runCli } from '../support/run-cli.ts';
import { createScratchTree } from '../support/scratch-tree.ts';
import { scrambled } from '../support/secret-samples.ts';

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const letters = `${capitals}abcdefghijklmnopqrstuvwxyz`;

/** Each is another token in every call; the part that is looked for has nothing that an address would encode. */
const kinds: readonly ((seed: number) => string)[] = [
  (seed) => `${'gh'}p_${scrambled(36, letters, seed)}`,
  (seed) => `${'AK'}IA${scrambled(16, capitals, seed)}`,
  (seed) => `${'s'}k-proj-${scrambled(40, letters, seed)}`,
  (seed) => `${'gl'}pat-${scrambled(20, letters, seed)}`,
  (seed) => `${'AI'}za${scrambled(35, letters, seed)}`,
  (seed) => `${'xo'}xb-${scrambled(24, letters, seed)}`,
  (seed) => `${'hv'}s.${scrambled(24, letters, seed)}`,
];
const planted = new Map<string, string>();
let seeds = 100;
function token(where: string, kind?: number): string {
  seeds += 1;
  const made = (kinds[(kind ?? seeds) % kinds.length] as (seed: number) => string)(seeds);
  planted.set(made.slice(-14), where);
  return made;
}
const encoded = (text: string) =>
  [...text].map((char, at) => (at % 9 === 2 ? `%${char.charCodeAt(0).toString(16)}` : char)).join('');

type Put = 'committed' | 'untracked';
const source = "import { told } from './told';\nexport const hidden = told;\n";

/** Where a token may stand in a name, and what the file holds. */
const files: Readonly<Record<string, readonly [make: (token: string) => string, content: string | Buffer]>> = {
  'a file': [(one) => `src/${one}.ts`, source],
  'a folder': [(one) => `src/${one}/b.ts`, source],
  'a folder at the top': [(one) => `${one}/deep/er.ts`, source],
  'a folder and no code': [(one) => `${one}/readme.md`, '# told\n'],
  'a file below bytes': [(one) => `src/\xff\xfe/${one}.js`, Buffer.from(source, 'utf16le')],
  'a file before a byte': [(one) => `src/${one}\xff.ts`, source],
  'a file behind a byte': [(one) => `src/\xff${one}.ts`, source],
  'a folder of bytes': [(one) => `src/${one}/\xff.ts`, source],
  'half a character': [(one) => `src/\xc3(${one}/x.ts`, source],
  'a surrogate': [(one) => `src/\xed\xa0\x80${one}.ts`, source],
  'a line end': [(one) => `src/a\n${one}.ts`, source],
  'a tab': [(one) => `src/a\t${one}.ts`, source],
  'a letter of another script': [(one) => `src/\xc3\xa9${one}.ts`, source],
  'an escape': [(one) => `src/a\\n${one}.ts`, source],
  'an escaped byte': [(one) => `src/a\\xff${one}.ts`, source],
  'an encoded blank': [(one) => `src/%20${one}.ts`, source],
  'encoded itself': [(one) => `src/${encoded(one)}.ts`, source],
  'a bidi override': [(one) => `src/\xe2\x80\xae${one}.ts`, source],
  'a large file': [(one) => `src/${one}.large.ts`, `${source}${`// ${'x'.repeat(77)}\n`.repeat(40_000)}`],
  'a binary file': [(one) => `src/${one}.bin.ts`, Buffer.from([0, 1, 2, 0])],
  'a broken file': [(one) => `src/${one}.broken.ts`, 'export const = = {{{\n'],
  'a certificate': [(one) => `${one}.pem`, 'none'],
  Python: [(one) => `py/${one}.py`, 'def told():\n    return 1\n'],
  Go: [(one) => `go/${one}/a.go`, 'package a\n\nfunc told() int { return 1 }\n'],
  'a test': [(one) => `tests/${one}.test.ts`, "import { told } from '../src/told';\ntest('x', () => { told; });\n"],
  'a decision': [(one) => `docs/adr/0001-${one}.md`, '# 1. A\n\n## Status\n\nAccepted\n'],
  'a broken workflow': [(one) => `.github/workflows/${one}.yml`, 'on: push\njobs: [broken\n'],
  'a package': [(one) => `packages/${one}/package.json`, '{ "name": "p", "scripts": { "test": "x" } }'],
  'a broken package': [(one) => `packages/b-${one}/package.json`, '{ "name": '],
  'a project': [
    (one) => `packages/${one}/tsconfig.json`,
    '{ "compilerOptions": { "strict": "no" }, "include": ["."] }',
  ],
  'an image': [(one) => `images/${one}/Dockerfile`, 'FROM node:22\nCMD ["node", "a.js"]\n'],
  manifests: [(one) => `k8s/${one}.yaml`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'],
  'what is authored': [(one) => `.codegenie/notes/${one}.md`, '# A note\n'],
  'a convention': [(one) => `.codegenie/conventions/${one}.yaml`, 'rules: [broken\n'],
  'what is ignored': [(one) => `out/${one}.ts`, source],
};

const at = (root: string, name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
function put(root: string, name: string, content: string | Buffer): void {
  mkdirSync(at(root, dirname(name)), { recursive: true });
  writeFileSync(at(root, name), content);
}

function plant(): FixtureRepo {
  const made = createFixtureRepo({
    'package.json': JSON.stringify({ name: 'a', workspaces: ['packages/*'] }),
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "allowJs": true, "module": "esnext", "types": [] } }',
    '.gitignore': 'out/\n',
    'src/told.ts': 'export const told = 1;\n',
    'src/use.ts': "import { told } from './told';\nexport const again = told;\n",
    'src/names.ts': `export * from './${token('an import', 0)}';\nimport './${token('another import', 1)}/x';\n`,
  });
  const all = (how: Put) => {
    for (const [what, [make, content]] of Object.entries(files))
      for (const [kind] of kinds.slice(0, 3).entries()) put(made.root, make(token(`${what}, ${how}`, kind)), content);
  };
  all('committed');
  const inside = token('a file that a link leads to', 0);
  put(made.root, `src/${inside}.ts`, source);
  symlinkSync(at(made.root, `src/${inside}.ts`), at(made.root, 'src/link.ts'));
  symlinkSync(`${inside}.ts`, at(made.root, 'src/near.ts'));
  symlinkSync(`/nowhere/${token('where a link leads', 1)}`, at(made.root, 'src/dangling.ts'));
  symlinkSync('told.ts', at(made.root, `src/${token('a link', 2)}.ts`));
  symlinkSync('.', at(made.root, `src/${token('a link to a folder', 0)}`));
  const module = token('a submodule', 1);
  made.commit();
  made.write(
    '.gitmodules',
    `[submodule "m"]\n\tpath = mods/${module}\n\turl = https://example.com/${token('an address', 2)}\n`,
  );
  const head = made.git('rev-parse', 'HEAD').trim();
  made.git('update-index', '--add', '--cacheinfo', `160000,${head},mods/${module}`);
  made.git('commit', '-q', '-m', 'module');
  const nested = `nested/${token('another repository', 0)}`;
  put(made.root, `${nested}/a.ts`, source);
  execFileSync('git', ['init', '-q', at(made.root, nested).toString()]);
  execFileSync('mkfifo', [at(made.root, `src/${token('a FIFO', 1)}.ts`).toString()]);
  all('untracked');
  return made;
}

let repo: FixtureRepo;
beforeAll(() => {
  repo = plant();
});
afterAll(() => repo.dispose());

const unescaped = (text: string) =>
  text
    .replace(/%([0-9A-Fa-f]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
    .replace(/\\+u([0-9A-Fa-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));

/** What the program left; what people author lies beside it under the name that they gave it. */
const written = () =>
  Object.fromEntries(Object.entries(repo.written()).filter(([path]) => !/^(?:notes|conventions)\//.test(path)));

/** One line a token that stands in one of the texts, as it is or as an address would write it. */
function leaksIn(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    [text, unescaped(text), where].flatMap((form) =>
      [...planted].flatMap(([part, what]) => {
        const found = form.indexOf(part);
        return found < 0
          ? []
          : [`${what} → ${where.slice(0, 120)}: ${form.slice(Math.max(0, found - 90), found + 14)}`];
      }),
    ),
  );
}

test('P8 no command says a token that stands in a name, and none leaves one', async () => {
  const asked = argumentsOfCommands({ file: 'src/names.ts', odd: 'odd' });
  expect(Object.keys(asked).sort()).toEqual(commands.map(({ name }) => name).sort());
  const said: Record<string, string> = {};
  const ask = async (...argv: string[]) => {
    for (const form of [['--json'], ['--verbose']]) {
      const { stdout, stderr } = await runCli([...form, ...argv], { cwd: repo.root, home: repo.home });
      said[`${form[0]} ${argv.join(' ').replace(/\S*[A-Za-z0-9]{14}\S*/g, '…')}`] = stdout + stderr;
    }
  };
  await ask('gather', '--skip', 'semgrep');
  for (const [name, args] of Object.entries(asked)) if (args !== null) await ask(...name.split(' '), ...args);
  await ask('search', 'told');
  await ask('refs', 'src/told.ts:1:14');
  await ask('rename', 'src/told.ts:1:14', 'said');
  await ask('move', 'src/told.ts', 'src/moved.ts');
  await ask('symbols', 'hidden');
  await ask('outline', 'src/near.ts');
  for (const kind of [0, 1]) await ask('outline', `src/${token('an argument', kind)}.ts`);
  await ask(token('a command', 0));
  expect(Object.keys(said).length).toBeGreaterThan(70);
  expect(Object.values(said).filter((text) => text.includes('<REDACTED:')).length).toBeGreaterThan(5);
  expect(leaksIn(said)).toEqual([]);
  expect(leaksIn(written())).toEqual([]);
});

test('P8 no route and no tool says one, and the daemon leaves none', async () => {
  const daemon = await startTestDaemon(repo, { port: 0, mcp: createMcpHttpHandler });
  const said: Record<string, string> = {};
  try {
    const targets = ['src/told.ts:1:14', 'src/names.ts', 'hidden', `src/${token('an asked name', 0)}.ts`];
    const bodies: Readonly<Record<string, readonly object[]>> = {
      '/v1/search': [{ query: 'told' }, { query: token('a query', 0) }],
      '/v1/symbols': [{ query: 'hidden' }],
      '/v1/navigate': ['refs', 'def', 'outline', 'deps'].flatMap((kind) =>
        targets.flatMap((target) => [
          { kind, target },
          { kind, path: target },
        ]),
      ),
      '/v1/slice': targets.map((target) => ({ target, kind: 'imports' })),
      '/v1/gather': [{ only: ['node_manifest', 'ci'] }],
      '/v1/plans': [
        { kind: 'rename', target: 'src/told.ts:1:14', new_name: 'said' },
        { kind: 'move', file: 'src/told.ts', to: 'src/moved.ts' },
      ],
      '/v1/renames': [{ target: 'src/told.ts:1:14', new_name: 'said' }],
    };
    for (const { method, url } of routes) {
      const asks = method === 'GET' ? [undefined] : (bodies[url] ?? [{}, { odd: token('a field', 1) }]);
      for (const body of asks)
        for (const accept of ['application/json', 'application/x-ndjson', 'text/markdown']) {
          const path = url.replace(/\{\w+\}/g, token('an address', 0));
          const answer = await daemon.http(path, {
            method,
            headers: { accept },
            ...(body === undefined ? {} : { body }),
          });
          said[`${method} ${url} ${accept} ${Object.keys(said).length}`] = answer.text;
        }
    }
    said['an unknown route'] = (await daemon.http(`/v1/${token('a route', 0)}`)).text;
    const client = await connectHttp(`http://127.0.0.1:${daemon.at.port}/mcp`, {
      authorization: `Bearer ${readFileSync(daemon.at.tokenFile ?? '', 'utf8').trim()}`,
      'x-codegenie-root': daemon.workspace().repo().root_hash,
    });
    for (const [name, args] of [
      ['search', { query: 'told' }],
      ['symbols', { query: 'hidden' }],
      ...targets.map((target) => ['navigate', { op: 'refs', target }] as const),
      ['navigate', { op: 'outline', path: 'src/names.ts' }],
      ['repo_context', {}],
      ['status', {}],
      ['plan_refactor', { kind: 'rename', target: 'src/told.ts:1:14', to: 'said' }],
      ['plan_refactor', { kind: 'move', file: 'src/told.ts', to: 'src/moved.ts' }],
    ] as const)
      said[`tool ${name} ${Object.keys(said).length}`] = JSON.stringify((await client.call(name, args)).answer);
    await client.close();
  } finally {
    await daemon.stop();
  }
  expect(Object.values(said).filter((text) => text.includes('<REDACTED:')).length).toBeGreaterThan(5);
  expect(leaksIn(said)).toEqual([]);
  expect(leaksIn(written())).toEqual([]);
});

const piece = fc.constantFrom(
  '',
  'a-',
  '.',
  '\xff',
  '\xc3(',
  '\xed\xa0\x80',
  '\n',
  '\t',
  ' ',
  '\\n',
  '\\x41',
  '%2F',
  '\xc3\xa9',
  '\xe2\x80\x8b',
);
const drawnName = fc.record({
  kind: fc.nat({ max: kinds.length - 1 }),
  before: fc.array(piece, { maxLength: 3 }).map((parts) => parts.join('')),
  // A letter right behind it would make it another word.
  after: fc.array(piece, { maxLength: 2 }).map((parts) => parts.join('').replace(/^a-/, '-a')),
  isEncoded: fc.boolean(),
  isFolder: fc.boolean(),
  above: fc.constantFrom('', 'src/', '\xff/', 'src/\xfe\xff/'),
  below: fc.constantFrom('x.ts', '\xff.ts', 'x\xc3(.ts'),
  isTracked: fc.boolean(),
  isGit: fc.boolean(),
});

test('P8 no listing of a tree holds a token of a name, whatever stands beside it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(drawnName, { minLength: 1, maxLength: 6 }), async (names) => {
      const tree = createScratchTree();
      planted.clear();
      try {
        for (const one of names) {
          const plain = token('a drawn name', one.kind);
          const name = `${one.before}${one.isEncoded ? encoded(plain) : plain}${one.after}`;
          put(tree.root, `${one.above}${one.isFolder ? `${name}/${one.below}` : `${name}.ts`}`, 'export {};\n');
          if (one.isTracked) tree.git('add', '-A');
        }
        const environment = { PATH: process.env['PATH'], HOME: `${tree.place}/home`, GIT_CONFIG_NOSYSTEM: '1' };
        const host = createExecHost({ root: tree.root, environment, toolPaths: {}, logger: silentLogger });
        const { git } = host.bind({ name: 'test', signal: new AbortController().signal, workspace: tree.root });
        const isGit = names[0]?.isGit === true;
        const listing = await createTreeLister(tree.root, isGit ? () => git : undefined).list();
        const scope = await listScope({ root: tree.root, git: isGit ? git : undefined, excludes: () => false });
        const texts = {
          entries: JSON.stringify([listing.entries, listing.gaps]),
          gaps: JSON.stringify(scope.scope.gaps),
        };
        expect(listing.entries.length).toBeGreaterThan(0);
        expect(leaksIn(texts)).toEqual([]);
      } finally {
        tree.dispose();
      }
    }),
    { numRuns: 25, timeout: 300_000 },
  );
});
