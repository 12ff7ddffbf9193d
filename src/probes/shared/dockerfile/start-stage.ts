/** FROM: the image or stage a stage stands on, and what it takes over from there. */

import { singleLine, truncate } from '../../../kernel/base/text.ts';
import { dockerfileLimits } from './limits.ts';
import type { Instruction } from './read-instructions.ts';
import { isProvidedByBuilder, noteUnresolvedArg, problem, type Reading, spend } from './reading.ts';
import { draftStage, type StageDraft } from './stage-draft.ts';
import { type Substituted, substitute } from './substitute.ts';
import { flagValue, splitWords, takeFlags } from './words.ts';

/** The new stage; null if there are too many. */
export function startStage(reading: Reading, { text, line }: Instruction): StageDraft | null {
  if (reading.stages.length >= dockerfileLimits.stages) {
    problem(reading, line, `more than ${dockerfileLimits.stages} stages: the rest is not read`);
    return null;
  }
  const { flags, rest } = takeFlags(text);
  const words = splitWords(rest, reading.escape);
  const [written = '', as, named] = words;
  if (written === '') problem(reading, line, 'FROM names no image');
  const isNamed = words.length === 3 && as?.toLowerCase() === 'as' && named !== undefined;
  if (words.length > 1 && !isNamed) problem(reading, line, 'FROM takes an image and AS with a name');
  const name = isNamed ? truncate(singleLine(named), 200) : null;

  const image = globally(reading, written);
  const parentIndex = reading.stageNames.get(image.text.toLowerCase());
  const parent = parentIndex === undefined ? null : (reading.stages[parentIndex] ?? null);
  // `FROM build-$TARGETOS` chooses among stages when it is built: all of them may be needed.
  const chosenLater = image.unresolved.length === 0 ? [] : stagesLike(reading, image.text);
  for (const name of new Set(image.unresolved)) {
    if (chosenLater.length === 0 || !isProvidedByBuilder(name)) noteUnresolvedArg(reading, name, line);
  }
  const external = image.unresolved.length > 0 || image.text === '' ? null : truncate(singleLine(image.text), 500);
  const platform = flagValue(flags, 'platform');
  const isInherited = parent !== null && spend(reading, inheritedChars(parent), line);
  const draft = draftStage(
    {
      index: reading.stages.length,
      name,
      platform:
        platform === null ? (parent?.platform ?? null) : truncate(singleLine(globally(reading, platform).text), 200),
      baseImage: truncate(singleLine(written), 500),
      baseImageResolved: parent === null ? external : parent.baseImageResolved,
      inheritsFrom: parent?.index ?? null,
    },
    isInherited ? parent : null,
  );
  for (const index of chosenLater) draft.takesFrom.add(index);
  reading.stages.push(draft);
  if (name !== null) {
    if (reading.stageNames.has(name.toLowerCase())) problem(reading, line, `a second stage is called ${name}`);
    reading.stageNames.set(name.toLowerCase(), draft.index);
  }
  return draft;
}

/** Stages whose names fit a reference with a variable in it, by what is written before and after it. */
function stagesLike(reading: Reading, reference: string): readonly number[] {
  const [before = '', ...rest] = reference.toLowerCase().split(/\$(?:\{[^}]*\}|\w+)/);
  const after = rest.at(-1) ?? '';
  return [...reading.stageNames].flatMap(([name, index]) => {
    const fits = name.startsWith(before) && name.endsWith(after) && name.length >= before.length + after.length;
    return fits ? [index] : [];
  });
}

function globally(reading: Reading, raw: string): Substituted {
  return substitute(raw, reading.escape, (name) => reading.globalArgs.get(name) ?? undefined);
}

function inheritedChars(parent: StageDraft): number {
  let chars = 0;
  for (const values of [parent.env, parent.labels, parent.args]) {
    for (const [name, value] of values) chars += name.length + (value?.length ?? 0) + 20;
  }
  return chars + (parent.expose.size + parent.volumes.size) * 20;
}
