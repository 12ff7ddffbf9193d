/**
 * P9 by random attacks: whatever an attacker puts into the tree, into the directories of another tree or into a cache that is restored, no
 * answer, plan, written byte or cache hit comes of it. An attacker's program makes the material for this very root with a key of its own, and
 * forges it; each case plants some of it beside a user who has never been here, or who has.
 */

import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { blake3Hex, sha256Hex } from '../../src/kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../src/kernel/base/json.ts';
import { ownDirsOf } from '../../src/kernel/base/own-dirs.ts';
import { encodeRecord } from '../../src/mutate/apply/journal.ts';
import { openSeal } from '../../src/mutate/apply/seal.ts';
import { createFixtureRepo, type FixtureRepo, type Published, readTree, stableText } from '../support/fixture-repo.ts';
import { cacheStates, contextFile, readContext } from '../support/hostile.ts';
import fc from '../support/properties.ts';
import { type CliEnding, runCli } from '../support/run-cli.ts';

const project = {
  'package.json': '{"name":"planted","scripts":{"test":"node --test"}}\n',
  'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, noEmit: true, module: 'esnext', types: [] } }),
  'src/a.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
  'src/b.ts': "import { add } from './a';\nconsole.log(add(1, 2));\n",
  '.github/workflows/ci.yml': 'on: push\njobs: {a: {runs-on: x, steps: [{run: make}]}}\n',
};
const renamed = {
  ...project,
  'src/a.ts': project['src/a.ts'].replace('add', 'sum'),
  'src/b.ts': project['src/b.ts'].replaceAll('add', 'sum'),
};

// ---- what there is to plant

const tables = ['plans', 'plan_edits', 'plan_files', 'plan_items', 'plan_groups', 'requests', 'decisions', 'undo'];

/** Statements that are in no ledger of ours. */
const foreignStatement = fc.oneof(
  fc
    .record({
      table: fc.constantFrom(...tables, 'counters'),
      when: fc.constantFrom('BEFORE', 'AFTER'),
      event: fc.constantFrom('INSERT', 'UPDATE', 'DELETE'),
      does: fc.constantFrom(
        "UPDATE plan_edits SET new_text = 'evil'",
        "UPDATE plan_files SET path = 'package.json'",
        "UPDATE plans SET status = 'open', expires_ms = 9000000000000000",
        "INSERT OR IGNORE INTO counters(name, value) VALUES ('evil', 1)",
      ),
    })
    .map(({ table, when, event, does }) => `CREATE TRIGGER evil ${when} ${event} ON ${table} BEGIN ${does}; END`),
  fc.constantFrom(...tables).map((table) => `CREATE VIEW evil AS SELECT * FROM ${table}`),
  fc.constant('CREATE TABLE evil(x TEXT)'),
  fc.constantFrom(...tables).map((table) => `CREATE INDEX evil ON ${table}(1)`),
);

const row = (sql: string) => fc.constant(sql);
/** Rows that say something else, in a schema that is ours. */
const foreignRow = fc.oneof(
  row("UPDATE plan_edits SET new_text = 'evil'"),
  row("UPDATE plans SET status = 'open', expires_ms = 9000000000000000"),
  row(`UPDATE requests SET answer_json = '{"outcome":{"kind":"applied"}}'`),
  row('DELETE FROM plan_files'),
);

const forgedIndex = fc.constantFrom(
  "UPDATE syn_symbols SET name = 'phantom', name_fold = 'phantom' WHERE name = 'add'",
  'DELETE FROM syn_symbols',
  'DELETE FROM files',
  "CREATE TRIGGER evil AFTER INSERT ON syn_symbols BEGIN UPDATE syn_symbols SET name = 'phantom'; END",
);

type Place = 'tree' | 'other';
type Plant =
  | { readonly kind: 'ledger'; readonly in: Place | 'own'; readonly sql: readonly string[] }
  | { readonly kind: 'index'; readonly in: Place; readonly sql: string }
  | { readonly kind: 'cache'; readonly in: Place | 'restored'; readonly sealed: 'kept' | 'gone' | 'theirs' }
  | { readonly kind: 'context'; readonly record: boolean }
  | { readonly kind: 'journal'; readonly in: Place | 'own'; readonly path: string; readonly last: 'READY' | 'ROLLBACK' }
  | { readonly kind: 'own ledger'; readonly sql: string }
  | { readonly kind: 'damage'; readonly in: Place; readonly file: number; readonly how: Damage };
type Damage = 'cut' | 'noise' | 'link' | 'directory' | 'pipe';

const place = fc.constantFrom<Place>('tree', 'other');
const plant: fc.Arbitrary<Plant> = fc.oneof(
  fc.record({
    kind: fc.constant('ledger' as const),
    in: place,
    sql: fc.array(fc.oneof(foreignStatement, foreignRow), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('ledger' as const),
    in: fc.constant('own' as const),
    sql: fc.array(foreignRow, { maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('index' as const), in: place, sql: forgedIndex }),
  fc.record({
    kind: fc.constant('cache' as const),
    in: fc.constantFrom<Place | 'restored'>('tree', 'other', 'restored'),
    sealed: fc.constantFrom<'kept' | 'gone' | 'theirs'>('kept', 'gone', 'theirs'),
  }),
  fc.record({ kind: fc.constant('context' as const), record: fc.boolean() }),
  fc.record({
    kind: fc.constant('journal' as const),
    in: fc.constantFrom<Place | 'own'>('tree', 'other', 'own'),
    path: fc.constantFrom('package.json', 'src/a.ts', 'evil.sh', '../canary', '.git/hooks/post-commit'),
    last: fc.constantFrom<'READY' | 'ROLLBACK'>('READY', 'ROLLBACK'),
  }),
  fc.record({ kind: fc.constant('own ledger' as const), sql: foreignStatement }),
  fc.record({
    kind: fc.constant('damage' as const),
    in: place,
    file: fc.nat(200),
    how: fc.constantFrom<Damage>('cut', 'noise', 'link', 'directory', 'pipe'),
  }),
);

// ---- who plants it, and who is asked

let repo: FixtureRepo;
let attacker: { readonly home: string; readonly planId: string };
/** What the program says of the tree where nothing was planted. */
let honest: { readonly refs: unknown; readonly context: string };
const canary = 'what lies beside the tree\n';

const at = (name: string) => join(repo.base, name);
const as = (home: string, ...argv: string[]): Promise<CliEnding> => runCli(argv, { cwd: repo.root, home });
const cli = (...argv: string[]): Promise<CliEnding> => as(repo.home, ...argv);
const gather = ['gather', '.', '--only', 'ci,language_detection'];

function resetTree(): void {
  rmSync(join(repo.root, '.codegenie'), { recursive: true, force: true });
  rmSync(join(repo.root, '.codegenie.lock'), { force: true });
  for (const [path, text] of Object.entries(project)) repo.write(path, text);
  writeFileSync(at('canary'), canary);
}

const readRefs = (ended: CliEnding): unknown => {
  const { items, count } = JSON.parse(ended.stdout) as { items?: unknown; count?: unknown };
  return { items, count };
};
/** That a repository tracks what it should not is told of it, and is true. */
function published(): Published['envelope'] {
  const envelope = parse(readContext(repo)) as Published['envelope'];
  return { ...envelope, warnings: envelope.warnings.filter(({ id }) => id !== 'repo.data_dir_tracked') };
}

beforeAll(async () => {
  repo = createFixtureRepo(project);
  resetTree();
  const theirs = at('attacker');
  mkdirSync(theirs);
  for (const argv of [['index'], gather]) expect((await as(theirs, ...argv)).code).toBe(0);
  const planned = await as(theirs, 'rename', 'src/a.ts:1:17', 'evil', '--json');
  const { id } = (JSON.parse(planned.stdout) as { outcome: { plan: { id: string } } }).outcome.plan;
  attacker = { home: theirs, planId: id };
  // It has to be worth committing for as long as this takes.
  runSql(join(theirDirs().stateDir, 'state/ledger.db'), ['UPDATE plans SET expires_ms = 9000000000000000']);
  cpSync(join(repo.root, '.codegenie'), at('their-context'), { recursive: true });

  resetTree();
  expect((await cli(...gather)).code).toBe(0);
  const refs = readRefs(await cli('refs', 'src/a.ts:1:17', '--json'));
  honest = { refs, context: stableText(published()) };
  expect((await cli('rename', 'src/a.ts:1:17', 'other')).code).toBe(0);
  cpSync(repo.home, at('used-home'), { recursive: true });
});
afterAll(() => repo.dispose());

const theirDirs = () => ownDirsOf({ root: repo.root, home: attacker.home, environment: {} });

/** Where state and cache lie together, as older versions had it in the tree, or where another tree has it. */
function dirsIn(where: Place | 'own'): { readonly stateDir: string; readonly cacheDir: string } {
  if (where === 'own') return repo;
  if (where === 'tree') return { stateDir: join(repo.root, '.codegenie'), cacheDir: join(repo.root, '.codegenie') };
  const dirs = ownDirsOf({ root: at('elsewhere'), home: repo.home, environment: {} });
  mkdirSync(dirs.stateDir, { recursive: true, mode: 0o700 });
  const note = join(dirs.stateDir, 'tree.json');
  // What was damaged stays so: written to as a link, it would be this test that writes beside the tree.
  if (lstatSync(note, { throwIfNoEntry: false }) === undefined)
    writeFileSync(note, JSON.stringify({ root: repo.root }));
  return dirs;
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

function runSql(file: string, statements: readonly string[]): void {
  const db = new DatabaseSync(file);
  for (const sql of statements) {
    try {
      db.exec(sql);
    } catch {
      // Two of one name, or a trigger that the next statement meets: what went before stays planted.
    }
  }
  db.close();
}

type StoredEntry = { readonly probe: string; readonly output: string; readonly seal?: string };

function forgeCache(cacheDir: string, sealed: 'kept' | 'gone' | 'theirs'): void {
  const base = join(cacheDir, 'cache/gather/v1');
  const key = readFileSync(join(attacker.home, '.codegenie/state/seal.key'));
  for (const file of readdirSync(join(base, 'entries'), { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const { seal, ...entry } = JSON.parse(readFileSync(path, 'utf8')) as StoredEntry;
    const blob = (hash: string) => join(base, 'blobs', hash.slice(0, 2), hash);
    const forged = readFileSync(blob(entry.output), 'utf8')
      .replaceAll('github_actions', 'jenkins')
      .replaceAll('typescript', 'cobol');
    const hash = blake3Hex(Buffer.from(forged));
    mkdirSync(dirname(blob(hash)), { recursive: true });
    writeFileSync(blob(hash), forged);
    const bare = { ...entry, output: hash, output_sha256: sha256Hex(forged) };
    const made = createHmac('sha256', key)
      .update('["cache entry"]\n')
      .update(canonicalJson(bare as unknown as Json));
    const by = { kept: { seal }, gone: {}, theirs: { seal: made.digest('hex') } }[sealed];
    writeFileSync(path, JSON.stringify({ ...bare, ...by }));
  }
}

function plantJournal(stateDir: string, of: Extract<Plant, { kind: 'journal' }>): void {
  const dir = join(stateDir, 'state/journal', attacker.planId);
  mkdirSync(join(dir, 'backup'), { recursive: true, mode: 0o700 });
  const evil = Buffer.from('evil\n');
  const present = join(repo.root, of.path);
  const now = existsSync(present) ? blake3Hex(readFileSync(present)) : null;
  const begin = {
    kind: 'BEGIN' as const,
    plan: attacker.planId,
    op: 'commit' as const,
    atMs: 1,
    entries: [
      {
        path: of.path,
        // A way back puts in place what was there before: that is theirs to say.
        old: blake3Hex(evil),
        new: now,
        oldMode: 0o755,
        newMode: 0o755,
        owner: null,
        temp: `${of.path}.cg-0123456789abcdef.tmp`,
      },
    ],
    makes: [],
    drops: [],
    trials: [],
    notes: [],
    ledger: null,
  };
  const last = of.last === 'READY' ? { kind: 'READY' as const } : { kind: 'ROLLBACK' as const, ends: 'open' as const };
  const seal = openSeal({ root: repo.root, home: attacker.home });
  writeFileSync(
    join(dir, 'log'),
    Buffer.concat([begin, last].map((record) => encodeRecord(seal, attacker.planId, record))),
  );
  writeFileSync(join(dir, 'backup/0'), evil);
}

function damage(directory: string, { file, how }: Extract<Plant, { kind: 'damage' }>): void {
  mkdirSync(directory, { recursive: true });
  const files = Object.keys(readTree(directory)).filter((path) => !path.startsWith('config'));
  const path =
    files.length === 0 ? join(directory, 'state/ledger.db') : join(directory, files[file % files.length] ?? '');
  mkdirSync(dirname(path), { recursive: true });
  // Damaged before: a link or a pipe is not written to from here.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) return;
  if (how === 'cut' || how === 'noise') appendFileSync(path, 'noise\0\n');
  if (how === 'cut') truncateSync(path, 7);
  if (how === 'cut' || how === 'noise') return;
  rmSync(path, { recursive: true, force: true });
  if (how === 'link') symlinkSync(at('canary'), path);
  else if (how === 'directory') mkdirSync(path);
  else execFileSync('mkfifo', [path]);
}

function put(one: Plant): void {
  const theirs = theirDirs();
  switch (one.kind) {
    case 'ledger': {
      const to = join(dirsIn(one.in).stateDir, 'state');
      // The user's own directory is private; a copy of theirs there is what a backup of another machine would be.
      if (one.in === 'own')
        for (const end of ['', '-wal', '-shm']) rmSync(join(to, `ledger.db${end}`), { force: true });
      const what = one.in === 'own' ? '/ledger.db' : '';
      copy(join(theirs.stateDir, `state${what}`), `${to}${what}`);
      runSql(join(to, 'ledger.db'), one.sql);
      return;
    }
    case 'index': {
      const to = join(dirsIn(one.in).cacheDir, 'index');
      copy(join(theirs.cacheDir, 'index'), to);
      const name = readdirSync(to).find((file) => /^facts-\d+\.db$/.test(file)) ?? '';
      runSql(join(to, name), [one.sql]);
      return;
    }
    case 'cache': {
      const { cacheDir } = one.in === 'restored' ? repo : dirsIn(one.in);
      copy(join(theirs.cacheDir, 'cache/gather'), join(cacheDir, 'cache/gather'));
      forgeCache(cacheDir, one.sealed);
      return;
    }
    case 'context': {
      copy(join(at('their-context'), 'context'), join(repo.root, '.codegenie/context'));
      const before = readContext(repo);
      const forged = before.replaceAll('github_actions', 'jenkins').replaceAll('typescript', 'cobol');
      writeFileSync(contextFile(repo), forged);
      const runs = join(repo.root, '.codegenie/context/runs');
      for (const name of one.record ? readdirSync(runs) : [])
        writeFileSync(
          join(runs, name),
          readFileSync(join(runs, name), 'utf8').replaceAll(sha256Hex(before), sha256Hex(forged)),
        );
      return;
    }
    case 'journal':
      plantJournal(dirsIn(one.in).stateDir, one);
      return;
    case 'own ledger': {
      const own = join(repo.stateDir, 'state/ledger.db');
      if (existsSync(own)) runSql(own, [one.sql]);
      return;
    }
    case 'damage':
      damage(dirsIn(one.in).stateDir, one);
      return;
  }
}

/** Whether it is there and holds a statement that is not ours: then nothing may be done with it. */
function holdsForeign(ledger: string): boolean {
  if (!existsSync(ledger)) return false;
  const db = new DatabaseSync(ledger);
  const found = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'evil'").all();
  db.close();
  return found.length > 0;
}

// ---- what must hold

/** Before anything is gathered here: what is served of the tree is not theirs. */
async function checkServed(): Promise<void> {
  for (const argv of [['report'], ['facts', 'ci.provider', '--no-gather'], ['report', '--explain', 'ci.provider']]) {
    const { stdout } = await cli(...argv);
    expect(stdout, argv.join(' ')).not.toMatch(/jenkins|cobol/);
  }
}

/** A ledger of the user's own that was tampered with is named and not used. */
async function checkAnswers(isForeign: boolean): Promise<void> {
  const ask = async (...argv: string[]) => {
    const ended = await cli(...argv, '--json');
    const answer = JSON.parse(ended.stdout) as { outcome?: unknown; message?: string };
    if (isForeign && answer.outcome === 'output_refused') expect(answer.message).toContain(' evil, ');
    else return { ended, answer };
    return undefined;
  };
  for (const [name, value] of Object.entries({ phantom: 0, add: 1 })) {
    const asked = await ask('symbols', name);
    if (asked !== undefined) expect(asked.answer, name).toMatchObject({ count: { value, relation: 'eq' } });
  }
  const asked = await ask('refs', 'src/a.ts:1:17');
  if (asked !== undefined) expect(readRefs(asked.ended)).toEqual(honest.refs);
}

async function checkGather(isNew: boolean): Promise<void> {
  const ended = await cli(...gather);
  if (ended.code === 5) {
    // What is no file is in the way of the report: it is named, and nothing waits for it.
    const [, place = ''] = /cannot write (\S+): it is not a regular file/.exec(ended.stderr) ?? [];
    expect(lstatSync(place, { throwIfNoEntry: false })?.isFile(), ended.stderr).toBe(false);
    return;
  }
  expect(ended.code, ended.stderr).toBe(0);
  expect(stableText(published())).toBe(honest.context);
  if (isNew) expect(Object.values(cacheStates(published()))).not.toContain('hit');
  expect((await cli('facts', 'ci.provider', '--no-gather')).stdout).not.toMatch(/jenkins|cobol/);
}

async function checkPlans(): Promise<void> {
  expect((await cli('plan', 'list', '--json')).stdout).not.toContain(attacker.planId);
  for (const verb of ['commit', 'undo']) expect((await cli('plan', verb, attacker.planId)).code).not.toBe(0);
}

async function checkWritten(isForeign: boolean): Promise<void> {
  const applied = await cli('rename', 'src/a.ts:1:17', 'sum', '--apply');
  expect(applied.code === 0, applied.stdout + applied.stderr).toBe(!isForeign);
  const expected = isForeign ? project : renamed;
  expect(repo.tree()).toEqual(expected);
  expect(readFileSync(at('canary'), 'utf8')).toBe(canary);
  expect(existsSync(join(repo.root, '.git/hooks/post-commit'))).toBe(false);
}

/** One for each thing that keeps an attacker out: without it, one of these fails. */
const examples: [boolean, boolean, Plant[]][] = [
  [
    false,
    false,
    [
      { kind: 'damage', in: 'other', file: 126, how: 'link' },
      { kind: 'damage', in: 'other', file: 3, how: 'cut' },
      { kind: 'index', in: 'other', sql: 'DELETE FROM files' },
    ],
  ],
  // The note by which the state of another tree is told, which every first start reads.
  [false, false, [{ kind: 'damage', in: 'other', file: 0, how: 'pipe' }]],
  [
    false,
    false,
    [
      { kind: 'context', record: false },
      { kind: 'journal', in: 'tree', path: '.git/hooks/post-commit', last: 'ROLLBACK' },
      { kind: 'damage', in: 'tree', file: 200, how: 'pipe' },
    ],
  ],
  [false, false, [{ kind: 'own ledger', sql: 'CREATE VIEW evil AS SELECT * FROM plan_edits' }]],
  [
    true,
    true,
    [
      { kind: 'ledger', in: 'own', sql: [] },
      { kind: 'cache', in: 'restored', sealed: 'theirs' },
      { kind: 'context', record: true },
      { kind: 'journal', in: 'own', path: 'package.json', last: 'ROLLBACK' },
    ],
  ],
];

test('P9 whatever is planted, no answer, plan, written byte or cache hit comes of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.boolean(),
      fc.uniqueArray(plant, { minLength: 3, maxLength: 7, selector: (one) => JSON.stringify(one) }),
      async (isNew, isTracked, plants) => {
        resetTree();
        rmSync(repo.home, { recursive: true, force: true });
        if (isNew) mkdirSync(repo.home);
        else cpSync(at('used-home'), repo.home, { recursive: true });
        // What is damaged was whole before.
        for (const one of plants.toSorted((a, b) => Number(a.kind === 'damage') - Number(b.kind === 'damage')))
          put(one);
        if (isTracked) repo.git('add', '-A', '-f', '--ignore-errors');
        const isForeign = holdsForeign(join(repo.stateDir, 'state/ledger.db'));
        await checkServed();
        await checkAnswers(isForeign);
        await checkPlans();
        await checkGather(isNew);
        await checkWritten(isForeign);
        repo.git('reset', '-q', '--hard');
      },
    ),
    { numRuns: 12, timeout: 300_000, examples },
  );
});
