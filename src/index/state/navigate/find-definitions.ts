/**
 * Where a name is declared (code-plane.md §9): by lexical scope in its file, through imports and re-exports in others. What types would
 * have to tell is answered with every declaration of that name, as `text`.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { familyOf, isJavaScript } from '../../../languages/language-family.ts';
import type { ImportReason } from '../../resolve/types.ts';
import { listSymbolsNamed } from '../../store/queries/list-symbols.ts';
import type { SymbolHit } from '../../store/queries/symbol-rows.ts';
import { findSemanticDefinitions } from './find-semantic-definitions.ts';
import { type Ending, type Followed, followExport, followImport, type Step } from './follow-exports.ts';
import type { Question } from './question.ts';
import type { FileFacts } from './read-file-facts.ts';
import type { Subject } from './subject.ts';

export type Definition = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Of the symbol that is declared there, or the binding's kind. */
  readonly kind: string;
  readonly namePath: string | null;
  readonly provenance: 'resolved' | 'syntactic';
};

export type Outside = {
  readonly specifier: string;
  readonly name: string;
  readonly reason: ImportReason;
  readonly external: string | null;
};

export type Definitions = {
  readonly name: string;
  readonly definitions: readonly Definition[];
  /** Declarations that are spelled like it, the likelier first: nobody knows which is meant. */
  readonly candidates: readonly SymbolHit[];
  /** Files that are meant as a whole. */
  readonly modules: readonly string[];
  /** Declarations that this repository does not have. */
  readonly outside: readonly Outside[];
  readonly chain: readonly Step[];
  readonly doubts: readonly string[];
};

const maxCandidates = 1_000;

export async function findDefinitions(question: Question, subject: Subject): Promise<Definitions> {
  const bySyntax = await findBySyntax(question, subject);
  const resolved = findSemanticDefinitions(question, subject);
  if (resolved === undefined) return bySyntax;
  // The way there is what only the text says.
  return { ...resolved, chain: bySyntax.chain, modules: resolved.definitions.length > 0 ? [] : bySyntax.modules };
}

async function findBySyntax(question: Question, subject: Subject): Promise<Definitions> {
  switch (subject.kind) {
    case 'binding':
      return findOfBinding(question, subject.facts, subject.binding);
    case 'export': {
      const followed: Followed[] = [];
      for (const path of subject.paths) followed.push(await followExport(question, path, subject.name));
      return describe(question, subject.token.text, followed);
    }
    case 'symbol': {
      const { facts, symbol, token } = subject;
      const ending: Ending = { kind: 'symbol', path: facts.path, symbol };
      return describe(question, token.text, [{ endings: [ending], chain: [], doubts: [] }]);
    }
    case 'name':
      return findByName(question, subject);
  }
}

async function findOfBinding(question: Question, facts: FileFacts, at: number): Promise<Definitions> {
  const binding = facts.bindings[at];
  const name = binding?.name ?? '';
  if (binding?.importOf !== undefined) return describe(question, name, [await followImport(question, facts, at)]);
  const ending: Ending = { kind: 'binding', path: facts.path, binding: at, facts };
  return describe(question, name, [{ endings: [ending], chain: [], doubts: [] }]);
}

async function describe(question: Question, name: string, followed: readonly Followed[]): Promise<Definitions> {
  const definitions: Definition[] = [];
  const modules: string[] = [];
  const outside: Outside[] = [];
  const doubts = new Set(question.doubts());
  for (const one of followed) {
    for (const doubt of one.doubts) doubts.add(doubt);
    for (const ending of one.endings) {
      if (ending.kind === 'module') modules.push(ending.path);
      else if (ending.kind === 'outside') outside.push(ending);
      else if (ending.kind === 'binding') {
        definitions.push(...ofBinding(question, ending.facts, ending.binding));
        addBindingDoubts(ending.facts, ending.binding, doubts);
      } else {
        const found = await ofSymbol(question, ending);
        if (found === undefined) doubts.add(`${ending.path} has changed since it was indexed`);
        else definitions.push(found);
      }
    }
  }
  if (outside.length > 0) doubts.add('it is declared outside of this repository');
  const chain = followed.flatMap((one) => one.chain);
  return { name, definitions, candidates: [], modules, outside, chain, doubts: [...doubts] };
}

function ofBinding(question: Question, facts: FileFacts, at: number): Definition[] {
  const binding = facts.bindings[at];
  if (binding === undefined) return [];
  const symbols = facts.isIndexed ? question.symbols(facts.path) : [];
  return binding.declarations.map(({ start, end }) => {
    const byte = facts.toByte(start);
    const symbol = symbols.find(({ nameStart }) => nameStart === byte);
    const { path } = facts;
    const kind = symbol?.kind ?? binding.kind;
    const namePath = symbol?.namePath ?? null;
    return { path, start, end, name: binding.name, kind, namePath, provenance: 'syntactic' };
  });
}

async function ofSymbol(question: Question, ending: Ending & { kind: 'symbol' }): Promise<Definition | undefined> {
  const facts = await question.facts(ending.path);
  if (facts === undefined || !facts.isIndexed) return undefined;
  const { name, kind, namePath, nameStart, nameEnd } = ending.symbol;
  const start = facts.toIndex(nameStart);
  const end = facts.toIndex(nameEnd);
  return { path: ending.path, start, end, name, kind, namePath, provenance: 'syntactic' };
}

/** Other files may declare more of the same thing. */
function addBindingDoubts(facts: FileFacts, at: number, doubts: Set<string>): void {
  const binding = facts.bindings[at];
  const kind = facts.scopes.scopes[binding?.scope ?? 0]?.kind;
  if (facts.scopes.hasErrors) doubts.add(`parts of ${facts.path} could not be parsed`);
  if (facts.scopes.dynamic) doubts.add(`${facts.path} reaches names by their text while it runs`);
  const isShared = kind === 'global' || kind === 'namespace' || (kind === 'module' && !facts.scopes.isModule);
  if (isShared && isJavaScript(facts.language)) doubts.add('other files may declare more of it');
}

/** Members before other things, this file before others, then by place. */
function findByName(question: Question, { facts, token, why }: Subject & { kind: 'name' }): Definitions {
  const { code } = familyOf(facts.language);
  const name = token.text;
  const found = question.ask((session) =>
    listSymbolsNamed(session, { name, nameFold: name.toLowerCase() }, maxCandidates),
  );
  const { gone } = question.view.differences;
  const kin = found.filter(({ language, path }) => language !== null && code.includes(language) && !gone.has(path));
  const isFit = (symbol: SymbolHit) => symbol.namePath.includes('/') === (why === 'member');
  const fitting = kin.some(isFit) && why !== 'string' && why !== 'comment' ? kin.filter(isFit) : kin;
  const here = (path: string) => (path === facts.path ? 0 : directoryOf(path) === directoryOf(facts.path) ? 1 : 2);
  const sorted = [...fitting].sort(
    (a, b) => here(a.path) - here(b.path) || compareCodeUnits(a.path, b.path) || a.nameStart - b.nameStart,
  );
  const doubts = [...question.doubts(), 'what it means is not known without types'];
  return { name, definitions: [], candidates: sorted, modules: [], outside: [], chain: [], doubts };
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
