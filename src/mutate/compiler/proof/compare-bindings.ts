/**
 * Condition 1 of the shadow proof (mutation.md §3.1): β′(φ(t)) = φ(β(t)) for every name token t of a file, and the file has no other name
 * token afterwards. A token whose binding request failed is a gap and never equal (M18); unresolved must stay unresolved.
 */

import { describeFailure } from '../../../languages/typescript/compiler/compiler-process.ts';
import { type Node, SyntaxKind } from '../../../languages/typescript/compiler/typescript-api.ts';
import { createPlaces, tellLine } from '../job/declarations.ts';
import {
  type Binding,
  type Link,
  type LinkRole,
  type NameToken,
  type OpenProgram,
  placeKey,
} from '../job/job-types.ts';
import { bindMeanings, bindTokens, listNameTokens } from '../job/name-tokens.ts';
import type { DeclarationPlace, ProofPlace } from '../session/messages.ts';
import type { EditMap, Image, Pair } from './map-edits.ts';
import { createByName } from './reach-by-name.ts';

export type BindingFindings = {
  readonly tokens: number;
  readonly changed: ProofPlace[];
  readonly gaps: ProofPlace[];
  /** Every name that has changed is spelled like none of those at hand. */
  readonly isElsewhere: boolean;
};

/** `paths` as they were before the edits, the likeliest to have changed first. */
export function compareBindings(
  before: OpenProgram,
  after: OpenProgram,
  map: EditMap,
  paths: readonly string[],
  /** What is spelled like one of them is compared with all its ties. */
  names: ReadonlySet<string>,
  {
    hasMoves,
    onlyNames,
  }: {
    /** Files have moved: an import may find another. */
    readonly hasMoves: boolean;
    /** Nothing is asked but what is spelled like one of the names. */
    readonly onlyNames: boolean;
  },
): BindingFindings {
  const found = { changed: [] as ProofPlace[], gaps: [] as ProofPlace[] };
  let tokens = 0;
  let isElsewhere = true;
  const words = describeLinks(after, map);
  const isOther = ({ text }: NameToken) => !names.has(text);
  const byName = onlyNames ? isOther : hasMoves ? () => false : createByName(before, paths, names);
  // One request for many small files; a batch is some megabytes at most.
  for (const group of groupFiles(before, paths)) {
    const pairs: { readonly token: NameToken; readonly images: readonly Image[] }[] = [];
    const afterTokens: NameToken[] = [];
    let argued = 0;
    for (const path of group) {
      const own = listNameTokens(before, path).map((token) => ({ token, images: map.images(token) }));
      const now = listNameTokens(after, map.path(path));
      found.changed.push(...compareTokens(own, now, path));
      if (found.changed.length > 0) {
        isElsewhere = false;
        continue;
      }
      let next = 0;
      for (const pair of own) {
        const from = next;
        next += pair.images.length;
        // A name found by name keeps its place: nothing that is spelled otherwise now could be in its way.
        if (byName(pair.token)) argued += 1;
        else {
          pairs.push(pair);
          for (let at = from; at < next; at += 1) afterTokens.push(now[at] as NameToken);
        }
      }
    }
    tokens += pairs.length + argued;
    const was = bindWithRests(
      before,
      pairs.map(({ token }) => token),
      names,
    );
    const is = bindWithRests(after, afterTokens, names);
    let at = 0;
    pairs.forEach(({ token, images }, index) => {
      const old = was[index] ?? missing;
      const bindings = images.map(() => is[at++] ?? missing);
      const sofar = found.changed.length;
      compareToken(token, old, images, bindings, words, found);
      if (found.changed.length > sofar && names.has(token.text)) isElsewhere = false;
    });
    // Disproved is disproved; the rest would only cost time.
    if (found.changed.length > 0) break;
  }
  return { ...found, tokens, isElsewhere };
}

const missing: Binding = { kind: 'failed', detail: 'no answer' };

/** The images of all tokens, in order, are all the tokens there are. */
function compareTokens(
  own: readonly { readonly token: NameToken; readonly images: readonly Image[] }[],
  now: readonly NameToken[],
  path: string,
): readonly ProofPlace[] {
  let at = 0;
  for (const { token, images } of own) {
    if (images.length === 0) return [{ at: spanOf(token), before: token.text, after: 'an edit cuts through the name' }];
    for (const image of images) {
      const found = now[at++];
      const isThere =
        found?.start === image.start && found.end === image.end && (image.text === null || found.text === image.text);
      if (!isThere) {
        const says = found === undefined ? 'no name' : `\`${found.text}\``;
        return [{ at: spanOf(token), before: token.text, after: `${says} where \`${image.text ?? ''}\` should stand` }];
      }
    }
  }
  const extra = now[at];
  if (extra === undefined) return [];
  return [{ at: { path, start: extra.start, end: extra.end }, before: 'no name', after: extra.text }];
}

type Words = {
  /** What the links of these roles name, as it must be afterwards. */
  before(binding: Binding, roles: readonly LinkRole[] | null): string;
  after(binding: Binding, roles: readonly LinkRole[] | null): string;
  /** The same for people. */
  say(token: NameToken, keys: string): string;
};

const roles: readonly LinkRole[] = ['symbol', 'alias', 'value', 'contextual'];
const eachRole = roles.map((role) => [[role], [role]] as const);

/** What each half of a written-out name must be tied to, by the links of the name it was. */
const halves: Readonly<Record<Pair, { readonly first: readonly LinkRole[]; readonly second: readonly LinkRole[] }>> = {
  shorthand: { first: ['symbol', 'contextual'], second: ['value'] },
  destructuring: { first: ['contextual'], second: ['symbol'] },
  specifier: { first: ['alias'], second: ['symbol', 'alias'] },
};

function compareToken(
  token: NameToken,
  was: Binding,
  images: readonly Image[],
  bindings: readonly Binding[],
  words: Words,
  found: Pick<BindingFindings, 'changed' | 'gaps'>,
): void {
  const failed = [was, ...bindings].find((binding) => binding.kind === 'failed');
  if (failed?.kind === 'failed') {
    found.gaps.push({ at: spanOf(token), before: token.text, after: failed.detail });
    return;
  }
  images.forEach(({ half, pair }, index) => {
    const is = bindings[index] ?? missing;
    // A token that stays whole keeps each role apart; halves have fewer roles, and what they name is one set.
    const apart = half === 'whole' || pair === null;
    for (const [old, now] of apart ? eachRole : [[halves[pair][half], null] as const]) {
      const expected = words.before(was, old);
      const actual = words.after(is, now);
      if (expected === actual) continue;
      found.changed.push({ at: spanOf(token), before: words.say(token, expected), after: words.say(token, actual) });
      return;
    }
  });
}

function describeLinks(program: OpenProgram, map: EditMap): Words {
  const before = new Map<readonly DeclarationPlace[], readonly string[]>();
  const after = new Map<readonly DeclarationPlace[], readonly string[]>();
  const keysOf = (known: typeof before, { places, symbol }: Link, key: (place: DeclarationPlace) => string) => {
    // What has no declaration (`undefined`, keys of mapped types) is told apart by its name, and no rename can mean it.
    if (places.length === 0) return [`\0${symbol.name}`];
    const keys = known.get(places) ?? places.map(key);
    known.set(places, keys);
    return keys;
  };
  const render = (
    binding: Binding,
    only: readonly LinkRole[] | null,
    keys: (link: Link) => readonly string[],
  ): string => {
    if (binding.kind !== 'bound') return '';
    const links = only === null ? binding.links : binding.links.filter(({ role }) => only.includes(role));
    const [first] = links;
    if (first === undefined) return '';
    const all = links.length === 1 ? keys(first) : [...new Set(links.flatMap(keys))];
    return all.length === 1 ? (all[0] ?? '') : [...all].sort().join('\n');
  };
  return {
    before: (binding, only) => render(binding, only, (link) => keysOf(before, link, map.placeKey)),
    after: (binding, only) => render(binding, only, (link) => keysOf(after, link, placeKey)),
    say: (token, keys) => sayWhere(program, token, keys),
  };
}

/** Keys are places after the edits: `path`, NUL, offset; without a declaration: NUL, name. */
function sayWhere(program: OpenProgram, { text }: NameToken, keys: string): string {
  if (keys === '') return `the compiler finds no declaration for \`${text}\` here`;
  const places = keys.split('\n').map((key) => {
    const [path = '', rest = ''] = key.split('\0');
    return path === '' ? rest : tellLine(program, { path, start: Number(rest) });
  });
  const more = places.length > 3 ? ` and ${places.length - 3} more` : '';
  return `\`${text}\` is declared at ${places.slice(0, 3).join(', ')}${more}`;
}

function spanOf({ path, start, end }: NameToken): ProofPlace['at'] {
  return { path, start, end };
}

const tokensPerRequest = 2_000;

function* groupFiles(program: OpenProgram, paths: readonly string[]): Generator<readonly string[]> {
  let group: string[] = [];
  let size = 0;
  for (const path of paths) {
    group.push(path);
    size += listNameTokens(program, path).length;
    if (size < tokensPerRequest) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

// Bindings for the proof. Of a token spelled like the old or the new name, all that ties it to others counts; of any other, what it means
// (docs/decisions/0018). And of the former one tie that no plan follows: a rest element (`{ x, ...rest }`) is tied to the property of its
// own name, if the destructured type has one. The language keeps the two apart, the compiler's own tools do not: their references and
// renames join them. A rename must not make such a pair of names where there was none.

/** In the order of the tokens. */
function bindWithRests(
  program: OpenProgram,
  tokens: readonly NameToken[],
  names: ReadonlySet<string>,
): readonly Binding[] {
  const [named, others] = [tokens.filter(({ text }) => names.has(text)), tokens.filter(({ text }) => !names.has(text))];
  const tied = bindTokens(program, named).map((binding, at) => {
    const token = named[at];
    const pattern = token === undefined || binding.kind !== 'bound' ? undefined : findRestPattern(token.node);
    return token === undefined || pattern === undefined ? binding : addProperty(program, binding, token.text, pattern);
  });
  const meant = bindMeanings(program, others);
  let [nextTied, nextMeant] = [0, 0];
  return tokens.map(({ text }) => {
    const binding = names.has(text) ? tied[nextTied++] : meant[nextMeant++];
    return binding ?? { kind: 'failed', detail: 'no answer' };
  });
}

function findRestPattern(node: Node): Node | undefined {
  const element = node.parent as (Node & { readonly name?: Node; readonly dotDotDotToken?: Node }) | undefined;
  if (element?.kind !== SyntaxKind.BindingElement || element.name !== node || element.dotDotDotToken === undefined)
    return undefined;
  return element.parent?.kind === SyntaxKind.ObjectBindingPattern ? element.parent : undefined;
}

function addProperty(program: OpenProgram, binding: Binding, name: string, pattern: Node): Binding {
  if (binding.kind !== 'bound') return binding;
  const { checker } = program.project;
  try {
    const type = checker.getTypeAtLocation(pattern);
    const symbol = type === undefined ? undefined : checker.getPropertyOfType(type, name);
    if (symbol === undefined) return binding;
    return {
      kind: 'bound',
      links: [...binding.links, { role: 'contextual', symbol, places: createPlaces(program)(symbol) }],
    };
  } catch (error) {
    return { kind: 'failed', detail: describeFailure(error) };
  }
}
