/**
 * Variables of a Dockerfile, replaced as the builder does: `$X`, `${X}`, `${X:-y}`, `${X-y}`, `${X:+y}`, `${X+y}`, quotes and escapes
 * taken away. What has no value in the file stays as written and is named. Total; the result is never longer than its bound.
 */

import { dockerfileLimits } from './limits.ts';

/** Undefined: nothing in the file gives it a value. */
export type Lookup = (name: string) => string | undefined;

export type Substituted = { readonly text: string; readonly unresolved: readonly string[] };

const nameAt = /[A-Za-z_][A-Za-z0-9_]{0,199}/y;
/** `${X:-${Y:-z}}` is written; hundreds of levels are not. */
const maxDepth = 8;

export function substitute(raw: string, escapeChar: string, lookup: Lookup, depth = 0): Substituted {
  const unresolved: string[] = [];
  let text = '';
  let quote = '';
  for (let at = 0; at < raw.length && text.length <= dockerfileLimits.valueChars; ) {
    const char = raw.charAt(at);
    if (char === escapeChar && quote !== "'" && at + 1 < raw.length) {
      const next = raw.charAt(at + 1);
      if (quote === '"' && next !== '"' && next !== '$' && next !== escapeChar) text += char;
      text += next;
      at += 2;
    } else if (quote !== '' ? char === quote : char === '"' || char === "'") {
      quote = quote === '' ? char : '';
      at += 1;
    } else if (char === '$' && quote !== "'") {
      const reference = readReference(raw, at);
      const value = resolve(reference, escapeChar, lookup, depth);
      text += value.text;
      unresolved.push(...value.unresolved);
      at += reference.source.length;
    } else {
      text += char;
      at += 1;
    }
  }
  if (text.length > dockerfileLimits.valueChars) text = text.slice(0, dockerfileLimits.valueChars);
  return { text, unresolved };
}

type Reference = {
  readonly source: string;
  /** Null: no variable at all, or an operator that is not known here. */
  readonly name: string | null;
  readonly operator: string;
  readonly word: string;
};

function readReference(raw: string, at: number): Reference {
  const braced = raw.charAt(at + 1) === '{';
  nameAt.lastIndex = at + (braced ? 2 : 1);
  const name = nameAt.exec(raw)?.[0];
  if (name === undefined) return { source: '$', name: null, operator: '', word: '' };
  const after = at + (braced ? 2 : 1) + name.length;
  if (!braced) return { source: raw.slice(at, after), name, operator: '', word: '' };
  const end = closingBrace(raw, after);
  if (end < 0) return { source: '$', name: null, operator: '', word: '' };
  const operator = /^:?[-+?]/.exec(raw.slice(after, after + 2))?.[0] ?? '';
  const source = raw.slice(at, end + 1);
  // `${X#pattern}`, `${X%pattern}`, `${X/a/b}` are left as they are.
  if (operator === '' && after !== end) return { source, name, operator: 'unknown', word: '' };
  return { source, name, operator, word: raw.slice(after + operator.length, end) };
}

/** Bounded, so that many open braces stay cheap. */
function closingBrace(raw: string, from: number): number {
  let depth = 1;
  const end = Math.min(raw.length, from + 1_024);
  for (let at = from; at < end; at += 1) {
    const char = raw.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '{' && raw.charAt(at - 1) === '$') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function resolve(reference: Reference, escapeChar: string, lookup: Lookup, depth: number): Substituted {
  const { name, operator, source, word } = reference;
  if (name === null) return { text: source, unresolved: [] };
  const value = lookup(name);
  if (operator === 'unknown' || depth >= maxDepth) return { text: source, unresolved: [name] };
  const isSet = value !== undefined && !(operator.startsWith(':') && value === '');
  if (operator.endsWith('-')) return isSet ? known(value) : substitute(word, escapeChar, lookup, depth + 1);
  if (operator.endsWith('+')) return isSet ? substitute(word, escapeChar, lookup, depth + 1) : known('');
  return value === undefined ? { text: source, unresolved: [name] } : known(value);
}

function known(text: string): Substituted {
  return { text, unresolved: [] };
}
