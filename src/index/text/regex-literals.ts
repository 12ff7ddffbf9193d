/**
 * What every text that a regular expression matches must contain, as a formula over literals: alternatives become `some`, sequences
 * `all`, anything optional is dropped. The expression is JavaScript's and has already been compiled, so it is known to be well formed.
 *
 * Promises: if the expression matches a text, the formula holds for it; what is not understood requires nothing; the time is linear
 * in the expression and there is no recursion, so nesting cannot exhaust the stack. Sizes are bounded: a formula that would become
 * larger requires less.
 */

export type LiteralFormula =
  | { readonly kind: 'any' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'all'; readonly parts: readonly LiteralFormula[] }
  | { readonly kind: 'some'; readonly parts: readonly LiteralFormula[] };

/** Texts that a part can stand for, as long as they are few and short. */
const MAX_TEXTS = 16;
const MAX_TEXT_UNITS = 64;
const MAX_CLASS_CHARS = 16;
/** Deeper or larger formulas require nothing: evaluating one may recurse. */
const MAX_DEPTH = 8;
const MAX_LITERALS = 64;

const any: LiteralFormula = { kind: 'any' };

/**
 * What is known of a part of the expression: `texts` is everything it can match, `null` if that is not known or too much;
 * then `need` is what a match must contain.
 */
type Part = { readonly texts: readonly string[] | null; readonly need: LiteralFormula };

const unknown: Part = { texts: null, need: any };
const empty: Part = { texts: [''], need: any };

/** A group being read: finished alternatives, and the sequence of the one at hand. */
type Frame = {
  readonly alternatives: Part[];
  /** How the group is to be taken when it ends. */
  readonly use: 'whole' | 'nothing' | 'unknown';
  sequence: Sequence;
};
type Sequence = { texts: readonly string[]; readonly needs: LiteralFormula[]; isWhole: boolean; last: Part | null };

export function requiredLiterals(source: string, options: { readonly unicode: boolean }): LiteralFormula {
  const frames: Frame[] = [newFrame('whole')];
  let at = 0;
  while (at < source.length) {
    const frame = frames.at(-1) as Frame;
    const char = source[at] as string;
    if (char === '|') {
      frame.alternatives.push(endSequence(frame.sequence));
      frame.sequence = newSequence();
      at += 1;
    } else if (char === '(') {
      const group = readGroupHead(source, at);
      frames.push(newFrame(group.use));
      at = group.end;
    } else if (char === ')') {
      const closed = frames.pop() as Frame;
      const outer = frames.at(-1);
      // A bracket without a partner: the expression is not what it was said to be.
      if (outer === undefined) return any;
      place(outer.sequence, endFrame(closed));
      at += 1;
    } else {
      const quantifier = readQuantifier(source, at);
      if (quantifier !== null && frame.sequence.last !== null) {
        frame.sequence.last = repeat(frame.sequence.last, quantifier);
        at = quantifier.end;
      } else {
        const atom = readAtom(source, at, options.unicode);
        place(frame.sequence, atom.part);
        at = atom.end;
      }
    }
  }
  if (frames.length !== 1) return any;
  return needOf(endFrame(frames[0] as Frame));
}

function newFrame(use: Frame['use']): Frame {
  return { alternatives: [], use, sequence: newSequence() };
}

function newSequence(): Sequence {
  return { texts: [''], needs: [], isWhole: true, last: null };
}

/** The part before may still get a quantifier, so it is appended when the next one comes. */
function place(sequence: Sequence, part: Part): void {
  if (sequence.last !== null) append(sequence, sequence.last);
  sequence.last = part;
}

function append(sequence: Sequence, part: Part): void {
  if (part.texts === null) {
    flush(sequence);
    sequence.needs.push(part.need);
    return;
  }
  const product = multiply(sequence.texts, part.texts);
  if (product !== null) {
    sequence.texts = product;
    return;
  }
  flush(sequence);
  sequence.texts = part.texts;
}

function flush(sequence: Sequence): void {
  sequence.needs.push(oneOf(sequence.texts));
  sequence.texts = [''];
  sequence.isWhole = false;
}

function endSequence(sequence: Sequence): Part {
  if (sequence.last !== null) append(sequence, sequence.last);
  if (sequence.isWhole) return { texts: sequence.texts, need: any };
  flush(sequence);
  return { texts: null, need: all(sequence.needs) };
}

function endFrame(frame: Frame): Part {
  const last = endSequence(frame.sequence);
  if (frame.use === 'nothing') return empty;
  if (frame.use === 'unknown') return unknown;
  if (frame.alternatives.length === 0) return last;
  const parts = [...frame.alternatives, last];
  const texts = new Set<string>();
  for (const part of parts) {
    if (part.texts === null) return { texts: null, need: some(parts.map(needOf)) };
    for (const text of part.texts) texts.add(text);
  }
  return texts.size <= MAX_TEXTS ? { texts: [...texts], need: any } : { texts: null, need: some(parts.map(needOf)) };
}

function needOf(part: Part): LiteralFormula {
  return part.texts === null ? part.need : oneOf(part.texts);
}

type Quantifier = { readonly min: number; readonly max: number; readonly end: number };

function repeat(part: Part, { min, max }: Quantifier): Part {
  if (min === 0) {
    if (max === 1 && part.texts !== null && part.texts.length < MAX_TEXTS)
      return { texts: [...new Set([...part.texts, ''])], need: any };
    return max === 0 ? empty : unknown;
  }
  if (part.texts === null) return part;
  let texts: readonly string[] = part.texts;
  for (let count = 1; count < min; count += 1) {
    const product = multiply(texts, part.texts);
    if (product === null) return { texts: null, need: oneOf(texts) };
    texts = product;
    if (texts.length === 1 && texts[0] === '') break;
  }
  return min === max ? { texts, need: any } : { texts: null, need: oneOf(texts) };
}

/** Every first text followed by every second one; null if that is too much. */
function multiply(first: readonly string[], second: readonly string[]): readonly string[] | null {
  if (first.length * second.length > MAX_TEXTS) return null;
  const longest = Math.max(...first.map((text) => text.length)) + Math.max(...second.map((text) => text.length));
  if (longest > MAX_TEXT_UNITS) return null;
  return [...new Set(first.flatMap((head) => second.map((tail) => head + tail)))];
}

function oneOf(texts: readonly string[]): LiteralFormula {
  // Half of a surrogate pair is no text of its own.
  if (texts.some((text) => text === '' || !text.isWellFormed())) return any;
  return some(texts.map((text) => ({ kind: 'literal', text })));
}

function all(parts: readonly LiteralFormula[]): LiteralFormula {
  const needed = parts.flatMap((part) => (part.kind === 'any' ? [] : part.kind === 'all' ? part.parts : [part]));
  if (needed.length === 0) return any;
  // To require less is always right, so only as many as there is room for.
  let room = MAX_LITERALS;
  const kept = needed.filter((part) => {
    room -= literalCount(part);
    return room >= 0;
  });
  return kept.length === 1 ? (kept[0] as LiteralFormula) : bounded({ kind: 'all', parts: kept });
}

function some(parts: readonly LiteralFormula[]): LiteralFormula {
  if (parts.length === 0 || parts.some((part) => part.kind === 'any')) return any;
  const choices = parts.flatMap((part) => (part.kind === 'some' ? part.parts : [part]));
  return choices.length === 1 ? (choices[0] as LiteralFormula) : bounded({ kind: 'some', parts: choices });
}

const measures = new WeakMap<LiteralFormula, { readonly depth: number; readonly literals: number }>();

function bounded(formula: Extract<LiteralFormula, { parts: unknown }>): LiteralFormula {
  const depth = 1 + Math.max(0, ...formula.parts.map((part) => measures.get(part)?.depth ?? 0));
  const literals = formula.parts.reduce((sum, part) => sum + literalCount(part), 0);
  if (depth > MAX_DEPTH || literals > MAX_LITERALS) return any;
  measures.set(formula, { depth, literals });
  return formula;
}

function literalCount(part: LiteralFormula): number {
  return measures.get(part)?.literals ?? 1;
}

/** Assertions match nothing themselves. A group that changes the flags means something else by its letters. */
function readGroupHead(source: string, at: number): { readonly use: Frame['use']; readonly end: number } {
  if (source[at + 1] !== '?') return { use: 'whole', end: at + 1 };
  const head = /\(\?(?:(:)|(<?[=!])|(<[^>]*>)|([a-z-]*:))/y;
  head.lastIndex = at;
  const match = head.exec(source);
  if (match === null) return { use: 'unknown', end: at + 2 };
  const end = at + match[0].length;
  if (match[2] !== undefined) return { use: 'nothing', end };
  return { use: match[4] === undefined ? 'whole' : 'unknown', end };
}

function readQuantifier(source: string, at: number): Quantifier | null {
  const quantifier = /(?:([*+?])|\{([0-9]{1,9})(?:(,)([0-9]{1,9})?)?\})\??/y;
  quantifier.lastIndex = at;
  const match = quantifier.exec(source);
  if (match === null) return null;
  const end = at + match[0].length;
  const [, sign, least, comma, most] = match;
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY, end };
  const min = Number(least);
  return { min, max: comma === undefined ? min : most === undefined ? Number.POSITIVE_INFINITY : Number(most), end };
}

type Atom = { readonly part: Part; readonly end: number };

function readAtom(source: string, at: number, unicode: boolean): Atom {
  const char = source[at] as string;
  if (char === '\\') return readEscape(source, at, unicode);
  if (char === '[') return readClass(source, at, unicode);
  if (char === '.') return { part: unknown, end: at + 1 };
  if (char === '^' || char === '$') return { part: empty, end: at + 1 };
  const text = unicode ? String.fromCodePoint(source.codePointAt(at) as number) : char;
  return { part: { texts: [text], need: any }, end: at + text.length };
}

function readEscape(source: string, at: number, unicode: boolean): Atom {
  const next = source[at + 1];
  if (next === 'b' || next === 'B') return { part: empty, end: at + 2 };
  const escaped = readCharEscape(source, at, unicode);
  if (escaped.text !== null) return { part: { texts: [escaped.text], need: any }, end: escaped.end };
  return { part: unknown, end: escaped.end };
}

/** A character by its escape; null for a set of characters, a reference to a group, and whatever is rarer. */
function readCharEscape(
  source: string,
  at: number,
  unicode: boolean,
): { readonly text: string | null; readonly end: number } {
  const shape =
    /\\(?:([fnrtv])|x([0-9a-fA-F]{2})|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|(k<[^>]*>|[0-9]+|c[a-zA-Z])|([pP]\{[^}]*\})|([^a-zA-Z0-9]))/y;
  shape.lastIndex = at;
  const match = shape.exec(source);
  // A letter that means itself outside unicode mode, or a set such as \d: nothing is required of it.
  if (match === null) return { text: null, end: at + 2 };
  const end = at + match[0].length;
  const [, control, byte, high, low, unit, point, skipped, , sign] = match;
  if (control !== undefined) return { text: controls[control] ?? null, end };
  if (byte !== undefined) return { text: String.fromCharCode(Number.parseInt(byte, 16)), end };
  // Without unicode mode a pair is two characters, and a quantifier is for the second.
  if (high !== undefined && low !== undefined) {
    const lead = Number.parseInt(high, 16);
    return unicode
      ? { text: String.fromCharCode(lead, Number.parseInt(low, 16)), end }
      : { text: String.fromCharCode(lead), end: at + 6 };
  }
  if (unit !== undefined) return { text: String.fromCharCode(Number.parseInt(unit, 16)), end };
  if (point !== undefined)
    return unicode ? { text: String.fromCodePoint(Number.parseInt(point, 16)), end } : { text: null, end: at + 2 };
  if (sign !== undefined) return { text: sign, end };
  if (skipped !== undefined) return { text: null, end };
  // `\p{L}` is a set in unicode mode and the letters `p{L}` without it.
  return { text: null, end: unicode ? end : at + 2 };
}

const controls: Readonly<Record<string, string>> = { f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function readClass(source: string, at: number, unicode: boolean): Atom {
  const chars = new Set<string>();
  let known = source[at + 1] !== '^';
  let cursor = known ? at + 1 : at + 2;
  while (cursor < source.length && source[cursor] !== ']') {
    const first = readClassChar(source, cursor, unicode);
    cursor = first.end;
    const isRange = source[cursor] === '-' && cursor + 1 < source.length && source[cursor + 1] !== ']';
    if (!isRange) {
      if (first.text === null) known = false;
      else chars.add(first.text);
      continue;
    }
    const last = readClassChar(source, cursor + 1, unicode);
    cursor = last.end;
    const from = first.text?.codePointAt(0);
    const to = last.text?.codePointAt(0);
    if (from === undefined || to === undefined || to - from >= MAX_CLASS_CHARS) known = false;
    else for (let point = from; point <= to; point += 1) chars.add(String.fromCodePoint(point));
  }
  const isFew = known && chars.size > 0 && chars.size <= MAX_CLASS_CHARS;
  return { part: isFew ? { texts: [...chars], need: any } : unknown, end: Math.min(cursor + 1, source.length) };
}

function readClassChar(
  source: string,
  at: number,
  unicode: boolean,
): { readonly text: string | null; readonly end: number } {
  if (source[at] === '\\')
    return source[at + 1] === 'b' ? { text: '\b', end: at + 2 } : readCharEscape(source, at, unicode);
  const text = unicode ? String.fromCodePoint(source.codePointAt(at) as number) : (source[at] as string);
  return { text, end: at + text.length };
}
