/**
 * Where what stands at a token is declared, as indexers see it. Undefined where they cannot tell: they have not seen these bytes, or
 * bind nothing there. A definition in a file that has changed since is not placed by guessing; the answer says which file that is.
 */

import { roleBits } from '../../../kernel/formats/scip.ts';
import { listDefinitionsOf, type Occurrence } from '../../store/queries/list-occurrences.ts';
import { listInfosOf } from '../../store/queries/list-semantic-symbols.ts';
import { createTextOffsets } from '../../text/text-offsets.ts';
import type { Definition, Definitions, Outside } from './find-definitions.ts';
import type { Question } from './question.ts';
import { indexOfByte } from './read-file-facts.ts';
import { addOtherHalf, declaresKey } from './semantic-family.ts';
import { listSaidOf, type Said } from './semantic-layer.ts';
import type { Subject } from './subject.ts';

export function findSemanticDefinitions(question: Question, { facts, token }: Subject): Definitions | undefined {
  const layer = question.semantic();
  const file = layer.said(facts.path);
  const said = listSaidOf(file?.at, facts, token);
  if (file === undefined || said.length === 0) return undefined;
  // Who asks at a key of a literal stands on the declaration already, and wants what is expected there.
  const expected = said.filter((one) => !declaresKey(one));
  const here = expected.length > 0 ? expected : said;
  const ids = new Set(here.map(({ symbolId }) => symbolId));
  const doubts = new Set<string>(question.doubts());
  let found = listPlaces(question, ids, doubts);
  if (found.length === 0) {
    // A class without a constructor of its own is what `new` leads to.
    question.ask((session) => here.forEach((one) => void addOtherHalf(session, one, ids)));
    found = listPlaces(question, ids, doubts);
  }
  const outside = found.length > 0 ? [] : here.filter(({ inRepo }) => !inRepo).map(describeOutside);
  if (found.length === 0 && outside.length === 0) return undefined;
  if (!file.isClean) doubts.add(`the indexer has not seen everything that ${facts.path} depends on as it is now`);
  return {
    name: token.text,
    definitions: found,
    candidates: [],
    modules: [],
    outside: [...new Map(outside.map((one) => [one.external, one])).values()],
    chain: [],
    doubts: [...doubts],
  };
}

function listPlaces(question: Question, ids: ReadonlySet<number>, doubts: Set<string>): readonly Definition[] {
  return placeDefinitions(
    question,
    question.ask((session) => listDefinitionsOf(session, ids)),
    doubts,
  );
}

/** In the present bytes; one for each place. */
export function placeDefinitions(
  question: Question,
  rows: readonly Occurrence[],
  doubts: Set<string>,
): readonly Definition[] {
  const layer = question.semantic();
  const places = new Map<string, Definition>();
  for (const { path, start, symbolId, form, contextId } of rows) {
    if (form === 'synthetic' || !layer.isLive({ contextId })) continue;
    const source = question.source(path);
    const at = layer.said(path)?.at;
    // A name in quotes begins behind the first of them.
    const said = [start, start + 1].flatMap((byte) => at?.get(byte) ?? []).find((one) => one.symbolId === symbolId);
    if (source === undefined || said === undefined || (said.roles & roleBits.definition) === 0) {
      if (source !== undefined) doubts.add(`${path} has changed since it was indexed`);
      continue;
    }
    const offsets = createTextOffsets(source.text, source);
    const place = {
      start: indexOfByte(said.start, source.text, offsets),
      end: indexOfByte(said.end, source.text, offsets),
    };
    const symbol = question.symbols(path).find(({ nameStart }) => nameStart === said.start);
    const kind =
      symbol?.kind ?? question.ask((session) => listInfosOf(session, symbolId))[0]?.kind ?? kindOfKey(said.key);
    places.set(`${path}\0${start}`, {
      path,
      ...place,
      name: source.text.slice(place.start, place.end),
      kind,
      namePath: symbol?.namePath ?? null,
      provenance: 'resolved',
    });
  }
  return [...places.values()];
}

function kindOfKey(key: string): string {
  return key.startsWith('local ') ? 'local' : 'symbol';
}

/** `typescript npm typescript 5.9.3 lib/…`: the package is what a person knows it by. */
function describeOutside({ key, name }: Said): Outside {
  const [, ...words] = key.split(' ');
  const external = words[1] ?? words[0] ?? key;
  return { specifier: external, name, reason: 'external', external };
}
