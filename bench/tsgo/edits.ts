/** Edits of a real project: one that no other file can observe, and one of an exported signature that so many files may see. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStates } from '../../src/index/freshness/file-states.ts';
import { listDependents } from '../../src/index/store/stored-facts.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
import type { IndexSession } from '../../src/index/sync/index-session.ts';
import { openIndex } from '../semantic/open-index.ts';
import { listSources } from '../semantic/projects.ts';

export type Edit = {
  readonly path: string;
  /** Files that have to be looked at because of it, itself aside. */
  readonly dependents: number;
  /** Another text each round. */
  readonly textOf: (round: number) => string;
  readonly before: string;
};

export type Edits = { readonly body: Edit; readonly signature: Edit };

/** A file that is larger is not what people edit. */
const maxLines = 500;
/** How many signatures are tried. */
const tries = 25;

/** In a body of the most used file, and of the signature whose edit concerns a number of files nearest to `wanted`. */
export async function findEdits(root: string, wanted: number): Promise<Edits> {
  const session = await openIndex(root);
  try {
    const sources = listSources(root)
      .map((path) => ({ path, before: readFileSync(join(root, path), 'utf8') }))
      .filter(({ before }) => before.split('\n').length <= maxLines);
    const uses = new Map(sources.map(({ path }) => [path, countUsers(session, path)]));
    const usesOf = ({ path }: { readonly path: string }): number => uses.get(path) ?? 0;
    const [body] = sources
      .filter(({ before }) => editBody(before, 0) !== undefined)
      .sort((a, b) => usesOf(b) - usesOf(a));
    const candidates = sources
      .filter(({ before }) => editSignature(before, 0) !== undefined)
      .sort((a, b) => Math.abs(usesOf(a) - wanted) - Math.abs(usesOf(b) - wanted));
    const signatures: Pick<Edit, 'path' | 'before' | 'dependents'>[] = [];
    for (const { path, before } of spread(candidates, tries)) {
      const dependents = await countConcerned(session, root, path, before);
      signatures.push({ path, before, dependents });
    }
    const distance = ({ dependents }: Pick<Edit, 'dependents'>): number => Math.abs(dependents - wanted);
    const [signature] = signatures.sort((a, b) => distance(a) - distance(b));
    if (body === undefined || signature === undefined) throw new Error('nothing to edit');
    return {
      body: { ...body, dependents: 0, textOf: (round) => editBody(body.before, round) ?? '' },
      signature: { ...signature, textOf: (round) => editSignature(signature.before, round) ?? '' },
    };
  } finally {
    await session.close();
  }
}

function countUsers(session: IndexSession, path: string): number {
  return new Set(session.facts.read((moment) => listDependents(moment, path)).map((one) => one.path)).size;
}

/** By making the edit and taking it back. */
async function countConcerned(session: IndexSession, root: string, path: string, before: string): Promise<number> {
  writeFileSync(join(root, path), editSignature(before, 0) ?? before);
  await session.reconcile(new Set([path]));
  const states = createFileStates({ read: session.facts.read, differences: noDifferences });
  const files = states.unsettled().reduce((sum, { paths }) => sum + paths.length, 0);
  writeFileSync(join(root, path), before);
  await session.reconcile(new Set([path]));
  return files - 1;
}

/** So many of them, the first ones more likely. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const near = all.slice(0, count >> 1);
  const step = Math.max(1, Math.floor((all.length - near.length) / (count - near.length)));
  return [...near, ...all.slice(near.length).filter((_, at) => at % step === 0)].slice(0, count);
}

/** A statement before the first `return` of a function whose return type is written. */
function editBody(text: string, round: number): string | undefined {
  const edited = text.replace(/(\n\): [^{=\n]+ \{\n(?:.*\n)*? +)(return\b)/, (_, head: string, tail: string) => {
    return `${head}void ${round};\n  ${tail}`;
  });
  return edited === text ? undefined : edited;
}

/** One more parameter, an optional one. */
function editSignature(text: string, round: number): string | undefined {
  const edited = text.replace(
    /\n(export (?:async )?function \w+\()([^)<>]*?)(,?\s*)\)(: [\w<>[\]]+ \{)/,
    (...found) => {
      const [, head, parameters, , tail] = found as string[];
      const before = parameters?.trim() === '' ? '' : `${parameters}, `;
      return `\n${head}${before}added${round}?: number)${tail}`;
    },
  );
  return edited === text ? undefined : edited;
}

/** Each time another edit; at last the text that was there. */
export async function afterEdits<T>(
  root: string,
  edit: Edit,
  rounds: number,
  run: () => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(join(root, edit.path), edit.textOf(round));
      found.push(await run());
    }
  } finally {
    writeFileSync(join(root, edit.path), edit.before);
    await run();
  }
  return found;
}
