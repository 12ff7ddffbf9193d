/** The harness that holds renames and moves of real projects against their own tests: what breaks a test must be told by name. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type PickSettings, pickChanges } from '../../scripts/fuzz/pick-changes.ts';
import { createRandom } from '../../scripts/fuzz/random.ts';
import { reportProjects, sayRound } from '../../scripts/fuzz/report-project.ts';
import { type ProjectSettings, readProjectLog, runProject } from '../../scripts/fuzz/run-project.ts';

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

const files = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "lib": ["esnext"], "module": "nodenext" }, "include": ["src"] }',
  'package.json': '{ "private": true, "type": "module" }',
  'src/sum.ts':
    'export const start = 1;\nexport function sum(left: number): number {\n  const half = left / 2;\n  return half * 2 + start;\n}\n',
  'src/main.ts':
    "import { sum } from './sum.ts';\nif (sum(4) !== 5) throw new Error('no');\nconsole.log('1 passed');\n",
};

function makeProject(): Pick<ProjectSettings, 'root' | 'work' | 'tests' | 'within' | 'count' | 'seed' | 'batch'> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-project-')));
  made.push(base);
  const root = join(base, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync('git', ['add', '-A'], { cwd: root });
  const work = join(base, 'work');
  mkdirSync(work);
  return { root, work, tests: 'node src/main.ts', within: [], count: 2, seed: 1, batch: 10 };
}

test('changes that leave the tests green are told so, and a second run tries none again', async () => {
  const project = makeProject();
  const { tries, verdicts } = await runProject({ ...project, count: 1 });
  const applied = tries.filter(({ outcome }) => outcome === 'applied').map(({ id }) => id);
  expect(applied).toEqual(
    expect.arrayContaining(['local src/sum.ts:3:9', 'parameter src/sum.ts:2:21', 'function src/sum.ts:2:17']),
  );
  expect([...verdicts.values()].map(({ id, verdict }) => `${verdict} ${id}`).sort()).toEqual(
    applied.map((id) => `green ${id}`).sort(),
  );
  const again: string[] = [];
  const more = await runProject({ ...project, count: 1, onTried: ({ id }) => again.push(id) });
  expect(again).toEqual([]);
  expect(more).toEqual(readProjectLog(join(project.work, 'log.jsonl')));
});

test('kinds are tried in turn, and one that is named twice comes twice', () => {
  const { root } = makeProject();
  const kindsOf = (kinds?: PickSettings['kinds']) =>
    pickChanges({ root, within: [], kinds, count: 1, random: createRandom(1) }).map(({ kind }) => kind);
  expect(kindsOf()).toEqual(['local', 'parameter', 'function', 'constant', 'move']);
  expect(kindsOf(['move', 'local', 'class', 'move'])).toEqual(['move', 'local', 'move']);
});

test('a plan that lost an edit is found broken among others that are green', async () => {
  const project = makeProject();
  const { tries, verdicts } = await runProject({
    ...project,
    spoil: (edits) => (edits.some(({ oldText }) => oldText === 'half') ? edits.slice(0, -1) : edits),
  });
  const byVerdict = Map.groupBy(verdicts.values(), ({ verdict }) => verdict);
  expect(byVerdict.get('broken')?.map(({ id }) => id)).toEqual(['local src/sum.ts:3:9']);
  expect(byVerdict.get('green')?.length).toBeGreaterThan(2);
  expect(byVerdict.get('together')).toBeUndefined();
  const { broken, summary } = reportProjects([{ name: 'project', log: { version: '1', tries, verdicts } }]);
  expect(broken).toBe(1);
  expect(summary.join('\n')).toContain('broken: project local src/sum.ts:3:9');
});

test('a round is added to those whose logs are not there any more', () => {
  const section = (part: string, says: string) => `<!-- begin ${part} -->\n## Title\n\n${says}\n<!-- end ${part} -->\n`;
  const first = section(
    'projects',
    '- 1001 renames and 170 moves in 7 projects; broken: 0\n\n| class that no package exports | 8 | 6 | 75.0 % | 1 | 3 |  |',
  );
  const second = section(
    'projects_2',
    '- all rounds together: 9 renames\n\n- 20 renames and 3 moves in 2 projects; broken: 1',
  );
  const own = {
    renames: 5,
    moves: 1,
    broken: 0,
    markdown: '| class that a package exports | 2 | 0 | 0.0 % | 0 | 0 | public_api 2 |\n',
  };
  expect(sayRound(1, own, first)).toBe('');
  expect(sayRound(2, own, `${first}${second}`)).toContain('1006 renames and 171 moves; broken: 0');
  expect(sayRound(3, own, `${first}${second}`)).toContain('1026 renames and 174 moves; broken: 1');
  expect(sayRound(2, own, first)).toContain('| class | 10 | 6 | 60.0 % | 1 | 3 |');
  // The sum of earlier rounds that a section tells is not added once more.
  const told = second.replace(/(<!-- end)/, '| class | 8 | 6 | 75.0 % | 1 | 3 |\n$1');
  expect(sayRound(3, own, `${first}${told}`)).toBe(sayRound(3, own, `${first}${second}`));
  expect(() => sayRound(2, own, '')).toThrow('no round 1');
});
