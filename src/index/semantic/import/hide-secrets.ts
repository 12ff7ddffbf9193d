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

import type { Redactors } from '../../../kernel/formats/rewrite-scip.ts';
import { type Descriptor, parseScipSymbol, renderScipSymbol } from '../../../kernel/formats/scip.ts';
import { findSecrets } from '../../../kernel/secrets/find-secrets.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';
import type { Family } from '../../../languages/context-spec.ts';
import type { DocumentDraft } from './describe-document.ts';
import { createFindKnown } from './find-known.ts';
import { type RecognisedSecrets, secretsMax } from './recognise-secrets.ts';
import type { SymbolShape } from './symbol-shape.ts';

export type SecretsSeen = {
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
    if (descriptors.some(({ name }, at) => name !== symbol.descriptors[at]?.name)) {
      const name = shape.name === null ? null : hideName(shape.name);
      hidden = { ...shape, raw: renderScipSymbol({ ...symbol, descriptors }), name };
    }
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
