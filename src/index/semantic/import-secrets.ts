/**
 * S12: what an indexer says repeats the code, so secrets of the code are in it: a literal type in a signature, a quoted property as the name of
 * a symbol. They are replaced here, before anything is written, by the placeholders that the kept output of an indexer has, so that the
 * same index gives the same facts whether or not it was redacted in between.
 *
 * A type is inferred far from where its literal stands, where nothing around it says that it is a secret (`const first: "…"`): what
 * was recognised in any text of the repository is therefore replaced in the literals of all types, also where a compiler cut it in two.
 *
 * Paths stay what they are: a file is found by its name, whatever that is.
 */

import { countWhile } from '../../kernel/base/count-while.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { Redactors } from '../../kernel/formats/rewrite-scip.ts';
import { type Descriptor, parseScipSymbol, renderScipSymbol } from '../../kernel/formats/scip.ts';
import { findSecrets } from '../../kernel/secrets/find-secrets.ts';
import { findingFor, placeholderFor, redactString } from '../../kernel/secrets/redact-string.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import type { DocumentDraft } from './describe-document.ts';
import type { SymbolShape } from './symbol-shape.ts';

type SecretsSeen = {
  /** Remembers the secrets of a text of the repository. */
  note(recognised: RecognisedSecrets): void;
  /** Of drafts: shapes, names, signatures, details. After all texts were noted. */
  hide(drafts: readonly DocumentDraft[], family: Family): readonly DocumentDraft[];
  /** For what is kept of the index: as `hide` does it. */
  redactors(): Redactors;
};

export function createSecretsSeen(): SecretsSeen {
  /** By secret, what stands for it. */
  const placeholders = new Map<string, string>();
  let hiding: Hiding | undefined;
  const current = (): Hiding => {
    hiding ??= createHiding(placeholders);
    return hiding;
  };
  return {
    note(recognised) {
      hiding = undefined;
      if (placeholders.size >= secretsMax) return;
      for (const [secret, placeholder] of recognised) placeholders.set(secret, placeholder);
    },
    hide(drafts, family) {
      const how = current();
      const shapes = new Map<string, SymbolShape>();
      const isHidden = (shape: SymbolShape): boolean =>
        hideInShape(shape, how, shapes, family) !== shape ||
        (shape.name !== null && how.name(shape.name) !== shape.name);
      const namesSecret = createNamesSecret(how, isHidden);
      return drafts.map((draft) => {
        const isNamed = namesSecret(draft.shapes);
        return isNamed || mayHold(draft, how) ? hideInDraft(draft, how, shapes, family) : draft;
      });
    },
    redactors: current,
  };
}

type Hiding = Redactors & { readonly isKnownIn: (text: string) => boolean };

/**
 * A word that is a secret in one place is a name in others: `password = 'postgres'` must not take `postgresClient` away. So what was
 * recognised elsewhere is replaced in the literals of a declaration, and as the whole name of a quoted property; names of code and paths lose
 * only what looks like a secret by itself.
 */
function createHiding(placeholders: ReadonlyMap<string, string>): Hiding {
  const find = createFindKnown(placeholders.keys());
  const path = (text: string) => redactString(text, { entropy: true }).text;
  const replaceKnown = (text: string): string => {
    let [replaced, from] = ['', 0];
    for (const { start, end, known } of find(text)) {
      replaced += text.slice(from, start) + (placeholders.get(known) ?? '');
      from = end;
    }
    return replaced + text.slice(from);
  };
  return {
    path,
    text: (text) => path(replaceKnown(text)),
    signature: (text) => path(find(text).length === 0 ? text : text.replace(literal, replaceKnown)),
    name(text) {
      const [, before = '', inner = text, after = ''] = quotedName.exec(text) ?? [];
      const placeholder = identifier.test(inner) ? undefined : placeholders.get(inner);
      return placeholder === undefined ? path(text) : `${before}${placeholder}${after}`;
    },
    isKnownIn: (text) => find(text).length > 0,
  };
}

/** As a compiler writes one; the end may have been cut off. */
const literal = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g;
/** `'a-b'`, `["a-b"]`, with the number that tells keys of object literals apart. */
const identifier = /^[\p{ID_Continue}$]*$/u;
const quotedName = /^(\[?\s*["'`])(.*?)(["'`]\s*\]?\d*)$/s;

/** Is there a secret in the name of one of these symbols? Each is looked at once; those that a document is the first to name, together. */
function createNamesSecret(hiding: Hiding, isHidden: (shape: SymbolShape) => boolean) {
  const seen = new Set<SymbolShape>();
  const hidden = new Set<SymbolShape>();
  return (shapes: readonly SymbolShape[]): boolean => {
    const said: string[] = [];
    const added: SymbolShape[] = [];
    for (const shape of shapes) {
      if (shape.isLocal || seen.has(shape)) continue;
      seen.add(shape);
      added.push(shape);
      said.push(shape.raw);
      if (shape.name !== null) said.push(shape.name);
    }
    const all = said.join('\n');
    if (hiding.isKnownIn(all) || isSecretIn(all)) for (const shape of added) if (isHidden(shape)) hidden.add(shape);
    return hidden.size > 0 && shapes.some((shape) => hidden.has(shape));
  };
}

/**
 * Asked of all else that a document says at once: nearly always no. What was recognised elsewhere is replaced only in literals and in names
 * that are no words of code, so nothing else is asked for it: code is full of words that are a secret somewhere.
 */
function mayHold(draft: DocumentDraft, { isKnownIn }: Hiding): boolean {
  const said: string[] = [];
  const quoted: string[] = [];
  draft.names.forEach((name, at) => {
    // Else it was looked at with the symbol.
    if (name === null || name === draft.shapes[at]?.name) return;
    said.push(name);
    if (!identifier.test(name)) quoted.push(name);
  });
  for (const { signature } of draft.infos) {
    if (signature === null) continue;
    said.push(signature);
    if (signature.includes('"') || signature.includes("'")) quoted.push(signature);
  }
  for (const { name, detail } of draft.gaps) {
    if (name !== null) said.push(name);
    said.push(detail);
    quoted.push(detail);
  }
  return isKnownIn(quoted.join('\n')) || isSecretIn(said.join('\n'));
}

function isSecretIn(text: string): boolean {
  return findSecrets(text, { entropy: true }).length > 0;
}

function hideInDraft(
  draft: DocumentDraft,
  hiding: Hiding,
  shapes: Map<string, SymbolShape>,
  family: Family,
): DocumentDraft {
  const hideName = (name: string | null): string | null => (name === null ? null : hiding.name(name));
  return {
    ...draft,
    shapes: draft.shapes.map((shape) => hideInShape(shape, hiding, shapes, family)),
    names: draft.names.map(hideName),
    infos: draft.infos.map((info) => ({
      ...info,
      signature: info.signature === null ? null : hiding.signature(info.signature),
    })),
    gaps: draft.gaps.map((gap) => ({ ...gap, name: hideName(gap.name), detail: hiding.text(gap.detail) })),
  };
}

/** Equal symbols stay one object, as everything that looks for them expects. */
function hideInShape(
  shape: SymbolShape,
  { name: hideName, path: hidePath }: Hiding,
  shapes: Map<string, SymbolShape>,
  family: Family,
): SymbolShape {
  if (shape.isLocal) return shape;
  const known = shapes.get(shape.raw);
  if (known !== undefined) return known;
  const symbol = parseScipSymbol(shape.raw);
  let hidden = shape;
  if (symbol?.kind === 'global') {
    const paths = countPathDescriptors(symbol.descriptors, family);
    const descriptors = symbol.descriptors.map((descriptor, at) =>
      at < paths ? descriptor : { ...descriptor, name: hideName(descriptor.name) },
    );
    // Of a module it is the name of its file.
    const name = shape.name === null ? null : hideName(shape.name);
    const isSame = descriptors.every((descriptor, at) => descriptor.name === symbol.descriptors[at]?.name);
    if (!isSame || name !== shape.name)
      hidden = { ...shape, raw: isSame ? shape.raw : renderScipSymbol({ ...symbol, descriptors }), name };
  } else if (hidePath(shape.raw) !== shape.raw) hidden = { ...shape, raw: hidePath(shape.raw) };
  shapes.set(shape.raw, hidden);
  return hidden;
}

/** How many of the first descriptors say where the file is. */
function countPathDescriptors(descriptors: readonly Descriptor[], family: Family): number {
  if (family !== 'typescript') return descriptors[0]?.suffix === 'namespace' ? 1 : 0;
  const end = descriptors.findIndex(({ suffix }) => suffix !== 'namespace');
  const leading = descriptors.slice(0, end < 0 ? descriptors.length : end);
  return leading.findIndex(({ name }) => /\.(?:[cm]?[jt]sx?|json)$/i.test(name)) + 1;
}

// ---- the secrets in a text of the repository, with what stands for each. A repository that holds large tables of constants takes a tenth
// of a second for it, which is more than all else that an import of a few files does: what was recognised in the same bytes is remembered.

/** By secret, what stands for it. */
type RecognisedSecrets = ReadonlyMap<string, string>;

/** A secret that is gone can leave an edge at which the next one is seen. */
const passesMax = 16;
/** More are not told apart. */
const secretsMax = 20_000;

export function recogniseSecrets(bytes: Uint8Array): RecognisedSecrets {
  const recognised = new Map<string, string>();
  let remaining = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  for (let pass = 0; pass < passesMax && recognised.size < secretsMax; pass += 1) {
    const found = findSecrets(remaining, { entropy: true });
    if (found.length === 0) break;
    for (const { start, end, class: kind } of found) {
      const secret = remaining.slice(start, end);
      if (secret.trim().length < knownCharsMin || secret.includes('\n')) continue;
      const placeholder = placeholderFor(findingFor(secret, kind).fingerprint);
      recognised.set(secret, placeholder);
      // A compiler writes a literal in its own way, with other characters escaped.
      for (const spelling of spellingsOf(secret)) recognised.set(spelling, placeholder);
    }
    const spans = found.map(({ start, end }) => [start, end] as const).sort(([a], [b]) => a - b);
    remaining = blank(remaining, spans);
  }
  return recognised;
}

/** Secrets that are remembered, of all texts together. */
const rememberedMax = 100_000;

/** By hash of the bytes. */
const remembered = new Map<string, RecognisedSecrets>();
let size = 0;

/** The same of bytes that many imports will look at. */
export function recogniseOnce(bytes: Uint8Array): RecognisedSecrets {
  const hash = blake3Hex(bytes);
  const known = remembered.get(hash);
  if (known !== undefined) return known;
  const recognised = recogniseSecrets(bytes);
  size += recognised.size + 1;
  if (size > rememberedMax) {
    remembered.clear();
    size = recognised.size + 1;
  }
  remembered.set(hash, recognised);
  return recognised;
}

function spellingsOf(secret: string): readonly string[] {
  if (!/["'`\\]/.test(secret)) return [];
  const plain = secret.replace(/\\(["'`\\/])/g, '$1');
  return [plain, plain.replace(/["\\]/g, '\\$&'), plain.replace(/['\\]/g, '\\$&')].filter(
    (text) => text.length >= knownCharsMin,
  );
}

function blank(text: string, spans: readonly (readonly [number, number])[]): string {
  let [blanked, from] = ['', 0];
  for (const [start, end] of spans) {
    if (start < from) continue;
    blanked += text.slice(from, start) + ' '.repeat(end - start);
    from = end;
  }
  return blanked + text.slice(from);
}

// ---- given texts in another one, also where it breaks off in the middle of one: compilers cut long types, `"postgres://app:hun..."`, and
// the half of a secret is a secret too. The time grows with the logarithm of how many are looked for: a repository may hold thousands.

type KnownSpan = {
  readonly start: number;
  readonly end: number;
  /** The text that is there, or that begins there. */
  readonly known: string;
};

type FindKnown = (text: string) => readonly KnownSpan[];

/** All are at least so long. */
export const knownCharsMin = 4;

export function createFindKnown(texts: Iterable<string>): FindKnown {
  const sorted = [...new Set(texts)].filter((text) => text.length >= knownCharsMin).sort(byCodeUnits);
  if (sorted.length === 0) return () => [];
  const beginnings = new Set(sorted.map((text) => text.slice(0, knownCharsMin)));
  const firsts = new Uint8Array(0x10000);
  for (const text of sorted) firsts[text.charCodeAt(0)] = 1;
  const shorter = linkPrefixes(sorted);

  /** The longest that is at this place, whole or broken off. */
  const matchAt = (text: string, start: number): KnownSpan | undefined => {
    const next = lowerBound(sorted, text, start);
    let broken: KnownSpan | undefined;
    // What shares most with the text stands right before or right behind the place that the text would have among them.
    for (const at of [next, next - 1]) {
      const known = sorted[at];
      if (known === undefined) continue;
      const shared = countShared(known, text, start);
      if (shared === known.length) return { start, end: start + shared, known };
      const isCut = shared >= knownCharsMin && isBreak(text, start + shared);
      if (isCut && (broken === undefined || start + shared > broken.end))
        broken = { start, end: start + shared, known };
    }
    if (broken !== undefined) return broken;
    for (let at = shorter[next - 1] ?? -1; at >= 0; at = shorter[at] ?? -1) {
      const known = sorted[at] as string;
      if (text.startsWith(known, start)) return { start, end: start + known.length, known };
    }
    return undefined;
  };

  return (text) => {
    const spans: KnownSpan[] = [];
    for (let at = 0; at + knownCharsMin <= text.length; at += 1) {
      if (firsts[text.charCodeAt(at)] === 0 || !beginnings.has(text.slice(at, at + knownCharsMin))) continue;
      const span = matchAt(text, at);
      if (span === undefined) continue;
      spans.push(span);
      at = span.end - 1;
    }
    return spans;
  };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of each, the position of the longest other that it begins with, or -1. */
function linkPrefixes(sorted: readonly string[]): Int32Array {
  const links = new Int32Array(sorted.length).fill(-1);
  const open: number[] = [];
  sorted.forEach((text, at) => {
    while (open.length > 0 && !text.startsWith(sorted[open.at(-1) as number] as string)) open.pop();
    links[at] = open.at(-1) ?? -1;
    open.push(at);
  });
  return links;
}

/** Position of the first that does not come before the rest of the text. */
function lowerBound(sorted: readonly string[], text: string, start: number): number {
  return countWhile(sorted, (known) => {
    const shared = countShared(known, text, start);
    // One that the text begins with comes before it.
    return shared === known.length
      ? start + shared < text.length
      : known.charCodeAt(shared) < text.charCodeAt(start + shared);
  });
}

function countShared(known: string, text: string, start: number): number {
  const end = Math.min(known.length, text.length - start);
  let count = 0;
  while (count < end && known.charCodeAt(count) === text.charCodeAt(start + count)) count += 1;
  return count;
}

function isBreak(text: string, at: number): boolean {
  return text.startsWith('...', at) || text.startsWith('…', at);
}
