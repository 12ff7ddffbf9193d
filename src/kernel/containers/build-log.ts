/** What a build printed: its last part, bounded, and the step it had come to. */

import { singleLine, truncate } from '../base/text.ts';
import { tailBytes } from './outcome-text.ts';

export type BuildLog = {
  readonly add: (line: string) => void;
  readonly text: () => string;
  /** The last characters that a slice may hold, of both streams: programs complain on either. */
  readonly tail: () => string;
  readonly step: () => string | null;
};

const keptCharacters = 4 * 1024 * 1024;
const stepCharacters = 200;
/** podman and the old builder of docker number their steps alike; the new one prints them in brackets. */
const stepLine = /^(?:\[\d+\/\d+\] )?(?:STEP|Step) (\d+(?:\/\d+)? ?: .*)$|^#\d+ (\[[^\]]*\d+\/\d+\] .*)$/;

const colours = /\x1b\[[0-9;]*m/g;

export function createBuildLog(): BuildLog {
  const lines: string[] = [];
  let first = 0;
  let characters = 0;
  let step: string | null = null;
  const text = () =>
    lines
      .slice(first)
      .map((line) => `${line}\n`)
      .join('');
  return {
    add(said) {
      const line = said.replace(colours, '').trimEnd();
      lines.push(line);
      characters += line.length + 1;
      while (characters > keptCharacters && first < lines.length - 1) {
        characters -= (lines[first] ?? '').length + 1;
        lines[first] = '';
        first += 1;
      }
      const found = stepLine.exec(line.slice(0, stepCharacters * 4));
      if (found !== null) step = truncate(singleLine(found[1] ?? found[2] ?? ''), stepCharacters);
    },
    text,
    tail: () => text().slice(-tailBytes),
    step: () => step,
  };
}
