import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const exclude = [...configDefaults.exclude, 'test/fixtures/**'];

/** Tests of one module: to load it anew for each took longer than many of their tests. The files of `sharing` share processes. */
const ofModules = ['src/**/*.test.ts', 'scripts/**/*.test.ts'];
/** Tests of the whole program that leave no trace in their process and start none of their own that outlives a test. */
const inProcess = [
  'test/{language-words,syntax-goldens}.test.ts',
  'test/{dep-graph,external-docs,freshness,organisation,setup}/*.test.ts',
  'test/code-plane/{canonical-dump,distrusted,file-scope,navigate-agrees,replay,resolve-again,search-secrets,slice-chain,tree-kinds}.test.ts',
  'test/conformance/{judge-behaviour,judge-rename,match-facts,write-document}.test.ts',
  'test/engine/{determinism,foreign-probes,image-digest,inputs,outputs,since-gather,upstream}.test.ts',
  'test/mutation/{rename-reach,rename-ties}.test.ts',
  'test/scanners/{coverage-map,invariant-hints,rule-freshness}.test.ts',
  'test/semantic/{certainty,choose-indexer,overload-signatures,round-trip,secrets,unseen-dependencies}.test.ts',
];
/** Replaces modules, clocks, the directory or the mask of its process: such a file gets a process of its own. */
const changesItsProcess =
  /\bvi\.(?:mock|doMock|hoisted|resetModules|spyOn|stubEnv|stubGlobal|useFakeTimers)\(|\bprocess\.(?:chdir|umask)\(/;
/** V8 24 may take `É` for `é` beside `(?i:…)` in a process that has compiled many expressions; in a fresh one the draws are judged alike. */
const needsFreshProcess = ['src/index/text/regex-literals.test.ts'];
const sharing = [...ofModules, ...inProcess];
const ownProcess = globSync(sharing, { exclude }).filter(
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
          name: 'shared',
          include: sharing,
          exclude: [...exclude, ...ownProcess],
          isolate: false,
          setupFiles: ['test/setup/leave-as-found.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts', ...ownProcess],
          exclude: [...exclude, ...globSync(inProcess).filter((path) => !ownProcess.includes(path))],
        },
      },
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
