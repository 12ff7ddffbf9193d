/**
 * Compiler facts beside their peers in the same run: the indexer itself, decoding alone, TypeScript's language service, `git status`.
 *   --quick          one pair, on rxjs only, without the large index and the states
 *   --pairs=<n>      3
 *   --parts=<names>  of indexing, large, refs, states, edit
 * Everything lies below the temporary directory of the machine and is removed, but for what is fetched from npm.
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchBodyEdit } from './semantic/body-edit.ts';
import { benchIndexing, type Indexed, runIndexer } from './semantic/indexing.ts';
import { benchLargeIndex } from './semantic/large-index.ts';
import { makeProject, type Project, projects } from './semantic/projects.ts';
import { benchReferences } from './semantic/references.ts';
import { benchStates } from './semantic/states.ts';

const allParts = ['indexing', 'large', 'refs', 'states', 'edit'] as const;
type Part = (typeof allParts)[number];
const quickParts: readonly Part[] = ['indexing', 'refs', 'edit'];

export async function benchSemantic(flags: readonly string[]): Promise<void> {
  const { isQuick, pairs, has } = readFlags(flags);
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-bench-')));
  try {
    console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
    const { rxjs, viem } = projects;
    if (!isQuick && has('states')) await benchStates(scratch, pairs);
    if (has('indexing', 'refs', 'edit')) {
      const { root, output } = await benchProject(rxjs, scratch, pairs, has);
      if (has('edit')) await benchBodyEdit(rxjs.name, root);
      if (has('refs')) await benchReferences(rxjs.name, root, output, pairs);
    }
    if (!isQuick && has('indexing', 'refs', 'large')) {
      const { root, output } = await benchProject(viem, scratch, pairs, has);
      if (has('refs')) await benchReferences(viem.name, root, output, pairs);
      if (has('large')) await benchLargeIndex(viem, output, scratch, pairs);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Has = (...parts: readonly Part[]) => boolean;

async function benchProject(
  project: Project,
  scratch: string,
  pairs: number,
  has: Has,
): Promise<Indexed & { readonly root: string }> {
  const root = makeProject(project, scratch);
  if (has('indexing', 'refs', 'edit')) {
    // One round leaves the index that the other parts ask.
    return { root, ...(await benchIndexing(project.name, root, scratch, has('indexing') ? pairs : 1)) };
  }
  const output = join(scratch, `${project.name}.scip`);
  await runIndexer(root, output);
  return { root, output };
}

function readFlags(flags: readonly string[]): { readonly isQuick: boolean; readonly pairs: number; readonly has: Has } {
  const isQuick = flags.includes('--quick');
  const flagValue = (name: string) => flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  const named = flagValue('parts')?.split(',');
  const unknown = named?.find((name) => !allParts.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`unknown part '${unknown}': ${allParts.join(', ')}`);
  const asked: readonly string[] = named ?? (isQuick ? quickParts : allParts);
  return {
    isQuick,
    pairs: Number(flagValue('pairs') ?? (isQuick ? 1 : 3)),
    has: (...parts) => parts.some((part) => asked.includes(part)),
  };
}
