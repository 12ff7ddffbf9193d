/**
 * What a stage is for. The last stage is the one a plain build gives, so everything is judged from there:
 * - runtime: the last stage and every stage it is built on (`FROM stage`): their files are in the image
 * - test: a stage named for tests or checks, or, when the image does not need it, one whose last RUN or command runs tests
 * - build: the image takes files from it (`COPY --from`, `RUN --mount=from`), directly or through other stages
 * - unused: a plain build never looks at it; it is there for `--target`
 */

import { isUnitTest } from '../classify-command.ts';
import type { StagePurpose } from './types.ts';

export type StageLinks = {
  readonly name: string | null;
  readonly inheritsFrom: number | null;
  /** Stages that files are taken from. */
  readonly takesFrom: readonly number[];
  /** Its last RUN, and what it starts. */
  readonly lastCommands: readonly string[];
};

const testName =
  /(?:^|[-_.])(?:tests?|testing|unit|e2e|lint|linter|check|checks|verify|ci|spec|specs|coverage|audit)(?:$|[-_.])/i;

export function purposesOf(stages: readonly StageLinks[]): readonly StagePurpose[] {
  const final = stages.length - 1;
  const shipped = new Set<number>();
  for (let at: number | null = final; at !== null && at >= 0 && !shipped.has(at); at = stages[at]?.inheritsFrom ?? null)
    shipped.add(at);
  const needed = new Set(shipped);
  // References point backwards, so one pass from the end reaches everything.
  for (let at = final; at >= 0; at -= 1) {
    const stage = stages[at];
    if (stage === undefined || !needed.has(at)) continue;
    for (const from of stage.takesFrom) needed.add(from);
    if (stage.inheritsFrom !== null) needed.add(stage.inheritsFrom);
  }
  return stages.map((stage, index) => {
    if (shipped.has(index)) return 'runtime';
    if (stage.name !== null && testName.test(stage.name)) return 'test';
    if (needed.has(index)) return 'build';
    return stage.lastCommands.some((command) => isUnitTest(command)) ? 'test' : 'unused';
  });
}
