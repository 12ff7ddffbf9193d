/** A commit by one candidate and the evidence for it, over HTTP: what it takes, and what it refuses. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome } from '../../src/mutate/answer.ts';
import type { Loc } from '../../src/mutate/vocabulary.ts';
import { type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

const source = [
  'export class Box {',
  '  size = 1;',
  '}',
  'console.log(new Box().size);',
  'export function grow(anything: any) {',
  '  anything.size += 1;',
  '}',
  '',
].join('\n');

let repo: FixtureRepo;
let daemon: RunningDaemon;
beforeAll(async () => {
  repo = createFixtureRepo({
    'package.json': '{"name":"boxes","private":true}',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, lib: ['esnext'], types: [] },
      include: ['src'],
    }),
    'src/box.ts': source,
  });
  repo.commit();
  daemon = await startTestDaemon(repo);
});
afterAll(async () => {
  await daemon.stop();
  repo.dispose();
});

type Asked = Extract<Outcome, { kind: 'needs_decision' }>;

async function plan(): Promise<Asked> {
  const { json } = await daemon.post('/v1/renames', { target: 'src/box.ts:2:3', new_name: 'length' });
  const outcome = json?.['outcome'] as Outcome;
  if (outcome.kind !== 'needs_decision') throw new Error(JSON.stringify(outcome));
  return outcome;
}

const lines = source.split('\n');
const lineOf = ({ line }: Loc) => lines[line - 1] ?? '';

/** What a caller sends that has read every place that the plan names: ten characters beside each, and hashes of whole lines. */
function chooseRename({ plan: made, candidate_sets: sets, required_proof: required }: Asked) {
  const candidates = sets.flatMap(({ members }) => members);
  return {
    plan_id: made?.id ?? '',
    selected_candidate_id: candidates.find(({ group }) => group !== undefined)?.id ?? '',
    proof: {
      file_line_evidence: required.lines.map((at) => ({
        file: at.file,
        line: at.line,
        content_hash: createHash('sha256').update(lineOf(at)).digest('hex'),
        context_lines: [lines[at.line - 2] ?? '', lines[at.line] ?? ''],
      })),
      symbol_identity: made?.symbol.key ?? '',
      anchors: required.anchors.map((at) => ({
        file: at.file,
        line: at.line,
        col: at.col,
        anchor_before: lineOf(at)
          .slice(0, at.col - 1)
          .slice(-10),
        occurrence_text: 'size',
        anchor_after: lineOf(at)
          .slice(at.col + 3)
          .slice(0, 10),
      })),
      reasoning: 'grow is called with boxes',
    },
  };
}

const commit = async (body: object) => (await daemon.post('/decisions/commit', body)).json?.['outcome'];

test('M26 M27 one candidate with its evidence is committed, and nothing that does not hold is', async () => {
  const asked = await plan();
  expect(asked.plan?.items).toHaveLength(1);
  const chosen = chooseRename(asked);
  const { proof } = chosen;
  const [line] = proof.file_line_evidence;
  const [anchor] = proof.anchors;
  const wrong: readonly (readonly [object, string])[] = [
    [{ ...chosen, plan_id: 'p-none' }, 'plan_not_found'],
    [{ ...chosen, selected_candidate_id: 'c-none' }, 'selection_invalid'],
    [{ ...chosen, proof: { ...proof, file_line_evidence: [] } }, 'proof_incomplete'],
    [{ ...chosen, proof: { ...proof, anchors: [] } }, 'proof_incomplete'],
    [{ ...chosen, proof: { ...proof, symbol_identity: 'other' } }, 'proof_mismatch'],
    [
      { ...chosen, proof: { ...proof, file_line_evidence: [{ ...line, content_hash: '0'.repeat(64) }] } },
      'proof_mismatch',
    ],
    [
      {
        ...chosen,
        proof: { ...proof, file_line_evidence: [{ ...line, content_hash: line?.content_hash.slice(0, 4) }] },
      },
      'proof_mismatch',
    ],
    [
      { ...chosen, proof: { ...proof, file_line_evidence: [{ ...line, context_lines: ['not there'] }] } },
      'proof_mismatch',
    ],
    [
      {
        ...chosen,
        proof: { ...proof, anchors: proof.anchors.map((at) => ({ ...at, anchor_before: at.anchor_before.slice(-1) })) },
      },
      'proof_mismatch',
    ],
    [
      { ...chosen, proof: { ...proof, anchors: [...proof.anchors, { ...anchor, occurrence_text: 'sizes' }] } },
      'proof_mismatch',
    ],
  ];
  for (const [body, reason] of wrong) expect(await commit(body), JSON.stringify(body)).toMatchObject({ reason });
  expect(await daemon.post('/decisions/commit', { ...chosen, evidence: [] })).toMatchObject({
    status: 400,
    json: { field: 'evidence' },
  });
  expect(readFileSync(join(repo.root, 'src/box.ts'), 'utf8')).toBe(source);

  expect(await commit(chosen)).toMatchObject({ kind: 'ok', state: 'applied' });
  expect(readFileSync(join(repo.root, 'src/box.ts'), 'utf8')).toBe(source.replaceAll('size', 'length'));
  // M22: it was used.
  expect(await commit(chosen)).toMatchObject({ kind: 'refused', reason: 'plan_used' });
});
