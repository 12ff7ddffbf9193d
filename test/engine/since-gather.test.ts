/** What is told from a published context after the disk has moved on (gather.md §10, G42). */

import { renameSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Probe } from '../../src/gather/contract.ts';
import { factsOf, known } from '../../src/gather/facts/fact.ts';
import { type Since, touchOf } from '../../src/gather/freshness/since.ts';
import { limits } from '../../src/kernel/base/limits.ts';
import { callTool } from '../../src/serve/mcp/call-tool.ts';
import { echoProbe, makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, type FixtureSettings } from '../support/fixture-repo.ts';
import fc from '../support/properties.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

async function sinceOf(of: FixtureRepo, settings: FixtureSettings): Promise<Since | null> {
  const answer = await of.workspace(settings).report();
  if (answer.kind !== 'report') throw new Error(answer.kind);
  return answer.since;
}

describe('G42 random edits between a gather and a question', () => {
  const section = z.strictObject({ rows: z.array(z.strictObject({ path: z.string(), text: z.string() })) });
  const named = makeProbe(
    'named',
    async (given) =>
      rows(
        'named',
        given.inputs.list().map((path) => ({ path, text: String(given.inputs.fingerprint(path)?.size) })),
      ),
    { declaredInputs: ['names:**'] },
  );
  /** Reads the file that another file names. */
  const derived = echoProbe('derived', ['pointer.txt'], {
    async deriveInputs(given) {
      const read = await given.inputs.read('pointer.txt', 100);
      return read.kind === 'read' ? [Buffer.from(read.bytes).toString().trim()] : [];
    },
  });
  const whole = echoProbe('whole', ['**/*.txt'], {
    facts: factsOf('whole', section, [
      {
        id: 'whole.count',
        says: 'How many text files there are.',
        of: 'the repository',
        value: z.number(),
        from: 'text files',
        state: ({ rows: list }) => {
          const [first] = list;
          if (first === undefined) return [];
          return [
            known('.', list.length, {
              because: 'counted',
              how: 'counted',
              evidence: [{ path: first.path, shows: null }],
            }),
          ];
        },
      },
      {
        id: 'whole.marked',
        says: 'Text files that say two.',
        of: 'a file',
        value: z.boolean(),
        from: 'text files',
        state: ({ rows: list }) =>
          list
            .filter(({ text }) => text === 'two\n')
            .map(({ path }) =>
              known(path, true, { because: 'declared', how: 'it says so', evidence: [{ path, shows: 'two' }] }),
            ),
      },
    ]),
  });
  const below = makeProbe(
    'below',
    async (_, ctx) =>
      rows('below', (ctx.upstream as unknown as { one: { value: { one: { rows: [] } } } }).one.value.one.rows),
    {
      requires: ['one'],
    },
  );
  const probes: readonly Probe[] = [echoProbe('one', ['a.txt']), whole, named, derived, below];

  const names = ['a.txt', 'b.txt', 'c.md', 'sub/d.txt', 'sub/new.txt', 'pointer.txt', 'ignored.log'];
  const edit = fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      path: fc.constantFrom(...names),
      text: fc.constantFrom('one\n', 'two\n', 'a.txt\n', 'c.md\n'),
    }),
    fc.record({ kind: fc.constant('quietly' as const), path: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('remove' as const), path: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('touch' as const), path: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('move' as const), path: fc.constantFrom(...names), to: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('exclude' as const), path: fc.constantFrom('sub', 'b.txt', '') }),
    fc.record({ kind: fc.constant('commit' as const) }),
  );

  function apply(of: FixtureRepo, done: Parameters<Parameters<typeof edit.map>[0]>[0]): void {
    const place = (path: string) => join(of.root, path);
    const stat = 'path' in done ? statSync(place(done.path), { throwIfNoEntry: false }) : undefined;
    switch (done.kind) {
      case 'write':
        of.write(done.path, done.text);
        return;
      case 'quietly': {
        // The same length, and the times that it had.
        if (stat === undefined) return;
        of.write(done.path, 'x'.repeat(stat.size));
        utimesSync(place(done.path), stat.atime, stat.mtime);
        return;
      }
      case 'remove':
        rmSync(place(done.path), { force: true });
        return;
      case 'touch':
        if (stat !== undefined) utimesSync(place(done.path), new Date(), new Date());
        return;
      case 'move':
        if (stat !== undefined && done.path !== done.to) renameSync(place(done.path), place(done.to));
        return;
      case 'exclude':
        of.write('.codegenie/exclude.txt', `${done.path}\n`);
        return;
      case 'commit':
        of.commit();
    }
  }

  test('G42 no section and no fact is told as current that a gather would make otherwise; without an edit nothing is stale', async () => {
    let touched = 0;
    let news = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 4 }), async (edits) => {
        const made = createFixtureRepo({
          'a.txt': 'one\n',
          'b.txt': 'three\n',
          'c.md': 'three\n',
          'sub/d.txt': 'four\n',
          'pointer.txt': 'c.md\n',
          '.gitignore': '*.log\n',
        });
        try {
          await made.publish({}, { probes });
          expect(await sinceOf(made, { probes })).toBeNull();
          for (const done of edits) apply(made, done);
          const workspace = made.workspace({ probes });
          const told = await workspace.report();
          const facts = await workspace.facts({ id: null, scope: null, explain: false });
          const marked = await workspace.facts({ id: 'whole.marked', scope: null, explain: false });
          if (told.kind !== 'report' || facts.kind !== 'facts' || marked.kind !== 'facts') throw new Error(told.kind);
          const { envelope: now } = await made.publish({ mode: 'no_cache' }, { probes });
          const then = told.envelope as Record<string, unknown>;
          for (const { name } of probes) {
            const differs = JSON.stringify(then[name]) !== JSON.stringify(now[name]);
            if (differs) touched += 1;
            if (differs) expect([name, touchOf(told.since, name)]).not.toEqual([name, null]);
          }
          for (const fact of facts.facts) {
            const again = now.facts.find(({ id, scope }) => id === fact.id && scope === fact.scope);
            if (JSON.stringify(again?.value) !== JSON.stringify(fact.value)) expect(fact.stale).toBeDefined();
          }
          // Also where nothing was stated then, and a gather would state something now: the answer itself says so.
          const isNew = marked.facts.length === 0 && now.facts.some(({ id }) => id === 'whole.marked');
          if (isNew) news += 1;
          if (isNew) expect(marked).toMatchObject({ outcome: 'stale', since: { sections: expect.any(Array) } });
        } finally {
          made.dispose();
        }
      }),
      { numRuns: 15 },
    );
    expect(touched).toBeGreaterThan(5);
    expect(news).toBeGreaterThan(0);
  });
});

describe('G42 everything that a key is made of', () => {
  const keyed = (more: Parameters<typeof echoProbe>[2] = {}) => [echoProbe('keyed', ['a.txt'], more)];
  const make = () => {
    repo = createFixtureRepo({ 'a.txt': 'one\n', 'other.txt': 'x' });
    return repo;
  };

  test('G42 configuration', async () => {
    const probes = keyed({ configKeys: ['scip.max_file_mb'] });
    const of = make();
    await of.publish({}, { probes });
    of.write('.codegenie/config.yaml', 'scip.max_file_mb: 3\n');
    expect(await sinceOf(of, { probes })).toMatchObject({
      sections: ['keyed'],
      says: expect.stringContaining('configuration'),
    });
  });

  test('G42 the version of the logic, and the schema of the section', async () => {
    const of = make();
    await of.publish({}, { probes: keyed() });
    expect(await sinceOf(of, { probes: keyed() })).toBeNull();
    expect((await sinceOf(of, { probes: keyed({ version: '1.0.1' }) }))?.sections).toEqual(['keyed']);
    expect((await sinceOf(of, { probes: keyed({ sectionVersions: { keyed: '2.0.0' } }) }))?.sections).toEqual([
      'keyed',
    ]);
  });

  test('G42 the date, where the answer hangs on it', async () => {
    const of = make();
    const probes = keyed({ declaredInputs: ['a.txt', 'utc-date:<resolved>'] });
    const day = Date.parse('2026-05-17T12:00:00Z');
    await of.publish({}, { probes, nowMs: () => day });
    expect(await sinceOf(of, { probes, nowMs: () => day + 3_600_000 })).toBeNull();
    expect((await sinceOf(of, { probes, nowMs: () => day + 24 * 3_600_000 }))?.sections).toEqual(['keyed']);
  });

  test('G42 a tool that was installed, replaced or removed', async () => {
    const of = make();
    const bin = join(of.base, 'bin');
    const tool = (version: string) => of.write('~/../bin/syft', `#!/bin/sh\necho ${version}\n`);
    const settings = {
      probes: keyed({ tools: ['syft'] }),
      environment: { PATH: `${bin}:/usr/bin:/bin`, HOME: of.home },
    };
    tool('1.0.0');
    const { chmodSync } = await import('node:fs');
    chmodSync(join(bin, 'syft'), 0o755);
    await of.publish({}, settings);
    expect(await sinceOf(of, settings)).toBeNull();
    tool('1.1.0');
    expect(await sinceOf(of, settings)).toMatchObject({ sections: ['keyed'], says: expect.stringContaining('tools') });
    tool('1.0.0');
    expect(await sinceOf(of, settings)).toBeNull();
    rmSync(join(bin, 'syft'));
    expect((await sinceOf(of, settings))?.sections).toEqual(['keyed']);
  });

  test('G42 a probe that had nothing to look at has something now, and the other way round', async () => {
    const of = make();
    const probes = keyed({ applies: (given) => given.scope.exists('other.txt') });
    await of.publish({}, { probes: [...probes, echoProbe('more', ['a.txt'])] });
    rmSync(join(of.root, 'other.txt'));
    expect((await sinceOf(of, { probes }))?.sections).toContain('keyed');
    await of.publish({}, { probes: [...probes, echoProbe('more', ['a.txt'])] });
    expect((await sinceOf(of, { probes }))?.sections ?? []).not.toContain('keyed');
    of.write('other.txt', 'x');
    expect((await sinceOf(of, { probes }))?.sections).toContain('keyed');
  });

  test('G42 a file that is too large to be hashed', async () => {
    const of = make();
    const probes = [makeProbe('large', async () => rows('large', []), { declaredInputs: ['large.bin'] })];
    of.write('large.bin', '');
    truncateSync(join(of.root, 'large.bin'), limits.inputHashBytes + 1);
    await of.publish({}, { probes, nowMs: () => Date.now() + 60_000 });
    expect(await sinceOf(of, { probes })).toBeNull();
    await of.publish({}, { probes });
    utimesSync(join(of.root, 'large.bin'), new Date(), new Date());
    expect(await sinceOf(of, { probes })).toMatchObject({ sections: ['large'], files: ['large.bin'] });
  });

  test('G42 a file that was edited while it was gathered stays in doubt, also when it was put back', async () => {
    const of = make();
    const probes = [
      makeProbe(
        'reader',
        async (given) => {
          of.write('a.txt', 'meanwhile\n');
          await given.inputs.read('a.txt', 100);
          of.write('a.txt', 'one\n');
          return rows('reader', [{ path: 'a.txt', text: 'meanwhile' }]);
        },
        { declaredInputs: ['a.txt'] },
      ),
    ];
    await of.publish({}, { probes });
    expect(await sinceOf(of, { probes })).toMatchObject({
      sections: ['reader'],
      says: expect.stringContaining('while'),
    });
  });

  test('G42 without the recorded list of files it is still known that some changed', async () => {
    const of = make();
    const probes = keyed();
    await of.publish({}, { probes });
    of.write('a.txt', 'two\n');
    rmSync(of.cacheDir, { recursive: true });
    expect(await sinceOf(of, { probes })).toMatchObject({ sections: ['repo', 'keyed'], files: ['a.txt'] });
  });

  test('G42 another commit of the same bytes touches what is told of the commit, and nothing else', async () => {
    const of = make();
    const probes = keyed();
    await of.publish({}, { probes });
    of.commit();
    expect(await sinceOf(of, { probes })).toMatchObject({ sections: ['repo'], perhaps: [], files: [] });
  });
});

const asksOf = (of: FixtureRepo) => {
  const workspace = of.workspace();
  return async (args: unknown) => {
    const { structured } = await callTool(
      'repo_context',
      args,
      async () => ({ workspace, onStep: () => {} }),
      (bug) => {
        throw bug;
      },
    );
    return JSON.parse(JSON.stringify(structured));
  };
};

test('G42 what was not there at the gather and may be now is stale, not nothing, and no wrong name', async () => {
  repo = createFixtureRepo({ 'package.json': '{"name":"shop"}\n', CODEOWNERS: '* @team\n' });
  await repo.publish({ only: ['node_manifest', 'components', 'dockerfile', 'ownership'] });
  const ask = asksOf(repo);
  const nothing = [
    { facts: 'docker.final_base' },
    { facts: 'docker.user' },
    { facts: 'docker.user Dockerfile#build' },
    { facts: 'Dockerfile#build' },
    { section: 'containerization' },
    { section: 'containerization.dockerfiles' },
  ];
  const wrong = [{ facts: 'docker.usr' }, { facts: 'owners nowhere' }, { section: 'containerisation' }];
  for (const question of nothing.slice(0, 2)) expect(await ask(question)).toMatchObject({ outcome: 'ok', facts: [] });
  for (const question of nothing.slice(2)) expect(await ask(question)).toMatchObject({ outcome: 'invalid' });
  for (const question of wrong) expect(await ask(question)).toMatchObject({ outcome: 'invalid' });
  repo.write('Dockerfile', 'FROM node:22 AS build\nUSER node\n');
  for (const question of nothing) {
    const answer = await ask(question);
    expect(answer).toMatchObject({ outcome: 'stale', since: { files: ['Dockerfile'] } });
    expect(answer.next).toContain('{gather: true}');
  }
  expect(await ask({ section: 'containerization' })).toMatchObject({ value: null });
});

test('G42 after package.json changed no way of asking says a plain ok; what is not touched is ok', async () => {
  repo = createFixtureRepo({
    'package.json': '{"name":"shop","version":"1.0.0","scripts":{"test":"vitest run"}}\n',
    'src/a.ts': 'export const a = 1;\n',
    CODEOWNERS: '* @team\n',
  });
  await repo.publish({ only: ['node_manifest', 'commands', 'components', 'ownership'] });
  const ask = asksOf(repo);
  const questions = [
    {},
    { section: '*' },
    { section: 'manifests' },
    { section: 'manifests.primary' },
    { section: 'facts' },
    { facts: 'test.unit.command' },
    { explain: 'manifests.primary' },
  ];
  for (const question of questions) expect(await ask(question)).toMatchObject({ outcome: 'ok' });
  repo.write('package.json', '{"name":"shop","version":"2.0.0","scripts":{"test":"mocha run!"}}\n');
  for (const question of questions) {
    const answer = await ask(question);
    expect(answer).toMatchObject({
      outcome: 'stale',
      since: { says: 'package.json changed', files: ['package.json'] },
    });
    expect(answer.next).toContain('gather');
  }
  expect(await ask({ facts: 'test.unit.command' })).toMatchObject({ facts: [{ stale: 'changed' }] });
  expect(await ask({ section: 'ownership' })).toMatchObject({
    outcome: 'ok',
    since: { sections: expect.arrayContaining(['manifests']) },
  });
});
