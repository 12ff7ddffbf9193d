/** Deterministic extracts for reading (mutation.md §11), from verified bytes; never an input of a change. */

import { findDefinitions } from '../../index/navigate/definitions.ts';
import { createQuestion, type Question } from '../../index/navigate/question.ts';
import { findTargetFile, parseTarget } from '../../index/navigate/question-target.ts';
import { type FileFacts, withSourceTree } from '../../index/navigate/read-file-facts.ts';
import { findSymbolAround, linkKinds, sliceChain } from '../../index/navigate/slice-chain.ts';
import { type FoundSubjects, findOneSubject } from '../../index/navigate/subject.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { oneOf, strictInput, z } from '../../kernel/base/schema.ts';
import { symbolKinds, type TextSpan } from '../../languages/facts.ts';
import { columns, plural, quotedPath, shown, whyStale } from './answer-words.ts';
import { describeImports, ImportAnswer } from './describe-imports.ts';
import { describeFile, FileHead, openPositions, renderFileHead, whyIncomplete } from './file-head.ts';
import { subjectFields } from './input.ts';
import { defineOperation, provenances } from './operation.ts';
import { describePlaces, Span } from './subject-page.ts';

export const sliceKinds = ['def-use', 'imports', 'dependency-chain'] as const;

const definitionKinds = ['declaration', 'parameter', 'import', 'assignment', 'update'] as const;
const escapeKinds = ['captured', 'by_reference', 'exported', 'aliased'] as const;

const DefUse = z.object({
  kind: z.literal('def-use'),
  path: z.string(),
  variable: z.string(),
  /** First and last line of the scope that owns it. */
  scope: z.object({ from_line: z.number().int(), to_line: z.number().int() }),
  definitions: z.array(Span.extend({ kind: z.enum(definitionKinds) })),
  uses: z.array(Span),
  /** Positions in `definitions` and `uses`: which value may be seen where. */
  flow: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** False where `flow` says nothing. */
  flow_known: z.boolean(),
  escapes: z.array(Span.extend({ kind: z.enum(escapeKinds) })),
  truncated: z.boolean(),
});

const Imports = z.object({
  kind: z.literal('imports'),
  file: FileHead,
  imports: z.array(ImportAnswer),
  exports: z.array(
    z.object({
      name: z.string(),
      local: z.string().nullable(),
      specifier: z.string().nullable(),
      star: z.boolean(),
      type_only: z.boolean(),
    }),
  ),
  /** Top-level symbols. */
  locals: z.array(
    z.object({ name: z.string(), kind: z.enum(symbolKinds), line: z.number().int(), col: z.number().int() }),
  ),
  /** Why something may be missing; null where nothing is. */
  incomplete: z.string().nullable(),
  truncated: z.boolean(),
});

const Chain = z.object({
  kind: z.literal('dependency-chain'),
  from: z.string(),
  links: z.array(
    Span.extend({
      /** `path#Name/path`, or `package#name` for what lies outside. */
      symbol: z.string(),
      /** The symbol of the chain in which the use is. */
      used_by: z.string(),
      via: z.enum(linkKinds),
      path: z.string(),
      provenance: z.enum(provenances),
      depth: z.number().int(),
    }),
  ),
  truncated: z.boolean(),
});

export default defineOperation({
  name: 'slice',
  says: 'An extract for reading: where a variable gets and gives its values, what a file imports, what a definition leans on',
  input: strictInput({ ...subjectFields, kind: oneOf(sliceKinds) }),
  output: z.discriminatedUnion('kind', [DefUse, Imports, Chain]),
  async run(view, input, world) {
    const question = createQuestion(view, world);
    if (input.kind === 'imports') return sliceImports(question, input);
    const found = await findOneSubject(question, input);
    if (isNotAnswered(found)) return found;
    return input.kind === 'def-use' ? sliceVariable(question, found) : sliceFrom(question, found);
  },
  render: (answer) =>
    answer.kind === 'def-use'
      ? renderDefUse(answer)
      : answer.kind === 'imports'
        ? renderImports(answer)
        : renderChain(answer),
});

// ---- def-use

async function sliceVariable(
  question: Question,
  { facts, subject }: FoundSubjects & { kind: 'position' },
): Promise<z.infer<typeof DefUse> | NotAnswered> {
  const { sliceDefUse } = await import('../../languages/scopes/def-use.ts');
  const { path, language } = facts;
  const slice = await withSourceTree(path, language, facts.source.text, (source) =>
    sliceDefUse(source, language, subject.token.start),
  );
  if (slice === null)
    return notAnswered(
      'not_found',
      `target: ${shown(subject.token.text, 80)} is no variable that ${quotedPath(path)} declares or imports`,
    );
  const place = async (spans: readonly TextSpan[]) =>
    describePlaces(
      question,
      spans.map(({ start, end }) => ({ path, start, end })),
    );
  const [definitions, uses, escapes] = [
    await place(slice.definitions),
    await place(slice.uses),
    await place(slice.escapes),
  ];
  return {
    kind: 'def-use',
    path,
    variable: slice.variable,
    scope: {
      from_line: facts.toLineColumn(slice.scope.start).line + 1,
      to_line: facts.toLineColumn(slice.scope.end).line + 1,
    },
    definitions: slice.definitions.map(({ kind }, at) => ({ ...(definitions[at] as Span), kind })),
    uses: [...uses],
    flow: slice.flow.map(([definition, use]): [number, number] => [definition, use]),
    flow_known: slice.flowKnown,
    escapes: slice.escapes.map(({ kind }, at) => ({ ...(escapes[at] as Span), kind })),
    truncated: slice.truncated,
  };
}

function renderDefUse(slice: z.infer<typeof DefUse>): string {
  const seen = (use: number) => slice.flow.filter(([, to]) => to === use).map(([from]) => `d${from + 1}`);
  const scope = `lines ${slice.scope.from_line}–${slice.scope.to_line}`;
  const counts = `${plural(slice.definitions.length, 'definition')}, ${plural(slice.uses.length, 'use')}`;
  return [
    `${shown(slice.variable, 120)} in ${quotedPath(slice.path)} · ${scope} · ${counts}`,
    ...columns(
      slice.definitions.map((one, at) => [
        `d${at + 1}`,
        `${one.line}:${one.col}`,
        one.kind,
        shown(one.text).trimStart(),
      ]),
    ),
    ...columns(
      slice.uses.map((one, at) => [
        `u${at + 1}`,
        `${one.line}:${one.col}`,
        slice.flow_known ? `← ${seen(at).join(' ') || '–'}` : '',
        shown(one.text).trimStart(),
      ]),
    ),
    ...columns(
      slice.escapes.map((one) => [one.kind.replace('_', ' '), `${one.line}:${one.col}`, shown(one.text).trimStart()]),
    ),
    ...(slice.flow_known ? [] : ['which definition reaches which use is not known']),
    ...(slice.truncated ? ['cut off: there is more'] : []),
  ].join('\n');
}

// ---- imports

const maxRows = 2_000;

async function sliceImports(
  question: Question,
  input: { readonly target: string; readonly cwd?: string | undefined },
): Promise<z.infer<typeof Imports> | NotAnswered> {
  const { view } = question;
  const [target] = parseTarget(input.target);
  const path = target?.path ?? input.target;
  return question.ask((session) => {
    const found = findTargetFile(session, view, { path, cwd: input.cwd });
    if (isNotAnswered(found)) return found;
    const { file } = found;
    const stored = question.imports(file.path);
    const place = openPositions(view, file.path, file.contentHash);
    const head = describeFile(view, found, place === undefined);
    const exported = question.exports(file.path);
    const symbols = question.symbols(file.path).filter(({ parent }) => parent < 0);
    const incomplete = [...whyIncomplete(head), ...whyStale(view)];
    return {
      kind: 'imports' as const,
      file: head,
      imports: [...describeImports(session, view, stored.slice(0, maxRows), place, true)],
      exports: exported.slice(0, maxRows).map((row) => ({
        name: row.publicName,
        local: row.localName,
        specifier: row.specifier,
        star: row.star,
        type_only: row.typeOnly,
      })),
      locals: symbols
        .slice(0, maxRows)
        .map(({ name, kind, line, column }) => ({ name, kind, line: line + 1, col: column + 1 })),
      incomplete: incomplete.length === 0 ? null : incomplete.join('; '),
      truncated: Math.max(stored.length, exported.length, symbols.length) > maxRows,
    };
  });
}

function renderImports({ file, imports, exports, locals, incomplete, truncated }: z.infer<typeof Imports>): string {
  return [
    renderFileHead(file),
    ...(incomplete === null ? [] : [`  may be incomplete: ${shown(incomplete)}`]),
    'imports',
    ...columns(
      imports.map((entry) => [
        shown(entry.specifier, 80),
        shown(entry.names.map(({ name, alias }) => (alias === null ? name : `${name} as ${alias}`)).join(', '), 120),
        entry.targets.length > 0
          ? `→ ${entry.targets.map((path) => quotedPath(path)).join(', ')}`
          : `(${entry.reason})`,
      ]),
    ),
    'exports',
    ...columns(
      exports.map(({ name, local, specifier }) => [
        shown(name, 120),
        shown(local ?? '', 120),
        shown(specifier ?? '', 120),
      ]),
    ),
    'top level',
    ...columns(locals.map(({ name, kind, line, col }) => [`${line}:${col}`, kind, shown(name, 120)])),
    ...(truncated ? ['cut off: there is more'] : []),
  ].join('\n');
}

// ---- dependency chain

async function sliceFrom(
  question: Question,
  found: FoundSubjects & { kind: 'position' },
): Promise<z.infer<typeof Chain> | NotAnswered> {
  const start = await findStart(question, found);
  if (start === undefined) {
    const { path } = found.facts;
    return notAnswered('not_found', `target: no symbol of ${quotedPath(path)} is at or around this place`);
  }
  const { from, links, truncated } = await sliceChain(question, start.facts, start.symbol);
  const spans = describePlaces(question, links);
  return {
    kind: 'dependency-chain',
    from,
    links: links.map(({ symbol, from: used_by, via, path, depth }, at) => ({
      symbol,
      used_by,
      via,
      path,
      ...(spans[at] as Span),
      provenance: 'syntactic' as const,
      depth,
    })),
    truncated,
  };
}

/** The symbol that the name means; for a name that is none (a local), the symbol around it. */
async function findStart(question: Question, { facts, subject, index }: FoundSubjects & { kind: 'position' }) {
  const { definitions } = await findDefinitions(question, subject);
  const [definition] = definitions;
  const home: FileFacts | undefined = definition === undefined ? undefined : await question.facts(definition.path);
  if (definition !== undefined && home?.isIndexed === true) {
    const byte = home.toByte(definition.start);
    const symbol = question.symbols(home.path).find(({ nameStart }) => nameStart === byte);
    if (symbol !== undefined) return { facts: home, symbol };
  }
  const symbol = findSymbolAround(question, facts, index);
  return symbol === undefined ? undefined : { facts, symbol };
}

function renderChain({ from, links, truncated }: z.infer<typeof Chain>): string {
  return [
    `${shown(from)} leans on ${plural(links.length, 'symbol')} (syntactic)`,
    ...columns(
      links.map((link) => [
        `${link.depth}`,
        link.via,
        shown(link.symbol),
        `${quotedPath(link.path)}:${link.line}:${link.col}`,
      ]),
    ),
    ...(truncated ? ['cut off: there is more'] : []),
  ].join('\n');
}
