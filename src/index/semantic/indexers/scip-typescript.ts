/**
 * scip-typescript 0.4 (measured):
 * - a project may be a directory or a config file of any name; the real config is reached through one in the job dir that `extends` it
 *   and names the members. So `references` are not followed (they are other contexts, and would be indexed again with each of them), and
 *   files that the program holds through imports get their document too: the tool writes documents only for a config's own files;
 * - it parses configs without telling the compiler their name: `@types` are looked for from the *working directory*, which is
 *   therefore the context's directory;
 * - `--cwd` goes unescaped into a regular expression: a root that is no valid one is reached through a link in the job dir;
 * - it writes nothing but the output, and starts no program without the workspace flags.
 */

import { basename, join } from 'node:path/posix';
import type { IndexerAdapter, IndexerContext, Invocation, PlanWorld } from './adapter.ts';
import { classifyExit } from './classify-exit.ts';
import { renderProject } from './typescript-project.ts';

/** Reads of `config`: `usesConfigDir` (a `${configDir}` in an effective option would mean the job dir: the config is named directly). */
export const scipTypescript: IndexerAdapter = {
  id: 'scip-typescript',
  family: 'typescript',
  tool: 'scip-typescript',
  granularity: 'project',
  executesRepoCode: false,
  minVersion: '0.3.14',
  timeoutMs: 30 * 60_000,
  memoryMb: 8192,
  positionEncoding: 2,
  gaps: ['shorthand_local_reference'],
  passes: [],
  argumentsKey: 'index --cwd --output --no-progress-bar --max-file-byte-size; members by files',
  plan: planRun,
  classifyExit: (outcome) => {
    const judged = classifyExit(outcome, /\berror TS\d+:/);
    const nothing = judged === 'tool_crashed' && outcome.kind === 'exited';
    return nothing && outcome.stdout.includes('error: no files got indexed') ? 'no_output' : judged;
  },
};

const projectName = 'tsconfig.json';

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const root = findSpeakableRoot(world);
  const output = join(world.jobDir, 'out.scip');
  const direct = context.configPath !== null && context.config['usesConfigDir'] === true;
  const project = direct ? join(root, context.configPath) : join(world.jobDir, projectName);
  return {
    args: [
      ...['index', '--cwd', root, '--output', output, '--no-progress-bar'],
      ...['--max-file-byte-size', `${megabytes(world.maxFileMb)}mb`],
      ...(world.thrifty === true ? ['--no-global-caches'] : []),
      ...['--', project],
    ],
    cwd: join(world.repoRoot, context.root),
    env: { PATH: join(world.jobDir, 'bin') },
    output,
    files: direct ? {} : { [projectName]: renderProject(context, root) },
    ...(root === world.repoRoot ? {} : { links: { [basename(root)]: world.repoRoot } }),
    readable: [],
    documentBase: '',
  };
}

/** The tool counts a megabyte as 1,000,000 bytes, everything else here as 1,048,576. */
function megabytes(mebibytes: number): string {
  return ((mebibytes * 1024 ** 2) / 1_000_000).toFixed(6).replace(/\.?0+$/, '');
}

function findSpeakableRoot(world: PlanWorld): string {
  try {
    new RegExp(world.repoRoot);
    return world.repoRoot;
  } catch {
    return join(world.jobDir, 'tree');
  }
}
