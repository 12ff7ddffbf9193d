/** Answers at texts that are not on disk, against those of a tree in which the very texts are saved. */

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planCommit } from '../../src/serve/changes/plan-requests.ts';
import rename from '../../src/serve/changes/rename.ts';
import def from '../../src/serve/operations/def.ts';
import deps from '../../src/serve/operations/deps.ts';
import outline from '../../src/serve/operations/outline.ts';
import refs from '../../src/serve/operations/refs.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import { openUnsavedAnswers, type UnsavedAnswers } from '../../src/serve/unsaved/unsaved-answers.ts';
import { settingsFor } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { createMcpProject } from '../support/mcp-project.ts';
import { type SecretSample, secretSamples } from '../support/secret-samples.ts';

type Texts = Readonly<Record<string, string>>;
const stay = new AbortController().signal;
let repo: FixtureRepo;
let unsaved: UnsavedAnswers;
let ofDisk: Promise<readonly unknown[]> | undefined;

beforeAll(async () => {
  repo = createMcpProject({ 'package.json': '{"name":"greeter","private":true,"type":"module"}\n' });
  repo.commit();
  // The tree has an index, of which the thread takes a copy.
  await repo.workspace().ask(refs, { target: 'src/greet.ts:1:17' }, { onProgress: () => {}, waitMs: 60_000 });
  unsaved = openUnsavedAnswers(settingsFor(repo, stay));
});

afterAll(async () => {
  await unsaved.close();
  repo.dispose();
});

const bytesOf = (texts: Texts) => new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));

const questions = [
  [refs, { target: 'src/greet.ts:1:17' }],
  [refs, { target: 'shout' }],
  [def, { target: 'src/main.ts:3:21' }],
  [def, { target: 'greet' }],
  [outline, { path: 'src/greet.ts' }],
  [outline, { path: 'src/new.ts' }],
  [symbols, { query: 'e' }],
  [deps, { path: 'src/greet.ts', reverse: true }],
] as const;
const renames = [
  { target: 'src/greet.ts:1:17', new_name: 'salute' },
  { target: 'src/greet.ts:1:17', new_name: 'shout' },
  { target: 'src/main.ts:3:14', new_name: 'spoken' },
  { target: 'src/new.ts:1:14', new_name: 'other' },
] as const;

/** What must differ is left out: numbers of a store, and ids with chance in them. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      ['repo', 'freshness', 'look', 'view', 'expires_at', 'next', 'handed', 'spent_ms'].includes(key) ? undefined : one,
    ).replaceAll(/p-[0-9a-f]{24}/g, 'p'),
  );
}

async function askAll(texts: Texts): Promise<readonly unknown[]> {
  const call = { texts: bytesOf(texts), signal: stay };
  const answers: unknown[] = [];
  for (const [operation, input] of questions) answers.push(plain(await unsaved.ask(operation as never, input, call)));
  for (const input of renames) answers.push(plain(await unsaved.change(rename, input, call)));
  return answers;
}

/** Asked once: it is the same each time. */
function saysDisk(): Promise<readonly unknown[]> {
  ofDisk ??= askSaved({});
  return ofDisk;
}

async function askSaved(texts: Texts): Promise<readonly unknown[]> {
  const before = repo.tree();
  for (const [path, text] of Object.entries(texts)) repo.write(path, text);
  const workspace = repo.workspace();
  const options = { onProgress: () => {}, onStep: () => {}, waitMs: 60_000 };
  const answers: unknown[] = [];
  for (const [operation, input] of questions) {
    // No indexer reads what is on no disk.
    const given = 'asksCompiler' in operation ? { ...input, as_indexed: true } : input;
    answers.push(plain(await workspace.ask(operation as never, given, options)));
  }
  for (const input of renames) answers.push(plain(await workspace.change(rename, input, options)));
  repo.git('clean', '-fdq');
  repo.git('checkout', '-q', '--', '.');
  expect(repo.tree()).toEqual(before);
  return answers;
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const states: Readonly<Record<string, Texts>> = {
  'lines above, and another use': {
    'src/main.ts': lines(
      '// one',
      '// two',
      "import { greet } from './greet.js';",
      "export const said = greet('a') + greet('b');",
    ),
  },
  'a file that is on no disk': {
    'src/new.ts': lines(
      'export const fresh = 1;',
      "import { greet as g, greet } from './greet.js';",
      'export const both = g(greet("x"));',
    ),
  },
  'a use that is gone': {
    'src/main.ts': lines('export const said = 1;'),
    'src/index.ts': lines('export const nothing = 0;'),
  },
  'text that does not parse': {
    'src/main.ts': lines("import { greet } from './greet.js';", 'export const said = greet('),
  },
  'another meaning of the name': {
    'src/main.ts': lines('function greet(text: string) { return text; }', '', "export const said = greet('world');"),
  },
  configuration: {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"nodenext","noEmit":true,"types":[]},"include":["src","more"]}\n',
    'package.json': '{"name":"greeter","version":"1.0.0","type":"module","exports":"./src/index.ts"}\n',
  },
  'the name as data': {
    'names.json': '{"call":"src/greet.ts#greet","greet":"greet"}\n',
    'src/loose.js': 'module[greet] = "greet";\n',
  },
  'a mark in front, and other line ends': {
    'src/main.ts':
      "\uFEFF// ä 😀\r\nimport { greet } from './greet.js';\r\nexport const said = greet('😀') + greet('ü');\r\n",
  },
  'marks of a conflict': {
    'src/main.ts': lines(
      '<<<<<<< a',
      "import { greet } from './greet.js';",
      '=======',
      '>>>>>>> b',
      "export const said = greet('w');",
    ),
  },
  'nothing at all': { 'src/greet.ts': '' },
};

test.each(Object.entries(states))('L1 answers as if it were saved: %s', async (_, texts) => {
  const before = repo.tree();
  const answers = await askAll(texts);
  expect(repo.tree()).toEqual(before);
  const saved = await askSaved(texts);
  expect(answers).toEqual(saved);
  // And that the texts matter at all.
  expect(saved).not.toEqual(await saysDisk());
});

test('L1 a buffer that is given up is the disk again, and one of an ignored file is no part of the tree', async () => {
  const disk = await saysDisk();
  expect(await askAll({ 'src/greet.ts': 'export const other = 1;\n' })).not.toEqual(disk);
  expect(await askAll({})).toEqual(disk);
  repo.write('.gitignore', 'ignored/\n');
  repo.write('ignored/a.ts', 'export {};\n');
  mkdirSync(join(repo.root, 'real'), { recursive: true });
  symlinkSync(join(repo.base), join(repo.root, 'led'));
  const use = "import { greet } from '../src/greet.js';\nexport const x = greet('x');\n";
  const beside = await askAll({ 'ignored/a.ts': use, 'led/b.ts': use, 'nowhere/c.ts': use });
  const without = await askAll({});
  expect(beside.slice(0, 2)).toEqual(without.slice(0, 2));
  repo.git('clean', '-fdqx');
});

test('L2 a commit at unsaved text hands its edits over, and nothing is written', async () => {
  const before = repo.tree();
  const texts = bytesOf({
    'src/main.ts': "\uFEFF// ä\r\nimport { greet } from './greet.js';\r\nexport const said = greet('x');\r\n",
  });
  const planned = await unsaved.change(
    rename,
    { target: 'src/main.ts:2:10', new_name: 'salute' },
    { texts, signal: stay },
  );
  if (planned.kind !== 'answered' || planned.answer.outcome.kind !== 'ok') throw new Error(JSON.stringify(planned));
  const plan = { plan_id: planned.answer.outcome.plan.id };
  const committed = await unsaved.change(planCommit, plan, { texts, signal: stay });
  expect(committed).toMatchObject({ kind: 'answered', answer: { outcome: { kind: 'ok', state: 'planned' } } });
  const handed = 'handed' in committed ? committed.handed : [];
  expect(handed.map(({ path, line, col, oldText, newText }) => [path, line, col, oldText, newText])).toEqual([
    ['src/greet.ts', 1, 17, 'greet', 'salute'],
    ['src/index.ts', 1, 10, 'greet', 'salute'],
    ['src/main.ts', 2, 10, 'greet', 'salute'],
    ['src/main.ts', 3, 21, 'greet', 'salute'],
  ]);
  // Once, and only at the texts it was made of.
  const again = await unsaved.change(planCommit, plan, { texts, signal: stay });
  expect(again).toMatchObject({ answer: { outcome: { kind: 'refused' } }, handed: [] });
  const other = await unsaved.change(
    rename,
    { target: 'src/main.ts:2:10', new_name: 'salute' },
    { texts, signal: stay },
  );
  if (other.kind !== 'answered' || other.answer.outcome.kind !== 'ok') throw new Error(JSON.stringify(other));
  const moved = bytesOf({ 'src/main.ts': "import { greet } from './greet.js';\n" });
  const late = await unsaved.change(
    planCommit,
    { plan_id: other.answer.outcome.plan.id },
    { texts: moved, signal: stay },
  );
  expect(late).toMatchObject({ answer: { outcome: { kind: 'blocked', reason: 'files_changed' } }, handed: [] });
  expect(repo.tree()).toEqual(before);
  const list = await repo
    .workspace()
    .ask(refs, { target: 'src/greet.ts:1:17' }, { onProgress: () => {}, waitMs: 60_000 });
  expect(list).toMatchObject({ answer: { count: { value: 4 } } });
});

test('L2 what is kept of a buffer has no secret in it, goes with the process, and what a killed one left goes with the next', async () => {
  const { secret, text: said } = secretSamples.aws_access_key[0] as SecretSample;
  const left = join(repo.cacheDir, 'unsaved', '999999999-1-1');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'x'), 'x');
  const own = openUnsavedAnswers(settingsFor(repo, stay));
  const text = `export const peculiarOwnName = ${JSON.stringify(said)};\n`;
  const call = { texts: bytesOf({ 'src/main.ts': text }), signal: stay };
  const found = await own.ask(symbols, { query: 'peculiarOwnName' }, call);
  expect(found).toMatchObject({ answer: { count: { value: 1, relation: 'eq' } } });
  const written = Object.values(repo.written()).join('\n');
  expect(written).toContain('peculiarOwnName');
  expect(written).not.toContain(secret);
  expect(readdirSync(join(repo.cacheDir, 'unsaved'))).not.toContain('999999999-1-1');
  await own.close();
  expect(Object.values(repo.written()).join('\n')).not.toContain('peculiarOwnName');
});

test('L6 a request that is stopped is not answered, and the next one is', async () => {
  const stop = new AbortController();
  const call = { texts: bytesOf({ 'src/main.ts': 'export const a = 1;\n' }), signal: stay };
  const stopped = unsaved.change(
    rename,
    { target: 'src/greet.ts:1:17', new_name: 'salute' },
    { ...call, signal: stop.signal },
  );
  const next = unsaved.ask(outline, { path: 'src/main.ts' }, call);
  stop.abort();
  await expect(stopped).rejects.toThrow();
  expect(await next).toMatchObject({ answer: { symbols: [{ name: 'a' }] } });
});
