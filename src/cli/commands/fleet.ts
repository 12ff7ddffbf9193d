/** `codegenie fleet`: the same facts for many repositories, and answers that count what they do not know. */

import type { Coverage } from '../../fleet/fleet-answer.ts';
import type { Repository } from '../../fleet/fleet-engine.ts';
import type { Fleet, FleetPlace, FleetSettings } from '../../fleet/open-fleet.ts';
import type { WorkOutcome, WorkSettings } from '../../fleet/work.ts';
import { type Argument, type Command, defineCommand, type Flag, type Invocation, printJson } from '../command.ts';
import type { Ending } from '../exit-codes.ts';

const nameFlag: Flag = { flags: '--fleet <name>', says: 'one of several fleets (default)', kind: 'text' };
const workFlags: readonly Flag[] = [
  { flags: '--jobs <n>', says: 'repositories that this process gathers at once (1)', kind: 'count' },
  {
    flags: '--containers',
    says: 'also build and run containers of the repositories, as `gather` does',
    kind: 'boolean',
  },
];
const namesArgument: Argument = {
  name: '<repository...>',
  says: 'by name or address, or the end of a name where one alone ends so',
};

export default [
  defineCommand({
    name: 'fleet init',
    says: 'Make a fleet, or change how one that is there works',
    args: [],
    flags: [
      nameFlag,
      {
        flags: '--fresh-for <hours>',
        says: 'how long ago a head may have been seen for its repository to be fresh (24)',
        kind: 'count',
      },
      { flags: '--look-every <minutes>', says: '`run` looks at a head again after so long (60)', kind: 'seconds' },
      { flags: '--per-host <n>', says: 'jobs and looks of one host at once (4)', kind: 'count' },
      { flags: '--max-mb <n>', says: 'the largest repository that is fetched (2048)', kind: 'count' },
      { flags: '--job-minutes <n>', says: 'a job that takes longer is ended (60)', kind: 'count' },
    ],
    async run(invocation) {
      const { initFleet } = await import('../../fleet/open-fleet.ts');
      const { endWith } = await import('../ask.ts');
      const place = await placeOf(invocation);
      if (typeof place === 'string') return endWith(invocation, 'usage', place);
      const opened = initFleet(place, settingsGiven(invocation.flags));
      if (opened.kind === 'refused') return endWith(invocation, 'output_refused', opened.message);
      if (opened.kind === 'no_fleet') return endWith(invocation, 'internal', 'the fleet could not be made');
      const { fleet } = opened;
      await fleet.engine.close();
      const made = opened.made === true;
      say(
        invocation,
        {
          outcome: 'ok',
          fleet: fleet.name,
          made,
          state_dir: fleet.stateDir,
          cache_dir: fleet.cacheDir,
          settings: fleet.settings,
        },
        () =>
          `${made ? 'made' : 'set'} the fleet ${fleet.name} in ${fleet.stateDir}${made ? '; add repositories: codegenie fleet add <url|path|file>' : ''}`,
      );
      return 'ok';
    },
  }),
  defineCommand({
    name: 'fleet add',
    says: 'Add repositories: addresses (https, ssh, file), clones, directories of clones, or files that list them',
    args: [
      { name: '<source...>', says: 'an address, a clone, a directory of clones, or a file with one of these a line' },
    ],
    flags: [nameFlag],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { readSources } = await import('../../fleet/source.ts');
        const { quotedPath, plural } = await import('../../kernel/base/text.ts');
        const { redactText } = await import('../../gather/publish/redact.ts');
        const { sources, refused } = readSources(given(invocation), invocation.terminal.cwd);
        const added = await fleet.engine.add(sources, invocation.terminal.nowMs());
        // What was given may hold the password for which it is refused.
        const told = refused.map(({ given: text, why }) => ({
          given: redactText(text.replace(/\/\/[^/@]*@/, '//…@')),
          why,
        }));
        say(
          invocation,
          {
            outcome: refused.length > 0 ? 'incomplete' : 'ok',
            added,
            known: sources.length - added.length,
            refused: told,
          },
          () =>
            [
              `added ${plural(added.length, 'repository', 'repositories')}${sources.length > added.length ? `, ${sources.length - added.length} were there before` : ''}`,
              ...told.map(({ given: text, why }) => `not added: ${quotedPath(text)} ${why}`),
            ].join('\n'),
        );
        return refused.length === 0 ? 'ok' : sources.length === 0 ? 'usage' : 'incomplete';
      }),
  }),
  defineCommand({
    name: 'fleet run',
    says: 'Look at the heads of all repositories, and gather those that are not as they were',
    args: [{ name: '[repository...]', says: 'these first' }],
    flags: [
      nameFlag,
      ...workFlags,
      { flags: '--watch', says: 'go on until interrupted', kind: 'boolean' },
      { flags: '--strict', says: 'exit 4 when a repository is unknown or behind afterwards', kind: 'boolean' },
    ],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { endWith } = await import('../ask.ts');
        const { runForever, runOnce } = await import('../../fleet/work.ts');
        const asked = given(invocation);
        if (asked.length > 0) {
          const named = await findNamed(fleet, asked);
          if (typeof named === 'string') return endWith(invocation, 'usage', named);
          await fleet.engine.enqueue(
            named.map(({ id }) => id),
            'asked',
            invocation.terminal.nowMs(),
          );
        }
        const settings = await workSettings(invocation, fleet);
        const outcome = await (invocation.flags['watch'] === true ? runForever(settings, true) : runOnce(settings));
        return endWork(invocation, fleet, outcome);
      }),
  }),
  defineCommand({
    name: 'fleet worker',
    says: 'Work on the jobs of a fleet until interrupted, beside other workers; looks at no heads',
    args: [],
    flags: [nameFlag, ...workFlags],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { runForever } = await import('../../fleet/work.ts');
        return endWork(invocation, fleet, await runForever(await workSettings(invocation, fleet), false));
      }),
  }),
  defineCommand({
    name: 'fleet status',
    says: 'How many repositories are fresh, behind, unknown, queued, running and failed, and why',
    args: [],
    flags: [nameFlag],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { renderStatus, coverageFields } = await import('../../fleet/render-fleet.ts');
        const { counts, coverage, failures } = await readStatus(fleet, invocation.terminal.nowMs());
        say(
          invocation,
          {
            outcome: 'ok',
            ...counts,
            heads_seen: coverageFields(coverage).heads_seen,
            failures: failures.map(({ name, failure, attempts, commit }) => ({
              name,
              failure: failure?.kind,
              detail: failure?.detail,
              attempts,
              last_commit: commit,
            })),
            behind_names: coverage.behind,
            unknown_names: coverage.unknown,
            bytes: await fleet.engine.sizeBytes(),
          },
          () => renderStatus(counts, coverage, failures),
        );
        return 'ok';
      }),
  }),
  defineCommand({
    name: 'fleet retry',
    says: 'Queue repositories again at once, whatever they wait for; all that failed where none is named',
    args: [{ name: '[repository...]', says: namesArgument.says }],
    flags: [nameFlag],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { endWith } = await import('../ask.ts');
        const { plural } = await import('../../kernel/base/text.ts');
        const asked = given(invocation);
        const named =
          asked.length > 0
            ? await findNamed(fleet, asked)
            : (await fleet.engine.list()).filter(({ failure }) => failure !== null);
        if (typeof named === 'string') return endWith(invocation, 'usage', named);
        await fleet.engine.enqueue(
          named.map(({ id }) => id),
          'asked',
          invocation.terminal.nowMs(),
        );
        const names = named.map(({ name }) => name);
        say(
          invocation,
          { outcome: 'ok', queued: names },
          () => `queued ${plural(names.length, 'repository', 'repositories')}; codegenie fleet run works on them`,
        );
        return 'ok';
      }),
  }),
  defineCommand({
    name: 'fleet remove',
    says: 'Remove repositories from the fleet, with their facts, their past and their mirrors',
    args: [namesArgument],
    flags: [nameFlag],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { endWith } = await import('../ask.ts');
        const { plural } = await import('../../kernel/base/text.ts');
        const { mirrorOf } = await import('../../fleet/do-job.ts');
        const { rmSync } = await import('node:fs');
        const named = await findNamed(fleet, given(invocation));
        if (typeof named === 'string') return endWith(invocation, 'usage', named);
        await fleet.engine.remove(named.map(({ id }) => id));
        for (const { url } of named) rmSync(mirrorOf(fleet.cacheDir, url), { recursive: true, force: true });
        const names = named.map(({ name }) => name);
        say(
          invocation,
          { outcome: 'ok', removed: names },
          () => `removed ${plural(names.length, 'repository', 'repositories')}`,
        );
        return 'ok';
      }),
  }),
  defineCommand({
    name: 'fleet facts',
    says: 'In how many repositories a fact is so, with those that are not known',
    args: [{ name: '<id>', says: 'a fact id, as `codegenie facts` tells it' }],
    flags: [
      nameFlag,
      {
        flags: '--where <value>',
        says: 'repositories in which it has this value, or one of several; `none` where there is none',
        kind: 'text',
      },
      { flags: '--without <value>', says: 'repositories in which it does not have this value', kind: 'text' },
    ],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { endWith } = await import('../ask.ts');
        const { answerFactsQuestion } = await import('../../fleet/fleet-answer.ts');
        const { coverageFields, renderFactsAnswer } = await import('../../fleet/render-fleet.ts');
        const { flags, args, terminal } = invocation;
        const [has, lacks] = [flags['where'], flags['without']] as readonly (string | undefined)[];
        if (has !== undefined && lacks !== undefined)
          return endWith(invocation, 'usage', '--where and --without exclude each other');
        const id = args[0] ?? '';
        const wrong = await whyNoId(fleet, [id]);
        if (wrong !== undefined) return endWith(invocation, 'usage', wrong);
        const where =
          has !== undefined
            ? ({ kind: 'has', value: has } as const)
            : lacks !== undefined
              ? ({ kind: 'lacks', value: lacks } as const)
              : null;
        const [repositories, rows] = await Promise.all([fleet.engine.list(), fleet.engine.facts([id])]);
        const answer = answerFactsQuestion({ id, where }, repositories, rows, fleet.now(terminal.nowMs()));
        const names = new Map(repositories.map((repository) => [repository.id, repository]));
        say(
          invocation,
          {
            outcome: 'ok',
            id,
            where,
            value: answer.value,
            relation: answer.relation,
            of: answer.of,
            ...coverageFields(answer.coverage),
            repositories: answer.counted.map(({ name, facts }) => ({
              name,
              facts: facts.map(({ repository, ...fact }) => ({ commit: names.get(repository)?.commit, ...fact })),
            })),
            before: answer.before,
            values: answer.values,
          },
          () =>
            renderFactsAnswer(
              answer,
              where === null
                ? `have ${id}`
                : where.kind === 'has'
                  ? `have ${id} ${where.value}`
                  : `lack ${id} ${where.value}`,
            ),
        );
        return 'ok';
      }),
  }),
  defineCommand({
    name: 'fleet query',
    says: 'Ask in SQL: one SELECT over the views `repositories` and `facts`',
    args: [{ name: '<sql>', says: 'docs/spec/fleet.md section 5 lists the columns' }],
    flags: [
      nameFlag,
      {
        flags: '--ids <id,…>',
        says: 'the view `facts` holds these alone, and the answer counts as unknown who cannot tell of one of them',
        kind: 'list',
      },
      { flags: '--limit <n>', says: 'rows at most (1000)', kind: 'count' },
      { flags: '--timeout <s>', says: 'the query is ended after so long (10)', kind: 'count' },
    ],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { endWith } = await import('../ask.ts');
        const { coverageOf, darkFor, isWhole } = await import('../../fleet/fleet-answer.ts');
        const { coverageFields, renderCoverage, renderRows } = await import('../../fleet/render-fleet.ts');
        const { flags, args, terminal } = invocation;
        const ids = (flags['ids'] as readonly string[] | undefined) ?? null;
        const wrong = ids === null ? undefined : await whyNoId(fleet, ids);
        if (wrong !== undefined) return endWith(invocation, 'usage', wrong);
        const now = fleet.now(terminal.nowMs());
        const limits = {
          rows: (flags['limit'] as number | undefined) ?? 1000,
          timeoutS: (flags['timeout'] as number | undefined) ?? 10,
          signal: terminal.signal,
        };
        const { plural } = await import('../../kernel/base/text.ts');
        const answer = await fleet.engine.query(args[0] ?? '', ids, now, limits);
        if (answer.kind !== 'rows')
          return endWith(invocation, answer.kind === 'timed_out' ? 'incomplete' : 'usage', answer.message);
        const coverage = coverageOf(await fleet.engine.list(), now, darkFor(await fleet.engine.dark(ids)));
        const relation = isWhole(coverage) && !answer.truncated ? 'eq' : 'partial';
        const { columns, rows, truncated } = answer;
        say(
          invocation,
          { outcome: 'ok', value: rows.length, relation, ...coverageFields(coverage), truncated, columns, rows },
          () =>
            [
              renderRows(answer),
              `${relation === 'eq' ? '' : 'partial: '}${plural(rows.length, 'row')}${truncated ? '; there are more (--limit)' : ''}`,
              ...renderCoverage(coverage),
            ].join('\n'),
        );
        return 'ok';
      }),
  }),
  defineCommand({
    name: 'fleet diff',
    says: 'Which facts of which repositories are not what they were',
    args: [],
    flags: [nameFlag, { flags: '--since <when>', says: 'a date, a time, or so long ago: 36h, 7d (7d)', kind: 'text' }],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { endWith } = await import('../ask.ts');
        const { compareFacts, renderComparison } = await import('../../gather/facts/compare-facts.ts');
        const { coverageOf, isWhole } = await import('../../fleet/fleet-answer.ts');
        const { coverageFields, renderCoverage, signs } = await import('../../fleet/render-fleet.ts');
        const { plural, quotedPath } = await import('../../kernel/base/text.ts');
        const nowMs = invocation.terminal.nowMs();
        const sinceMs = parseWhen((invocation.flags['since'] as string | undefined) ?? '7d', nowMs);
        if (sinceMs === undefined)
          return endWith(invocation, 'usage', '--since takes a date, a time, or so long ago: 36h, 7d');
        const repositories = await fleet.engine.list();
        const before = await fleet.engine.publishedBefore(sinceMs);
        // What was not known then cannot have changed since, nor stayed.
        const dark = new Map(
          repositories.flatMap(({ id }) => (before.has(id) ? [] : [[id, 'not_gathered_then'] as const])),
        );
        const coverage = coverageOf(repositories, fleet.now(nowMs), dark);
        const open = new Set([...coverage.behind, ...coverage.unknown].map(({ name }) => name));
        const names = new Map(repositories.map(({ id, name }) => [id, name]));
        const changed = (await fleet.engine.stepsSince(sinceMs)).flatMap(({ repository, before: then, after }) => {
          const name = names.get(repository) ?? '';
          const comparison = compareFacts(then.facts, after.facts);
          return open.has(name) || comparison.changes.length === 0
            ? []
            : [{ name, from: then.commit, to: after.commit, ...comparison }];
        });
        const relation = isWhole(coverage) ? 'eq' : 'gte';
        const since = new Date(sinceMs).toISOString();
        say(
          invocation,
          {
            outcome: 'ok',
            since,
            value: changed.length,
            relation,
            of: repositories.length,
            ...coverageFields(coverage),
            repositories: changed,
          },
          () =>
            [
              `${signs[relation]}${changed.length} of ${plural(repositories.length, 'repository', 'repositories')} changed since ${since}`,
              ...changed.map(
                (one) =>
                  `${quotedPath(one.name)} ${one.from.slice(0, 8)} → ${one.to.slice(0, 8)}\n${renderComparison(one, 'text')}`,
              ),
              ...renderCoverage(coverage),
            ].join('\n'),
        );
        return 'ok';
      }),
  }),
  defineCommand({
    name: 'fleet export',
    says: 'Print all of it as JSON lines: what is known of the whole, then repositories, then facts',
    args: [],
    flags: [nameFlag],
    run: (invocation) =>
      withFleet(invocation, async (fleet) => {
        const { coverageOf, darkFor, isWhole } = await import('../../fleet/fleet-answer.ts');
        const { coverageFields } = await import('../../fleet/render-fleet.ts');
        const { judgeStanding } = await import('../../fleet/standing.ts');
        const { terminal } = invocation;
        const now = fleet.now(terminal.nowMs());
        const repositories = await fleet.engine.list();
        const coverage = coverageOf(repositories, now, darkFor(await fleet.engine.dark(null)));
        printJson(terminal, {
          kind: 'fleet',
          value: repositories.length,
          relation: isWhole(coverage) ? 'eq' : 'partial',
          ...coverageFields(coverage),
        });
        for (const repository of repositories) {
          const { name, url, commit, head, failure } = repository;
          printJson(terminal, {
            kind: 'repository',
            name,
            url,
            ...judgeStanding(repository, now),
            commit,
            head,
            failure,
          });
        }
        const byId = new Map(repositories.map((repository) => [repository.id, repository]));
        // One id at a time: never all facts of all repositories in memory.
        for (const id of await fleet.engine.factIds())
          for (const { repository, ...fact } of await fleet.engine.facts([id])) {
            const of = byId.get(repository);
            // Added and gathered while this is printed.
            if (of !== undefined) printJson(terminal, { kind: 'fact', repo: of.name, commit: of.commit, ...fact });
          }
        return 'ok';
      }),
  }),
] satisfies readonly Command[];

/** A moment, or so long before now; undefined for what is neither. */
function parseWhen(given: string, nowMs: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([hd])$/.exec(given) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (unit === 'h' ? 3_600_000 : 86_400_000);
  const ms = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const given = ({ args }: Invocation): readonly string[] => args.filter((one) => one !== undefined);

async function placeOf({ terminal, flags }: Invocation): Promise<FleetPlace | string> {
  const { fleetNamePattern } = await import('../../fleet/open-fleet.ts');
  const name = (flags['fleet'] as string | undefined) ?? 'default';
  if (!fleetNamePattern.test(name))
    return `${name} cannot be the name of a fleet: letters, digits, dots, dashes and underscores`;
  const { findRoot } = await import('../../kernel/tree/root.ts');
  const found = findRoot('.', terminal.cwd);
  const root =
    found.kind === 'root' && (found.isGit || found.enclosing !== null) ? (found.enclosing ?? found.root) : '/dev/null';
  return { home: terminal.home, environment: terminal.environment, root, name };
}

function settingsGiven(flags: Invocation['flags']): Partial<FleetSettings> {
  const named = [
    ['fresh_for_hours', flags['freshFor']],
    ['look_every_minutes', flags['lookEvery']],
    ['per_host', flags['perHost']],
    ['max_mb', flags['maxMb']],
    ['job_minutes', flags['jobMinutes']],
  ] as const;
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

async function withFleet(invocation: Invocation, act: (fleet: Fleet) => Promise<Ending>): Promise<Ending> {
  const { openFleet } = await import('../../fleet/open-fleet.ts');
  const { StoreFailed } = await import('../../index/store/store-failed.ts');
  const { endWith } = await import('../ask.ts');
  const place = await placeOf(invocation);
  if (typeof place === 'string') return endWith(invocation, 'usage', place);
  const opened = openFleet(place);
  if (opened.kind === 'no_fleet')
    return endWith(invocation, 'usage', `there is no fleet '${place.name}' yet; make it: codegenie fleet init`);
  if (opened.kind === 'refused') return endWith(invocation, 'output_refused', opened.message);
  try {
    return await act(opened.fleet);
  } catch (error) {
    if (error instanceof StoreFailed) return endWith(invocation, 'output_refused', error.message);
    throw error;
  } finally {
    await opened.fleet.engine.close();
  }
}

function say({ globals, terminal }: Invocation, document: object, text: () => string): void {
  if (globals.json) printJson(terminal, document);
  else if (!globals.quiet) terminal.stdout.write(`${text()}\n`);
}

/** Or the sentence that says which is none, or several. */
async function findNamed(fleet: Fleet, names: readonly string[]): Promise<readonly Repository[] | string> {
  const { findNearest } = await import('../../kernel/base/text.ts');
  const all = await fleet.engine.list();
  const found: Repository[] = [];
  for (const name of names) {
    const exact = all.filter((one) => one.name === name || one.url === name);
    const ending = exact.length > 0 ? exact : all.filter((one) => one.name.endsWith(`/${name}`));
    if (ending.length > 1)
      return `${name} could be ${ending
        .slice(0, 3)
        .map((one) => one.name)
        .join(' or ')}`;
    const nearest = findNearest(
      name,
      all.map((one) => one.name),
    );
    if (ending[0] === undefined)
      return `${name} is no repository of the fleet${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    found.push(ending[0]);
  }
  return found;
}

async function whyNoId(fleet: Fleet, ids: readonly string[]): Promise<string | undefined> {
  const { listNearest } = await import('../../kernel/base/text.ts');
  const known = await fleet.engine.factIds();
  if (ids.every((id) => known.includes(id))) return undefined;
  // What no repository of this fleet states can be asked all the same; the probes are loaded for it alone.
  const { probes } = await import('../../probes/registry.gen.ts');
  const stated = probes.flatMap(({ facts }) => facts.map(({ id }) => id));
  const wrong = ids.find((id) => !known.includes(id) && !stated.includes(id));
  if (wrong === undefined) return undefined;
  const nearest = listNearest(wrong, [...new Set([...known, ...stated])], 3);
  return `there is no fact '${wrong}'${nearest.length === 0 ? '' : `; did you mean ${nearest.join(', ')}?`}`;
}

async function workSettings(invocation: Invocation, fleet: Fleet): Promise<WorkSettings> {
  const { gatherAsk } = await import('../../fleet/do-job.ts');
  const { renderEvent } = await import('../../fleet/render-fleet.ts');
  const { createLocalWorkspace } = await import('../../serve/workspace/local-workspace.ts');
  const { packageVersion } = await import('../../kernel/base/package-files.ts');
  const { terminal, flags, globals } = invocation;
  const ask = gatherAsk(flags['containers'] === true);
  return {
    fleet,
    environment: terminal.environment,
    jobs: (flags['jobs'] as number | undefined) ?? 1,
    signal: terminal.signal,
    nowMs: terminal.nowMs,
    random: Math.random,
    gatherTree: ({ root, environment, signal }) =>
      createLocalWorkspace({
        root,
        isGit: true,
        home: terminal.home,
        environment,
        signal,
        nowMs: terminal.nowMs,
        cliVersion: packageVersion(),
        pool: terminal.pool,
      }).gather(ask),
    onEvent: (event) => {
      const line = renderEvent(event);
      if (line !== undefined && !globals.quiet) terminal.stderr.write(`${line}\n`);
    },
  };
}

async function endWork(invocation: Invocation, fleet: Fleet, outcome: WorkOutcome): Promise<Ending> {
  const { coverageFields, renderCoverage, renderWork } = await import('../../fleet/render-fleet.ts');
  const { isWhole } = await import('../../fleet/fleet-answer.ts');
  const { coverage } = await readStatus(fleet, invocation.terminal.nowMs());
  const ending: Ending =
    outcome.stopped === 'interrupted'
      ? 'interrupted'
      : outcome.stopped === 'disk_full'
        ? 'output_refused'
        : invocation.flags['strict'] === true && !isWhole(coverage)
          ? 'incomplete'
          : 'ok';
  say(invocation, { outcome: ending, ...outcome, ...coverageFields(coverage) }, () =>
    [renderWork(outcome), ...renderCoverage(coverage)].join('\n'),
  );
  return ending;
}

async function readStatus(
  fleet: Fleet,
  nowMs: number,
): Promise<{
  readonly counts: import('../../fleet/render-fleet.ts').StatusCounts;
  readonly coverage: Coverage;
  readonly failures: readonly Repository[];
}> {
  const { coverageOf } = await import('../../fleet/fleet-answer.ts');
  const repositories = await fleet.engine.list();
  const coverage = coverageOf(repositories, fleet.now(nowMs));
  const failures = repositories.filter(({ failure }) => failure !== null);
  const counts = {
    repositories: repositories.length,
    fresh: repositories.length - coverage.behind.length - coverage.unknown.length,
    behind: coverage.behind.length,
    unknown: coverage.unknown.length,
    queued: repositories.filter(({ job }) => job === 'queued').length,
    running: repositories.filter(({ job }) => job === 'running').length,
    failed: failures.length,
  };
  return { counts, coverage, failures };
}
