/**
 * Reasons to doubt that no token shows (mutation.md §2.6): names that are reached by their text while the program runs, bases that nobody
 * can list, frameworks that call by name, data that carries the names of fields. Each is an item at the place that raises it.
 */

import type { Question } from '../../index/state/navigate/question.ts';
import type { FileFacts } from '../../index/state/navigate/read-file-facts.ts';
import { listSitesOfFile } from '../../index/store/queries/list-sites.ts';
import type { TextSpan } from '../../index/syntax/facts.ts';
import type { CodeSpan, CompilerItem } from '../compiler/types.ts';
import { item } from './count-tokens.ts';
import { listFilesHolding } from './fresh-name-proof.ts';
import type { SymbolFamily } from './symbol-family.ts';

export type Doubting = {
  readonly question: Question;
  readonly language: string;
  readonly oldName: string;
  readonly newName: string;
  readonly isMember: boolean;
  readonly family: SymbolFamily | undefined;
  /** Where it is defined: the names. */
  readonly definitions: readonly CodeSpan[];
  /** Files that define or use it. */
  readonly uses: readonly string[];
};

export async function findDoubts(doubting: Doubting): Promise<readonly CompilerItem[]> {
  const { language } = doubting;
  const own =
    language === 'python'
      ? await pythonDoubts(doubting)
      : language === 'go'
        ? await goDoubts(doubting)
        : javascriptDoubts(doubting);
  return own;
}

/** One item a file: who accepts one such site accepts its neighbours. */
function siteItems(
  { question, uses }: Doubting,
  isMeant: (site: { readonly kind: string; readonly name: string | null }, text: string) => boolean,
): CompilerItem[] {
  const items: CompilerItem[] = [];
  for (const path of uses) {
    const source = question.source(path);
    if (source === undefined || question.file(path)?.contentHash == null) continue;
    const sites = question.ask((session) => listSitesOfFile(session, path));
    const decode = (from: number, to: number) => source.bytes.subarray(from, to).toString('utf8');
    const found = sites.filter((site) => site.name === null && isMeant(site, decode(site.start, site.end)));
    const [first] = found;
    if (first === undefined) continue;
    const start = decode(source.bom ? 3 : 0, first.start).length;
    const end = start + decode(first.start, first.end).length;
    const more = found.length === 1 ? '' : `, and ${found.length - 1} more in this file`;
    items.push(
      item(path, { start, end }, 'dynamic_access', `it reaches for a name that is made while the program runs${more}`),
    );
  }
  return items;
}

const reflectivePython = /^(?:eval|exec|globals|vars|locals)$/;

/** Bases of which every member is known, and none is a plain name. */
const plainBases = /(?:^| )(?:builtins\/object#|abc\/ABC#|typing\/(?:Generic|Protocol)#|typing_extensions\/Protocol#)$/;

async function pythonDoubts(doubting: Doubting): Promise<readonly CompilerItem[]> {
  const { question, isMember, family, definitions, uses } = doubting;
  const items = siteItems(doubting, ({ kind }, text) => {
    if (kind === 'eval') return true;
    if (kind === 'getattr' || kind === 'computed_member') return isMember || !/^\w+\(\s*self\s*,/.test(text);
    return kind === 'reflection';
  });
  const asked = new Set(items.map(({ path }) => path));
  for (const path of uses) {
    if (asked.has(path)) continue;
    const facts = await question.facts(path);
    const call =
      facts === undefined ? undefined : findReflective(facts, isMember ? /^(?:eval|exec)$/ : reflectivePython);
    if (call !== undefined) items.push(item(path, call, 'dynamic_access', `${call.text} may reach it by its name`));
  }
  const [first] = definitions;
  if (first === undefined) return items;
  const unknown = (family?.outsideBases ?? []).filter((key) => !plainBases.test(key));
  if (isMember && unknown.length > 0) {
    const shown = unknown
      .map((key) => key.slice(key.lastIndexOf(' ') + 1))
      .slice(0, 3)
      .join(', ');
    items.push(
      item(
        first.path,
        first,
        'unknown_inherited',
        `its class inherits from ${shown}, whose members are not known here`,
      ),
    );
  }
  for (const definition of definitions) {
    const convention = await pythonConvention(doubting, definition);
    if (convention !== undefined) items.push(item(definition.path, definition, 'convention_name', convention));
  }
  return items;
}

/** Calls that reach names by their text, inside a part of the file. */
export function findReflective(facts: FileFacts, names: RegExp, within?: TextSpan) {
  return facts.tokens.find(
    (token) =>
      token.class === 'code' &&
      names.test(token.text) &&
      facts.unboundAt.has(token.start) &&
      (within === undefined || (within.start <= token.start && token.end <= within.end)) &&
      /^\s*\(/.test(facts.source.text.slice(token.end, token.end + 20)),
  );
}

async function pythonConvention(
  { question, oldName, newName }: Doubting,
  { path, start }: CodeSpan,
): Promise<string | undefined> {
  const text = question.source(path)?.text ?? '';
  const head = text.slice(Math.max(0, start - 2_000), start);
  const above = /((?:^|\n)[ \t]*@[^\n]*(?:\n[^\n@]*)*?)\n?[ \t]*(?:async\s+)?(?:def|class)\s+$/.exec(head)?.[1] ?? '';
  if (/@(?:pytest\.)?fixture\b/.test(above)) return 'tests ask for a fixture by its name as a parameter';
  const isTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(path) && /^(?:test|Test)/.test(oldName);
  if (isTest && !/^(?:test|Test)/.test(newName)) return 'the test runner finds it by its name';
  if (/^(?:setUp|tearDown|setUpClass|tearDownClass|setup_method|teardown_method)$/.test(oldName))
    return 'the test runner calls it by its name';
  return undefined;
}

/** Standard packages that read or write fields by their names. */
const encodings =
  /^(?:encoding\/(?:json|xml|gob)|text\/template|html\/template)$|(?:^|\/)(?:yaml|toml|json|bson|mapstructure)(?:\.v\d+)?$/;

async function goDoubts(doubting: Doubting): Promise<readonly CompilerItem[]> {
  const { question, oldName, newName, isMember, definitions } = doubting;
  const isExported = (name: string) => /^\p{Lu}/u.test(name);
  const isSeen = isExported(oldName) || isExported(newName);
  const items = isMember && isSeen ? siteItems(doubting, ({ kind }) => kind === 'reflection') : [];
  for (const definition of definitions) {
    const { path, start, end } = definition;
    const text = question.source(path)?.text ?? '';
    const line = text.slice(end, text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end));
    const head = text.slice(text.lastIndexOf('\n', start) + 1, start);
    // The names of what is embedded are left out of data.
    const isEmbedded = /^\s*\*?(?:\w+\.)?$/.test(head) && /^\s*(?:\/\/.*)?$/.test(line);
    const isField = isMember && !/^\s*\(/.test(line) && !/\b(?:func|type)\b/.test(head) && !isEmbedded;
    const user = isField && isSeen && !line.includes('`') ? findEncoding(question) : undefined;
    if (user !== undefined)
      items.push(
        item(
          path,
          definition,
          'untyped_boundary',
          `the field has no tag, and ${user} reads or writes fields by their names`,
        ),
      );
    const prefix = /^(?:Test|Benchmark|Example|Fuzz)/.exec(oldName)?.[0];
    if (path.endsWith('_test.go') && prefix !== undefined && !newName.startsWith(prefix) && !isMember)
      items.push(item(path, definition, 'convention_name', 'go test finds it by its name'));
  }
  return items;
}

function findEncoding(question: Question): string | undefined {
  const paths = new Set(
    ['json', 'xml', 'gob', 'yaml', 'toml', 'template', 'bson', 'mapstructure'].flatMap((name) =>
      listFilesHolding(question, name),
    ),
  );
  for (const path of [...paths].sort())
    if (
      question.file(path)?.language === 'go' &&
      question.imports(path).some(({ specifier }) => encodings.test(specifier))
    )
      return path;
  return undefined;
}

function javascriptDoubts(doubting: Doubting): readonly CompilerItem[] {
  return siteItems(
    doubting,
    ({ kind }) => kind === 'eval' || (doubting.isMember && (kind === 'computed_member' || kind === 'reflection')),
  );
}
