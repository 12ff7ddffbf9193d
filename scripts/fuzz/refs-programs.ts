/**
 * The second opinion about references in a real project: one oracle for each context of the index, and what all of them together find at
 * a place. Places are written as `path:line:col`, as people write them.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listContexts, listMembers } from '../../src/index/store/stored-contexts.ts';
import type { CodeView } from '../../src/index/view/code-view.ts';
import { listTypeRoots, renderProject } from '../../src/languages/typescript/typescript-indexer.ts';
import { createOracle, loadCompiler, type Oracle, type Place } from './oracle.ts';
import { listSites, type Site } from './pick-symbols.ts';
import type { Random } from './random.ts';

type AskedName = Site & { readonly kind: string };

export type Programs = {
  pick(count: number, random: Random): readonly AskedName[];
  /** Undefined: the service does not find even the name itself, as of some names of packages. */
  references(at: Place): ReadonlySet<string> | undefined;
  /** The compiler binds both names to one declaration whose importers its service does not follow (`byWhole`). */
  areOneExport(one: Place, other: Place): boolean;
};

export type Texts = (path: string) => string;

export function createTexts(root: string): Texts {
  const known = new Map<string, string>();
  return (path) => {
    const text = known.get(path) ?? readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '');
    known.set(path, text);
    return text;
  };
}

export function openPrograms(root: string, view: CodeView, texts: Texts): Programs {
  const inScope = new Set<string>();
  const files = loadCompiler().createDocumentRegistry();
  const oracles = view.read((session) =>
    listContexts(session).flatMap((context) => {
      if (context.family !== 'typescript' || !context.enabled) return [];
      const members = listMembers(session, context.id);
      for (const member of members) inScope.add(member);
      const references = (context.config['references'] ?? []) as readonly string[];
      const project = JSON.parse(renderProject({ ...context, members }, root, { references }));
      // Where the compiler would look for types if this configuration stood where the real one stands.
      const typeRoots = listTypeRoots(context, root);
      const compilerOptions = { typeRoots, ...project.compilerOptions };
      const oracle = createOracle(root, { text: JSON.stringify({ ...project, compilerOptions }) }, files);
      return [{ oracle, members: new Set(members) }];
    }),
  );
  const [first] = oracles;
  if (first === undefined) throw new Error('there is no TypeScript or JavaScript in it');
  const paths = [...inScope].filter((path) => /\.[cm]?[jt]sx?$/.test(path)).sort();
  const tree: Oracle['tree'] = (path) => oracles.find(({ members }) => members.has(path))?.oracle.tree(path);
  return {
    pick: (count, random) =>
      pickNames(listSites({ compiler: first.oracle.compiler, files: paths, tree }), count, random),
    areOneExport(...both) {
      // A module may be required in the program of one name alone.
      const declared = both.map((at) => oracles.flatMap(({ oracle }) => oracle.declarations(at)));
      const [one = [], other = []] = declared;
      return one.some(({ place, byWhole }) => other.some((its) => its.place === place && (byWhole || its.byWhole)));
    },
    references(at) {
      const own = oracles.filter(({ members }) => members.has(at.path));
      const found = own.flatMap(({ oracle }) => oracle.references(at));
      if (found.length === 0) return undefined;
      // Other programs may have what is declared in a file that both have.
      const declared = new Map(found.flatMap((one) => (one.isDeclared ? [[`${one.path} ${one.start}`, one]] : [])));
      const others = oracles.filter((one) => !own.includes(one));
      const more = [...declared.values()].flatMap((place) => others.flatMap(({ oracle }) => oracle.references(place)));
      const seen = [...found, ...more].filter(({ path, isDeclared }) => !isDeclared && inScope.has(path));
      const places = new Set(seen.map((place) => keyOf(place, texts)));
      return places.has(keyOf(at, texts)) ? places : undefined;
    },
  };
}

/** Every other one is any name at all, the others of each kind in turn. */
function pickNames(byKind: ReadonlyMap<string, readonly Site[]>, count: number, random: Random): readonly AskedName[] {
  const kinds = [...byKind.keys()].sort();
  const picked: AskedName[] = [];
  const seen = new Set<string>();
  for (let round = 0; picked.length < count && round < count * 4; round += 1) {
    const kind = round % 2 === 0 ? 'use' : (kinds[((round - 1) / 2) % kinds.length] as string);
    const site = random.pick(byKind.get(kind) ?? []);
    if (site === undefined || seen.has(`${site.path} ${site.start}`)) continue;
    seen.add(`${site.path} ${site.start}`);
    picked.push({ ...site, kind });
  }
  return picked;
}

export function keyOf({ path, start }: Place, texts: Texts): string {
  const before = texts(path).slice(0, start);
  return `${path}:${before.split('\n').length}:${start - before.lastIndexOf('\n')}`;
}

export function placeOf(key: string, texts: Texts): Place {
  const [, path = '', line, col] = /^(.*):(\d+):(\d+)$/.exec(key) ?? [];
  const text = texts(path);
  let start = 0;
  for (let rest = Number(line) - 1; rest > 0; rest -= 1) start = text.indexOf('\n', start) + 1;
  return { path, start: start + Number(col) - 1 };
}

export function wordAt(key: string, texts: Texts): string | undefined {
  const { path, start } = placeOf(key, texts);
  return /^[\w$#]+/.exec(texts(path).slice(start))?.[0];
}

export function showLine(key: string, texts: Texts): string {
  const [, path = '', line] = /^(.*):(\d+):\d+$/.exec(key) ?? [];
  return `${key}  ${(texts(path).split('\n')[Number(line) - 1] ?? '').trim().slice(0, 120)}`;
}
