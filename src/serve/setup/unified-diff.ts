/** Two versions of a file that differ in one place, as people read it. Secrets in the lines around are not shown (P8). */

import { stripControls, truncate } from '../../kernel/base/text.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';

const contextLines = 3;
const lineChars = 240;

export function unifiedDiff(path: string, before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < Math.min(old.length, now.length) - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const from = Math.max(0, start - contextLines);
  const behind = Math.min(same, contextLines);
  const [oldEnd, nowEnd] = [old.length - same, now.length - same];
  const hunk = [
    ...old.slice(from, start).map((line) => ` ${shownLine(line)}`),
    ...old.slice(start, oldEnd).map((line) => `-${shownLine(line)}`),
    ...now.slice(start, nowEnd).map((line) => `+${shownLine(line)}`),
    ...old.slice(oldEnd, oldEnd + behind).map((line) => ` ${shownLine(line)}`),
  ];
  const range = (first: number, count: number) => `${count === 0 ? first : first + 1},${count}`;
  const heads = [
    `--- ${before === '' ? '/dev/null' : path}`,
    `+++ ${after === '' ? '/dev/null' : path}`,
    `@@ -${range(from, oldEnd + behind - from)} +${range(from, nowEnd + behind - from)} @@`,
  ];
  return [...heads, ...hunk].join('\n');
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function shownLine(line: string): string {
  return truncate(stripControls(redactString(line, { entropy: true }).text).replace(/\r$/, ''), lineChars);
}
