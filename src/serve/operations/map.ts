/** One level of the tree: what lies in a folder, how large each part is, how fresh, and which parts import which. */

import { type Freshness, freshnesses } from '../../index/freshness/compute-states.ts';
import { createFileStates } from '../../index/freshness/file-states.ts';
import { readNames } from '../../index/navigate/question-target.ts';
import { oncePerGeneration, type ReadSession } from '../../index/store/read-session.ts';
import { type LevelImport, type LevelRow, listLevel, listLevelImports } from '../../index/store/stored-levels.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { notAnswered } from '../../index/view/not-answered.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { columns, countOf, countWith, plural, quotedPath, shown, whyMore, whyStale } from './answer-words.ts';
import { Limit, targetFields } from './input.ts';
import { Count, defineOperation } from './operation.ts';

const whole = z.number().int();
const Part = z.object({ files: whole, lines: whole });

/** Of all files below, however deep; links are no files. */
const Sums = z.object({
  files: whole,
  /** Of the files that could be read as text. */
  lines: whole,
  /** Files whose lines are not known. */
  uncounted: whole,
  symbols: whole,
  test: Part,
  generated: Part,
  by_freshness: z.object(
    Object.fromEntries(freshnesses.map((word) => [word, whole])) as Record<Freshness, typeof whole>,
  ),
  /** By lines, most first; null: a kind of file that has no name here. */
  languages: z.array(Part.extend({ language: z.string().nullable() })),
});
type Sums = z.infer<typeof Sums>;

const Child = Sums.extend({ name: z.string(), path: z.string(), kind: z.enum(['folder', 'file']) });
type Child = z.infer<typeof Child>;

const mostImports = 5_000;

export default defineOperation({
  name: 'map',
  says: 'What lies directly in a folder, each with its files, lines, symbols, tests and freshness, and the imports between them',
  semantic: true,
  tellsOf: 'index',
  input: strictInput({
    /** A folder; the root without it. */
    path: targetFields.path.optional(),
    cwd: targetFields.cwd,
    /** How many children to name, the largest ones first. */
    limit: Limit.optional(),
  }),
  output: z.object({
    /** Of the folder; empty for the root. */
    path: z.string(),
    sums: Sums,
    /** Most lines first. */
    children: z.array(Child),
    /** Those that are not named, taken together. */
    rest: Sums.extend({ children: whole }).nullable(),
    /** Between the children that are named, as they are parsed; `count` of them lead from a file of the one to a file of the other. Most first. */
    imports: z.array(z.object({ from: z.string(), to: z.string(), count: whole })),
    /** Pairs beyond those. */
    more_imports: whole,
    /** Of imports between different children, named or not. */
    count: Count,
  }),
  async run(view, input) {
    const names = input.path === undefined ? [''] : readNames(view.root, { path: input.path, cwd: input.cwd });
    if (names.length === 0)
      return notAnswered('invalid', `path: ${quotedPath(input.path ?? '')} lies outside ${view.root}`);
    return view.read((session) => {
      for (const name of names) {
        const level = levelOf(session, name);
        if (level.rows.length > 0 || name === '') return describeLevel(view, name, level, input.limit ?? 400);
      }
      return notAnswered('not_found', `path: no file in scope lies below ${quotedPath(input.path ?? '')}`);
    });
  },
  render({ path, sums, children, rest, imports, count }) {
    const rows = children.map((child) => [
      `${shown(child.name)}${child.kind === 'folder' ? '/' : ''}`,
      plural(child.files, 'file'),
      plural(child.lines, 'line'),
      plural(child.symbols, 'symbol'),
      child.languages[0]?.language ?? '',
    ]);
    return [
      `${path === '' ? '.' : quotedPath(path)} · ${plural(sums.files, 'file')} · ${plural(sums.lines, 'line')}`,
      ...columns(rows),
      ...(rest === null ? [] : [`  and ${rest.children} more with ${plural(rest.lines, 'line')}`]),
      countOf(count, 'import between them', 'imports between them'),
      ...whyMore(count),
      ...imports.map(({ from, to, count: times }) => `  ${shown(from)} → ${shown(to)}  ${times}`),
    ].join('\n');
  },
});

type Level = { readonly rows: readonly LevelRow[]; readonly imports: readonly LevelImport[] };

/** Adding up everything below a folder is done once for all who look at it. */
function levelOf(session: ReadSession, folder: string): Level {
  const prefix = folder === '' ? '' : `${folder}/`;
  return oncePerGeneration(session, `level ${prefix}`, () => ({
    rows: listLevel(session, prefix),
    imports: listLevelImports(session, prefix),
  }));
}

function describeLevel(view: CodeView, folder: string, { rows, imports }: Level, limit: number) {
  const prefix = folder === '' ? '' : `${folder}/`;
  const fresh = createFileStates(view).countsBy((path) => {
    if (!path.startsWith(prefix)) return null;
    const end = path.indexOf('/', prefix.length);
    return path.slice(prefix.length, end < 0 ? path.length : end);
  });
  const byName = new Map<string, Child>();
  for (const row of rows) {
    const child = byName.get(row.name) ?? {
      name: row.name,
      path: `${prefix}${row.name}`,
      kind: row.folder === 1 ? 'folder' : 'file',
      ...noSums(),
      by_freshness: { ...noSums().by_freshness, ...fresh.get(row.name) },
    };
    addRow(child, row);
    byName.set(row.name, child);
  }
  const all = [...byName.values()].sort(
    (a, b) => b.lines - a.lines || b.files - a.files || compareCodeUnits(a.name, b.name),
  );
  for (const child of all) sortLanguages(child);
  const children = all.slice(0, limit);
  const named = new Set(children.map(({ name }) => name));
  const between = imports
    .filter(({ source, target }) => named.has(source) && named.has(target))
    .sort((a, b) => b.count - a.count || compareCodeUnits(a.source, b.source) || compareCodeUnits(a.target, b.target));
  const total = imports.reduce((sum, { count }) => sum + count, 0);
  return {
    path: folder,
    sums: sumOf(all),
    children,
    rest: all.length > limit ? { children: all.length - limit, ...sumOf(all.slice(limit)) } : null,
    imports: between.slice(0, mostImports).map(({ source, target, count }) => ({ from: source, to: target, count })),
    more_imports: Math.max(0, between.length - mostImports),
    count: countWith(total, [...whyMoreImports(rows), ...whyOther(view)]),
  };
}

function whyMoreImports(rows: readonly LevelRow[]): readonly string[] {
  const open = rows.reduce((sum, row) => sum + row.openImports, 0);
  const unread = rows.reduce((sum, row) => sum + row.unread, 0);
  return [
    ...(open === 0
      ? []
      : [`${plural(open, 'import')} below here lead${open === 1 ? 's' : ''} to no file that is known`]),
    ...(unread === 0 ? [] : [`${plural(unread, 'file')} could not be read or parsed as a whole`]),
  ];
}

/** In a large tree it is told as the index has it, the files that are named here too. */
function whyOther(view: CodeView): readonly string[] {
  return view.comparesNamed === true ? ['the index was not compared with the disk for this'] : whyStale(view);
}

type Open = { -readonly [K in keyof Sums]: Sums[K] };

function noSums(): Open {
  const part = () => ({ files: 0, lines: 0 });
  return {
    files: 0,
    lines: 0,
    uncounted: 0,
    symbols: 0,
    test: part(),
    generated: part(),
    by_freshness: Object.fromEntries(freshnesses.map((word) => [word, 0])) as Record<Freshness, number>,
    languages: [],
  };
}

function addRow(sums: Open, row: LevelRow): void {
  sums.files += row.files;
  sums.lines += row.lines;
  sums.uncounted += row.uncounted;
  sums.symbols += row.symbols;
  addPart(sums.test, { files: row.tests, lines: row.testLines });
  addPart(sums.generated, { files: row.generated, lines: row.generatedLines });
  addLanguage(sums, row);
}

function sumOf(children: readonly Child[]): Sums {
  const sums = noSums();
  for (const child of children) {
    sums.files += child.files;
    sums.lines += child.lines;
    sums.uncounted += child.uncounted;
    sums.symbols += child.symbols;
    addPart(sums.test, child.test);
    addPart(sums.generated, child.generated);
    for (const word of freshnesses) sums.by_freshness[word] += child.by_freshness[word];
    for (const part of child.languages) addLanguage(sums, part);
  }
  sortLanguages(sums);
  return sums;
}

function addLanguage(sums: Open, part: z.infer<typeof Part> & { readonly language: string | null }): void {
  const known = sums.languages.find(({ language }) => language === part.language);
  if (known === undefined) sums.languages.push({ language: part.language, files: part.files, lines: part.lines });
  else addPart(known, part);
}

function addPart(sum: z.infer<typeof Part>, part: z.infer<typeof Part>): void {
  sum.files += part.files;
  sum.lines += part.lines;
}

function sortLanguages({ languages }: Sums): void {
  languages.sort(
    (a, b) => b.lines - a.lines || b.files - a.files || compareCodeUnits(a.language ?? '', b.language ?? ''),
  );
}
