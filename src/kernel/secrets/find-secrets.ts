/**
 * Finds every secret in a text (gather.md §7.3). Promises: spans are in order, do not overlap, and never touch a placeholder;
 * the time is linear in the text. The finders run one after the other and each sees only what the earlier ones left,
 * so the edge of something already found is the edge of the text for all that follow.
 */

import { findApart } from './apart.ts';
import { argumentTriggers, findArguments, pipedSecret } from './arguments.ts';
import {
  findAssignments,
  isExpression,
  isKnownSample,
  isPrimitiveType,
  isReference,
  isSecretLiteral,
  type Span,
} from './assignment.ts';
import { findRandomTokens } from './entropy.ts';
import { apartLiterals, type LiteralGroup, type Literals, literalsOf } from './literals.ts';
import {
  AWS_NEIGHBOUR_LINES,
  authorizationHeader,
  awsSecretValue,
  connectionNeighbour,
  connectionPassword,
  dockerfileEnv,
  jwtShape,
  likelyNamePart,
  PLACEHOLDER_SHAPE,
  privateKeyBlock,
  type SecretClass,
  secretNamePart,
  telegramToken,
  tokenPatterns,
  urlCredentials,
} from './patterns.ts';

type SecretSpan = Span & { readonly class: SecretClass };

/** No pattern is shorter than `a://:b@c`. */
const MIN_TEXT_CHARS = 8;

/** `gap` says where the text stands in the whole. */
type Finder = (text: string, gap: Span, literals: Literals) => readonly SecretSpan[];

/** Asks a finder only where the letters are there that it cannot do without. */
const where =
  (group: LiteralGroup, find: (text: string) => readonly SecretSpan[]): Finder =>
  (text, _, literals) =>
    literals.has(group) ? find(text) : [];

const findTelegramTokens: Finder = (text) => findAll(text, telegramToken, 'telegram_token');
const tokenFinders: readonly Finder[] = [
  where('tokens', findTokens),
  findTelegramTokens,
  where('jwts', findJwts),
  findEncodedTokens,
];
const namedFinders: readonly Finder[] = [
  where('tokens', (text) => withAwsSecrets(text, findTokens(text))),
  ...tokenFinders.slice(1),
  where('addresses', (text) => findAll(text, urlCredentials, 'url_credentials', (password) => !isReference(password))),
  where('authorizations', findAuthorizations),
  where('connections', findConnectionPasswords),
  where('dockerfiles', (text) => findAll(text, dockerfileEnv, 'assignment', isSecretLiteral)),
  (text, _, literals) =>
    findAssignments(text, 'secret', literals).map((span) => ({ ...span, class: 'assignment' as const })),
];
/** A command is read whole: what was found in the middle of it must not part a flag from its program. */
function argumentFinder(whole: string, look: Look): Finder {
  let spans: readonly Span[] | undefined;
  let next = 0;
  // Gaps are asked about in order.
  return (_, gap) => {
    spans ??= [
      ...findArguments(whole, look(whole)),
      ...findAssignments(whole, 'likely', look(whole)),
      ...findApart(whole, look(whole)),
    ].sort((a, b) => a.start - b.start);
    const found: SecretSpan[] = [];
    let from = gap.start;
    for (; next < spans.length; next += 1) {
      const span = spans[next] as Span;
      const start = Math.max(span.start, from);
      const end = Math.min(span.end, gap.end);
      if (start < end) {
        found.push({ start: start - gap.start, end: end - gap.start, class: 'argument' });
        from = end;
      }
      if (span.end > gap.end) break;
    }
    return found;
  };
}
const randomFinder: Finder = (text) => findRandomTokens(text).map((span) => ({ ...span, class: 'entropy' }));

/** `look` says where to look; tests look everywhere. */
type Look = (text: string) => Literals;

export function findSecrets(
  text: string,
  options: { readonly entropy: boolean },
  look: Look = literalsOf,
): SecretSpan[] {
  if (text.length < MIN_TEXT_CHARS) return [];
  const lookOnce = once(look);
  const named =
    text.length > SHORT_TEXT_CHARS || mayHoldNamed.test(text) ? [...namedFinders, argumentFinder(text, lookOnce)] : [];
  return findInTurn(text, findKeyBlocks(text), options.entropy ? [...named, randomFinder] : named, lookOnce);
}

/** Only what is known by its own letters, wherever it stands: no line, no quote and no name around it is asked about. */
export function findTokensAnywhere(text: string): SecretSpan[] {
  return findInTurn(text, [], tokenFinders, once(literalsOf));
}

/** What was found parts a text in gaps, and every finder asks about each of them. */
function once(look: Look): Look {
  const known = new Map<string, Literals>();
  return (text) => {
    const found = known.get(text) ?? look(text);
    known.set(text, found);
    return found;
  };
}

function findInTurn(text: string, first: readonly SecretSpan[], finders: readonly Finder[], look: Look): SecretSpan[] {
  const found = [...first];
  let open = gapsBetween({ start: 0, end: text.length }, found);
  if (text.includes('<REDACTED:')) open = open.flatMap((gap) => gapsBetween(gap, findPlaceholders(text, gap)));
  for (const finder of finders) {
    const left: Span[] = [];
    for (const gap of open) {
      const whole = gap.start === 0 && gap.end === text.length;
      const part = whole ? text : text.slice(gap.start, gap.end);
      const spans = finder(part, gap, look(part)).map((span) => shift(span, gap.start));
      for (const span of spans) found.push(span);
      if (spans.length === 0) left.push(gap);
      else for (const rest of gapsBetween(gap, spans)) left.push(rest);
    }
    open = left;
  }
  return found.sort((a, b) => a.start - b.start);
}

const anyToken = new RegExp(tokenPatterns.map(({ before = '', secret }) => `${before}(${secret})`).join('|'), 'g');

/** What every named pattern but the key blocks has in it. One look instead of seven: slices hold many short strings. */
const mayHoldNamed = new RegExp(
  `${anyToken.source}|[0-9]{8}:|eyJ|%[0-9a-f]{2}|\\\\[xu]|&#|://|authorization|pwd|${secretNamePart}|${likelyNamePart}|${argumentTriggers.join('|')}|${pipedSecret.source}|${Object.values(
    apartLiterals,
  )
    .flat()
    .map((text) => text.replace(/[$*()]/g, '\\$&'))
    .join('|')}`,
  'i',
);
const SHORT_TEXT_CHARS = 512;

function findTokens(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  anyToken.lastIndex = 0;
  for (let match = anyToken.exec(text); match !== null; match = anyToken.exec(text)) {
    const which = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    const end = match.index + match[0].length;
    const length = (match[which + 1] as string).length;
    spans.push({ start: end - length, end, class: (tokenPatterns[which] as (typeof tokenPatterns)[number]).class });
  }
  return spans;
}

function withAwsSecrets(text: string, spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const ids = spans.filter((span) => span.class === 'aws_access_key');
  return ids.length === 0 ? spans : [...spans, ...findAwsSecrets(text, ids, spans)].sort((a, b) => a.start - b.start);
}

/** Forty characters of base64 near an access key; pure hex is a git id and not one. */
function findAwsSecrets(text: string, ids: readonly Span[], taken: readonly Span[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const window of linesAround(text, ids, AWS_NEIGHBOUR_LINES)) {
    for (const gap of gapsBetween(window, taken)) {
      for (const match of text.slice(gap.start, gap.end).matchAll(awsSecretValue)) {
        const start = gap.start + match.index;
        if (!/^[0-9a-f]*$/i.test(match[0]))
          spans.push({ start, end: start + match[0].length, class: 'aws_secret_key' });
      }
    }
  }
  return spans;
}

/** The lines within `distance` of any span, merged where they meet. */
function linesAround(text: string, spans: readonly Span[], distance: number): Span[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const windows: Span[] = [];
  let line = 0;
  for (const span of spans) {
    while ((starts[line + 1] ?? text.length + 1) <= span.start) line += 1;
    const start = starts[Math.max(0, line - distance)] ?? 0;
    const end = starts[line + distance + 1] ?? text.length;
    const last = windows.at(-1);
    if (last !== undefined && start <= last.end) windows[windows.length - 1] = { start: last.start, end };
    else windows.push({ start, end });
  }
  return windows;
}

/** A character as addresses, strings of programs (in JSON with two backslashes) and pages write it. */
const encodedUnit =
  /%([0-9A-Fa-f]{2})|\\+(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\})|&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));/y;
const encodedBeginnings = ['%', '\\x', '\\u', '&#'];
const encodedNeighbour = /[A-Za-z0-9_.~+=:/\\-]/;

/** Tokens of which some characters are written as escapes: `hooks.slack.com%2Fservices%2FT…`, `"\u0067hp_…"`. */
export function findEncodedTokens(text: string): readonly SecretSpan[] {
  const found = encodedBeginnings.flatMap((begins) => findEncodedFrom(text, begins));
  // A token that is written in two ways is found by each.
  const inOrder = found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return inOrder.filter((span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

function findEncodedFrom(text: string, begins: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let end = 0;
  for (let at = text.indexOf(begins); at >= 0; at = text.indexOf(begins, Math.max(at + 1, end))) {
    if (decodeAt(text, at) === undefined) continue;
    let from = at;
    while (from > end && encodedNeighbour.test(text.charAt(from - 1))) from -= 1;
    // The places of the decoded characters, and at last that of the end.
    const places = [from];
    let decoded = '';
    for (end = from; end < text.length; places.push(end)) {
      const unit = decodeAt(text, end);
      if (unit === undefined && !encodedNeighbour.test(text.charAt(end))) break;
      decoded += unit?.character ?? text.charAt(end);
      end = unit?.end ?? end + 1;
    }
    for (const span of findTokens(decoded))
      spans.push({ ...span, start: places[span.start] as number, end: places[span.end] as number });
  }
  return spans;
}

/** What stands for one character here. One that does not fit into a unit is no part of a token, and is a blank. */
function decodeAt(text: string, at: number): { readonly character: string; readonly end: number } | undefined {
  encodedUnit.lastIndex = at;
  const found = encodedUnit.exec(text);
  if (found === null) return undefined;
  const [, percent, byte, unit, point, page, decimal] = found;
  const code =
    decimal === undefined ? Number.parseInt(percent ?? byte ?? unit ?? point ?? page ?? '', 16) : Number(decimal);
  return { character: code < 0x80 ? String.fromCharCode(code) : ' ', end: encodedUnit.lastIndex };
}

function findJwts(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(jwtShape)) {
    const dot = match[0].indexOf('.');
    if (dot < 0) continue;
    // The run may have begun before the header did; a few beginnings are tried, not every one of a hostile run.
    let from = 0;
    for (let tries = 0; tries < 4 && from >= 0 && from < dot; tries += 1, from = match[0].indexOf('eyJ', from + 1)) {
      if (!isJsonHeader(match[0].slice(from, dot))) continue;
      spans.push({ start: match.index + from, end: match.index + match[0].length, class: 'jwt' });
      break;
    }
  }
  return spans;
}

function isJsonHeader(part: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null;
  } catch {
    return false;
  }
}

function findKeyBlocks(text: string): readonly SecretSpan[] {
  if (!text.includes('BEGIN') || !text.includes('PRIVATE')) return [];
  return [...text.matchAll(privateKeyBlock)].map((match) => {
    const end = match.index + match[0].length;
    const value = match[1] ?? match[0];
    return { start: end - value.length, end, class: match[1] === undefined ? 'private_key' : 'google_key' };
  });
}

/** Without a scheme the value must at least hold a digit: `authorization: required` says nothing secret. */
function findAuthorizations(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(authorizationHeader)) {
    const [all, scheme, value = ''] = match;
    if (scheme === undefined && (value.length < 8 || !/[0-9]/.test(value) || isExpression(value))) continue;
    if (isReference(value) || isKnownSample(value) || isPrimitiveType(value)) continue;
    const end = match.index + all.length;
    spans.push({ start: end - value.length, end, class: 'connection_string' });
  }
  return spans;
}

function findConnectionPasswords(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(connectionPassword)) {
    const value = match[1] ?? match[2] ?? '';
    if (isReference(value) || isExpression(value)) continue;
    const end = match.index + match[0].length;
    const shouted = /^P/.test(match[0]);
    if (!shouted && !connectionNeighbour.test(text.slice(Math.max(0, match.index - 200), end + 200))) continue;
    spans.push({ start: end - value.length, end, class: 'connection_string' });
  }
  return spans;
}

function findAll(
  text: string,
  pattern: RegExp,
  secretClass: SecretClass,
  accepts: (value: string) => boolean = () => true,
): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[0];
    if (!accepts(value)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, class: secretClass });
  }
  return spans;
}

const placeholder = new RegExp(PLACEHOLDER_SHAPE, 'g');

function findPlaceholders(text: string, within: Span): Span[] {
  return [...text.slice(within.start, within.end).matchAll(placeholder)].map((match) => ({
    start: within.start + match.index,
    end: within.start + match.index + match[0].length,
  }));
}

/** What `taken`, in order, leaves of `within`. */
function gapsBetween(within: Span, taken: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let start = within.start;
  for (const span of taken) {
    if (span.end <= start) continue;
    if (span.start >= within.end) break;
    if (span.start > start) gaps.push({ start, end: span.start });
    start = span.end;
  }
  if (start < within.end) gaps.push({ start, end: within.end });
  return gaps;
}

function shift(span: SecretSpan, by: number): SecretSpan {
  return by === 0 ? span : { start: span.start + by, end: span.end + by, class: span.class };
}
