import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/fixtures/**'],
    // Installs what the machine lacks and allows, and says so; tests without their tool are skipped by name.
    globalSetup: ['test/setup/install-tools.ts', 'test/setup/compile-once.ts'],
    // For what hangs; a test that is only slow, on a machine with other work, ends well before.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The whole suite runs on two cores; process forks keep signals, umask and cwd of one file away from another.
    pool: 'forks',
    // One more than there are cores: a third of the suite's time is waiting, for processes and for the disk.
    maxWorkers: availableParallelism() + 1,
    // Decision 0014: threads that compile wasm come and go by the hundred here.
    execArgv: ['--no-memory-protection-keys', '--no-wasm-code-gc'],
  },
});
