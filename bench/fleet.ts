/**
 * A fleet of small repositories through the real engine: real repositories, git, claims, publications and questions, with a gather that takes no time,
 * because what is measured is what a job costs beside it. `--repositories=<n>` (1000); a tenth of it is measured before, to see what grows.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { GatherTree } from '../src/fleet/do-job.ts';
import { answerFactsQuestion, coverageOf, darkFor } from '../src/fleet/fleet-answer.ts';
import { type Fleet, initFleet } from '../src/fleet/open-fleet.ts';
import { readSources } from '../src/fleet/source.ts';
import { runOnce, type WorkSettings } from '../src/fleet/work.ts';
import type { Fact } from '../src/gather/facts/fact.ts';
import { createTable, processorMs, time } from './figures.ts';

const factsEach = 60;

export async function benchFleet(flags: readonly string[]): Promise<void> {
  const given = flags.find((flag) => flag.startsWith('--repositories='))?.split('=')[1];
  const count = Number(given ?? 1000);
  const place = mkdtempSync(join(tmpdir(), 'codegenie-bench-fleet-'));
  try {
    makeRepositories(place, count);
    for (const size of [Math.max(1, Math.round(count / 10)), count]) await benchSize(place, size);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function benchSize(place: string, count: number): Promise<void> {
  const environment = { PATH: process.env['PATH'], HOME: place, CODEGENIE_STATE_DIR: join(place, `state-${count}`) };
  const opened = initFleet({ home: place, environment, root: '/dev/null', name: 'bench' }, {});
  if (opened.kind !== 'fleet') throw new Error(opened.kind);
  const { fleet } = opened;
  const table = createTable(`${count} repositories, ${factsEach} facts each`);
  const list = join(place, 'list.txt');
  writeFileSync(list, Array.from({ length: count }, (_, at) => join(place, 'sources', `r${at}`)).join('\n'));
  const add = await time(() => fleet.engine.add(readSources([list], place).sources, Date.now()));
  table.add({ measure: 'add, ms a repository', ours: (add / count).toFixed(2) });
  const before = [processorMs('self'), performance.now()] as const;
  const outcome = await runOnce(settingsOf(fleet, environment));
  if (outcome.published !== count) throw new Error(JSON.stringify(outcome));
  const after = processorMs('self');
  const own = (after.own - before[0].own) / count;
  const git = (after.children - before[0].children) / count;
  table.add({ measure: 'processor a job, engine, ms', ours: own.toFixed(2) });
  table.add({ measure: 'processor a job, git, ms', ours: git.toFixed(2) });
  table.add({
    measure: 'processor a job beside the gather, ms',
    ours: (own + git).toFixed(2),
    target: { says: '≤ 30', value: own + git, most: 30 },
  });
  table.add({ measure: 'clock a job, one worker, ms', ours: ((performance.now() - before[1]) / count).toFixed(1) });
  table.add({
    measure: 'database, KB a repository',
    ours: ((await fleet.engine.sizeBytes()) / count / 1000).toFixed(1),
  });
  await benchQuestions(fleet, table);
  await fleet.engine.close();
}

async function benchQuestions(fleet: Fleet, table: ReturnType<typeof createTable>): Promise<void> {
  const now = fleet.now(Date.now());
  const limits = { rows: 1000, timeoutS: 60, signal: new AbortController().signal };
  const questions: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['status, ms', async () => coverageOf(await fleet.engine.list(), now)],
    [
      'facts of one id, ms',
      async () =>
        answerFactsQuestion(
          { id: 'fact.7', where: { kind: 'has', value: '3' } },
          await fleet.engine.list(),
          await fleet.engine.facts(['fact.7']),
          now,
        ),
    ],
    [
      'query over one id, ms',
      async () => {
        const answer = await fleet.engine.query(
          'select value, count(*) n from facts group by 1',
          ['fact.7'],
          now,
          limits,
        );
        if (answer.kind !== 'rows') throw new Error(answer.message);
        return coverageOf(await fleet.engine.list(), now, darkFor(await fleet.engine.dark(['fact.7'])));
      },
    ],
    [
      'query over all facts, ms',
      () => fleet.engine.query('select id, count(*) n from facts group by 1', null, now, limits),
    ],
  ];
  for (const [measure, ask] of questions) {
    await ask();
    const times = [await time(ask), await time(ask), await time(ask)].sort((one, other) => one - other);
    const middle = times[1] as number;
    const target = measure.includes('all facts') ? {} : { target: { says: '≤ 200', value: middle, most: 200 } };
    table.add({ measure, ours: middle.toFixed(0), ...target });
  }
}

function settingsOf(fleet: Fleet, environment: WorkSettings['environment']): WorkSettings {
  return {
    fleet,
    environment,
    gatherTree: gatherNothing,
    jobs: 1,
    signal: new AbortController().signal,
    nowMs: Date.now,
    random: Math.random,
    onEvent: () => {},
  };
}

/** Facts in the shape and number of a small repository; some differ from one to the next. */
const gatherNothing: GatherTree = async ({ root }) => {
  const number = Number(basename(root).slice(1));
  const facts = Array.from({ length: factsEach }, (_, at) => ({
    ...{ id: `fact.${at}`, scope: at % 3 === 0 ? `packages/p${at}` : '.', state: 'known', confidence: 'high' },
    value: at % 5 === 0 ? ['npm ci', `npm run step-${number % 11}`] : String((number * 7 + at) % 13),
    evidence: [`package.json:${at}`, '.github/workflows/tests.yml:12'],
    how: 'declared: the repository says so in a syntax made for it, in its manifest',
  })) as unknown as readonly Fact[];
  const yaml = join(root, '.codegenie/context/repo-context.yaml');
  mkdirSync(dirname(yaml), { recursive: true });
  writeFileSync(yaml, JSON.stringify(facts));
  return { kind: 'published', envelope: { facts }, files: { yaml } } as unknown as Awaited<ReturnType<GatherTree>>;
};

/** One is made by git, the others are its copies: to the engine each is another. */
function makeRepositories(place: string, count: number): void {
  const template = join(place, 'template');
  mkdirSync(join(template, 'src'), { recursive: true });
  for (let at = 0; at < 20; at += 1) writeFileSync(join(template, `src/f${at}.js`), `export const f${at} = ${at};\n`);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
      cwd: template,
      env: { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_NOSYSTEM: '1', GIT_TEMPLATE_DIR: '' },
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  git('gc', '-q');
  for (let at = 0; at < count; at += 1)
    cpSync(join(template, '.git'), join(place, 'sources', `r${at}`), { recursive: true });
}
