/**
 * Files that indexers have told all about: clean ones in which every token of the name is bound, or stands in a comment or a string. They
 * need neither scopes nor a parser, and one question to the store is about all of them.
 */

import type { TextSpan } from '../../../languages/facts.ts';
import { classIn, type Stretch, scanScript } from '../../../languages/javascript/js-stretches.ts';
import type { TokenClass } from '../../../languages/tokens.ts';
import { listOccurrencesNamed, type NamedOccurrence } from '../../store/queries/list-occurrences.ts';
import { createTextOffsets, type TextOffsets } from '../../text/text-offsets.ts';
import type { SourceText } from '../code-view.ts';
import { findPlainNames, mayRespell } from './find-in-text.ts';
import { noteMention } from './note-mention.ts';
import type { Question } from './question.ts';
import { indexOfByte, scriptLanguageOf, withSourceTree } from './read-file-facts.ts';
import { roleOf } from './semantic-family.ts';
import type { Said, SaidFile } from './semantic-layer.ts';
import { isAnother, isKeywordOf, isMeant, type Tally } from './tally.ts';

/** Of a file, all that is said of the names, and of the subject's symbols under whatever name. */
export type Told = (path: string) => readonly NamedOccurrence[];

/** Asked for all files at once, and not before one of them is to be counted. */
export function createTold({ question, semantics: { family }, names }: Tally): Told {
  let byPath: ReadonlyMap<string, readonly NamedOccurrence[]> | undefined;
  return (path) => {
    if (family === undefined) return [];
    byPath ??= Map.groupBy(
      question.ask((session) => listOccurrencesNamed(session, names, family.isAlias ? [] : family.ids)),
      (one) => one.path,
    );
    return byPath.get(path) ?? [];
  };
}

/** Counts a clean file; false, and nothing is counted: this one must be looked at. */
export async function countTold(
  tally: Tally,
  told: Told,
  path: string,
  said: SaidFile,
  source: SourceText,
): Promise<boolean> {
  if (tally.semantics.family?.isMerged === true || mayRespell(source, 'typescript') || mayRun(path, source.text))
    return false;
  const offsets = createTextOffsets(source.text, source);
  const named = said.place(told(path));
  const isDefault = ({ start, end }: Said) => source.bytes.toString('latin1', start, end) === 'default';
  // A word of the language that stands for it in a clause: scope tells those from others.
  if ([...named.values()].some((ones) => ones.some((one) => isKeywordOf(tally, one) && isDefault(one)))) return false;
  const classOf = createClassOf(source.text, path);
  const open: TextSpan[] = [];
  let bound = 0;
  for (const span of findPlainNames(source.text, tally.names)) {
    const [start, end] = [offsets.toByte(span.start), offsets.toByte(span.end)];
    const isHere = (one: Said) => one.end === end;
    const called = named.get(start)?.filter(isHere) ?? [];
    const isOurs = called.some((one) => isMeant(tally, one));
    // What has another name may be called so here, but in prose.
    const isProse = called.length === 0 && classOf(span.start) === 'comment';
    const ones = isOurs || isProse ? [] : said.startingAt(start).filter(isHere);
    if (isOurs || isAnother(tally, ones)) bound += 1;
    else if (ones.length === 0) open.push(span);
    else return false;
  }
  if (open.length > 0) {
    const mentions = await listMentions(tally.question, path, source, open, classOf);
    if (mentions === undefined) return false;
    for (const mention of mentions) noteMention(tally, mention.language, source.text, mention);
    tally.mentions += mentions.length;
  }
  tally.others += bound - addHits(tally, path, named, source, offsets);
  return true;
}

/** Hits of a clean file, without looking at anything else in it. */
export function addTold(tally: Tally, told: Told, path: string, said: SaidFile, source: SourceText): void {
  const offsets = createTextOffsets(source.text, source);
  addHits(tally, path, said.place(told(path)), source, offsets);
}

/** What is run from text can mean any name of its scope; a scope model says where that is. */
function mayRun(path: string, text: string): boolean {
  return /\beval\s*\(/.test(text) || (!/\.[cm]?tsx?$/.test(path) && /\bwith\s*\(/.test(text));
}

/** What stands at an index; undefined where only a parser can tell. */
type ClassOf = (index: number) => TokenClass | undefined;

function createClassOf(text: string, path: string): ClassOf {
  let stretches: readonly Stretch[] | 'unread' | undefined = 'unread';
  return (index) => {
    if (stretches === 'unread') stretches = scanScript(text, !/\.[cm]?ts$/.test(path));
    return stretches === undefined ? undefined : classIn(stretches, index);
  };
}

/** Undefined: one of them is code, or nobody can tell. */
async function listMentions(
  question: Question,
  path: string,
  source: SourceText,
  spans: readonly TextSpan[],
  classOf: ClassOf,
) {
  const language = scriptLanguageOf(question.file(path), source);
  if (language === undefined) return undefined;
  const scanned = spans.map(({ start }) => classOf(start));
  const classes = scanned.includes(undefined) ? await parseClasses(path, language, source.text, spans) : scanned;
  const isMention = (one: TokenClass | undefined) => one === 'comment' || one === 'string' || one === 'regex';
  if (!classes.every(isMention)) return undefined;
  return spans.map((span, at) => ({ ...span, class: classes[at] as TokenClass, language }));
}

async function parseClasses(path: string, language: string, text: string, spans: readonly TextSpan[]) {
  const { classAt } = await import('../../../languages/tokens.ts');
  return withSourceTree(path, language, text, (tree) => spans.map(({ start }) => classAt(tree, language, start)));
}

/** How many of the hits bear one of the names. */
function addHits(
  tally: Tally,
  path: string,
  named: ReadonlyMap<number, readonly Said[]>,
  source: SourceText,
  offsets: TextOffsets,
): number {
  const written = new Set<string>();
  let count = 0;
  for (const [byte, ones] of named) {
    const [found] = ones.filter((one) => isMeant(tally, one));
    if (found === undefined) continue;
    const start = indexOfByte(byte, source.text, offsets);
    const end = indexOfByte(found.end, source.text, offsets);
    tally.hits.push({ path, start, end, role: roleOf(found.roles), provenance: 'resolved' });
    const text = source.text.slice(start, end);
    written.add(text);
    if (tally.names.has(text)) count += 1;
  }
  if (written.size > 0) notePublicNames(tally, path, written);
  return count;
}

/** Whoever imports it from here may know it by another name, and has none to be found by if that is `default`. */
function notePublicNames(tally: Tally, path: string, written: ReadonlySet<string>): void {
  for (const { publicName, localName } of tally.question.exports(path)) {
    const isNameless = publicName === 'default' || publicName === '=';
    if (isNameless) tally.isNameless ||= localName === null || written.has(localName);
    else if (written.has(publicName)) tally.aliases.add(publicName);
  }
}
