/** Edits of a real project: one that nobody else can observe, and one of an exported signature that so many files may see. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileStates } from '../../src/index/state/file-states.ts';
import { findFile } from '../../src/index/store/queries/find-file.ts';
import { listDependents } from '../../src/index/store/queries/list-file-facts.ts';
import { noDifferences } from '../../src/index/sync/find-differences.ts';
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

/** In a body of the most used file, and of the signature whose edit concerns a number of files nearest to `wanted`. */
export async function findEdits(root: string, wanted: number): Promise<Edits> {
  const session = await openIndex(root);
  try {
    return session.facts.read((moment) => {
      const states = createFileStates({ read: (ask) => ask(moment), differences: noDifferences });
      if (states.counts().clean === 0) throw new Error('nothing is indexed');
      const direct = (path: string): readonly string[] => [
        ...new Set(listDependents(moment, path).map((one) => one.path)),
      ];
      /** Through interfaces that may hold those of others (code-plane.md §8). */
      const concerned = (path: string): number => {
        const found = new Set<string>();
        const pending = [path];
        for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
          for (const user of direct(next)) {
            if (user === path || found.has(user)) continue;
            found.add(user);
            if (findFile(moment, user)?.ifaceClosed !== true) pending.push(user);
          }
        }
        return found.size;
      };
      const sources = listSources(root).map((path) => ({ path, before: readFileSync(join(root, path), 'utf8') }));
      const bodies = sources
        .filter(({ before }) => editBody(before, 0) !== undefined)
        .sort((a, b) => direct(b.path).length - direct(a.path).length);
      const signatures = sources
        .filter(({ before }) => editSignature(before, 0) !== undefined)
        .map((source) => ({ ...source, dependents: concerned(source.path) }))
        .sort((a, b) => Math.abs(a.dependents - wanted) - Math.abs(b.dependents - wanted));
      const [body, signature] = [bodies[0], signatures[0]];
      if (body === undefined || signature === undefined) throw new Error('nothing to edit');
      return {
        body: { ...body, dependents: 0, textOf: (round) => editBody(body.before, round) ?? '' },
        signature: { ...signature, textOf: (round) => editSignature(signature.before, round) ?? '' },
      };
    });
  } finally {
    await session.close();
  }
}

/** A statement before the first `return` that is indented, which is one of a body; where the return type is written. */
export function editBody(text: string, round: number): string | undefined {
  const edited = text.replace(/(\n\): [^{=\n]+ \{\n(?:.*\n)*? +)(return\b)/, (_, head: string, tail: string) => {
    return `${head}void ${round};\n  ${tail}`;
  });
  return edited === text ? undefined : edited;
}

/** One more parameter, that nobody has to give. */
export function editSignature(text: string, round: number): string | undefined {
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
