/** Where a name is declared: by scope, through imports, or, where only types could tell, every declaration of that name. */

import { type Definition, findDefinitions } from '../../index/navigate/definitions.ts';
import { sayLacking } from '../../index/navigate/lacking.ts';
import { createQuestion, type Question } from '../../index/navigate/question.ts';
import { type FoundSubjects, findSubjects } from '../../index/navigate/subject.ts';
import { symbolsCut } from '../../index/search/find-symbols.ts';
import type { SymbolHit } from '../../index/store/stored-symbols.ts';
import { isNotAnswered } from '../../index/view/not-answered.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { roleBits } from '../../kernel/formats/scip.ts';
import { importReasons } from '../../languages/resolving/resolution.ts';
import { knownCountOf, knownCountWith, quotedPath, renderMore, shown, whyMore } from './answer-words.ts';
import { asksCompiler, compilerFields, Limit, subjectFields } from './input.ts';
import { defineOperation, KnownCount, type OperationWorld, Place, provenances } from './operation.ts';
import { type PageAsk, pageOf, startOfPage } from './page.ts';
import { describePlaces, Span } from './subject-page.ts';

const DefinitionAnswer = Span.extend({
  path: z.string(),
  name: z.string(),
  kind: z.string(),
  /** Null for names that are no symbols: locals, parameters. */
  name_path: z.string().nullable(),
  provenance: z.enum(provenances),
});

const StepAnswer = Span.extend({ path: z.string(), specifier: z.string(), name: z.string() });

const Answer = z.object({
  /** The place that was asked about; null for a name. */
  target: Place.extend({ name: z.string() }).nullable(),
  definitions: z.array(DefinitionAnswer),
  /** Files that are meant as a whole (`import * as x`). */
  modules: z.array(z.string()),
  /** What this repository does not declare. */
  outside: z.array(
    z.object({
      specifier: z.string(),
      name: z.string(),
      reason: z.enum(importReasons),
      external: z.string().nullable(),
    }),
  ),
  /** Imports and re-exports on the way. */
  chain: z.array(StepAnswer),
  count: KnownCount,
  truncated: z.boolean(),
  continue: z.string().nullable(),
});

export default defineOperation({
  name: 'def',
  says: 'Where the thing at a place, or of a name, is declared, through imports and re-exports',
  semantic: true,
  asksCompiler,
  input: strictInput({ ...subjectFields, ...compilerFields, limit: Limit.optional(), continue: z.string().optional() }),
  output: Answer,
  async run(view, input, world) {
    const question = createQuestion(view, world);
    const found = await findSubjects(question, input);
    if (isNotAnswered(found)) return found;
    const page = {
      generation: view.generation,
      question: ['def', input.target, input.cwd ?? null],
      limit: input.limit ?? 200,
      token: input.continue,
    };
    const start = startOfPage(page);
    if (typeof start !== 'number') return start;
    return found.kind === 'name'
      ? answerForSymbols(question, found.symbols, page, start, world, found.cut ? [symbolsCut] : [])
      : answerForPlace(question, found, page, start, world);
  },
  render({ target, definitions, modules, outside, chain, count, ...page }) {
    const lines = definitions.flatMap((found) => [
      `${quotedPath(found.path)}:${found.line}:${found.col}  ${found.kind} ${shown(found.name_path ?? found.name, 120)}` +
        `${found.provenance === 'text' ? '  [by name only]' : ''}`,
      `  ${shown(found.text).trimStart()}`,
    ]);
    const away = outside.map((one) =>
      one.external === null
        ? `import '${shown(one.specifier, 120)}' leads to no file here (${one.reason})`
        : `outside: ${shown(one.external, 120)} (import '${shown(one.specifier, 120)}')`,
    );
    const steps = chain.map(
      (step) => `  via ${quotedPath(step.path)}:${step.line}:${step.col}  '${shown(step.specifier, 120)}'`,
    );
    const what = target === null ? '' : ` of ${shown(target.name, 120)}`;
    return [
      ...lines,
      ...modules.map((path) => `${quotedPath(path)}  the whole file`),
      ...away,
      ...steps,
      ...(outside.length > 0 && definitions.length === 0 ? [] : [knownCountOf(count, 'definition', what)]),
      ...whyMore(count),
      ...renderMore(page.continue),
    ].join('\n');
  },
});

async function answerForPlace(
  question: Question,
  { subject, facts }: FoundSubjects & { kind: 'position' },
  page: PageAsk,
  start: number,
  world: OperationWorld,
): Promise<z.infer<typeof Answer>> {
  const found = await findDefinitions(question, subject);
  world.onLacking?.(found.lacking);
  const at = facts.toLineColumn(subject.token.start);
  const base = {
    target: { path: facts.path, line: at.line + 1, col: at.column + 1, name: subject.token.text },
    modules: [...found.modules],
    outside: found.outside.map(({ specifier, name, reason, external }) => ({ specifier, name, reason, external })),
    chain: await placeSteps(question, found.chain),
  };
  if (found.candidates.length > 0) {
    const answer = await answerForSymbols(question, found.candidates, page, start, world);
    const definitions = answer.definitions.map((one) => ({ ...one, provenance: 'text' as const }));
    return { ...answer, ...base, definitions, count: knownCountWith(found.candidates.length, found.doubts, true) };
  }
  const { items, ...rest } = pageOf(found.definitions, start, page);
  const definitions = await placeDefinitions(question, items);
  const value = found.definitions.length + found.modules.length;
  return { ...base, definitions, count: knownCountWith(value, found.doubts, found.outside.length === 0), ...rest };
}

async function answerForSymbols(
  question: Question,
  symbols: readonly SymbolHit[],
  page: PageAsk,
  start: number,
  world: OperationWorld,
  known: readonly string[] = [],
): Promise<z.infer<typeof Answer>> {
  const { items, ...rest } = pageOf(symbols, start, page);
  const placed: Definition[] = [];
  const doubts = new Set(known);
  for (const { path, name, kind, namePath, nameStart, nameEnd } of items) {
    const facts = await question.facts(path);
    if (facts === undefined || !facts.isIndexed) doubts.add(`${path} has changed since it was indexed`);
    else {
      const said = question.semantic().said(path);
      const isDefined = said?.at.get(nameStart)?.some(({ roles }) => (roles & roleBits.definition) !== 0) === true;
      const provenance = said?.isClean === true && isDefined ? ('resolved' as const) : ('syntactic' as const);
      const place = { path, start: facts.toIndex(nameStart), end: facts.toIndex(nameEnd) };
      placed.push({ ...place, name, kind, namePath, provenance });
    }
  }
  const lacking = question.lacking();
  world.onLacking?.(lacking);
  if (lacking.paths.length > 0) doubts.add(sayLacking(lacking));
  return {
    target: null,
    definitions: await placeDefinitions(question, placed),
    modules: [],
    outside: [],
    chain: [],
    count: knownCountWith(symbols.length, [...doubts, ...question.doubts()], true),
    ...rest,
  };
}

async function placeDefinitions(question: Question, found: readonly Definition[]) {
  const spans = describePlaces(question, found);
  return found.map(({ path, name, kind, namePath, provenance }, at) => ({
    path,
    ...(spans[at] as Span),
    name,
    kind,
    name_path: namePath,
    provenance,
  }));
}

async function placeSteps(
  question: Question,
  steps: readonly { path: string; start: number; end: number; specifier: string; name: string }[],
) {
  const spans = describePlaces(question, steps);
  return steps.map(({ path, specifier, name }, at) => ({ path, ...(spans[at] as Span), specifier, name }));
}
