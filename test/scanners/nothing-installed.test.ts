/** A machine without any of the tools: the gather ends, says what is missing and how to get it, and never takes not looking for not finding. */

import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Envelope, ProbeRecord } from '../../src/gather/publish/envelope.ts';
import { tools } from '../../src/kernel/exec/tools.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

const service = {
  'package.json':
    '{"name":"svc","version":"1.0.0","scripts":{"start":"node src/main.js","test":"node --test"},"dependencies":{"left-pad":"1.3.0"}}',
  'tsconfig.json': '{"include":["src"]}',
  'src/main.ts':
    "import { spawn } from 'node:child_process';\nspawn('/bin/sh', ['-c', 'ls']);\nexport const a = () => 1;\n",
  'src/main.test.ts': "import { it } from 'node:test';\nit('x', () => {});\n",
  Dockerfile: 'FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci\nCMD ["npm","start"]\n',
};

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

async function gatherWithout(path: (repo: FixtureRepo) => string) {
  repo = createFixtureRepo(service);
  const { envelope } = await repo.publish({ skip: [] }, { environment: { PATH: path(repo), HOME: repo.home } });
  return { envelope, report: repo.written()['context/CONTEXT_REPORT.md'] ?? '' };
}

/** Only those that this build has. */
function recordsOf(envelope: Envelope, names: readonly string[]): readonly (readonly [string, ProbeRecord])[] {
  return names.flatMap((name) => {
    const record = envelope.probes[name];
    return record === undefined ? [] : [[name, record] as const];
  });
}

const sectionOf = (envelope: Envelope, name: string) =>
  (envelope as unknown as Record<string, Record<string, unknown> | undefined>)[name];

test.each([
  ['an empty PATH', () => ''],
  [
    'nothing but git on PATH',
    (fixture: FixtureRepo) => {
      const git = (process.env['PATH'] ?? '').split(':').map((entry) => join(entry, 'git'));
      symlinkSync(findExisting(git), join(fixture.base, 'git'));
      return fixture.base;
    },
  ],
] as const)(
  '%s: the gather ends, each missing tool is named with how to get it, statuses are true',
  async (_, path) => {
    const { envelope, report } = await gatherWithout(path);
    const own = probes.filter(({ layer }) => layer === 'C' || layer === 'G').map(({ name }) => name);

    // Nothing fails for want of a tool.
    expect(recordsOf(envelope, own).filter(([, { status }]) => status !== 'ok' && status !== 'skipped')).toEqual([]);
    // Who cannot look says so, and how that is changed, in the record and in the report.
    const lacking = recordsOf(envelope, own).filter(([, { skip }]) => skip?.reason === 'tool_missing');
    expect(lacking.map(([name]) => name)).toEqual(
      expect.arrayContaining(['image_build', 'ripgrep_curated', 'semgrep'].filter((name) => own.includes(name))),
    );
    for (const [name, { skip }] of lacking) {
      const needed = probes.find((probe) => probe.name === name)?.tools ?? [];
      const advice = needed.map((tool) => tools[tool as keyof typeof tools].install);
      expect(advice.filter((sentence) => skip?.detail?.includes(sentence) === true)).not.toEqual([]);
      expect(advice.filter((sentence) => report.includes(sentence))).not.toEqual([]);
    }
    // What rests on them is skipped for that reason, and has no section that could read as empty.
    for (const [, { skip }] of recordsOf(envelope, ['sbom', 'cve'])) {
      expect(['upstream_unavailable', 'tool_missing']).toContain(skip?.reason);
    }
    for (const section of ['sbom', 'cve_scan', 'image_build']) expect(sectionOf(envelope, section)).toBeUndefined();

    // A scanner that did not run has no findings of its own; one with a scanner built in says that it used it.
    for (const [probe, section] of [
      ['semgrep', 'semgrep_findings'],
      ['ripgrep_curated', 'grep_findings'],
    ] as const) {
      if (!own.includes(probe)) continue;
      expect(sectionOf(envelope, section)?.['outcome']).toEqual({ kind: 'skipped', reason: 'tool_missing' });
    }
    for (const [, record] of recordsOf(envelope, ['gitleaks'])) {
      expect(record).toMatchObject({ status: 'ok', confidence: 'medium', warnings: ['gitleaks.tool_missing'] });
      expect(sectionOf(envelope, 'gitleaks_findings')).toMatchObject({ scanner: 'builtin', outcome: { kind: 'ran' } });
    }
    // No trace was made, so none is shown.
    for (const [, record] of recordsOf(envelope, ['runtime_trace'])) {
      if (record.status === 'skipped') continue;
      expect(record.confidence).toBe('low');
      expect(sectionOf(envelope, 'runtime_trace')?.['scenarios_run']).toEqual([]);
    }
    // What needs no tool is there.
    expect(
      recordsOf(envelope, ['dockerfile', 'invariant_hints', 'language_detection']).map(([, { status }]) => status),
    ).not.toContain('skipped');
    expect(envelope.gather_status).not.toBe('failed');
  },
);

function findExisting(paths: readonly string[]): string {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error('no git on PATH');
  return found;
}
