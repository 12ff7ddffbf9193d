/**
 * Renames beside their peers in the same run: `tsc --noEmit`, TypeScript's language service and ts-morph from process start, `git apply`.
 *   --quick             one round, on the generated project only
 *   --pairs=<n>         3
 *   --parts=<names>     of plan, whole, apply
 *   --projects=<names>  of generated, rxjs, viem
 *   --tree=<dir> --against=<checkout> [--count=<n>]  instead: random renames of a real tree, n of each kind (3), by this program and an older one
 * Everything lies below the temporary directory of the machine and is removed, but for what is fetched from npm.
 */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchAgainst } from './rename/against.ts';
import { benchApply } from './rename/apply.ts';
import { makeGeneratedProject, type RenameSubject } from './rename/make-project.ts';
import { benchPlan } from './rename/plan.ts';
import { benchWhole } from './rename/whole.ts';
import { makeProject, projects } from './semantic/projects.ts';

const allParts = ['plan', 'whole', 'apply'] as const;
const seed = 7;

/** Of each real project a name that is used all over it. */
const realSubjects = {
  rxjs: { path: 'src/internal/Subscriber.ts', line: /^export class Subscriber\b/, oldName: 'Subscriber' },
  viem: { path: 'types/misc.ts', line: /^export type Hex\b/, oldName: 'Hex' },
} as const;

const allProjects = ['generated', 'rxjs', 'viem'] as const;
type ProjectName = (typeof allProjects)[number];

export async function benchRename(flags: readonly string[]): Promise<void> {
  const isQuick = flags.includes('--quick');
  const pairs = Number(readFlag(flags, 'pairs') ?? (isQuick ? 1 : 3));
  const parts = readNames(flags, 'parts', allParts, allParts);
  const names = readNames(flags, 'projects', allProjects, isQuick ? ['generated'] : allProjects);
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-bench-')));
  try {
    const [tree, older] = [readFlag(flags, 'tree'), readFlag(flags, 'against')];
    if (tree !== undefined && older !== undefined)
      return benchAgainst({ tree, older, scratch, count: Number(readFlag(flags, 'count') ?? 3), seed });
    console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
    for (const name of names) {
      const subject = make(name, scratch);
      if (subject === undefined) continue;
      if (parts.includes('plan')) await benchPlan(subject, pairs);
      if (parts.includes('whole')) await benchWhole(subject, pairs);
      // Only there is the text after the rename known without a question.
      if (parts.includes('apply') && name === 'generated') await benchApply(subject, pairs);
      rmSync(subject.root, { recursive: true, force: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function make(name: ProjectName, scratch: string): RenameSubject | undefined {
  const root = join(scratch, name);
  mkdirSync(root);
  if (name === 'generated') {
    console.log('\n## generated: 1 000 occurrences in 200 of 300 files');
    return makeGeneratedProject(root, seed);
  }
  try {
    makeProject(projects[name], scratch);
  } catch (error) {
    console.log(`\n## ${name}: left out, it could not be fetched (${(error as Error).message.split('\n', 1)[0]})`);
    return undefined;
  }
  const { path, line, oldName } = realSubjects[name];
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const at = lines.findIndex((text) => line.test(text));
  if (at < 0) throw new Error(`${path} declares no ${oldName}`);
  const col = (lines[at]?.indexOf(oldName) ?? 0) + 1;
  return { name, root, path, line: at + 1, col, oldName, newName: `${oldName}Renamed` };
}

function readFlag(flags: readonly string[], name: string): string | undefined {
  return flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
}

function readNames<T extends string>(
  flags: readonly string[],
  flag: string,
  all: readonly T[],
  usual: readonly T[],
): readonly T[] {
  const named = readFlag(flags, flag)?.split(',');
  const unknown = named?.find((name) => !all.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`unknown name '${unknown}' in --${flag}: ${all.join(', ')}`);
  return named === undefined ? usual : all.filter((one) => named.includes(one));
}
