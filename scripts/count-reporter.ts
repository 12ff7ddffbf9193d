/**
 * A vitest reporter that ends the output with `N passed, N failed, N skipped`, alone on the last line, for machines that read it.
 * A file that cannot be loaded and an error outside every test count as failed, so `0 failed` means that all went well. A failure is
 * also told when it happens: a soak takes an hour, and the seed of a case should survive one that is stopped.
 */

import { writeSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** A counterexample, and not the whole tree that it speaks of. */
const shorten = (message: string): string => message.slice(0, 4_000);

export default class CountReporter implements Reporter {
  private line = '';

  onInit(): void {
    // Other reporters print their summary at the end of the run, in no promised order; nothing prints after the exit.
    process.once('exit', () => {
      if (this.line !== '') writeSync(1, `${this.line}\n`);
    });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    // A property says which case failed; what failed in it is the cause.
    const said = errors.flatMap(({ message, cause }) => [message, ...(cause === undefined ? [] : [cause.message])]);
    writeSync(
      1,
      `${[`failed: ${test.module.relativeModuleId} > ${test.fullName}`, ...said.map(shorten)].join('\n')}\n`,
    );
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const failed = count('failed') + broken + unhandledErrors.length;
    this.line = `${count('passed')} passed, ${failed} failed, ${count('skipped') + count('pending')} skipped`;
  }
}
