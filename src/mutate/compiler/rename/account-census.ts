/** M6: what the compiler says about every token of the old name that the census found, whoever it belongs to. */

import type { OpenProgram, Programs, RenameWorld } from '../in-job.ts';
import { tokensNamed } from '../tokens-named.ts';
import type { CensusAccount, CodeSpan } from '../types.ts';
import { spanKey } from './plan-occurrences.ts';
import { tokensInFile } from './tokens-in-file.ts';

export function accountCensus(world: RenameWorld): readonly CensusAccount[] {
  const { programs, question, oldName } = world;
  const planned = new Set(world.occurrences.flatMap(({ token, edit }) => (edit === null ? [] : [spanKey(token)])));
  const bound = new Map<string, CensusAccount['account']>();
  const details = new Map<string, string>();
  const confined = world.reach === 'file';
  for (const { token, binding } of confined
    ? tokensInFile(programs, question.path, oldName)
    : tokensNamed(programs, oldName)) {
    const key = spanKey(token);
    const known = bound.get(key);
    // A program that binds the token knows more than one that does not, and a failure is no knowledge.
    if (binding.kind === 'bound') {
      bound.set(key, 'other_symbol');
      const place = binding.links.flatMap(({ places }) => places)[0];
      if (place !== undefined) details.set(key, `${place.path}:${place.start}`);
    } else if (binding.kind === 'none') bound.set(key, known === 'other_symbol' ? known : 'unbound');
    else {
      bound.set(key, known ?? 'failed');
      details.set(key, binding.detail);
    }
  }
  return question.census.map((span) => {
    const key = spanKey(span);
    if (planned.has(key)) return { ...bare(span), account: 'planned', detail: null };
    if (confined && span.path !== question.path) {
      return { ...bare(span), account: 'other_symbol', detail: 'the name is confined to its file' };
    }
    if (!programs.open.some((program) => holds(program, span.path)))
      return { ...bare(span), account: 'uncovered', detail: null };
    return { ...bare(span), account: bound.get(key) ?? 'unbound', detail: details.get(key) ?? null };
  });
}

function bare({ path, start, end }: CodeSpan): CodeSpan {
  return { path, start, end };
}

function holds(program: OpenProgram, path: string): boolean {
  return program.sourceFile(path) !== undefined;
}

/** Every file that takes part: what is edited, what is declared, what the census asks about. */
export function listFiles(world: RenameWorld): readonly string[] {
  const files = new Set<string>([world.question.path]);
  for (const { token } of world.occurrences) files.add(token.path);
  for (const { path, outside } of world.family) if (!outside) files.add(path);
  if (world.reach === 'repo') for (const { path } of world.question.census) files.add(path);
  return [...files].sort();
}

export function textOf(programs: Programs, path: string): string | undefined {
  for (const program of programs.open) {
    const source = program.sourceFile(path);
    if (source !== undefined) return source.text;
  }
  return undefined;
}
