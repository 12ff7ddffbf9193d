/**
 * What the caller says they read, against the plan and the disk (mutation.md §6, steps 3 and 7 to 9). M27: an empty, partial, foreign or
 * guessed proof never commits a plan that requires one. Text is compared exactly; where the file holds a secret, the kept anchor has
 * its hash, and the caller may send either.
 */

import type { Answer, Proof, RequiredProof } from '../answer.ts';
import { isQuoted, placeKey } from '../decide/required-proof.ts';
import type { Anchor, Edit, Loc, Plan } from '../types.ts';
import { anchorsOf, equalText, lineHash, quoteAt } from './anchors.ts';
import { blockedAnswer, fileStates, refusedAnswer } from './answers.ts';
import type { DiskFile, DiskFiles } from './read-plan-files.ts';

/** Step 3: everything that is required is there, whatever it says. */
export function checkComplete(required: RequiredProof, proof: Proof): Answer | undefined {
  const anchors = new Set(proof.anchors.map(placeKey));
  const lines = new Set(proof.lines.filter(({ text, hash }) => text !== undefined || hash !== undefined).map(lineKey));
  const missing = [
    ...(required.identity && proof.identity === '' ? ['identity'] : []),
    ...required.anchors.filter((place) => !anchors.has(placeKey(place))).map((place) => `anchor ${placeKey(place)}`),
    ...required.lines.filter((place) => !lines.has(lineKey(place))).map((place) => `line ${lineKey(place)}`),
  ];
  if (missing.length === 0) return undefined;
  const shown = missing.slice(0, 20).join(', ');
  const more = missing.length > 20 ? ` and ${missing.length - 20} more` : '';
  return refusedAnswer('proof_incomplete', `missing: ${shown}${more}`);
}

type Planned = { readonly path: string; readonly line: number; readonly col: number; readonly anchor: Anchor };

/** Step 7. */
export function checkAnchors(plan: Plan, edits: readonly Edit[], proof: Proof, disk: DiskFiles): Answer | undefined {
  const planned: readonly Planned[] = [...edits, ...plan.items.filter(isQuoted)];
  const moved = [...Map.groupBy(planned, ({ path }) => path)].flatMap(([path, places]) =>
    listMoved(places, disk.get(path)),
  );
  if (moved.length > 0) {
    return blockedAnswer('anchor_mismatch', `${moved.length} places are not what was planned`, {
      plan_id: plan.id,
      files: fileStates(
        moved.map(({ path }) => path),
        'changed',
        'the text at a planned place is another',
      ),
    });
  }
  const lengths = new Map(
    planned.map(({ path, line, col, anchor }) => [placeKey({ file: path, line, col }), anchor.text.length]),
  );
  const { definedAt, name, kind } = plan.symbol;
  // A file's name does not stand in it: as much as was sent is looked at.
  if (kind !== 'file' && kind !== 'directory' && !lengths.has(placeKey(definedAt)))
    lengths.set(placeKey(definedAt), name.length);
  for (const supplied of proof.anchors) {
    const file = disk.get(supplied.file);
    if (file === undefined) return mismatch(supplied, 'is not a place of this plan');
    const length = lengths.get(placeKey(supplied)) ?? supplied.text.length;
    const found = textAt(file, supplied, length);
    if (found === undefined) return mismatch(supplied, 'is not there');
    if (!found.some((one) => equalText(one, supplied))) return mismatch(supplied, 'does not read as it was sent');
  }
  return undefined;
}

/** Step 8. */
export function checkLines(plan: Plan, edits: readonly Edit[], proof: Proof, disk: DiskFiles): Answer | undefined {
  const moved = [...edits, ...plan.items.filter(isQuoted)].filter(
    (place) => !isLineAsPlanned(place, disk.get(place.path)),
  );
  if (moved.length > 0) {
    return blockedAnswer('line_mismatch', `${moved.length} lines are not what was planned`, {
      plan_id: plan.id,
      files: fileStates(
        moved.map(({ path }) => path),
        'changed',
        'a planned line is another',
      ),
    });
  }
  for (const supplied of proof.lines) {
    const file = disk.get(supplied.file);
    const found =
      file === undefined ? [] : [file.lines().line(supplied.line - 1), file.hidden().lines.line(supplied.line - 1)];
    const hasText = supplied.text === undefined || found.includes(supplied.text);
    const hasHash =
      supplied.hash === undefined || found.some((line) => line !== undefined && lineHash(line) === supplied.hash);
    const saysSomething = supplied.text !== undefined || supplied.hash !== undefined;
    if (!saysSomething || !hasText || !hasHash) {
      return refusedAnswer('proof_mismatch', `line ${lineKey(supplied)} does not read as it was sent`);
    }
  }
  return undefined;
}

/** Step 9. */
export function checkIdentity(plan: Plan, required: RequiredProof, proof: Proof): Answer | undefined {
  const { key, namePath } = plan.symbol;
  const isNothing = proof.identity === '' && !required.identity;
  if (isNothing || proof.identity === key || proof.identity === namePath) return undefined;
  return refusedAnswer(
    'proof_mismatch',
    'identity is not the symbol of this plan: it is the symbol’s key or name path',
  );
}

/** Of one file, those whose anchor is not what the disk says. */
function listMoved(places: readonly Planned[], file: DiskFile | undefined): readonly Planned[] {
  if (file === undefined) return places;
  const { text, lines } = file.hidden();
  const spans = places.map(({ line, col, anchor }) => {
    const start = lines.offsetOf(line - 1, col - 1) ?? text.length;
    return { start, end: start + anchor.text.length };
  });
  const found = anchorsOf(text, spans);
  return places.filter(({ anchor }, at) => {
    const now = found[at];
    return now === undefined || !equalText(now, anchor) || now.ordinal !== anchor.ordinal;
  });
}

function isLineAsPlanned({ line, anchor }: Planned, file: DiskFile | undefined): boolean {
  return file?.hidden().lines.hashOf(line - 1) === anchor.lineHash;
}

/** As it is, and as it may be kept. */
function textAt(file: DiskFile, at: Loc, length: number): readonly ReturnType<typeof quoteAt>[] | undefined {
  const start = file.lines().offsetOf(at.line - 1, at.col - 1);
  if (start === undefined || file.source === undefined) return undefined;
  return [file.source.text, file.hidden().text].map((text) => quoteAt(text, start, start + length));
}

function lineKey({ file, line }: Pick<Loc, 'file' | 'line'>): string {
  return `${file}:${line}`;
}

function mismatch(at: Loc, says: string): Answer {
  return refusedAnswer('proof_mismatch', `anchor ${placeKey(at)} ${says}`);
}
