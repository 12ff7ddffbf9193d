import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const include = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'];
const exclude = [...configDefaults.exclude, 'test/fixtures/**'];

/** Replaces modules, clocks, the directory or the mask of its process: such a file gets a process of its own. */
const changesItsProcess =
  /\bvi\.(?:mock|doMock|hoisted|resetModules|spyOn|stubEnv|stubGlobal|useFakeTimers)\(|\bprocess\.(?:chdir|umask)\(/;
const alone = globSync(include, { exclude }).filter((path) => changesItsProcess.test(readFileSync(path, 'utf8')));

/** The same order on every run; large files first, because most of them take long. */
class FixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map((file) => [file, readFileSync(file.moduleId).length]));
    const rank = (file: TestSpecification) => (file.project.config.isolate ? 0 : 1);
    return files.toSorted((one, other) => rank(one) - rank(other) || (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
  }
}

export default defineConfig({
  test: {
    // Installs what the machine lacks and allows, and says so; tests without their tool are skipped by name.
    globalSetup: ['test/setup/install-tools.ts', 'test/setup/compile-once.ts', 'test/setup/scratch-in-memory.ts'],
    sequence: { sequencer: FixedOrder },
    // One more than there are cores: a third of the suite's time is waiting, for processes and for the disk.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Most files share processes: to load the program anew for each took longer than many of their tests.
      {
        extends: true,
        test: {
          name: 'shared',
          include,
          exclude: [...exclude, ...alone],
          isolate: false,
          setupFiles: ['test/setup/leave-as-found.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude } },
    ],
    // For what hangs; a test that is only slow, on a machine with other work, ends well before.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The whole suite runs on two cores; process forks keep signals and cwd away from the runner.
    pool: 'forks',
    // Decision 0014: threads that compile wasm come and go by the hundred here.
    execArgv: ['--no-memory-protection-keys', '--no-wasm-code-gc'],
  },
});
