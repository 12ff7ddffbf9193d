/** One repository, one home, and the probes of layer D gathered over them through the real workspace. */

import { join } from 'node:path';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import { probes as registered } from '../../src/probes/registry.gen.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

const upstream = ['language_detection', 'node_build_system', 'node_manifest', 'index_health'];
const probes = registered.filter((probe) => probe.layer === 'D' || upstream.includes(probe.name));

export type Organisation = Pick<
  FixtureRepo,
  'root' | 'home' | 'stateDir' | 'cacheDir' | 'write' | 'git' | 'dispose'
> & {
  gather(options?: { readonly now?: string; readonly mode?: 'default' | 'no_cache' }): Promise<Envelope>;
  readonly raw: string;
};

export function createOrganisation(): Organisation {
  const repo = createFixtureRepo({}, { committed: false });
  return {
    ...repo,
    raw: join(repo.root, '.codegenie/context/raw'),
    async gather({ now = '2026-05-17T12:00:00Z', mode = 'default' } = {}) {
      const { envelope } = await repo.publish({ mode }, { probes, nowMs: () => Date.parse(now) });
      return envelope;
    },
  };
}

/** A section of layer D by its short name; the values are looked at by the tests alone. */
export function sectionOf(envelope: Envelope, name: string): Readonly<Record<string, unknown>> {
  const sections = envelope['organizational'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const section = sections[name];
  if (section === undefined) throw new Error(`no section ${name}: ${JSON.stringify(envelope.probes)}`);
  return section;
}
