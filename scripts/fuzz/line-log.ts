/** A log of one JSON object a line, which a run that is killed leaves for the next one. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export function appendToLog<Line extends object>(path: string, line: Line): void {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** None of a log that is not there. */
export function readLog<Line extends object>(path: string): readonly Line[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  // The last line may have been cut.
  return lines.flatMap((line): readonly Line[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
