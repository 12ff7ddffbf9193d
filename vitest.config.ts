import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const exclude = [...configDefaults.exclude, 'test/fixtures/**'];

/** Tests of one module: to load it anew for each took longer than many of their tests. */
const ofModules = ['src/**/*.test.ts', 'scripts/**/*.test.ts'];
/** Replaces modules, clocks, the directory or the mask of its process: such a file gets a process of its own. */
const changesItsProcess =
  /\bvi\.(?:mock|doMock|hoisted|resetModules|spyOn|stubEnv|stubGlobal|useFakeTimers)\(|\bprocess\.(?:chdir|umask)\(/;
/** V8 24 may take `É` for `é` beside `(?i:…)` in a process that has compiled many expressions; in a fresh one the draws are judged alike. */
const needsFreshProcess = ['src/index/text/regex-literals.test.ts'];
const ownProcess = globSync(ofModules, { exclude }).filter(
  (path) => needsFreshProcess.includes(path) || changesItsProcess.test(readFileSync(path, 'utf8')),
);

/** They take minutes: begun last, they would keep one core waiting. */
const longest = [
  'test/probe-examples.test.ts',
  'test/e2e/new-skeletons.test.ts',
  'test/conformance/behaviour-sample.test.ts',
];

/** The same order on every run; then large files first, because most of them take long. */
class FixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = files.map((file) => {
      const at = longest.findIndex((path) => file.moduleId.endsWith(`/${path}`));
      const size = readFileSync(file.moduleId).length;
      return { file, rank: [at < 0 ? longest.length : at, file.project.config.isolate ? 0 : 1, -size] };
    });
    const compare = (one: readonly number[], other: readonly number[]) =>
      one.map((each, at) => each - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
    return ranked.toSorted((one, other) => compare(one.rank, other.rank)).map(({ file }) => file);
  }
}

export default defineConfig({
  test: {
    // Installs what the machine lacks and allows, and says so; tests without their tool are skipped by name.
    globalSetup: 'test/setup/before-all.ts',
    sequence: { sequencer: FixedOrder },
    // One more than there are cores: a third of the suite's time is waiting, for processes and for the disk.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'modules',
          include: ofModules,
          exclude: [...exclude, ...ownProcess],
          isolate: false,
          setupFiles: ['test/setup/leave-as-found.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts', ...ownProcess], exclude } },
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
