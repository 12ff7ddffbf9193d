/**
 * A small XML reader for pom.xml and project files. Hand-written, because half a manifest must be refused: htmlparser2 mends what it reads
 * (it takes stray closing tags, unknown entities and `&#0;`, and cannot tell `<a/>` from an `<a>` that is not closed) and is little faster.
 *
 * No DTD: `<!DOCTYPE` is malformed, and with it every entity but the five and character references, so nothing can be defined,
 * fetched or multiplied. Names are kept as written; namespaces are not resolved. Iterative and linear.
 */

import {
  failedParse,
  lineAt,
  malformed,
  type ParseLimits,
  type ParseOutcome,
  parsed,
  parseText,
} from './parse-outcome.ts';

export type XmlElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Character data directly inside this element, CDATA included, white space around it dropped. */
  readonly text: string;
};

type Open = {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
};

/** Depth: the root element is 0. */
export function parseXml(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<XmlElement> {
  const decoded = parseText(bytes, limits);
  if (!decoded.ok) return decoded;
  const text = decoded.value;
  const open: Open[] = [];
  let root: XmlElement | undefined;
  const wrong = (detail: string, offset: number) => malformed(`xml: ${detail}`, lineAt(text, offset));

  const close = (element: Open): void => {
    const done: XmlElement = { ...element, text: element.text.trim() };
    const parent = open.at(-1);
    if (parent === undefined) root = done;
    else parent.children.push(done);
  };

  let at = 0;
  while (at < text.length) {
    const parent = open.at(-1);
    if (text.charCodeAt(at) !== lessThan) {
      const end = indexOrEnd(text, '<', at);
      const data = readCharacters(text.slice(at, end));
      if (data === undefined) return wrong('unknown entity', at);
      if (parent !== undefined) parent.text += data;
      else if (data.trim() !== '') return wrong('text outside the root element', at);
      at = end;
    } else if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end === -1) return wrong('unterminated comment', at);
      at = end + 3;
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at + 9);
      if (end === -1 || parent === undefined) return wrong('misplaced or unterminated CDATA', at);
      parent.text += text.slice(at + 9, end);
      at = end + 3;
    } else if (text.startsWith('<?', at)) {
      const end = text.indexOf('?>', at + 2);
      if (end === -1) return wrong('unterminated processing instruction', at);
      at = end + 2;
    } else if (text.startsWith('<!', at)) {
      return wrong('a document type is not read', at);
    } else if (text.startsWith('</', at)) {
      const end = indexOrEnd(text, '>', at);
      const name = text.slice(at + 2, end).trim();
      if (end === text.length || parent?.name !== name) return wrong('closing tag without its opening tag', at);
      open.pop();
      close(parent);
      at = end + 1;
    } else {
      const tag = readTag(text, at + 1);
      if (tag === undefined) return wrong('malformed tag', at);
      if (root !== undefined) return wrong('more than one root element', at);
      if (open.length > limits.maxDepth) return failedParse({ kind: 'depth_cap_exceeded', cap: limits.maxDepth });
      const element: Open = { name: tag.name, attributes: tag.attributes, children: [], text: '' };
      if (tag.selfClosing) close(element);
      else open.push(element);
      at = tag.end;
    }
  }
  if (open.length > 0) return wrong('an element is not closed', text.length);
  return root === undefined ? wrong('no root element', text.length) : parsed(root);
}

const lessThan = 0x3c;

type Tag = {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly selfClosing: boolean;
  readonly end: number;
};

/** The tag whose name begins at `start`; `end` is past its `>`. */
function readTag(text: string, start: number): Tag | undefined {
  let at = skipName(text, start);
  const name = text.slice(start, at);
  if (name === '') return undefined;
  const attributes = new Map<string, string>();
  for (;;) {
    const spaced = skipSpace(text, at);
    const code = text.charCodeAt(spaced);
    if (code === 0x3e) return { name, attributes, selfClosing: false, end: spaced + 1 };
    if (code === 0x2f) {
      return text.charCodeAt(spaced + 1) === 0x3e
        ? { name, attributes, selfClosing: true, end: spaced + 2 }
        : undefined;
    }
    const nameEnd = skipName(text, spaced);
    const attribute = text.slice(spaced, nameEnd);
    const equals = skipSpace(text, nameEnd);
    // An attribute needs white space before it, and may stand once.
    if (attribute === '' || spaced === at || attributes.has(attribute) || text.charCodeAt(equals) !== 0x3d)
      return undefined;
    const quoteAt = skipSpace(text, equals + 1);
    const quote = text[quoteAt];
    if (quote !== '"' && quote !== "'") return undefined;
    const close = text.indexOf(quote, quoteAt + 1);
    if (close === -1) return undefined;
    const raw = text.slice(quoteAt + 1, close);
    const value = raw.includes('<') ? undefined : readCharacters(raw);
    if (value === undefined) return undefined;
    attributes.set(attribute, value);
    at = close + 1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Names begin with a letter, `_`, `:` or anything beyond ASCII, and go on with digits, `-` and `.` too. */
function skipName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0x7f;
    const isStart = isLetter || code === 0x5f || code === 0x3a;
    const isLater = (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
    if (!isStart && !(isLater && at > from)) break;
  }
  return at;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Undefined for an entity that is none of the five and no character. */
function readCharacters(raw: string): string | undefined {
  let at = raw.indexOf('&');
  if (at === -1) return raw;
  const pieces: string[] = [];
  let copied = 0;
  while (at !== -1) {
    // The longest reference is a character number; a limit keeps a text of ampersands linear.
    const end = raw.slice(at, at + 12).indexOf(';') + at;
    if (end < at) return undefined;
    const name = raw.slice(at + 1, end);
    const character = entities.get(name) ?? readCharacterNumber(name);
    if (character === undefined) return undefined;
    pieces.push(raw.slice(copied, at), character);
    copied = end + 1;
    at = raw.indexOf('&', copied);
  }
  return pieces.join('') + raw.slice(copied);
}

function readCharacterNumber(name: string): string | undefined {
  const isHex = name.startsWith('#x');
  const digits = name.slice(isHex ? 2 : 1);
  if (!name.startsWith('#') || digits === '') return undefined;
  const alphabet = isHex ? '0123456789abcdefABCDEF' : '0123456789';
  for (const digit of digits) if (!alphabet.includes(digit)) return undefined;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  const isCharacter = code <= 0x10ffff && (code >= 0x20 || code === 0x09 || code === 0x0a || code === 0x0d);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isCharacter && !isSurrogate ? String.fromCodePoint(code) : undefined;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? text.length : at;
}
