/** What implements an interface or overrides a method: classes and members, as indexers see them. */

import { findImplementations } from '../../index/navigate/definitions.ts';
import { isNotAnswered } from '../../index/view/not-answered.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { knownCountOf, knownCountWith, quotedPath, renderMore, shown, whyMore } from './answer-words.ts';
import { asksCompiler, compilerFields, Limit, subjectFields } from './input.ts';
import { defineOperation, KnownCount, Place, provenances } from './operation.ts';
import { pageOf } from './page.ts';
import { describePlaces, openSubjectPage, Span } from './subject-page.ts';

export default defineOperation({
  name: 'implementations',
  says: 'What implements or overrides the thing at a place or of a name',
  semantic: true,
  asksCompiler,
  sweeps: true,
  input: strictInput({ ...subjectFields, ...compilerFields, limit: Limit.optional(), continue: z.string().optional() }),
  output: z.object({
    target: Place.extend({ name: z.string() }),
    implementations: z.array(
      Span.extend({
        path: z.string(),
        name: z.string(),
        kind: z.string(),
        name_path: z.string().nullable(),
        provenance: z.enum(provenances),
      }),
    ),
    count: KnownCount,
    truncated: z.boolean(),
    continue: z.string().nullable(),
  }),
  async run(view, input, world) {
    const opened = await openSubjectPage('implementations', view, input, world);
    if (isNotAnswered(opened)) return opened;
    const { question, subject, place, page, start } = opened;
    const { found: all, doubts, isTold, lacking } = findImplementations(question, subject);
    world.onLacking?.(lacking);
    const { items, ...rest } = pageOf(all, start, page);
    const spans = describePlaces(question, items);
    return {
      target: { ...place, name: subject.token.text },
      implementations: items.map(({ path, name, kind, namePath, provenance }, index) => ({
        path,
        ...(spans[index] as Span),
        name,
        kind,
        name_path: namePath,
        provenance,
      })),
      count: knownCountWith(all.length, doubts, !isTold),
      ...rest,
    };
  },
  render({ target, implementations, count, ...page }) {
    return [
      ...implementations.flatMap((one) => [
        `${quotedPath(one.path)}:${one.line}:${one.col}  ${one.kind} ${shown(one.name_path ?? one.name, 120)}`,
        `  ${shown(one.text).trimStart()}`,
      ]),
      knownCountOf(count, 'implementation', ` of ${shown(target.name, 120)}`),
      ...whyMore(count),
      ...renderMore(page.continue),
    ].join('\n');
  },
});
