/**
 * What hides or reorders text (bidi overrides, zero-width and C1 characters) in names of files, in code and in the name of the root: no
 * command and no route prints it raw. The tables name every command and every route, so a new one cannot be left out.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.gen.ts';
import { routes } from '../../src/serve/http/routes.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import { argumentsOfCommands } from '../support/every-command.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';

const odd = '\u202eodd\u200b\u009b31m\u2028';
const hidden = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const file = `src/${odd}.ts`;

let repo: FixtureRepo;
let place: { readonly root: string; readonly home: string };

beforeAll(() => {
  repo = createFixtureRepo();
  place = { root: join(repo.base, `ro${odd}ot`), home: repo.home };
  const files = {
    'package.json': JSON.stringify({ name: `n${odd}`, scripts: { test: `node ${odd}` } }),
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
    [file]: `export const told = '${odd}'; // told ${odd}\n`,
    'src/use.ts': `import { told } from './${odd}';\nexport const again = told + '${odd}';\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.root, path)), { recursive: true });
    writeFileSync(join(place.root, path), text);
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', place.root, ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', odd);
});
afterAll(() => repo.dispose());

const asked = argumentsOfCommands({ file, odd });

test('G28 the table knows every command', () => {
  expect(Object.keys(asked).sort()).toEqual(commands.map(({ name }) => name).sort());
});

test.each(Object.entries(asked).filter(([, args]) => args !== null))(
  'G28 `%s --json` prints one document in which nothing hides',
  async (name, args) => {
    for (const given of [args ?? [], [odd, odd, odd]]) {
      const { stdout, stderr } = await runCli(['--json', ...name.split(' '), ...given], {
        cwd: place.root,
        home: place.home,
      });
      expect(JSON.parse(stdout)).toBeTypeOf('object');
      expect(hidden.exec(stdout)?.[0]).toBeUndefined();
      expect(hidden.exec(stderr)?.[0]).toBeUndefined();
    }
  },
);

test.each(Object.entries(asked).filter(([, args]) => args !== null))(
  'G28 `%s` prints no text that hides',
  async (name, args) => {
    for (const given of [args ?? [], [odd, odd, odd]]) {
      const { stdout, stderr } = await runCli([...name.split(' '), ...given], { cwd: place.root, home: place.home });
      expect(hidden.exec(stdout)?.[0]).toBeUndefined();
      expect(hidden.exec(stderr)?.[0]).toBeUndefined();
    }
  },
);

test('G28 a newline in the name of a file is no blank, and no line', async () => {
  const other = createFixtureRepo({
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
    'a\nb.ts': 'export const told = 1;\n',
    'a b.ts': 'export const other = 1;\n',
    'use.ts': "import { told } from './a\\nb';\nexport const again = told;\n",
    'c\nd.json': '{}\n',
    'p\nq.py': 'def shout():\n    return 1\n',
    'r.py': 'print(shout)\n',
  });
  other.commit();
  for (const argv of [
    ['search', 'told'],
    ['symbols', 'told'],
    ['def', 'use.ts:2:22'],
    ['refs', 'use.ts:2:22'],
    ['deps', 'use.ts'],
    ['outline', 'a\nb.ts'],
    ['rename', 'use.ts:2:22', 'said'],
    ['rename', 'a\nb.ts:7:1', 'said'],
    // Its import is written with an escape, which no move writes anew: refused, and the step names it.
    ['move', 'a\nb.ts', 'd.ts'],
    ['move', 'a\nb.ts', 'd.js'],
    ['move', 'a\nb.ts', 'd.d.ts'],
  ]) {
    const { stdout, stderr } = await runCli(argv, { cwd: other.root, home: other.home });
    expect(stdout + stderr, argv.join(' ')).toContain('"a\\nb.ts"');
    expect(stdout + stderr, argv.join(' ')).not.toMatch(/a b\.ts|^b\.ts/m);
  }
  for (const argv of [
    ['move', 'c\nd.json', 'lib/e.json'],
    ['rename', 'p\nq.py:1:5', 'said', '--wait', '0'],
    ['rename', 'p\nq.py:1:5', 'said', '--mode', 'force_syntactic'],
  ]) {
    const { stdout, stderr } = await runCli(argv, { cwd: other.root, home: other.home });
    expect(stdout + stderr, argv.join(' ')).toMatch(/"c\\nd\.json"|"p\\nq\.py"/);
    expect(stdout + stderr, argv.join(' ')).not.toMatch(/c d\.json|p q\.py/);
  }
  other.dispose();
});

describe('over HTTP', () => {
  let daemon: RunningDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon(place, { mcp: createMcpHttpHandler });
  });
  afterAll(async () => {
    await daemon.stop();
  });

  const bodies: Readonly<Record<string, readonly object[]>> = {
    '/v1/search': [{ query: 'odd' }],
    '/v1/symbols': [{ query: 'told' }],
    '/v1/navigate': [{ kind: 'refs', target: 'src/use.ts:2:22' }],
    '/v1/slice': [{ target: file, kind: 'imports' }],
    '/v1/gather': [{ only: ['node_manifest'] }],
    '/v1/plans': [{ kind: 'rename', target: 'src/use.ts:2:22', new_name: 'said' }],
    '/v1/renames': [{ target: 'src/use.ts:2:22', new_name: 'said' }],
  };

  test.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))('G28 %s', async (_, route) => {
    const url = route.url.replace(/\{\w+\}/g, encodeURIComponent(odd));
    const asks = route.method === 'GET' ? [undefined] : [...(bodies[url] ?? []), { [odd]: odd }];
    for (const body of asks)
      for (const accept of ['application/json', 'application/x-ndjson']) {
        const sent = body === undefined ? {} : { body };
        const { text } = await daemon.http(url, { method: route.method, headers: { accept }, ...sent });
        expect(text).not.toBe('');
        expect(hidden.exec(text)?.[0]).toBeUndefined();
      }
  });

  test('G28 health, description, and messages of the protocol', async () => {
    for (const url of ['/healthz', '/openapi.json', `/v1/${encodeURIComponent(odd)}`])
      expect(hidden.exec((await daemon.http(url)).text)?.[0]).toBeUndefined();
    const call = (method: string, params: object) =>
      daemon.http('/mcp', {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: odd, method, params },
      });
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}';
    for (const body of [
      message,
      `\ufeff${message.replace('\\ud800', 'b')}`,
      Buffer.from(message.replace('\\ud800', '\xff'), 'latin1'),
    ]) {
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
      const { status, text } = await daemon.http('/mcp', { method: 'POST', headers, body });
      expect([status, text]).toEqual([400, expect.stringContaining('-32700')]);
    }
    for (const [method, params] of [
      ['tools/call', { name: 'search', arguments: { query: 'odd' } }],
      ['tools/call', { name: odd, arguments: {} }],
      ['resources/read', { uri: `codegenie://context/${odd}` }],
      ['resources/list', {}],
      [odd, {}],
    ] as const) {
      const { text } = await call(method, params);
      expect(text).toContain('\\u202eodd');
      expect(hidden.exec(text)?.[0]).toBeUndefined();
    }
  });
});
