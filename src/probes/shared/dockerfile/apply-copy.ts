/** COPY and ADD: what is brought into the stage, from where, and where it lands. */

import { singleLine, stripControls, truncate } from '../../../kernel/base/text.ts';
import type { Instruction } from './read-instructions.ts';
import { problem, type Reading, valueInStage } from './reading.ts';
import { resolveStage } from './resolve-stage.ts';
import { absoluteIn, type StageDraft, workingDirectory } from './stage-draft.ts';
import { flagValue, readJsonForm, splitWords, takeFlags } from './words.ts';

const shownFlags = new Set(['from', 'chown']);

export function applyCopy(reading: Reading, draft: StageDraft, instruction: Instruction): void {
  const { keyword, line, heredocs } = instruction;
  const { flags, rest } = takeFlags(instruction.text);
  const form = readJsonForm(rest);
  if (form.kind === 'malformed') problem(reading, line, 'not a JSON array: the builder reads it as words');
  const raw = form.kind === 'array' ? form.words : splitWords(rest, reading.escape);
  const written = raw.map((word) => heredocName(word, heredocs) ?? oneLine(valueInStage(reading, draft, word, line)));
  const destination = written.at(-1);
  if (destination === undefined || written.length < 2) {
    problem(reading, line, `${keyword} takes a source and a destination`);
    return;
  }
  const from = flagValue(flags, 'from');
  const chown = flagValue(flags, 'chown');
  reading.copyDirectives.push({
    stage_index: draft.index,
    from: from === null ? null : oneLine(from),
    from_stage_resolved: from === null ? null : resolveStage(reading, draft, from, line),
    sources: written.slice(0, -1),
    destination: absoluteIn(workingDirectory({ workdir: draft.workdir, base: draft.baseImageResolved }), destination),
    chown: chown === null ? null : oneLine(valueInStage(reading, draft, chown, line)),
    line,
  });
  for (const { name, content } of heredocs) {
    reading.detail.heredocs.push({ line, name, content: truncate(stripControls(content), 64 * 1024) });
  }
  const others = flags.filter(({ name }) => !shownFlags.has(name));
  if (others.length > 0) {
    reading.detail.flags.push({
      line,
      instruction: keyword,
      flags: others.map(({ name, value }) => ({ name: oneLine(name), value: value === null ? null : oneLine(value) })),
    });
  }
}

function heredocName(word: string, heredocs: Instruction['heredocs']): string | null {
  if (!word.startsWith('<<')) return null;
  const plain = word
    .slice(2)
    .replace(/^-/, '')
    .replace(/["'\\]/g, '');
  return heredocs.some(({ name }) => name === plain) ? `<<${plain}` : null;
}

function oneLine(text: string): string {
  return truncate(singleLine(text.slice(0, 4_000)), 1_000);
}
