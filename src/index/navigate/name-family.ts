/**
 * Every name, in every file, that means the same declaration: from the one that is asked about along imports and exports. Down the chain
 * (to those who import it) aliases are followed, up (to what is imported) only equal names, as editors do: a question about `b` of
 * `import { a as b }` is about `b`.
 *
 * A heart: one walk along imports and exports. Promise: what is in the family is bound by lexical scope and resolved imports alone. Ways that cannot be followed are in `doubts`.
 */

import { createTextOffsets } from '../../kernel/tree/positions.ts';
import { importsTypes, isJavaScript } from '../../languages/language-family.ts';
import { javaScriptKeywords } from '../../languages/naming.ts';
import type { Binding } from '../../languages/scopes/scope-tree.ts';
import type { Token } from '../../languages/tokens.ts';
import type { StoredImport } from '../store/stored-imports.ts';
import { mayHold, mayPassOn } from './find-in-text.ts';
import {
  type Ending,
  findExported,
  findImportRow,
  followExport,
  isTopLevel,
  publicNameOf,
  splitTargets,
} from './follow-exports.ts';
import type { Question } from './question.ts';
import { type FileFacts, indexOfByte } from './read-file-facts.ts';
import { bindingKey, findOwnerOf, findScopeOf, isHeldOpen, listHeldModules, type Subject } from './subject.ts';

type HitRole = 'definition' | 'read' | 'write' | 'readwrite' | 'declare' | 'type' | 'export' | 'import';
export type FamilyHit = { readonly start: number; readonly end: number; readonly role: HitRole };

export type Family = {
  readonly name: string;
  /** By path, then by where the token begins. */
  readonly hits: ReadonlyMap<string, ReadonlyMap<number, FamilyHit>>;
  readonly bindings: ReadonlySet<string>;
  /** Files that export it, as `path\\0name`. */
  readonly exports: ReadonlySet<string>;
  /** All names under which another file can ask for it by name. */
  readonly names: ReadonlySet<string>;
  /** Bindings (`path\\0binding`) whose member of that name it is. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
  /** No other file can mean it. */
  readonly isConfined: boolean;
  /**
   * Something has it as a property: a module that is passed on as a value, the global object. Where nothing does, no name behind a dot
   * can mean it except through the holders.
   */
  readonly isProperty: boolean;
  readonly doubts: ReadonlySet<string>;
};

type Node =
  | { readonly kind: 'binding'; readonly facts: FileFacts; readonly binding: number }
  | { readonly kind: 'export'; readonly path: string; readonly name: string };

type Growing = {
  readonly question: Question;
  readonly hits: Map<string, Map<number, FamilyHit>>;
  readonly bindings: Set<string>;
  readonly exports: Set<string>;
  readonly names: Set<string>;
  readonly holders: Map<string, Set<string>>;
  readonly doubts: Set<string>;
  readonly waiting: Node[];
  /** The file that was asked about. */
  readonly home: string;
  /** Indexers have told all of this file: what it does with the name is known, and only to whom it passes it on is not. */
  readonly isTold: (path: string) => boolean;
  isConfined: boolean;
  isProperty: boolean;
};

/** What is found must still be looked at. */
const share = 0.6;
const outOfTime = 'the question ran out of time';

export async function collectFamily(
  question: Question,
  subject: Exclude<Subject, { kind: 'name' }>,
  isTold: Growing['isTold'] = () => false,
): Promise<Family> {
  const family: Growing = {
    question,
    hits: new Map(),
    bindings: new Set(),
    exports: new Set(),
    names: new Set(),
    holders: new Map(),
    doubts: new Set(),
    waiting: [],
    home: subject.facts.path,
    isTold,
    isConfined: true,
    isProperty: !isJavaScript(subject.facts.language),
  };
  switch (subject.kind) {
    case 'binding':
      family.waiting.push({ kind: 'binding', facts: subject.facts, binding: subject.binding });
      break;
    case 'export':
      family.waiting.push(...subject.paths.map((path) => ({ kind: 'export' as const, path, name: subject.name })));
      if (subject.paths.length === 0) family.doubts.add('its import leads to no file of this repository');
      addHit(family, subject.facts, subject.token, 'import');
      break;
    case 'symbol':
      family.waiting.push({ kind: 'export', path: subject.facts.path, name: subject.symbol.name });
      break;
  }
  for (let node = family.waiting.pop(); node !== undefined; node = family.waiting.pop()) {
    if (question.isOver(share)) {
      family.doubts.add(outOfTime);
      break;
    }
    if (node.kind === 'binding') await growFromBinding(family, node.facts, node.binding);
    else await growFromExport(family, node.path, node.name);
  }
  const { token } = subject;
  family.names.add(token.text);
  return { ...family, name: token.text };
}

// ---- a name of one file

async function growFromBinding(family: Growing, facts: FileFacts, at: number): Promise<void> {
  const key = bindingKey(facts.path, at);
  const binding = facts.bindings[at];
  if (binding === undefined || family.bindings.has(key)) return;
  family.bindings.add(key);
  for (const span of binding.declarations)
    addHit(family, facts, span, binding.importOf === undefined ? 'definition' : 'import');
  for (const { access, ...span } of binding.references) addHit(family, facts, span, access);
  if (binding.importOf !== undefined) growUp(family, facts, binding);
  if (isTopLevel(facts, binding)) {
    for (const name of listPublicNames(family.question, facts, binding))
      family.waiting.push({ kind: 'export', path: facts.path, name });
  } else await growFromOwner(family, facts, binding);
  if (!isConfinedBinding(family.question, facts, at)) {
    family.isConfined = false;
    family.names.add(binding.name);
    for (const name of binding.exportedAs) if (name !== 'default' && name !== '=') family.names.add(name);
  }
  if (!facts.scopes.isModule) family.isProperty = true;
  if (isJavaScript(facts.language))
    for (const doubt of listKindDoubts(family.question, facts, binding)) family.doubts.add(doubt);
}

function growUp(family: Growing, facts: FileFacts, binding: Binding): void {
  const { question } = family;
  const source = binding.importOf;
  const row = findImportRow(question, facts, binding);
  if (source === undefined || source.name === '*') return;
  if (row === undefined) {
    family.doubts.add(`${facts.path} has changed since it was indexed`);
    return;
  }
  if (row.targets.length === 0) {
    family.doubts.add(
      row.external === null
        ? `its import '${row.specifier}' leads to no file`
        : `it is declared outside, in ${row.external}`,
    );
    return;
  }
  if (source.name === '=') {
    family.doubts.add('it stands for a whole module');
    return;
  }
  const { providers, modules } = splitTargets(row, source.name, facts.language);
  if (modules.length > 0) return;
  if (providers.length > 1) family.doubts.add(`'${row.specifier}' means several files`);
  for (const path of providers) {
    // Who came from the declaration has been there.
    if (family.exports.has(`${path}\0${source.name}`)) continue;
    if (source.name === binding.name) family.waiting.push({ kind: 'export', path, name: source.name });
    else if (source.name === 'default') {
      const local = question.exports(path).find(({ publicName }) => publicName === 'default')?.localName ?? null;
      if (local === null || local === 'default' || local === binding.name)
        family.waiting.push({ kind: 'export', path, name: 'default' });
      else family.doubts.add(`it is another name for ${local} of ${path}`);
    }
  }
}

/** The names of an enum or namespace are members of whatever means the enum or namespace. */
async function growFromOwner(family: Growing, facts: FileFacts, binding: Binding): Promise<void> {
  if (!binding.exportedAs.includes(binding.name)) return;
  const owner = findOwnerOf(facts, binding.scope);
  if (owner === undefined || findScopeOf(facts, owner) !== binding.scope) return;
  const owners = await collectBindings(family.question, facts, owner);
  for (const key of owners.bindings) addHolder(family, key, binding.name);
  for (const doubt of owners.doubts) family.doubts.add(doubt);
  if (owners.isProperty || owners.holders.size > 0 || (await isPassedOn(family.question, owners)))
    family.isProperty = true;
}

/** Is an enum or namespace used for anything but a member of it, or the type of its values? */
async function isPassedOn(question: Question, { bindings }: Family): Promise<boolean> {
  for (const key of bindings) {
    const [path = '', binding = ''] = key.split('\0');
    const facts = await question.facts(path);
    const owner = facts?.bindings[Number(binding)];
    const text = facts?.source.text ?? '';
    for (const { access, start, end } of owner?.references ?? []) {
      const isType = access === 'type' && !/\btypeof\s+$/.test(text.slice(Math.max(0, start - 20), start));
      if (!isType && access !== 'export' && !isHeldOpen(text, end)) return true;
    }
  }
  return false;
}

function collectBindings(question: Question, facts: FileFacts, binding: number): Promise<Family> {
  const span = facts.bindings[binding]?.declarations[0] ?? { start: 0, end: 0 };
  const token: Token = { ...span, text: facts.bindings[binding]?.name ?? '', class: 'code' };
  return collectFamily(question, { kind: 'binding', facts, binding, token });
}

export function listPublicNames(question: Question, facts: FileFacts, binding: Binding): readonly string[] {
  const names = new Set(binding.exportedAs);
  if (isJavaScript(facts.language) && facts.isIndexed) {
    for (const row of question.exports(facts.path))
      if (row.specifier === null && row.localName === binding.name) names.add(row.publicName);
  }
  return [...names];
}

/** Can no other file mean it? Where the language alone does not say so, the answer is no. */
export function isConfinedBinding(question: Question, facts: FileFacts, at: number): boolean {
  const binding = facts.bindings[at];
  if (binding === undefined) return false;
  if (at >= facts.scopes.bindings.length || binding.kind === 'private_name') return true;
  if (binding.exportedAs.length > 0) return false;
  if (!isJavaScript(facts.language)) return true;
  const scope = facts.scopes.scopes[binding.scope];
  switch (scope?.kind) {
    case 'module':
      return facts.scopes.isModule && listPublicNames(question, facts, binding).length === 0;
    case 'global':
    case 'enum':
      return false;
    case 'namespace':
      return facts.scopes.isModule;
    case 'type':
    case 'class':
      // Interfaces of several files merge, and their type parameters with them.
      return facts.scopes.isModule || binding.kind !== 'type_parameter';
    case 'name':
      return !isExportedExpression(question, facts, binding);
    default:
      return true;
  }
}

/** `module.exports = class A {}`: nothing but the file's export rows says that other files can mean it. */
function isExportedExpression(question: Question, facts: FileFacts, { name }: Binding): boolean {
  return question
    .exports(facts.path)
    .some(
      (row) => row.specifier === null && (row.publicName === '=' || row.publicName === name || row.localName === name),
    );
}

// ---- a name that a file exports

async function growFromExport(family: Growing, path: string, name: string): Promise<void> {
  const key = `${path}\0${name}`;
  if (family.exports.has(key)) return;
  family.exports.add(key);
  family.isConfined = false;
  if (name === '=') {
    passOn(family, 'the module is assigned as a whole (export =)');
    return;
  }
  if (name !== 'default') family.names.add(name);
  // Who came to a file that only passes it on came from what is passed on.
  if (!family.isTold(path) || exportsOwn(family.question, path, name)) await growFromExporter(family, path, name);
  for (const importer of family.question.importers(path)) {
    if (family.question.isOver(share)) {
      family.doubts.add(outOfTime);
      return;
    }
    const row = family.question.imports(importer.path)[importer.ordinal];
    if (row === undefined || !concerns(family, importer.path, row, path, name)) continue;
    if (family.isTold(importer.path) && growThrough(family, importer.path, row, path, name)) continue;
    const importing = await family.question.facts(importer.path);
    if (importing !== undefined) await growDown(family, importing, row, path, name);
  }
}

async function growFromExporter(family: Growing, path: string, name: string): Promise<void> {
  const facts = await family.question.facts(path);
  if (facts === undefined) family.doubts.add(`${path} could not be parsed`);
  else if (importsTypes(facts.language)) growFromType(family, facts, name);
  else await growInside(family, facts, name);
}

/** Can this import bring the name into its file? Said without parsing the file, because a popular module has thousands of importers. */
function concerns(family: Growing, importer: string, row: StoredImport, target: string, name: string): boolean {
  if (row.kind !== 'import' && row.kind !== 'from' && row.kind !== 'reexport') return true;
  const language = family.question.file(importer)?.language ?? '';
  if (row.names.some((entry) => entry.name === name)) return true;
  if (row.names.some((entry) => splitTargets(row, entry.name, language).modules.includes(target) && entry.name !== '*'))
    return true;
  const star = row.names.find((entry) => entry.name === '*');
  if (star === undefined) return false;
  const source = family.question.source(importer);
  const isHeld = row.kind === 'import' && isJavaScript(language) && star.alias !== null && row.names.length === 1;
  if (!isHeld || source === undefined || mayHold(source, new Set([name]), language)) return true;
  // A file that has the module and never writes the name can only pass the module on.
  const offsets = createTextOffsets(source.text, source);
  const statement = {
    start: indexOfByte(row.start, source.text, offsets),
    end: indexOfByte(row.end, source.text, offsets),
  };
  if (star.alias !== null && mayPassOn(source.text, star.alias, statement))
    passOn(family, `${importer} may pass on ${target} as a whole`);
  return false;
}

/** Is it declared there, or imported and exported again? */
function exportsOwn(question: Question, path: string, name: string): boolean {
  return question.exports(path).some(({ publicName, specifier }) => publicName === name && specifier === null);
}

/** To whom an importing file passes the name on, by what it imports and exports; false where only its text can tell. */
function growThrough(family: Growing, importer: string, row: StoredImport, target: string, name: string): boolean {
  const { question, waiting } = family;
  const language = question.file(importer)?.language ?? '';
  if (!isJavaScript(language) || (row.kind !== 'import' && row.kind !== 'reexport')) return false;
  const passed: string[] = [];
  for (const entry of row.names) {
    if (entry.name === '*') {
      if (row.kind === 'import' || entry.alias !== null) return false;
      const isOwn = question.exports(importer).some(({ publicName }) => publicName === name);
      if (name === 'default' || isOwn) continue;
      if (listStarSources(question, importer, name).size !== 1) return false;
      passed.push(name);
    } else if (entry.name !== name || !splitTargets(row, name, language).providers.includes(target)) continue;
    else if (row.kind === 'reexport') passed.push(publicNameOf(entry));
    else
      for (const { localName, publicName, specifier } of question.exports(importer))
        if (specifier === null && localName === (entry.alias ?? entry.name)) passed.push(publicName);
  }
  for (const one of passed) waiting.push({ kind: 'export', path: importer, name: one });
  return true;
}

/** Files that a star may have the name from, as far as rows tell; one that leads nowhere may have any name. */
function listStarSources(
  question: Question,
  path: string,
  name: string,
  seen: Set<string> = new Set(),
): ReadonlySet<string> {
  if (seen.has(path)) return new Set();
  seen.add(path);
  if (question.exports(path).some(({ publicName }) => publicName === name)) return new Set([path]);
  const stars = question
    .imports(path)
    .filter(({ kind, names }) => kind === 'reexport' && names.some((one) => one.name === '*' && one.alias === null));
  return new Set(
    stars.flatMap(({ targets, specifier }) =>
      targets.length === 0
        ? [`outside ${specifier}`]
        : targets.flatMap((target) => [...listStarSources(question, target, name, seen)]),
    ),
  );
}

/** What the exporting file itself says about the name. */
async function growInside(family: Growing, facts: FileFacts, name: string): Promise<void> {
  const { question } = family;
  // What is assigned to `exports` is a property from the beginning.
  if (!facts.scopes.isModule) family.isProperty = true;
  const local = findExported(question, facts, name);
  const binding = local === undefined ? undefined : facts.bindings[local];
  if (binding !== undefined && local !== undefined && (binding.name === name || name === 'default'))
    family.waiting.push({ kind: 'binding', facts, binding: local });
  if (name === 'default' && facts.path !== family.home && binding?.references.some(({ access }) => access === 'export'))
    family.doubts.add(`${facts.path} exports ${binding.name} under another name`);
  if (!facts.isIndexed) return;
  const rows = question.imports(facts.path).filter(({ kind }) => kind === 'reexport');
  const isInRow = (index: number) => {
    const byte = facts.toByte(index);
    return rows.some((row) => row.start <= byte && byte < row.end);
  };
  for (const reference of facts.memberAt.values())
    if (reference.access === 'export' && reference.name === name && !isInRow(reference.start))
      addHit(family, facts, reference, 'export');
  for (const row of rows) {
    for (const entry of row.names) {
      if (entry.name === '*' || publicNameOf(entry) !== name) continue;
      addClauseHit(family, facts, entry, name, 'alias');
      if (entry.alias !== null) continue;
      for (const target of row.targets) family.waiting.push({ kind: 'export', path: target, name });
    }
  }
  if (binding !== undefined || rows.some(({ names }) => names.some((entry) => publicNameOf(entry) === name))) return;
  const followed = await followExport(question, facts.path, name);
  if (distinctEndings(followed.endings).length > 1) {
    family.doubts.add(`${facts.path} has several ${name} from elsewhere`);
    return;
  }
  for (const ending of followed.endings)
    if (ending.kind === 'binding' && ending.facts.bindings[ending.binding]?.name === name)
      family.waiting.push({ kind: 'binding', facts: ending.facts, binding: ending.binding });
    else if (ending.kind === 'outside')
      family.doubts.add(`it may be declared outside, in ${ending.external ?? ending.specifier}`);
  for (const doubt of followed.doubts) family.doubts.add(doubt);
}

/** What an importing file does with the name. */
async function growDown(
  family: Growing,
  facts: FileFacts,
  row: StoredImport,
  target: string,
  name: string,
): Promise<void> {
  if (importsTypes(facts.language)) {
    growTypeImport(family, facts, row, name);
    return;
  }
  if (!facts.isIndexed) return;
  const bindingOf = (imported: string) => listImported(facts, row, imported);
  for (const entry of row.names) {
    if (entry.name === '*') await growStar(family, facts, row, entry.alias, target, name);
    else if (splitTargets(row, entry.name, facts.language).modules.includes(target))
      growHolders(family, facts, bindingOf(entry.name), target, name);
    else if (entry.name !== name) continue;
    else if (row.kind === 'reexport') {
      addClauseHit(family, facts, entry, name, 'name');
      family.waiting.push({ kind: 'export', path: facts.path, name: publicNameOf(entry) });
    } else if (row.kind === 'import' || row.kind === 'from') {
      if (!splitTargets(row, name, facts.language).providers.includes(target)) continue;
      addClauseHit(family, facts, entry, name, 'name');
      for (const binding of bindingOf(name)) family.waiting.push({ kind: 'binding', facts, binding });
    } else passOn(family, `${facts.path} loads ${target} while it runs`);
  }
  if (row.kind === 'dynamic' && row.names.length === 0) passOn(family, `${facts.path} loads ${target} while it runs`);
}

async function growStar(
  family: Growing,
  facts: FileFacts,
  row: StoredImport,
  alias: string | null,
  target: string,
  name: string,
): Promise<void> {
  const { question } = family;
  if (row.kind === 'reexport' && alias === null) {
    const isOwn = question.exports(facts.path).some(({ publicName }) => publicName === name);
    if (name === 'default' || isOwn) return;
    // Two stars with the same name: an importer of this file may mean either.
    if ((await listStarEndings(question, facts.path, name)).length > 1)
      family.doubts.add(`${facts.path} has several ${name} from elsewhere`);
    else family.waiting.push({ kind: 'export', path: facts.path, name });
    return;
  }
  if (row.kind === 'from') {
    // Python: the names of a star import are names of the file, and nothing in the file says which.
    family.doubts.add(`${facts.path} imports every name of ${target}`);
    family.waiting.push({ kind: 'export', path: facts.path, name });
    return;
  }
  const holders = [...listImported(facts, row, '*'), ...listImported(facts, row, '=')];
  if (!growHolders(family, facts, holders, target, name))
    passOn(family, `${facts.path} loads or passes on ${target} as a whole`);
}

async function listStarEndings(question: Question, path: string, name: string): Promise<readonly string[]> {
  return distinctEndings((await followExport(question, path, name)).endings);
}

function distinctEndings(endings: readonly Ending[]): readonly string[] {
  return [...new Set(endings.map(endingKey))];
}

function endingKey(ending: Ending): string {
  switch (ending.kind) {
    case 'binding':
      return bindingKey(ending.path, ending.binding);
    case 'symbol':
      return `${ending.path}\0${ending.symbol.namePath}`;
    case 'module':
      return ending.path;
    case 'outside':
      return `${ending.specifier}\0${ending.name}`;
  }
}

/** Bindings that stand for the whole file; false where none does. */
function growHolders(
  family: Growing,
  facts: FileFacts,
  holders: readonly number[],
  target: string,
  name: string,
): boolean {
  let held = false;
  for (const binding of holders) {
    const owner = facts.bindings[binding];
    if (owner === undefined || !listHeldModules(family.question, facts, owner).includes(target)) continue;
    held = true;
    addHolder(family, bindingKey(facts.path, binding), name);
    const isWhole = owner.references.some(({ end }) => !isHeldOpen(facts.source.text, end));
    if (isWhole || owner.exportedAs.length > 0) passOn(family, `${facts.path} passes on ${target} as a whole`);
  }
  return held;
}

function listImported(facts: FileFacts, row: StoredImport, name: string): readonly number[] {
  const start = facts.toIndex(row.start);
  const end = facts.toIndex(row.end);
  return facts.bindings.flatMap(({ importOf, declarations }, at) =>
    importOf?.name === name && declarations.some((span) => span.start >= start && span.end <= end) ? [at] : [],
  );
}

// ---- languages whose types are imported by name and left unbound by scope

function growFromType(family: Growing, facts: FileFacts, name: string): void {
  family.doubts.add(`${facts.language} finds names without an import, which is not followed`);
  if (!facts.isIndexed) return;
  const symbols = family.question.symbols(facts.path).filter((symbol) => symbol.name === name);
  for (const symbol of symbols) {
    const start = facts.toIndex(symbol.nameStart);
    addHit(family, facts, { start, end: facts.toIndex(symbol.nameEnd) }, 'definition');
  }
  if (symbols.filter(({ kind }) => kind !== 'constructor').length === 1) addLooseHits(family, facts, name, 'read');
}

function growTypeImport(family: Growing, facts: FileFacts, row: StoredImport, name: string): void {
  const entry = row.names.find((one) => one.name === name);
  if (entry === undefined || !facts.isIndexed) return;
  addClauseHit(family, facts, entry, name, 'name');
  const local = publicNameOf(entry);
  const isDeclaredHere = family.question.symbols(facts.path).some((symbol) => symbol.name === local);
  if (isDeclaredHere) return;
  addLooseHits(family, facts, local, 'read');
  // `pub use` of Rust.
  const passedOn = family.question
    .exports(facts.path)
    .some((row) => row.publicName === local && row.specifier !== null);
  if (passedOn) family.waiting.push({ kind: 'export', path: facts.path, name: local });
}

/** Names that no local binding and no dot takes away from the file's own meaning of them. */
function addLooseHits(family: Growing, facts: FileFacts, name: string, role: HitRole): void {
  if (facts.bindings.some((binding) => binding.name === name)) return;
  for (const token of facts.tokens) {
    const isLoose = token.class === 'code' && token.text === name && token.role !== 'property';
    if (isLoose && !facts.memberAt.has(token.start) && !isQualified(facts.source.text, token.start))
      addHit(family, facts, token, role);
  }
}

function isQualified(text: string, start: number): boolean {
  return /(?:\.|::|->|\\)\s*$/.test(text.slice(Math.max(0, start - 40), start));
}

/** From here on it may be a property of some value. */
function passOn(family: Growing, doubt: string): void {
  family.isProperty = true;
  family.doubts.add(doubt);
}

// ---- hits

function addHit(family: Growing, facts: FileFacts, span: { start: number; end: number }, role: HitRole): void {
  let hits = family.hits.get(facts.path);
  if (hits === undefined) {
    hits = new Map();
    family.hits.set(facts.path, hits);
  }
  if (!hits.has(span.start)) hits.set(span.start, { start: span.start, end: span.end, role });
}

/** The name of an import or re-export clause, or the alias behind it. */
function addClauseHit(
  family: Growing,
  facts: FileFacts,
  entry: StoredImport['names'][number],
  name: string,
  which: 'name' | 'alias',
): void {
  const start = facts.toIndex(entry.start);
  const at = facts.tokens.findIndex((token) => token.start === start);
  const token: Token | undefined = facts.tokens[which === 'alias' && entry.alias !== null ? at + 1 : at];
  if (at >= 0 && token?.class === 'code' && token.text === name)
    addHit(family, facts, token, which === 'name' ? 'import' : 'export');
}

function addHolder(family: Growing, key: string, name: string): void {
  const names = family.holders.get(key);
  if (names === undefined) family.holders.set(key, new Set([name]));
  else names.add(name);
}

// ---- bindings of TypeScript and JavaScript that are more than one thing to the language, so that "a reference to it" has more than one
// answer: merged declarations of different kinds, a class that is called `this` by its static members, a keyword used as a name.

export function listKindDoubts(question: Question, facts: FileFacts, binding: Binding): readonly string[] {
  const doubts: string[] = [];
  const { text } = facts.source;
  const kinds = new Set(binding.declarations.map(({ start }) => kindBefore(text, start)));
  if (kinds.size > 1) doubts.push('a type, a value or a namespace share its name');
  if (binding.declarations.length > 1 && once.has(binding.kind)) doubts.push('it is declared more than once');
  if (hasRival(facts, binding)) doubts.push('a parameter and a variable of the function share its name');
  if (javaScriptKeywords.has(binding.name)) doubts.push('its name is a keyword');
  if (binding.kind === 'class' && usesStaticThis(facts, binding)) doubts.push('static members call it `this`');
  if (facts.scopes.scopes[binding.scope]?.kind === 'name' && isAssigned(question, facts))
    doubts.push('the module is assigned as a whole');
  return doubts;
}

function isAssigned(question: Question, facts: FileFacts): boolean {
  return question.exports(facts.path).some(({ publicName, specifier }) => publicName === '=' && specifier === null);
}

/** The word that declares what follows; nothing for later names of one statement. */
function kindBefore(text: string, start: number): string {
  const word = /(\w+)[\s*]*$/.exec(text.slice(Math.max(0, start - 40), start))?.[1] ?? '';
  if (word === 'module') return 'namespace';
  return declaring.has(word) ? word : '';
}

const once: ReadonlySet<string> = new Set(['let', 'const', 'using', 'class', 'type', 'import']);

/** `function f(x) { let x = x }` is an error that compilers and engines mend in different ways. */
function hasRival(facts: FileFacts, binding: Binding): boolean {
  const { scopes } = facts.scopes;
  const body = scopes[binding.scope]?.kind === 'function_body' ? binding.scope : undefined;
  const isRival = ({ name, scope }: Binding) =>
    name === binding.name &&
    (body === undefined
      ? scopes[scope]?.kind === 'function_body' && scopes[scope]?.parent === binding.scope
      : scope === scopes[body]?.parent);
  return scopes[binding.scope]?.kind === 'function' || body !== undefined ? facts.bindings.some(isRival) : false;
}

const declaring: ReadonlySet<string> = new Set('class interface type enum namespace function import'.split(' '));

function usesStaticThis(facts: FileFacts, binding: Binding): boolean {
  const { text } = facts.source;
  return facts.scopes.scopes.some(
    ({ kind, start, end }) =>
      kind === 'class' &&
      binding.declarations.some((span) => span.start >= start && span.end <= end) &&
      /\bstatic\b[\s\S]*\bthis\b/.test(text.slice(start, end)),
  );
}
