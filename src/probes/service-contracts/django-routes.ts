/**
 * Routes of Django: the lists of `path`, `re_path` and `url` that begin at `ROOT_URLCONF`, followed through every `include` of a module or a
 * list of the tree. A view answers to any method. Routers of Django REST framework, lists that code puts together and modules of other
 * packages are gaps, each with its line.
 */

import { lineNumberAt } from '../../kernel/tree/positions.ts';
import { argumentsAt, firstArgument, type HttpRoute, withoutComments } from './route-text.ts';

export type DjangoRoutes = {
  readonly routes: readonly (HttpRoute & { readonly file: string })[];
  readonly gaps: readonly { readonly file: string; readonly line: number; readonly what: string }[];
};

/** Files that can say something about routes; the others need not be kept. */
export const djangoHint = /\burlpatterns\b|\bROOT_URLCONF\b/;

type Call = {
  readonly at: number;
  readonly end: number;
  /** Undefined where it is no literal. */
  readonly path: string | undefined;
  readonly view: string;
  readonly inner: Call[];
};
/** One assignment of a list; the next one of the same name is another list. */
type List = { readonly name: string; readonly at: number; readonly isConditional: boolean; readonly calls: Call[] };
type Module = { readonly file: string; readonly text: string; readonly lists: readonly List[] };

const includesMax = 20;
const routesMax = 2_000;

export function readDjangoRoutes(sources: ReadonlyMap<string, string>): DjangoRoutes {
  const modules = new Map<string, Module>();
  const roots = new Set<string>();
  for (const [file, source] of sources) {
    const text = withoutComments(source, '#');
    for (const [, name = ''] of text.matchAll(/^\s*ROOT_URLCONF\s*=\s*["']([\w.]+)["']/gm)) roots.add(name);
    if (/^\s*(?:from|import)\s+django\b/m.test(text) && /\burlpatterns\b/.test(text))
      modules.set(file, { file, text, lists: readLists(text) });
  }
  const find = (name: string) => findModule([...modules.keys()], name);
  const named = [...roots].flatMap((name) => find(name) ?? []);
  const starts = named.length > 0 ? new Set(named) : withoutIncluded(modules, find);
  const routes: (HttpRoute & { readonly file: string })[] = [];
  const gaps: { readonly file: string; readonly line: number; readonly what: string }[] = [];

  const walkList = (module: Module, list: List, prefix: string, depth: number): void => {
    for (const one of list.calls) walkCall(module, list, one, prefix, depth);
  };
  const walkCall = (module: Module, list: List, one: Call, prefix: string, depth: number): void => {
    const line = lineNumberAt(module.text, one.at);
    const gap = (what: string) => gaps.push({ file: module.file, line, what });
    if (depth > includesMax || routes.length >= routesMax) return;
    if (one.path === undefined) {
      gap('a path that is no literal');
      return;
    }
    const below = prefix + one.path;
    const included = /^include\s*\(\s*\(?\s*/.exec(one.view);
    if (included === null) {
      if (/\.urls\s*$/.test(one.view)) gap(`mount ${shown(below)}`);
      else routes.push({ file: module.file, line, method: 'ANY', path: shown(below), whole: true });
      return;
    }
    if (one.inner.length > 0) {
      for (const inner of one.inner) walkCall(module, list, inner, below, depth + 1);
      return;
    }
    const what = one.view.slice(included[0].length);
    const literal = /^["']([\w.]+)["']/.exec(what)?.[1];
    const name = /^\w+(?=\s*[,)])/.exec(what)?.[0];
    const local = name === undefined ? undefined : lastBefore(module.lists, name, one.at);
    const target = literal === undefined ? undefined : modules.get(find(literal) ?? '');
    if (local !== undefined) walkList(module, local, below, depth + 1);
    else if (target !== undefined) walkModule(target, below, depth + 1);
    else if (literal !== undefined) gap(`mount ${literal}`);
    else gap(/\.urls\b/.test(what) ? 'a router' : 'include');
  };
  const walkModule = (module: Module, prefix: string, depth: number): void => {
    const list = module.lists.findLast(({ name, isConditional }) => name === 'urlpatterns' && !isConditional);
    if (list !== undefined) walkList(module, list, prefix, depth);
    else gaps.push({ file: module.file, line: 1, what: 'urlpatterns' });
  };
  for (const file of starts) {
    const module = modules.get(file);
    if (module !== undefined) walkModule(module, '', 0);
  }
  return { routes, gaps };
}

/** `shop.urls` is `shop/urls.py` or the package of that name, in whichever folder Python starts; the nearest to the root. */
function findModule(files: readonly string[], name: string): string | undefined {
  const path = name.replaceAll('.', '/');
  return files
    .filter((file) => [`${path}.py`, `${path}/__init__.py`].some((end) => file === end || file.endsWith(`/${end}`)))
    .sort((one, other) => one.length - other.length)[0];
}

function withoutIncluded(
  modules: ReadonlyMap<string, Module>,
  find: (name: string) => string | undefined,
): ReadonlySet<string> {
  const included = [...modules.values()].flatMap(({ text }) =>
    [...text.matchAll(/\binclude\s*\(\s*\(?\s*["']([\w.]+)["']/g)].flatMap(([, name = '']) => find(name) ?? []),
  );
  return new Set([...modules.keys()].filter((file) => !included.includes(file)));
}

function readLists(text: string): readonly List[] {
  const lists: List[] = [];
  const calls = readCalls(text);
  // Where calls go: a new list, or one more for the latest of the name. In a call, `name=…` is an argument.
  const places = [
    ...text.matchAll(/^([ \t]*)(\w+)(?:\s*:[^=\n]{1,60})?\s*(\+?=(?!=)|\.(?:append|extend|insert)\()/gm),
  ].filter(({ index }) => !calls.some(({ at, end }) => at < index && index < end));
  for (const [index, place] of places.entries()) {
    const [, indent = '', name = '', how = ''] = place;
    const own = calls.filter(({ at }) => at > place.index && at < (places[index + 1]?.index ?? text.length));
    const before = lists.findLast((list) => list.name === name);
    const isNew = how === '=';
    if (isNew && (own.length > 0 || name === 'urlpatterns'))
      lists.push({ name, at: place.index, isConditional: indent !== '', calls: [...own] });
    else if (!isNew) before?.calls.push(...own);
  }
  return lists;
}

/** A list may be put into a new one of its own name: the call does not mean the list that it stands in. */
function lastBefore(lists: readonly List[], name: string, at: number): List | undefined {
  return lists.findLast(
    (list) => list.name === name && list.at < at && !list.calls.some((one) => one.at <= at && at < one.end),
  );
}

/** Calls in the order of the text; one that stands in the arguments of another belongs to it. */
function readCalls(text: string): readonly Call[] {
  const top: Call[] = [];
  const open: Call[] = [];
  for (const match of text.matchAll(/(?<![\w.])(?:re_path|path|url)(?=\s*\()/g)) {
    const args = argumentsAt(text, match.index + match[0].length);
    if (args === '') continue;
    const first = firstArgument(args.trimStart());
    const literal = /^\s*(?:_\(\s*)?([rRuUbB]{0,2})(["'])([^\n]*?)\2\s*\)?\s*$/.exec(first)?.[3];
    const path = literal === undefined ? undefined : match[0] === 'path' ? literal : plainPath(literal);
    const rest = args
      .trimStart()
      .slice(first.length + 2)
      .trim();
    const one: Call = {
      at: match.index,
      end: match.index + match[0].length + args.length,
      path,
      view: viewOf(rest),
      inner: [],
    };
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= one.at) open.pop();
    (open.at(-1)?.inner ?? top).push(one);
    open.push(one);
  }
  return top;
}

/** The second argument, without the name and what follows. */
function viewOf(rest: string): string {
  return firstArgument(`(${rest.replace(/^view\s*=\s*/, '')}`);
}

/** `^users/(?P<id>\d+)/$` says what `users/<id>/` says, without what the value may be. */
function plainPath(expression: string): string {
  return expression
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\(\?P<(\w+)>(?:[^()\\]|\\.|\([^()]*\))*\)/g, '<$1>')
    .replace(/\\([./-])/g, '$1');
}

function shown(path: string): string {
  return `/${path.replace(/^\/+/, '')}`;
}
