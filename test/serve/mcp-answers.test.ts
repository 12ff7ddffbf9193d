/** Answers of the tools, in this process: the budget, going on, inputs as models write them, and what is said when nothing can be. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerBytes } from '../../src/serve/mcp/answer-pages.ts';
import { callTool } from '../../src/serve/mcp/call-tool.ts';
import refs from '../../src/serve/operations/refs.ts';
import type { Workspace } from '../../src/serve/workspace/workspace.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import type { Loose } from '../support/mcp-clients.ts';
import { commitOf } from '../support/mcp-commit.ts';
import { createMcpProject } from '../support/mcp-project.ts';

const uses = 150;
let repo: FixtureRepo;
let workspace: Workspace;

beforeAll(() => {
  const lines = Array.from({ length: uses }, (_, at) => `export const said${at} = greet('number ${at} of many');`);
  const long = Array.from({ length: 300 }, (_, at) => `export function function${at}() {}`);
  repo = createMcpProject({
    'src/many.ts': `import { greet } from './greet.js';\n${lines.join('\n')}\n`,
    'src/long.ts': `${long.join('\n')}\n`,
    'src/two/same.ts': 'export class Same {}\n',
    'src/three/same.ts': 'export class Same {}\n',
  });
  workspace = repo.workspace();
});
afterAll(() => repo.dispose());

async function call(name: string, args: unknown): Promise<{ answer: Loose; isError: boolean; bytes: number }> {
  const bugs: unknown[] = [];
  const world = async () => ({ workspace, onStep: () => {} });
  const { text, structured, isError } = await callTool(name, args, world, (error) => void bugs.push(error));
  expect(bugs).toEqual([]);
  const bytes = Buffer.byteLength(JSON.stringify(structured));
  expect(Math.max(bytes, Buffer.byteLength(text))).toBeLessThanOrEqual(answerBytes);
  const answer: Loose = structured;
  // The text has the same next step.
  expect(text).toContain(`next: ${answer.next}`);
  expect(answer.next).toMatch(/\S/);
  return { answer, isError, bytes };
}

/** Every piece until there is none. */
async function callAll(name: string, args: Loose, unitsOf: (answer: Loose) => readonly unknown[]) {
  const units: unknown[] = [];
  let pieces = 0;
  let token: string | undefined;
  do {
    const { answer } = await call(name, { ...args, ...(token === undefined ? {} : { continue: token }) });
    expect(answer.outcome).toBe('ok');
    expect(answer.truncated).toBe(answer.continue !== null);
    units.push(...unitsOf(answer));
    pieces += 1;
    token = answer.continue ?? undefined;
  } while (token !== undefined && pieces < 100);
  return { units, pieces };
}

const hitsOf = (answer: Loose) =>
  answer.files.flatMap(({ path, hits }: Loose) => hits.map(({ line, col }: Loose) => `${path}:${line}:${col}`));

describe('the budget', () => {
  test('a long list comes in pieces that are all of it, each line once', async () => {
    const { units, pieces } = await callAll('search', { query: 'greet(' }, hitsOf);
    expect(pieces).toBeGreaterThan(1);
    expect(units).toHaveLength(uses + 2);
    expect(new Set(units).size).toBe(units.length);
  });

  test('also where the question has pages of its own, smaller than a piece or larger', async () => {
    for (const limit of [7, 120]) {
      const { units } = await callAll('navigate', { op: 'refs', target: 'src/greet.ts:1:17', limit }, hitsOf);
      // The declaration, two imports, a re-export, and the uses.
      expect(units).toHaveLength(uses + 5);
      expect(new Set(units).size).toBe(units.length);
    }
  });

  test('an outline and a slice, which have no pages of their own', async () => {
    const outline = await callAll('symbols', { op: 'outline', file: 'src/long.ts' }, ({ symbols }) =>
      symbols.map(({ name }: Loose) => name),
    );
    expect(outline.pieces).toBeGreaterThan(1);
    expect(outline.units).toEqual(Array.from({ length: 300 }, (_, at) => `function${at}`));
    const slice = await callAll('slice', { kind: 'imports', target: 'src/long.ts' }, ({ exports, locals }) => [
      ...exports.map(({ name }: Loose) => `export ${name}`),
      ...locals.map(({ name }: Loose) => name),
    ]);
    expect(slice.pieces).toBeGreaterThan(1);
    expect(new Set(slice.units).size).toBe(600);
  });

  test('a token is of its arguments and its generation alone', async () => {
    const { answer } = await call('search', { query: 'greet(' });
    const other = await call('search', { query: 'greet', continue: answer.continue });
    expect(other.answer).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('continue:') });
    expect((await call('search', { query: 'greet(', continue: 'made up' })).answer.outcome).toBe('invalid');
    repo.write('src/new.ts', 'export const fresh = 1;\n');
    const later = await call('search', { query: 'greet(', continue: answer.continue });
    expect(later.answer).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('continue:') });
  });

  test('M21: a plan that does not fit is cut, whole in the ledger, and what names it is whole', async () => {
    const { answer } = await call('plan_refactor', {
      kind: 'rename',
      target: 'src/greet.ts:1:17',
      to: 'salute',
      public_names: 'rename',
    });
    const { plan } = answer.outcome;
    expect(answer.truncated).toBe(true);
    expect(plan.hash).toMatch(/^[0-9a-f]{24}$/);
    const [main] = plan.groups;
    expect(main.edits.length + main.more).toBeGreaterThan(uses);
    expect((await call('commit_plan', { op: 'cancel', plan_id: plan.id })).answer.outcome.kind).toBe('ok');
  });
});

describe('a plan with more questions than an answer holds', () => {
  const asked = 40;
  let many: FixtureRepo;
  beforeAll(() => {
    // What is looked up in one thing is one question.
    const lines = Array.from(
      { length: asked },
      (_, at) => `declare const loose${at}: any;\nexport const value${at} = loose${at}.launch(${at});`,
    );
    many = createMcpProject({
      'src/runner.ts': 'export class Runner {\n  launch(): number {\n    return 1;\n  }\n}\n',
      'src/loose.ts': `import { Runner } from './runner.js';\nexport const typed = new Runner().launch();\n${lines.join('\n')}\n`,
    });
    workspace = many.workspace();
  });
  afterAll(() => {
    workspace = repo.workspace();
    many.dispose();
  });

  test('M21: what is cut cannot be committed; all pieces together can', async () => {
    const before = many.tree();
    const first = await call('plan_refactor', { kind: 'rename', target: 'src/runner.ts:2:3', to: 'start' });
    expect(first.answer.outcome.kind).toBe('needs_decision');
    expect(first.answer.truncated).toBe(true);
    const { plan } = first.answer.outcome;
    expect(plan.questions).toBe(asked);
    const half = await call('commit_plan', commitOf(many.root, [first.answer], /^leave/));
    expect(half.answer.outcome).toMatchObject({ kind: 'refused', reason: 'selection_invalid' });
    expect(many.tree()).toEqual(before);

    const answers = [first.answer];
    while (answers.at(-1).continue !== null && answers.length < 50) {
      const token = answers.at(-1).continue;
      expect(answers.at(-1).next).toContain(`continue: "${token}"`);
      const more = await call('commit_plan', { op: 'show', plan_id: plan.id, continue: token });
      answers.push(more.answer);
    }
    const items = answers.flatMap(({ outcome }) => outcome.plan.items.map(({ id }: Loose) => id));
    expect(items).toHaveLength(asked);
    expect(new Set(items).size).toBe(asked);

    const whole = commitOf(many.root, answers, /^leave/);
    const guessed = { ...whole.proof, anchors: whole.proof.anchors.map((at: Loose) => ({ ...at, before: 'guessed' })) };
    const wrong = await call('commit_plan', { ...whole, proof: guessed });
    expect(wrong.answer.outcome).toMatchObject({ kind: 'refused', reason: 'proof_mismatch' });
    expect(many.tree()).toEqual(before);
    const done = await call('commit_plan', whole);
    expect(done.answer.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(many.tree()['src/loose.ts']).toContain('new Runner().start()');
    expect(many.tree()['src/loose.ts']).toContain('loose0.launch(0)');
  });
});

describe('inputs as models write them', () => {
  test.each([
    ['src/greet.ts:1:17'],
    [{ path: 'src/greet.ts', line: 1, col: 17 }],
    [{ file: './src/greet.ts', line: '1', column: '17' }],
    ['src/greet.ts#greet'],
    ['greet'],
  ])('the same thing by %j', async (target) => {
    const { answer } = await call('navigate', { op: 'refs', target, limit: '3' });
    expect(answer.target).toMatchObject({ path: 'src/greet.ts', line: 1, col: 17, name: 'greet' });
    expect(hitsOf(answer)).toHaveLength(3);
  });

  test('a name of several things answers with candidates, and is no error', async () => {
    const { answer, isError } = await call('navigate', { op: 'refs', target: 'Same' });
    expect(isError).toBe(false);
    expect(answer.outcome).toBe('ambiguous');
    expect(answer.candidates).toHaveLength(2);
    expect(answer.repo.root).toBe(repo.root);
    for (const target of [answer.candidates[0], answer.candidates[0].split(' ')[0]]) {
      const chosen = await call('navigate', { op: 'refs', target });
      expect(chosen.answer).toMatchObject({ outcome: 'ok', target: { name: 'Same' } });
    }
  });

  test.each([
    ['search', { qery: 'x' }, "unknown field 'qery' (did you mean 'query'?)"],
    ['navigate', { op: 'reffs', target: 'x' }, "'reffs' is not known (did you mean 'refs'?)"],
    ['search', {}, 'query: is missing; expected string'],
    ['symbols', { op: 'outline' }, 'file: is missing'],
    ['symbols', { op: 'outline', file: 'src/greet.ts', query: 'x' }, "unknown field 'query'"],
    ['navigate', { op: 'refs', target: 'src/greet.ts:1:17', reverse: true }, "unknown field 'reverse'"],
    ['search', { query: 'x', limit: 'many' }, 'limit: expected number'],
    ['search', { query: 'x', limit: 0 }, 'limit: '],
    ['navigate', { op: 'deps', target: '../outside.ts' }, 'target: '],
    ['slice', { kind: 'defuse', target: 'x' }, 'accepted: def-use, imports, dependency-chain'],
    ['commit_plan', { op: 'commit' }, 'plan: is missing'],
    ['plan_refactor', { kind: 'rename', target: 'x' }, 'to: is missing'],
    ['repo_contxt', {}, "'repo_contxt' is no tool (did you mean 'repo_context'?)"],
    ['search', 'no object', 'expected object'],
  ])('%s %j says what is wrong', async (tool, args, says) => {
    const { answer, isError } = await call(tool, args);
    expect(isError).toBe(true);
    expect(answer.outcome).toBe('invalid');
    expect(answer.message).toContain(says);
    expect(JSON.stringify(answer)).not.toMatch(/\bat .*\.ts:\d+/);
  });
});

describe('what a model reads', () => {
  const textOf = async (name: string, args: unknown) =>
    (
      await callTool(
        name,
        args,
        async () => ({ workspace, onStep: () => {} }),
        () => {},
      )
    ).text;

  test('lines and one next step, no envelope; what a program reads is the same, and has all of it', async () => {
    const { answer } = await call('navigate', { op: 'refs', target: 'src/greet.ts:1:17', limit: 3 });
    const text = await textOf('navigate', { op: 'refs', target: 'src/greet.ts:1:17', limit: 3 });
    expect(text).toMatch(/^src\/greet\.ts.*\n1 export function greet\(/m);
    expect(text.match(/^next: /gm)).toHaveLength(1);
    expect(text).toContain(`continue: ${answer.continue}`);
    const all = await textOf('navigate', { op: 'refs', target: 'src/greet.ts:1:17' });
    expect(all).toContain("src/many.ts (import 1)\n2 export const said0 = greet('number 0 of many');\n");
    expect(text).not.toContain(repo.root);
    expect(text.length).toBeLessThan(JSON.stringify(answer).length / 2);
  });

  test('a mark that every place of a file has is said once, behind its name', async () => {
    const { answer } = await call('navigate', { op: 'refs', target: 'src/greet.ts:1:17' });
    const { files, ...rest } = answer as unknown as Parameters<NonNullable<typeof refs.brief>>[0];
    const marked = files.map(({ path, hits }) => ({
      path,
      hits: hits.map((hit, at) => ({
        ...hit,
        provenance: path === 'src/many.ts' || at === 0 ? ('syntactic' as const) : ('resolved' as const),
      })),
    }));
    const lines = refs.brief?.({ ...rest, files: marked }).split('\n') ?? [];
    const at = lines.indexOf('src/many.ts (import 1) [by scope]');
    expect(lines[at + 1]).toBe("2 export const said0 = greet('number 0 of many');");
    expect(lines.filter((line) => line.includes('by scope')).length).toBe(files.length);
  });

  test('a plan says its outcome first, and the call that commits it last', async () => {
    const args = { kind: 'rename', target: 'src/greet.ts:1:17', to: 'hail', public_names: 'rename' };
    const text = await textOf('plan_refactor', args);
    expect(text).toMatch(/^ok: rename function greet → hail/);
    expect(text.match(/p-[0-9a-f]{24}/g)?.length).toBe(2);
    expect(text).not.toContain('codegenie plan');
    expect(text).toMatch(/\nnext: .*commit_plan \{plan: "p-[0-9a-f]{24}"\}\.$/);
    const asked = await textOf('plan_refactor', { ...args, public_names: 'ask' });
    expect(asked).toMatch(/^needs_decision: /);
  });

  test.each([[{ op: 'outline', file: 'src/greet.ts' }], [{ op: 'outline', path: 'src/greet.ts' }]])(
    'an outline of %j',
    async (args) => expect(await textOf('symbols', args)).toContain('greet'),
  );
});

describe('the context', () => {
  test('without one, the next call is named; with one, sections, fields, and nearest names', async () => {
    const none = await call('repo_context', {});
    expect(none.answer).toMatchObject({ outcome: 'no_context', next: 'Call repo_context {gather: true}.' });
    const listed = await call('repo_context', { gather: true });
    expect(listed.answer).toMatchObject({ outcome: 'ok', gather_status: 'complete' });
    // One call and few tokens: what it is, and how to ask on.
    const overview = await call('repo_context', {});
    expect(overview.answer.overview).toMatchObject({ what: expect.stringContaining('TypeScript') });
    expect(overview.answer.more).toMatch(/\blanguage\b/);
    expect(overview.answer.next).toContain('{facts:');
    expect(JSON.stringify(overview.answer).length / 3.4).toBeLessThanOrEqual(600);
    const { units } = await callAll('repo_context', { section: '*' }, ({ sections }) =>
      sections.map(({ name }: Loose) => name),
    );
    expect(units.length).toBeGreaterThan(3);
    for (const section of units) {
      const keys = await callAll('repo_context', { section }, (answer) => answer.entries ?? [answer.value]);
      expect(keys.units.length).toBeGreaterThan(0);
    }
    const first = String(units[0]);
    const missed = await call('repo_context', { section: `${first}x` });
    expect(missed.answer).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(first) });
    const explained = await call('repo_context', { explain: first });
    expect(explained.answer.outcome).toBe('ok');
    expect((await call('repo_context', { explain: 'no.such.field' })).answer.outcome).toBe('invalid');
    const primary = await call('repo_context', { facts: 'language.primary .' });
    expect(primary.answer).toMatchObject({
      ...{ outcome: 'ok', since: null },
      facts: [{ id: 'language.primary', scope: '.', state: 'known', value: 'TypeScript' }],
    });
    const all = await callAll('repo_context', { facts: '*' }, ({ facts }) => facts.map(({ id }: Loose) => id));
    expect(all.units).toContain('owners');
    expect((await call('repo_context', { facts: 'languag.primary' })).answer).toMatchObject({
      outcome: 'invalid',
      candidates: expect.arrayContaining(['language.primary']),
    });
  });

  test('of one directory: the answer names it, and the next question about the rest asks for a gather', async () => {
    const part = await call('repo_context', { gather: true, component: 'src/' });
    expect(part.answer).toMatchObject({
      outcome: 'ok',
      component: 'src',
      next: expect.not.stringContaining('changed'),
    });
    const rest = await call('repo_context', { facts: 'language.primary .' });
    expect(rest.answer).toMatchObject({
      since: { says: 'only src was gathered' },
      next: expect.stringContaining('{gather: true}'),
    });
    expect((await call('repo_context', { gather: true, component: 'srcc' })).answer).toMatchObject({
      ...{ outcome: 'invalid', message: expect.stringContaining("'srcc'"), candidates: ['src'] },
    });
    expect((await call('repo_context', { component: 'src' })).answer).toMatchObject({
      ...{ outcome: 'invalid', message: expect.stringContaining('only with gather') },
    });
    expect((await call('repo_context', { gather: true })).answer).not.toHaveProperty('component');
  });
});

test('a bug is an answer without a stack, and goes to the log', async () => {
  const bugs: unknown[] = [];
  const world = async () => {
    throw new TypeError('secret detail at /home/somebody/file.ts:1');
  };
  const { text, structured, isError } = await callTool('status', {}, world, (error) => void bugs.push(error));
  expect(isError).toBe(true);
  expect(structured['outcome']).toBe('internal');
  expect(text).not.toContain('secret detail');
  expect(bugs).toHaveLength(1);
});
