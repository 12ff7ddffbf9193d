/**
 * scip-clang reads a compilation database and asks each compiler that it names for its resource directory: the repository says which
 * program that is, so the sandbox is needed although nothing is built. A translation unit that fails is data: its file has no document.
 */

import { join } from 'node:path/posix';
import {
  classifyExit,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  type PlanWorld,
} from '../indexers/indexer-adapter.ts';
import { safePath } from '../indexers/machine.ts';

export const scipClang: IndexerAdapter = {
  id: 'scip-clang',
  family: 'c',
  tool: 'scip-clang',
  granularity: 'project',
  executesRepoCode: true,
  minVersion: '0.2.0',
  timeoutMs: 60 * 60_000,
  memoryMb: 8192,
  positionEncoding: 1,
  gaps: ['inactive_preprocessor_branches', 'failed_translation_units'],
  passes: [],
  argumentsKey: '--compdb-path --index-output-path --temporary-output-dir --deterministic',
  findEnvironment: (place) => ({ environment: { PATH: safePath(place) } }),
  plan: planRun,
  classifyExit: (outcome) =>
    classifyExit(outcome, /failed to (?:open|parse|load) .*(?:compdb|compilation database|compile_commands)/i),
};

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const output = join(world.jobDir, 'out.scip');
  const database = context.configPath ?? join(context.root, 'compile_commands.json');
  return {
    args: [
      `--compdb-path=${join(world.repoRoot, database)}`,
      `--index-output-path=${output}`,
      `--temporary-output-dir=${join(world.jobDir, 'tmp')}`,
      `--supplementary-output-dir=${join(world.jobDir, 'supplementary')}`,
      '--deterministic',
      '--log-level=warning',
    ],
    // Documents are named relative to the working directory, and a database may name sources above its own.
    cwd: world.repoRoot,
    env: world.environment['PATH'] === undefined ? {} : { PATH: world.environment['PATH'] },
    output,
    files: {},
    readable: [],
    documentBase: '',
  };
}
