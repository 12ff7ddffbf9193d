/** Where a name is used: bound references, and apart from them every place that could be one. */

import { hitStates, siteReasons } from '../../index/navigate/census.ts';
import { certainties, findReferences, type References, refineRoles } from '../../index/navigate/references.ts';
import { isNotAnswered } from '../../index/view/not-answered.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { knownCountOf, knownCountWith, plural, quotedPath, renderMore, shown, whyMore } from './answer-words.ts';
import { asksCompiler, compilerFields, Limit, subjectFields } from './input.ts';
import { defineOperation, KnownCount, Place, provenances } from './operation.ts';
import { pageOf } from './page.ts';
import { describePlaces, groupByPath, openSubjectPage, Span } from './subject-page.ts';

const roles = ['definition', 'read', 'write', 'readwrite', 'declare', 'type', 'export', 'import'] as const;

const Hit = Span.extend({
  role: z.enum(roles),
  provenance: z.enum(provenances),
  /** Why what the indexer said may not hold any more; absent where it does. */
  state: z.enum(hitStates).optional(),
});
/** `why`: what keeps scope and types from telling. */
const Site = Span.extend({
  why: z.enum(Object.keys(siteReasons) as (keyof typeof siteReasons)[]),
  provenance: z.literal('text'),
});

export default defineOperation({
  name: 'refs',
  says: 'References to what is at a place or has a name; places that could be references are listed apart',
  semantic: true,
  asksCompiler,
  sweeps: true,
  isBehind: ({ files }) => files.some(({ hits }) => hits.some(({ state }) => state !== undefined)),
  input: strictInput({ ...subjectFields, ...compilerFields, limit: Limit.optional(), continue: z.string().optional() }),
  output: z.object({
    target: Place.extend({ name: z.string(), what: z.enum(['binding', 'export', 'symbol', 'name']) }),
    files: z.array(z.object({ path: z.string(), hits: z.array(Hit) })),
    /** Spelled like it, and unresolved. */
    unresolved: z.array(z.object({ path: z.string(), hits: z.array(Site) })),
    /** References that are known. */
    count: KnownCount,
    /** Whether it is known which places mean it: `ambiguous` needs a reader, `unknown` an index that is up to date. */
    certainty: z.enum(certainties),
    /** Of the same spelling, and no references. */
    excluded: z.object({
      /** Bound to other declarations. */
      other_symbols: z.number().int(),
      /** In strings, comments, data and prose. */
      mentions: z.number().int(),
      /** In code of languages that cannot mean it. */
      other_languages: z.number().int(),
    }),
    truncated: z.boolean(),
    continue: z.string().nullable(),
  }),
  async run(view, input, world) {
    const opened = await openSubjectPage('refs', view, input, world);
    if (isNotAnswered(opened)) return opened;
    const { question, subject, place, page, start } = opened;
    const references = await findReferences(question, subject);
    world.onLacking?.(references.lacking);
    const { items, ...rest } = pageOf([...references.hits, ...references.sites], start, page);
    const hits = await refineRoles(
      question,
      items.filter((item) => 'role' in item),
    );
    const sites = items.filter((item) => 'why' in item);
    const [hitSpans, siteSpans] = [describePlaces(question, hits), describePlaces(question, sites)];
    return {
      target: { ...place, name: references.name, what: subject.kind },
      files: groupByPath(
        hits.map(({ path, role, provenance, state }, at) => ({
          path,
          ...(hitSpans[at] as Span),
          role,
          provenance,
          ...(state && { state }),
        })),
      ),
      unresolved: groupByPath(
        sites.map(({ path, why }, at) => ({ path, ...(siteSpans[at] as Span), why, provenance: 'text' as const })),
      ),
      count: countReferences(references, rest.truncated),
      certainty: references.certainty,
      excluded: {
        other_symbols: references.others,
        mentions: references.mentions,
        other_languages: references.foreign,
      },
      truncated: references.truncated || rest.truncated,
      continue: rest.continue,
    };
  },
  render(output) {
    const { files, unresolved, excluded } = output;
    // Where indexers know nothing of it, all is by scope, and saying so on every line tells nothing.
    const isTyped = hasResolved(files);
    const lines = files.flatMap(({ path, hits }) => [
      quotedPath(path),
      ...hits.map((hit) => `  ${hit.line}:${hit.col}: ${shown(hit.text).trimStart()}${markOf(hit, isTyped)}`),
    ]);
    const loose = unresolved.flatMap(({ path, hits }) => [
      `  ${quotedPath(path)}`,
      ...hits.map((hit) => `    ${hit.line}:${hit.col}: ${shown(hit.text).trimStart()}  [${hit.why}]`),
    ]);
    const rows = [
      ...lines,
      ...countLines(output),
      ...(loose.length === 0 ? [] : ['could also mean it:', ...loose]),
      ...renderExcluded(excluded),
      ...renderMore(output.continue),
    ];
    return rows.join('\n');
  },
  // One line of code once, and no columns: whoever asked knows the name. An import says no more than that there is one.
  brief(output) {
    const { target, files, unresolved, excluded } = output;
    const isTyped = hasResolved(files);
    const places = files.flatMap(({ path, hits }) => {
      // What is true of every place in a file is said once, behind its name.
      const [first, ...rest] = hits.map((hit) => marksOf({ ...hit, role: 'read' }, isTyped));
      const common = new Set(first?.filter((mark) => rest.every((marks) => marks.includes(mark))));
      const marks = (hit: z.infer<typeof Hit>) => marksOf(hit, isTyped).filter((mark) => !common.has(mark));
      const imports = hits.filter((hit) => marks(hit).join() === 'import');
      const others = hits.filter((hit) => !imports.includes(hit));
      const lines = imports.length === 0 ? '' : ` (import ${imports.map(({ line }) => line).join(', ')})`;
      const head = `${quotedPath(path)}${lines}${common.size === 0 ? '' : ` [${[...common].join(', ')}]`}`;
      return [head, ...briefLines(others, target.name, marks)];
    });
    const loose = unresolved.flatMap(({ path, hits }) => [
      quotedPath(path),
      ...briefLines(hits, target.name, ({ why }) => [why]),
    ]);
    const rows = [
      ...countLines(output),
      ...renderExcluded(excluded),
      ...places,
      ...(loose.length === 0 ? [] : ['could also mean it:', ...loose]),
    ];
    return rows.join('\n');
  },
});

/** How many there are, where, how certain that is, and why there may be more. */
function countLines({
  target,
  files,
  count,
  certainty,
  truncated,
}: {
  readonly target: { readonly name: string };
  readonly files: readonly unknown[];
  readonly count: KnownCount;
  readonly certainty: (typeof certainties)[number];
  readonly truncated: boolean;
}): readonly string[] {
  const found = knownCountOf(count, 'reference', ` to ${shown(target.name, 120)}`);
  const where = files.length === 0 ? '' : ` in ${truncated ? '≥ ' : ''}${plural(files.length, 'file')}`;
  return [`${found}${where}${certainty === 'certain' ? '' : ` · ${certainty}`}`, ...whyMore(count)];
}

function hasResolved(files: readonly { readonly hits: readonly z.infer<typeof Hit>[] }[]): boolean {
  return files.some(({ hits }) => hits.some(({ provenance }) => provenance === 'resolved'));
}

const briefWidth = 64;
/** What is kept before the name of a line that is too long. */
const briefLead = 24;

type Placed = z.infer<typeof Span>;

/** Places of one line are one line, with what is true of any of them. */
function briefLines<T extends Placed>(
  hits: readonly T[],
  name: string,
  marks: (hit: T) => readonly string[],
): readonly string[] {
  return [...Map.groupBy(hits, ({ line }) => line)].map(([line, ones]) => {
    const [first] = ones as [T];
    const said = [...new Set(ones.flatMap(marks))];
    const times = ones.length === 1 ? '' : ` ×${ones.length}`;
    return `${line} ${around(first, name)}${times}${said.length === 0 ? '' : ` [${said.join(', ')}]`}`;
  });
}

/** Of a long line, what stands around the name. */
function around({ text, col }: Placed, name: string): string {
  const line = shown(text).trim();
  if (line.length <= briefWidth) return line;
  const indent = text.length - text.trimStart().length;
  const at = text.startsWith(name, col - 1) ? col - 1 - indent : line.indexOf(name);
  const from = at + name.length <= briefWidth ? 0 : Math.max(0, Math.min(at - briefLead, line.length - briefWidth));
  const view = line.slice(from, from + briefWidth).trim();
  return `${from === 0 ? '' : '…'}${view}${from + briefWidth < line.length ? '…' : ''}`;
}

function countReferences({ hits, doubts }: References, isCut: boolean): KnownCount {
  return knownCountWith(hits.length, [...doubts, ...(isCut ? ['the list goes on'] : [])], true);
}

/** What is not a plain, certain use. */
function marksOf({ role, provenance, state }: z.infer<typeof Hit>, isTyped: boolean): readonly string[] {
  return [
    ...(role === 'read' ? [] : [role]),
    ...(isTyped && provenance !== 'resolved' ? ['by scope'] : []),
    ...(state === undefined ? [] : [state.replaceAll('_', ' ')]),
  ];
}

function markOf(hit: z.infer<typeof Hit>, isTyped: boolean): string {
  const marks = marksOf(hit, isTyped);
  return marks.length === 0 ? '' : `  [${marks.join(', ')}]`;
}

function renderExcluded(excluded: {
  other_symbols: number;
  mentions: number;
  other_languages: number;
}): readonly string[] {
  const parts = [
    ...(excluded.other_symbols === 0 ? [] : [`${excluded.other_symbols} of other declarations`]),
    ...(excluded.mentions === 0 ? [] : [`${excluded.mentions} in strings, comments and data`]),
    ...(excluded.other_languages === 0 ? [] : [`${excluded.other_languages} in other languages`]),
  ];
  return parts.length === 0 ? [] : [`not counted: ${parts.join(', ')}`];
}
