/** One repository, one home, and the probes of layer D gathered over them through the real coordinator. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Envelope, ProbeRecord } from '../../src/gather/envelope.ts';
import { gather } from '../../src/gather/gather.ts';
import { isBuilderMade } from '../../src/index/store/builder-made.ts';
import languageDetection from '../../src/probes/a-repo-map/language_detection.ts';
import nodeBuildSystem from '../../src/probes/a-repo-map/node_build_system.ts';
import nodeManifest from '../../src/probes/a-repo-map/node_manifest.ts';
import indexHealth from '../../src/probes/b-semantic/index_health.ts';
import { catalogs } from '../../src/probes/catalogs/index.ts';
import adrs from '../../src/probes/d-organisation/adrs.ts';
import conventions from '../../src/probes/d-organisation/conventions.ts';
import exceptions from '../../src/probes/d-organisation/exceptions.ts';
import externalDocs from '../../src/probes/d-organisation/external_docs.ts';
import externalDocsIndex from '../../src/probes/d-organisation/external_docs_index.ts';
import policy from '../../src/probes/d-organisation/policy.ts';
import repoConfig from '../../src/probes/d-organisation/repo_config.ts';
import repoNotes from '../../src/probes/d-organisation/repo_notes.ts';
import skillsIndex from '../../src/probes/d-organisation/skills_index.ts';

const probes = [
  languageDetection,
  nodeBuildSystem,
  nodeManifest,
  indexHealth,
  adrs,
  conventions,
  exceptions,
  externalDocs,
  externalDocsIndex,
  policy,
  repoConfig,
  repoNotes,
  skillsIndex,
];

export type Organisation = {
  readonly root: string;
  readonly home: string;
  write(path: string, content: string | Uint8Array): void;
  git(...args: string[]): string;
  gather(options?: { readonly now?: string; readonly mode?: 'default' | 'no_cache' }): Promise<Envelope>;
  readonly raw: string;
  dispose(): void;
};

export function createOrganisation(): Organisation {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'organisation-')));
  const root = join(base, 'repo');
  const home = join(base, 'home');
  mkdirSync(root);
  mkdirSync(home);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      encoding: 'utf8',
    });
  git('init', '-q');
  return {
    root,
    home,
    git,
    raw: join(root, '.codegenie/context/raw'),
    write(path, content) {
      const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    async gather({ now = '2026-05-17T12:00:00Z', mode = 'default' } = {}) {
      const outcome = await gather({
        root,
        home,
        probes,
        mode,
        isGit: true,
        environment: { PATH: process.env['PATH'] },
        catalogs,
        task: null,
        taskOptions: {},
        only: null,
        skip: [],
        overrides: {},
        concurrency: 2,
        cliVersion: '0.0.0',
        nowMs: () => Date.parse(now),
        signal: new AbortController().signal,
        onProgress: () => {},
        renderReports: () => ({ markdown: '', html: '' }),
        isBuilderMade,
      });
      if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome));
      return outcome.envelope;
    },
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** A section of layer D by its short name; the values are looked at by the tests alone. */
export function sectionOf(envelope: Envelope, name: string): Readonly<Record<string, unknown>> {
  const sections = envelope['organizational'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const section = sections[name];
  if (section === undefined) throw new Error(`no section ${name}: ${JSON.stringify(envelope.probes)}`);
  return section;
}

export function recordOf(envelope: Envelope, probe: string): ProbeRecord {
  const record = envelope.probes[probe];
  if (record === undefined) throw new Error(`no probe ${probe}`);
  return record;
}
