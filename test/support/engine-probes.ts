/** Small probes for tests of the engine: what they do is in their arguments, what the engine does with it is under test. */

import { z } from 'zod';
import { defineProbe, type Probe, type ProbeDefinition } from '../../src/gather/contract.ts';

type Run = ProbeDefinition['run'];

const row = z.strictObject({ path: z.string(), text: z.string() });

/** A probe with one section of its own name, a list of `{path, text}`. */
export function makeProbe(name: string, run: Run, more: Partial<ProbeDefinition> = {}): Probe {
  return defineProbe({
    name,
    version: '1.0.0',
    layer: 'A',
    says: 'A probe of a test.',
    heaviness: 'light',
    sections: { [name]: z.strictObject({ rows: z.array(row) }) },
    declaredInputs: [],
    timeoutSeconds: 60,
    confidenceRule: 'Always high.',
    errorIds: [`${name}.bad_output`],
    run,
    ...more,
  } as ProbeDefinition) as Probe;
}

export const rows = (name: string, list: readonly { readonly path: string; readonly text: string }[]) =>
  ({ kind: 'ran', slice: { [name]: { rows: list.map((item) => ({ ...item })) } }, confidence: 'high' }) as const;

/** Delivers every declared file whole, in its slice, in two artifacts, and as evidence and diagnostics: everything that can be published. */
export function echoProbe(name: string, declaredInputs: readonly string[], more: Partial<ProbeDefinition> = {}): Probe {
  return makeProbe(
    name,
    async (repo) => {
      const list: { path: string; text: string }[] = [];
      for (const id of repo.inputs.list()) {
        const outcome = await repo.inputs.read(id, 1024 * 1024);
        list.push({
          path: id,
          text: outcome.kind === 'read' ? Buffer.from(outcome.bytes).toString('utf8') : outcome.kind,
        });
      }
      const json = Buffer.from(JSON.stringify(list, null, 1));
      const text = Buffer.from(list.map((item) => `${item.path}\n${item.text}\n`).join(''));
      return {
        ...rows(name, list),
        rawArtifacts: [
          { name: `${name}.json`, kind: 'json', from: json },
          { name: `${name}/deep/all.txt`, kind: 'text', from: text },
        ],
        diagnostics: list.slice(0, 20).map((item) => ({ id: `${name}.seen`, path: item.path, detail: item.text })),
        evidence: list.map((item) => ({ path: item.path })),
        warnings: [`${name}.seen`],
      };
    },
    { declaredInputs, artifacts: [`${name}.json`, `${name}/`], warningIds: [`${name}.seen`], ...more },
  );
}
