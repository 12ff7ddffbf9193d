/**
 * What an indexer would say of a program after a renaming, made from what it said before (mutation.md §8 "Facts patch"). Two passes over the
 * same parts: the first finds out which symbols were renamed, the second rewrites. Everything after it is the ordinary import, which checks
 * each text against the new bytes.
 *
 * E9  The result is what a fresh run gives, or `Unfit` is thrown. What was renamed follows from definitions at edited tokens alone; a symbol
 *     that is defined elsewhere and merely called by that name here keeps its own.
 */

import {
  parseScipSymbol,
  roleBits,
  type ScipDocument,
  type ScipOccurrence,
  type ScipPart,
  type ScipSymbol,
} from '../../kernel/formats/scip.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import {
  classOf,
  classOfLocal,
  createSignatures,
  createSymbolRenames,
  type NameClass,
  saidOf,
  withSaid,
} from './renamed-names.ts';
import { createShift, type LineEdit, type Renaming, type Shift, Unfit, unitsOf } from './renaming.ts';
import type { PositionEncoding, SourceText } from './source-text.ts';

export type OutputSource = {
  readonly family: Family;
  /** Where a document does not say. */
  readonly encoding: PositionEncoding;
  /** Root-relative. */
  readonly pathOf: (document: ScipDocument) => string | null;
  /** The text that the output was made from. */
  readonly oldSource: (path: string) => SourceText | undefined;
};

export type OutputRenamer = {
  /** First all parts of all outputs that the renaming concerns, */
  learn(part: ScipPart, source: OutputSource): void;
  /** then this, */
  settle(): void;
  /** and then any of them. */
  rewrite(part: ScipPart, source: OutputSource): ScipPart;
};

type Known = { definedAtEdit: boolean; definedElsewhere: boolean; isAtEdit: boolean; isLeft: boolean };

export function createOutputRenamer(renaming: Renaming, oldBytes: ReadonlyMap<string, Uint8Array>): OutputRenamer {
  const { oldName, newName, isProven } = renaming;
  const files = new Map(renaming.files.map((file) => [file.path, file]));
  const symbols = createSymbolRenames(renaming);
  const signatures = createSignatures(renaming);
  const named = new Map<string, Known>();
  const renamed = new Set<string>();
  /** `path`, a NUL, a local: those whose definition was edited, and what the others are called that signatures show. */
  const renamedLocals = new Set<string>();
  const localNames = new Map<string, string | null>();
  const describedLocals = new Set<string>();
  /** By path: what the tokens are that became the new name and nothing else, and what is defined there. */
  const spelled = new Map<string, Set<string>>();
  const definedIn = new Map<string, Set<string>>();
  const definedAnywhere = new Set<string>();
  /** Spellings that hold the new name already. */
  const taken = new Set<string>();
  const shifts = new Map<string, Shift>();
  const holders = { renamed: new Set<NameClass>(), others: new Set<NameClass>() };
  let family: Family | undefined;

  const shiftOf = (path: string, document: ScipDocument, { encoding }: OutputSource): Shift | undefined => {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const units = (document.positionEncoding || encoding) as PositionEncoding;
    const asked = `${path}\0${units}`;
    let shift = shifts.get(asked);
    if (shift === undefined) {
      const bytes = oldBytes.get(path);
      if (bytes === undefined) throw new Unfit(`the old text of ${path} is not known`);
      shift = createShift(bytes, file.edits, units);
      shifts.set(asked, shift);
    }
    return shift;
  };
  const knownOf = (raw: string): Known => {
    let known = named.get(raw);
    if (known === undefined) {
      known = { definedAtEdit: false, definedElsewhere: false, isAtEdit: false, isLeft: false };
      named.set(raw, known);
    }
    return known;
  };

  function learnOccurrence(path: string, occurrence: ScipOccurrence, at: LineEdit | undefined, length: number): void {
    const { symbol, roles, range } = occurrence;
    const isDefinition = (roles & roleBits.definition) !== 0;
    if (isDefinition) {
      addTo(definedIn, path, symbol);
      definedAnywhere.add(symbol);
    }
    const form = at?.edit.form;
    if (symbol.startsWith('local ')) {
      if (form === 'plain') addTo(spelled, path, symbol);
      if (form === 'plain' && isDefinition) renamedLocals.add(`${path}\0${symbol}`);
      return;
    }
    if (symbol.includes(newName)) taken.add(symbol);
    if (!symbols.isNamed(symbol)) return;
    if (form === 'plain') addTo(spelled, path, symbol);
    const known = knownOf(symbol);
    // The property of a shorthand stays what it is when its value is renamed.
    if (form === 'value' && isDefinition) {
      known.definedElsewhere = true;
    } else if (form === 'value') {
      return;
    } else if (form === undefined) {
      // Text of another length is another name of it.
      const [, from = 0, to = 0] = range;
      known.isLeft ||= range.length === 3 && (to - from === length || to - from === length + 2);
      known.definedElsewhere ||= isDefinition;
    } else {
      known.isAtEdit = true;
      known.definedAtEdit ||= isDefinition;
    }
  }

  function learnInfo(path: string, document: ScipDocument, info: ScipSymbol, source: OutputSource): void {
    if (!info.symbol.startsWith('local ')) {
      if (info.symbol.includes(newName)) taken.add(info.symbol);
      // The document may tell of a symbol that stands nowhere in it.
      if (symbols.isNamed(info.symbol)) knownOf(info.symbol);
      return;
    }
    const [said, local] = [saidOf(info), `${path}\0${info.symbol}`];
    if (renamedLocals.has(local)) {
      describedLocals.add(local);
      holders.renamed.add(classOfLocal(said, source.family));
      return;
    }
    if (!signatures.mentions(said)) return;
    const name = nameOfLocal(path, document, info.symbol, source);
    localNames.set(local, name);
    if (name === null) holders.others.add('any');
    else if (name === oldName) holders.others.add(classOfLocal(said, source.family));
  }

  function nameOfLocal(path: string, document: ScipDocument, raw: string, source: OutputSource): string | null {
    const units = (document.positionEncoding || source.encoding) as PositionEncoding;
    const text = source.oldSource(path);
    const place = document.occurrences.find(
      ({ symbol, roles }) => symbol === raw && (roles & roleBits.definition) !== 0,
    )?.range;
    if (text === undefined || place?.length !== 3) return null;
    const [line, from, to] = place as [number, number, number];
    const [start, end] = [text.indexAt(line, from, units, false), text.indexAt(line, to, units, false)];
    return start < 0 || end < 0 ? null : text.text.slice(start, end);
  }

  function checkNumbers(): void {
    // scip-typescript counts the keys of a name in a file: one that goes, or comes to others, changes the numbers of the rest.
    const groups = new Map<string, { moved: number; stays: number }>();
    for (const raw of named.keys()) {
      const file = numberedIn(raw);
      if (file === undefined) continue;
      const group = groups.get(file) ?? { moved: 0, stays: 0 };
      if (renamed.has(raw)) group.moved += 1;
      else group.stays += 1;
      groups.set(file, group);
    }
    for (const [file, { moved, stays }] of groups) {
      if (moved === 0) continue;
      const isMixed = stays > 0 || [...taken].some((raw) => numberedIn(raw) === file);
      if (isMixed) throw new Unfit('keys of object literals would be numbered anew');
    }
  }

  return {
    learn(part, source) {
      if (part.kind !== 'document') return;
      family = source.family;
      const { document } = part;
      const path = source.pathOf(document);
      if (path === null) return;
      const shift = shiftOf(path, document, source);
      const length = unitsOf(oldName, (document.positionEncoding || source.encoding) as PositionEncoding);
      for (const occurrence of document.occurrences) {
        learnOccurrence(path, occurrence, shift?.find(occurrence.range), length);
      }
      for (const info of document.symbols) learnInfo(path, document, info, source);
    },
    settle() {
      for (const { edits, path } of renaming.files) {
        for (const { form, oldText, newText } of edits) {
          const isRename = oldText === oldName && (form !== 'plain' || newText === newName);
          if (form === 'other' || !isRename) throw new Unfit(`an edit of ${path} is not of a form that is understood`);
        }
      }
      for (const [raw, { definedAtEdit, definedElsewhere, isAtEdit, isLeft }] of named) {
        if (definedAtEdit && definedElsewhere) throw new Unfit(`${raw} keeps a definition`);
        if (definedAtEdit) {
          // A token that is left means something else from now on, unless the rename proved that it does not.
          if (isLeft && !isProven) throw new Unfit(`${raw} keeps its name somewhere`);
          renamed.add(raw);
          symbols.add(raw);
        } else if (isAtEdit && !(definedElsewhere && isProven)) throw new Unfit(`${raw} is defined nowhere`);
      }
      for (const raw of renamed) {
        if (taken.has(symbols.rewrite(raw))) throw new Unfit(`${symbols.rewrite(raw)} is there already`);
      }
      checkNumbers();
      if (describedLocals.size < renamedLocals.size) holders.renamed.add('any');
      for (const raw of named.keys()) {
        (renamed.has(raw) ? holders.renamed : holders.others).add(family === undefined ? 'any' : classOf(raw, family));
      }
    },
    rewrite(part, source) {
      if (part.kind === 'metadata') return part;
      if (part.kind === 'external') return { kind: 'external', symbol: rewriteSymbols(part.symbol) };
      const { document } = part;
      const path = source.pathOf(document);
      if (path === null) return part;
      const shift = shiftOf(path, document, source);
      const units = (document.positionEncoding || source.encoding) as PositionEncoding;
      const around = createSurroundings(document, definedAnywhere, (range) => shift?.find(range) !== undefined);
      return {
        kind: 'document',
        document: {
          ...document,
          text: '',
          occurrences: moveAll(path, document.occurrences, shift, units),
          symbols: document.symbols.map((info) => rewriteInfo(path, info, around)),
        },
      };
    },
  };

  function moveAll(
    path: string,
    occurrences: readonly ScipOccurrence[],
    shift: Shift | undefined,
    units: PositionEncoding,
  ): readonly ScipOccurrence[] {
    if (shift === undefined) {
      return occurrences.map((occurrence) => {
        const symbol = rewriteRaw(path, occurrence.symbol);
        return symbol === occurrence.symbol ? occurrence : { ...occurrence, symbol };
      });
    }
    const moved: ScipOccurrence[] = [];
    const pairs = new Map<LineEdit, Pair>();
    for (const occurrence of occurrences) {
      const range = shift.move(occurrence.range);
      const symbol = rewriteRaw(path, occurrence.symbol);
      const now = { ...occurrence, symbol, range, enclosingRange: shift.move(occurrence.enclosingRange) };
      const at = shift.find(occurrence.range);
      if (at === undefined || at.edit.form === 'plain') {
        moved.push(now);
        continue;
      }
      const sides = splitRange(range, at.edit.newText, units);
      const pair = pairs.get(at) ?? { sides, left: [], right: [] };
      pairs.set(at, pair);
      const isRenamed = renamed.has(occurrence.symbol) || renamedLocals.has(`${path}\0${occurrence.symbol}`);
      if (at.edit.form === 'both' || isRenamed === (at.edit.form === 'property'))
        pair.left.push([now, occurrence.symbol]);
      if (at.edit.form === 'both' || isRenamed === (at.edit.form === 'value'))
        pair.right.push([now, occurrence.symbol]);
    }
    for (const [{ edit }, { sides, left, right }] of pairs) {
      if (edit.form === 'value') completeValue(path, left, right);
      if (edit.form === 'property') mustBeOwn(path, left, right);
      for (const [now] of left) moved.push({ ...now, range: sides[0] });
      for (const [now] of right) moved.push({ ...now, range: sides[1] });
    }
    return moved;
  }

  /**
   * scip-typescript says what the variable of a shorthand is only where the property is the literal's own. In the long form it always does:
   * then it is what the file's other tokens are. An imported one has counted as a local of the file, and does not in the long form.
   */
  function completeValue(path: string, left: readonly Said[], right: Said[]): void {
    const own = definedIn.get(path);
    for (const [{ roles }, raw] of left) {
      if (raw.startsWith('local ')) throw new Unfit('a shorthand whose locals would be numbered anew');
      const isOwn = (roles & roleBits.definition) !== 0;
      if (isOwn && right.length === 0) throw new Unfit('a shorthand whose variable is not known');
    }
    if (right.length > 0) {
      if (!right.every(([, raw]) => own?.has(raw))) throw new Unfit('a shorthand of an imported name');
      return;
    }
    const [raw, another] = spelled.get(path) ?? [];
    const [first] = left;
    if (raw === undefined || another !== undefined || first === undefined) throw new Unfit('a shorthand of several');
    const isRenamed = renamed.has(raw) || renamedLocals.has(`${path}\0${raw}`);
    if (!isRenamed) throw new Unfit('a shorthand whose variable keeps its name');
    right.push([{ ...first[0], symbol: rewriteRaw(path, raw), roles: 0, enclosingRange: [] }, raw]);
  }

  /** The property was said to be there, and so was the variable. */
  function mustBeOwn(path: string, left: readonly Said[], right: readonly Said[]): void {
    const own = definedIn.get(path);
    const isKnown = left.length > 0 && right.length > 0 && right.every(([, raw]) => own?.has(raw));
    if (!isKnown || left.some(([, raw]) => raw.startsWith('local ')))
      throw new Unfit('a shorthand of which too little is said');
  }

  function rewriteRaw(path: string, raw: string): string {
    if (!raw.startsWith('local ')) return symbols.rewrite(raw);
    // scip-python: `local 3(q)`.
    const tail = `(${oldName})`;
    const isTailed = raw.endsWith(tail) && renamedLocals.has(`${path}\0${raw}`);
    return isTailed ? `${raw.slice(0, raw.length - tail.length)}(${newName})` : raw;
  }

  function rewriteSymbols(info: ScipSymbol, path = ''): ScipSymbol {
    return {
      ...info,
      symbol: rewriteRaw(path, info.symbol),
      relationships: info.relationships.map((related) => ({ ...related, symbol: rewriteRaw(path, related.symbol) })),
      enclosingSymbol: rewriteRaw(path, info.enclosingSymbol),
    };
  }

  function rewriteInfo(path: string, info: ScipSymbol, around: Surroundings): ScipSymbol {
    const raw = info.symbol;
    const isRenamed = renamed.has(raw) || renamedLocals.has(`${path}\0${raw}`);
    const rewritten = rewriteSymbols(info, path);
    const displayName = isRenamed && info.displayName === oldName ? newName : info.displayName;
    const said = saidOf(info);
    const result = { ...rewritten, displayName };
    if (!signatures.mentions(said)) return result;
    const isNamed = isRenamed || symbols.isNamed(raw) || localNames.get(`${path}\0${raw}`) === oldName;
    const parameter = `${raw}(${oldName})`;
    const owner = {
      name: isNamed ? oldName : null,
      isRenamed,
      parameter: renamed.has(parameter) ? 'renamed' : named.has(parameter) ? 'other' : 'none',
    } as const;
    return withSaid(
      result,
      signatures.rewrite(said, owner, holders, (count) => around.mayMean(raw, count)),
    );
  }
}

/** An occurrence as it will be, and its symbol as it was. */
type Said = readonly [ScipOccurrence, string];
type Pair = { readonly sides: readonly [readonly number[], readonly number[]]; left: Said[]; right: Said[] };

/** The two names that stand now where one stood. */
function splitRange(range: readonly number[], newText: string, units: PositionEncoding): Pair['sides'] {
  const [, left = '', right = ''] = /^(\S+?)(?:\s*:\s*|\s+as\s+)(\S+)$/.exec(newText) ?? [];
  if (left === '' || range.length !== 3) throw new Unfit('two names in a form that is not known');
  const [line, start, end] = range as [number, number, number];
  return [
    [line, start, start + unitsOf(left, units)],
    [line, end - unitsOf(right, units), end],
  ];
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

/** The file of a key that is numbered, or undefined. */
function numberedIn(raw: string): string | undefined {
  if (!/\d`?:$/.test(raw)) return undefined;
  return raw.slice(0, raw.lastIndexOf('/') + 1);
}

// ---- can a name in an inferred type be the renamed one? A type of a library that happens to have the name is spelled alike, and comes in where a
// declaration uses something that no document here defines. Where the declaration itself says the name as often as its type does, or uses
// nothing from outside, it does not. A declaration reaches from one definition that is no part of another to the next.

type Surroundings = { mayMean(raw: string, count: number): boolean };

export function createSurroundings(
  { occurrences }: ScipDocument,
  definedHere: ReadonlySet<string>,
  isEdited: (range: readonly number[]) => boolean,
): Surroundings {
  let parts: readonly Part[] | undefined;
  let partOf: ReadonlyMap<string, Part> | undefined;
  return {
    mayMean(raw, count) {
      parts ??= divide(occurrences);
      partOf ??= new Map(parts.flatMap((part) => part.defines.map((symbol) => [symbol, part] as const)));
      const part = partOf.get(raw);
      if (part === undefined) return false;
      const edited = new Set(part.all.filter(({ range }) => isEdited(range)).map(({ range }) => range.join()));
      if (edited.size >= count) return true;
      return part.all.every(({ symbol }) => symbol === '' || symbol.startsWith('local ') || definedHere.has(symbol));
    },
  };
}

type Part = { readonly all: ScipOccurrence[]; readonly defines: string[] };

function divide(occurrences: readonly ScipOccurrence[]): readonly Part[] {
  const ordered = occurrences.toSorted((a, b) => compareRanges(a.range, b.range));
  const parts: Part[] = [];
  for (const occurrence of ordered) {
    const isDefinition = (occurrence.roles & roleBits.definition) !== 0;
    if (parts.length === 0 || (isDefinition && isDeclaration(occurrence.symbol))) parts.push({ all: [], defines: [] });
    parts.at(-1)?.all.push(occurrence);
    if (isDefinition) parts.at(-1)?.defines.push(occurrence.symbol);
  }
  return parts;
}

/** Parameters and keys of literals belong to what they stand in. */
function isDeclaration(raw: string): boolean {
  if (raw.startsWith('local ')) return false;
  const symbol = parseScipSymbol(raw);
  const suffix = symbol?.kind === 'global' ? symbol.descriptors.at(-1)?.suffix : undefined;
  return suffix === 'type' || suffix === 'term' || suffix === 'method';
}

function compareRanges(a: readonly number[], b: readonly number[]): number {
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
}
