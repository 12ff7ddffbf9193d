/**
 * Our own TypeScript indexer beside scip-typescript, in turns, on two real projects: everything, one file, fifty files.
 *   --quick      one pair and three rounds, on rxjs only
 *   --pairs=<n>  3
 *   --rounds=<n> 7
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProgram } from './build-program.ts';
import { makeProject, type Project, projects } from './semantic/projects.ts';
import { benchFullIndex } from './tsgo/full-index.ts';
import { benchScoped } from './tsgo/scoped.ts';

export async function benchTsgo(flags: readonly string[]): Promise<void> {
  const isQuick = flags.includes('--quick');
  const flagValue = (name: string) => flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  const pairs = Number(flagValue('pairs') ?? (isQuick ? 1 : 3));
  const rounds = Number(flagValue('rounds') ?? (isQuick ? 3 : 7));
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-bench-')));
  try {
    console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
    const program = buildProgram(join(scratch, 'program'));
    await benchProject(projects.rxjs, scratch, program, pairs, rounds);
    if (!isQuick) await benchProject(projects.viem, scratch, program, pairs, rounds);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function benchProject(
  project: Project,
  scratch: string,
  program: string,
  pairs: number,
  rounds: number,
): Promise<void> {
  const root = makeProject(project, scratch);
  chooseIndexer(root);
  const peerMs = await benchFullIndex(project.name, root, pairs);
  await benchScoped(project.name, root, program, peerMs, rounds);
}

/** Whichever is the default. */
function chooseIndexer(root: string): void {
  mkdirSync(join(root, '.codegenie'), { mode: 0o700 });
  const contexts = [{ key: 'ts:tsconfig.json', indexer: 'tsgo' }];
  writeFileSync(join(root, '.codegenie/contexts.json'), JSON.stringify({ version: 1, contexts }));
}
