/** What scope knows of a use that indexers only call a read or a write: that it is a type, an export, both at once. For what is shown. */

import { findRowAt } from './follow-exports.ts';
import type { Question } from './question.ts';
import { readScopeFacts, type ScopeFacts, scriptLanguageOf } from './read-file-facts.ts';
import type { CensusHit } from './tally.ts';

export async function refineRoles(question: Question, hits: readonly CensusHit[]): Promise<readonly CensusHit[]> {
  const known = new Map<string, ScopeFacts | undefined>();
  const refined: CensusHit[] = [];
  for (const hit of hits) {
    const isVague = hit.provenance === 'resolved' && (hit.role === 'read' || hit.role === 'write');
    if (isVague && !known.has(hit.path)) known.set(hit.path, await readScopes(question, hit.path));
    const facts = isVague ? known.get(hit.path) : undefined;
    refined.push({ ...hit, role: (facts && findRole(question, facts, hit.start)) ?? hit.role });
  }
  return refined;
}

async function readScopes(question: Question, path: string): Promise<ScopeFacts | undefined> {
  if (question.isRead(path)) return question.facts(path);
  const source = question.source(path);
  const language = source === undefined ? undefined : scriptLanguageOf(question.file(path), source);
  return source === undefined || language === undefined ? undefined : readScopeFacts(path, language, source);
}

function findRole(question: Question, facts: ScopeFacts, start: number): CensusHit['role'] | undefined {
  const bound = facts.boundAt.get(start);
  if (bound?.role === 'definition') return facts.bindings[bound.binding]?.importOf === undefined ? undefined : 'import';
  // The name in a clause is taken from elsewhere, also where `export { a } from './b'` passes it on.
  const names = findRowAt(question, facts, start)?.names ?? [];
  if (names.some((entry) => entry.start === facts.toByte(start))) return 'import';
  return bound?.role ?? facts.memberAt.get(start)?.access;
}
