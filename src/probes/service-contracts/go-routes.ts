/**
 * Routes of Go: the names by which net/http, gin, echo, fiber, chi, httprouter and gorilla/mux register, below the groups and subrouters that
 * the file makes. What a function is given, or a mounted router returns, may stand below anything: such a path is not whole.
 */

import { argumentsAt, type Found, firstArgument, joined, verbs } from './route-text.ts';

const registration =
  /\.\s*(HandleFunc|Handle|PathPrefix|Match|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options)\(/g;

export function readGo(text: string): readonly Found[] {
  const found: Found[] = [];
  const hasUpper = /"github\.com\/(?:gin-gonic\/gin|labstack\/echo|julienschmidt\/httprouter)/.test(text);
  const hasTitle = /"github\.com\/(?:go-chi\/chi|gofiber\/fiber)/.test(text);
  let registrations = 0;
  for (const match of text.matchAll(registration)) {
    const name = match[1] ?? '';
    const isVerb = verbs.has(name.toLowerCase()) || name === 'Any' || name === 'Match';
    const isUpper = name === name.toUpperCase() || name === 'Any' || name === 'Match';
    if (isVerb && !(isUpper ? hasUpper : hasTitle)) continue;
    const open = match.index + match[0].length - 1;
    const whole = argumentsAt(text, open);
    const listed = name === 'Match' ? firstArgument(whole) : '';
    const args = name === 'Match' ? `(${whole.slice(listed.length + 2)}` : whole;
    const first = firstArgument(args);
    // Each is looked for in the text before it, so their number is bounded.
    registrations += 1;
    const prefix = registrations > registrationsMax ? unknownPrefix : prefixBefore(text, match.index, includesMax);
    // A path may be put together first: `base + "/a"`, `prefixed("/a")`. What a group is asked for is a path without a slash too.
    const literal = /["`]((?:[A-Z]+ )?[^"`\s]*)["`]\s*\)?\s*$/.exec(first)?.[1];
    const isPath = literal !== undefined && (/^(?:[A-Z]+ )?\S*\//.test(literal) || (isVerb && prefix.isRouter));
    if (!isPath) continue;
    const rest = text.slice(open + whole.length, open + whole.length + 300);
    if (name === 'PathPrefix' ? !/^\s*\.\s*Handler(?:Func)?\(/.test(rest) : first.length + 2 >= args.length) continue;
    const [, own, path = ''] = /^([A-Z]+ )?(.*)$/.exec(literal) ?? [];
    const chained = argumentsAt(rest, rest.match(/^\s*\.\s*Methods(?=\()/)?.[0].length ?? rest.length);
    const methods = [...`${listed}${chained}`.matchAll(/Method(\w+)|"([A-Z]+)"/g)].map(([, a, b]) =>
      (a ?? b ?? '').toUpperCase(),
    );
    const isNamed = isVerb && name !== 'Any' && name !== 'Match';
    const verb = isNamed ? name.toUpperCase() : (own?.trim() ?? '');
    found.push({
      method: verb === '' ? methods.join(',') || 'ANY' : verb,
      path: prefix.path === '' && !prefix.isRouter ? path : joined(prefix.path, path),
      at: match.index,
      whole: prefix.isWhole && /^\s*["`][^"`]*["`]\s*$/.test(first),
    });
  }
  return found;
}

/** What stands before a path that is registered on something; `isRouter`: it is known to be one. */
type Prefix = { readonly path: string; readonly isWhole: boolean; readonly isRouter: boolean };

const includesMax = 20;
const registrationsMax = 500;
/** How far back a declaration is looked for, and how many of them. */
const reach = { chars: 20_000, places: 20 };
const unknownPrefix: Prefix = { path: '', isWhole: false, isRouter: false };
const noPrefix: Prefix = { path: '', isWhole: true, isRouter: true };

/** Routers that nothing can be put before: they are the application. */
const applications = /^(?:gin\.(?:New|Default)|echo\.New|fiber\.New|http\.NewServeMux|httprouter\.New)$/;
/** Routers that may be mounted below another. */
const mountable = /^(?:chi\.NewRouter|chi\.NewMux|mux\.NewRouter)$/;
const applicationType = /\*?(?:gin\.Engine|echo\.Echo|fiber\.App|http\.ServeMux|httprouter\.Router)$/;
const routerType =
  /(?:\*?gin\.(?:RouterGroup|IRouter|IRoutes)|\*?echo\.Group|fiber\.Router|chi\.Router|\*?chi\.Mux|\*?mux\.Router)$/;

/** The prefix of the expression that ends here: `api`, `s.router`, `api.Group("/x").Use(auth)`. */
function prefixBefore(text: string, end: number, depth: number): Prefix {
  let at = end;
  const calls: { readonly name: string; readonly args: string }[] = [];
  for (;;) {
    while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
    if (text.charAt(at - 1) !== ')') break;
    const open = openingOf(text, at - 1);
    const name = /\w+$/.exec(text.slice(Math.max(0, open - 80), open))?.[0] ?? '';
    if (open < 0 || name === '') return unknownPrefix;
    calls.unshift({ name, args: text.slice(open, at) });
    at = open - name.length;
    while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
    if (text.charAt(at - 1) !== '.') return unknownPrefix;
    at -= 1;
  }
  const base = /[\w.]+$/.exec(text.slice(Math.max(0, at - 120), at))?.[0];
  if (base === undefined || depth === 0) return unknownPrefix;
  const called = calls.length > 0 && applications.test(`${base}.${calls[0]?.name}`);
  if (called) return below(noPrefix, calls.slice(1));
  const mounted = calls.length > 0 && mountable.test(`${base}.${calls[0]?.name}`);
  return mounted ? below(noPrefix, calls.slice(1)) : below(prefixOfName(text, base, at, depth - 1), calls);
}

function below(prefix: Prefix, calls: readonly { readonly name: string; readonly args: string }[]): Prefix {
  let known = prefix;
  for (const { name, args } of calls) {
    if (/^(?:Use|With|Subrouter|StrictSlash|Methods|Host|Schemes|Headers|Queries|Name|NewRoute)$/.test(name)) continue;
    if (!/^(?:Group|Route|PathPrefix|Path)$/.test(name)) return unknownPrefix;
    const first = firstArgument(args);
    const literal = /^\s*["`]([^"`\s]*)["`]\s*$/.exec(first)?.[1];
    // Without a path, a group only shares what stands before its handlers.
    if (literal === undefined && /^\s*(?:func\b|$)/.test(first)) continue;
    known = {
      path: literal === undefined ? known.path : joined(known.path, literal),
      isWhole: known.isWhole && literal !== undefined,
      isRouter: true,
    };
  }
  return known.path === '/' ? { ...known, path: '' } : known;
}

/** From the nearest place before it that declares the name where it is used. */
function prefixOfName(text: string, name: string, at: number, depth: number): Prefix {
  const word = name.replaceAll('.', '\\.');
  const pattern = new RegExp(
    `(?<![\\w.])${word}\\s*(?::=|=(?!=))\\s*|(?<=[(,]\\s*)${word}\\s+([\\w.*]+)\\s*(?=[,)])`,
    'g',
  );
  const from = Math.max(0, at - reach.chars);
  const places = [...text.slice(from, at).matchAll(pattern)].map(({ index, 0: found, 1: type }) => {
    return { index: from + index, end: from + index + found.length, type };
  });
  const place = places.slice(-reach.places).findLast(({ end, type }) => isVisible(text, end, at, type !== undefined));
  const isCut = from > 0 || places.length > reach.places;
  if (place === undefined && isCut) return unknownPrefix;
  // A field or a global that other files fill: as if nothing were above it, unless this file makes groups.
  if (place === undefined)
    return /\.(?:Group|Subrouter|Route|Mount)\(|StripPrefix\(/.test(text)
      ? unknownPrefix
      : { ...noPrefix, isRouter: false };
  const start = place.end;
  if (place.type !== undefined) return prefixOfParameter(text, place.type, place.index, depth);
  const expression = /^[\w.]+/.exec(text.slice(start, start + 120))?.[0] ?? '';
  const end = endOfExpression(text, start);
  if (applications.test(expression)) return noPrefix;
  if (mountable.test(expression)) return prefixOfMounted(text, name, start, depth);
  if (expression === '' || end === start) return unknownPrefix;
  return prefixBefore(text, end, depth);
}

/** `func(r chi.Router)` given to `Route("/x", …)` or `Group(…)`; a function with a name is given what its callers have. */
function prefixOfParameter(text: string, type: string, at: number, depth: number): Prefix {
  if (applicationType.test(type)) return noPrefix;
  const before = text.slice(Math.max(0, at - 300), at);
  const given = /\.\s*(Route|Group)\(\s*(?:(["`])([^"`\s]*)\2\s*,\s*)?func\s*\(\s*$/.exec(before);
  if (given === null) return routerType.test(type) ? { ...unknownPrefix, isRouter: true } : unknownPrefix;
  const above = prefixBefore(text, at - before.length + given.index, depth);
  return { path: joined(above.path, given[3] ?? ''), isWhole: above.isWhole, isRouter: true };
}

/** A router that is made here is the whole, unless it is put below another or given to who asked for it. */
function prefixOfMounted(text: string, name: string, at: number, depth: number): Prefix {
  const own = functionAround(text, at);
  const target = own === undefined ? name : `(?:${name}|(?:\\w+\\.)*${own}\\([^()]*\\))`;
  const mounted = new RegExp(`\\.\\s*Mount\\(\\s*(["\`])([^"\`\\s]*)\\1\\s*,\\s*${target}\\s*\\)`).exec(text);
  if (mounted !== null && depth > 0) {
    const above = prefixBefore(text, mounted.index, depth);
    return { path: joined(above.path, mounted[2] ?? ''), isWhole: above.isWhole, isRouter: true };
  }
  const isReturned =
    /^chi\./.test(text.slice(at, at + 4)) &&
    new RegExp(`\\breturn\\s+${name}\\b`).test(text.slice(at, endOfFunction(text, at)));
  return { ...noPrefix, isWhole: !isReturned };
}

/** As gofmt writes it: the next bracket that begins a line. */
function endOfFunction(text: string, at: number): number {
  const end = text.indexOf('\n}', at);
  return end < 0 ? text.length : end;
}

function functionAround(text: string, at: number): string | undefined {
  return [...text.slice(0, at).matchAll(/^func\s+(?:\([^)]*\)\s*)?(\w+)\s*\(/gm)].at(-1)?.[1];
}

/** The block of a declaration is still open; a parameter lives in the block that follows it. */
function isVisible(text: string, from: number, to: number, isParameter: boolean): boolean {
  let open = 0;
  let begun = !isParameter;
  for (let index = from; index < to; index += 1) {
    const char = text.charAt(index);
    if (char === '"' || char === '`') {
      const end = text.indexOf(char, index + 1);
      if (end < 0 || end >= to) return true;
      index = end;
    } else if (char === '{') {
      open += 1;
      begun = true;
    } else if (char === '}') {
      open -= 1;
      if (open < 0 || (isParameter && open === 0)) return false;
    }
  }
  return begun;
}

/** Where `a.b("x").c(d)` ends: after its last call, before the line or what follows it does. */
function endOfExpression(text: string, start: number): number {
  let at = start + (/^[\w.]*/.exec(text.slice(start, start + 200))?.[0].length ?? 0);
  for (;;) {
    const args = text.charAt(at) === '(' ? argumentsAt(text, at) : '';
    if (args === '') return at;
    at += args.length;
    at += /^\s*\.\s*\w+(?=\()/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
  }
}

/** The bracket that the one at `close` belongs to; -1 where none is near. */
function openingOf(text: string, close: number): number {
  let depth = 0;
  for (let index = close; index >= Math.max(0, close - 2_000); index -= 1) {
    const char = text.charAt(index);
    if (char === '"' || char === '`') {
      const open = text.lastIndexOf(char, index - 1);
      if (open < 0) return -1;
      index = open;
    } else if (char === ')') depth += 1;
    else if (char === '(') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}
