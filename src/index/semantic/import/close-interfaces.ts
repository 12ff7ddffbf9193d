/**
 * The semantic interfaces of an import, completed by what they are computed from (code-plane.md §8, T2). What a tool says of
 * `type X = ReturnType<typeof make>` is the same whatever `make` returns. So the interface of a file that is not closed holds those of all
 * it depends on, which hold those of theirs; a closed one holds nothing but its own, and there it ends.
 *
 * Files that depend on each other are hashed together, as sets: the result depends on no order (T6). Linear, without recursion (T12).
 * A dependency outside of the import counts with what is stored of it. If it leads back into the import it counts with its records alone:
 * with each other's hashes in theirs, two projects would never come to rest.
 */

import { hash } from 'node:crypto';
import { compareCodeUnits } from '../../../kernel/base/json.ts';

export type OpenFile = {
  /** What is said of the file itself. */
  readonly own: string;
  /** null: of this import. Else what dependents outside of its cycle take it for; its `own` are its records. */
  readonly stored: string | null;
  readonly dependencies: readonly string[];
};

export type InterfaceWorld = {
  /** undefined: a closed interface, or one of which nothing more can be known. */
  readonly find: (path: string) => OpenFile | undefined;
  /** Of such a file. */
  readonly leafOf: (path: string) => string;
};

/** By path: the interfaces of those of these files that are not closed. */
export function closeInterfaces(
  paths: readonly string[],
  { find, leafOf }: InterfaceWorld,
): ReadonlyMap<string, string> {
  const known = new Map<string, Visit>();
  const final = new Map<string, string>();
  const path: Visit[] = [];
  const waiting: Visit[] = [];
  let met = 0;

  for (const start of paths) {
    if (visitOf(start) === undefined) continue;
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.file.dependencies[visit.next];
      if (next === undefined) {
        leave(visit);
        continue;
      }
      visit.next += 1;
      const before = known.get(next);
      if (before === undefined) visitOf(next);
      else if (!before.isDone) visit.low = Math.min(visit.low, before.index);
    }
  }
  return final;

  /** Of a file that has not been met; undefined: there is nothing to visit. */
  function visitOf(name: string): Visit | undefined {
    const file = known.has(name) ? undefined : find(name);
    if (file === undefined) return undefined;
    met += 1;
    const visit: Visit = { name, file, index: met, low: met, next: 0, isDone: false };
    known.set(name, visit);
    path.push(visit);
    waiting.push(visit);
    return visit;
  }

  function leave(visit: Visit): void {
    path.pop();
    const before = path.at(-1);
    if (before !== undefined) before.low = Math.min(before.low, visit.low);
    if (visit.low !== visit.index) return;
    const members = waiting.splice(waiting.lastIndexOf(visit));
    const inside = new Set(members.map(({ name }) => name));
    const parts = new Set<string>();
    for (const { name, file } of members) {
      parts.add(`in ${name} ${file.own}`);
      for (const to of file.dependencies) if (!inside.has(to)) parts.add(`out ${to} ${final.get(to) ?? leafOf(to)}`);
    }
    const together = hashOf([...parts].sort(compareCodeUnits));
    const isOutside = members.every(({ file }) => file.stored !== null);
    for (const member of members) {
      const { name, file } = member;
      member.isDone = true;
      final.set(name, isOutside && file.stored !== null ? file.stored : hashOf([file.own, together]));
    }
  }
}

type Visit = {
  readonly name: string;
  readonly file: OpenFile;
  readonly index: number;
  low: number;
  /** Position in its dependencies. */
  next: number;
  isDone: boolean;
};

function hashOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'));
}
