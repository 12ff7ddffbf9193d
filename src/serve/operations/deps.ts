/** What a file imports, and in reverse who imports it. */

import { type FoundFile, findTargetFile } from '../../index/navigate/question-target.ts';
import type { ReadSession } from '../../index/store/read-session.ts';
import { listContexts } from '../../index/store/stored-contexts.ts';
import { listDependencies, listDependents, listFactsOfFile } from '../../index/store/stored-facts.ts';
import { findFile } from '../../index/store/stored-files.ts';
import { type Importer, listImportersOf, listImportsOfFile } from '../../index/store/stored-imports.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { isNotAnswered } from '../../index/view/not-answered.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { importKinds } from '../../languages/facts.ts';
import {
  columns,
  countOf,
  countWith,
  plural,
  quotedPath,
  renderMore,
  shown,
  whyMore,
  whyStale,
  whyUnverified,
} from './answer-words.ts';
import { countTargets, describeImports, ImportAnswer, whoElseMayImport } from './describe-imports.ts';
import { describeFile, FileHead, openPositions, renderFileHead, whyIncomplete } from './file-head.ts';
import { Limit, targetFields } from './input.ts';
import { Count, defineOperation } from './operation.ts';
import { type PageAsk, pageOf, startOfPage } from './page.ts';

const ImporterAnswer = z.object({
  path: z.string(),
  /** Where the import is written; null where that file has changed since. */
  line: z.number().int().nullable(),
  col: z.number().int().nullable(),
  specifier: z.string(),
  kind: z.enum(importKinds),
  type_only: z.boolean(),
});
type ImporterAnswer = z.infer<typeof ImporterAnswer>;

const paging = { truncated: z.boolean(), continue: z.string().nullable() } as const;

const Imports = z.object({
  direction: z.literal('imports'),
  file: FileHead,
  imports: z.array(ImportAnswer),
  /** Imports that are written in the file. */
  count: Count,
  /** Files of this repository that they lead to. */
  files: Count,
  /** Files whose declarations it uses and that no import names (one package, globals), as the indexer saw it; null where none did. */
  also_uses: z.array(z.string()).nullable(),
  ...paging,
});

const Importers = z.object({
  direction: z.literal('importers'),
  file: FileHead,
  importers: z.array(ImporterAnswer),
  /** Files that import it. */
  count: Count,
  /** What imports do not say about this language; null where they say it all. */
  note: z.string().nullable(),
  /** Files that use its declarations without importing it, as indexers saw it; null where none has seen any file. */
  also_used_by: z.array(z.string()).nullable(),
  ...paging,
});

export default defineOperation({
  name: 'deps',
  says: 'The imports of one file with where each leads; in reverse, the files that import it',
  semantic: true,
  sweeps: ({ reverse }) => reverse === true,
  input: strictInput({
    ...targetFields,
    reverse: z.boolean().optional(),
    limit: Limit.optional(),
    continue: z.string().optional(),
    /** Also what was tried for each import. */
    candidates: z.boolean().optional(),
  }),
  output: z.discriminatedUnion('direction', [Imports, Importers]),
  async run(view, input) {
    return view.read((session) => {
      const found = findTargetFile(session, view, input);
      if (isNotAnswered(found)) return found;
      const reverse = input.reverse ?? false;
      const question = ['deps', found.file.path, reverse];
      const page = { generation: session.generation, question, limit: input.limit ?? 200, token: input.continue };
      const start = startOfPage(page);
      if (typeof start !== 'number') return start;
      return reverse
        ? listImporters(session, view, found, page, start)
        : listImports(session, view, found, page, start, input.candidates ?? false);
    });
  },
  render: (answer) => (answer.direction === 'imports' ? renderImports(answer) : renderImporters(answer)),
});

function listImports(
  session: ReadSession,
  view: CodeView,
  found: FoundFile,
  page: PageAsk,
  start: number,
  withCandidates: boolean,
): z.infer<typeof Imports> {
  const { file } = found;
  const stored = listImportsOfFile(session, file.path);
  const place = stored.length === 0 ? undefined : openPositions(view, file.path, file.contentHash);
  const head = describeFile(view, found, stored.length > 0 && place === undefined);
  const all = describeImports(session, view, stored, place, withCandidates);
  const incomplete = whyIncomplete(head);
  const unverified = whyUnverified(view);
  const { items, ...rest } = pageOf(all, start, page);
  return {
    direction: 'imports',
    file: head,
    imports: [...items],
    count: countWith(all.length, unverified === null ? incomplete : [...incomplete, unverified]),
    // Where imports lead depends on every file and not on this one alone.
    files: countTargets(all, [...incomplete, ...whyStale(view)]),
    also_uses: listAlsoUsed(session, file, new Set(stored.flatMap(({ targets }) => targets))),
    ...rest,
  };
}

function listImporters(
  session: ReadSession,
  view: CodeView,
  found: FoundFile,
  page: PageAsk,
  start: number,
): z.infer<typeof Importers> {
  const { file } = found;
  const { gone } = view.differences;
  const all = listImportersOf(session, file.path).filter((importer) => !gone.has(importer.path));
  const { items, ...rest } = pageOf(all, start, page);
  return {
    direction: 'importers',
    file: describeFile(view, found, false),
    importers: placeImporters(session, view, items),
    count: countWith(new Set(all.map((importer) => importer.path)).size, whoElseMayImport(session, view, file)),
    note: unwritten[file.language ?? ''] ?? null,
    also_used_by: listAlsoUsing(session, file.path, new Set(all.map((importer) => importer.path))),
    ...rest,
  };
}

/** What an indexer that has seen these bytes knows, besides what the text says. */
function listAlsoUsed(
  session: ReadSession,
  { path, contentHash }: FoundFile['file'],
  imported: ReadonlySet<string>,
): string[] | null {
  const seen = listFactsOfFile(session, path).filter(({ hashAtIndex }) => hashAtIndex === contentHash);
  if (seen.length === 0) return null;
  const used = seen.flatMap(({ contextId }) => listDependencies(session, path, contextId).map((one) => one.path));
  return [...new Set(used)].filter((one) => one !== path && !imported.has(one)).sort(compareCodeUnits);
}

function listAlsoUsing(session: ReadSession, path: string, importers: ReadonlySet<string>): string[] | null {
  if (listContexts(session).length === 0) return null;
  const using = listDependents(session, path).map((one) => one.path);
  return [...new Set(using)].filter((one) => one !== path && !importers.has(one)).sort(compareCodeUnits);
}

const unwritten: Readonly<Record<string, string>> = {
  go: 'files of one package use each other without an import',
  java: 'classes of one package use each other without an import',
  csharp: 'types of one namespace use each other without a using',
};

function placeImporters(session: ReadSession, view: CodeView, importers: readonly Importer[]): ImporterAnswer[] {
  const opened = new Map<string, (ordinal: number) => { readonly line: number; readonly col: number } | undefined>();
  const open = (path: string) => {
    const imports = listImportsOfFile(session, path);
    const place = openPositions(view, path, findFile(session, path)?.contentHash ?? null);
    return (ordinal: number) => {
      const written = imports[ordinal];
      return written === undefined ? undefined : place?.(written.start);
    };
  };
  return importers.map(({ path, ordinal, specifier, kind, typeOnly }) => {
    const find = opened.get(path) ?? open(path);
    opened.set(path, find);
    const at = find(ordinal);
    return { path, line: at?.line ?? null, col: at?.col ?? null, specifier, kind, type_only: typeOnly };
  });
}

function renderImports({ file, imports, count, files, also_uses, ...page }: z.infer<typeof Imports>): string {
  const packages = new Set(imports.flatMap((entry) => (entry.external === null ? [] : [entry.external]))).size;
  const outside = packages === 0 || page.truncated ? '' : ` · ${plural(packages, 'package')} outside`;
  const rows = imports.map((entry): readonly string[] => {
    const at = entry.line === null ? '?' : `${entry.line}:${entry.col}`;
    return [`${at}:`, shown(entry.specifier, 80), `→ ${whereTo(entry)}${entry.type_only ? ' (types only)' : ''}`];
  });
  const shownRows = columns(rows);
  const lines = imports.flatMap((entry, at) => [shownRows[at] as string, ...renderTried(entry)]);
  return [
    `${renderFileHead(file)} · ${countOf(count, 'import')} · ${countOf(files, 'file')} here${outside}`,
    ...whyMore(files),
    ...lines,
    ...renderAlso('also uses, without an import', also_uses),
    ...renderMore(page.continue),
  ].join('\n');
}

function whereTo(entry: z.infer<typeof ImportAnswer>): string {
  if (entry.targets.length > 0) return entry.targets.map((target) => quotedPath(target)).join(', ');
  switch (entry.reason) {
    case 'external':
      return `outside: ${shown(entry.external ?? entry.specifier)}`;
    case 'ignored_target':
      return `${quotedPath(entry.on_disk ?? '')}, which is on disk and not in scope (ignored_target)`;
    case 'dynamic':
      return 'computed when the program runs (dynamic)';
    case 'outside_root':
      return 'outside the root (outside_root)';
    case 'ambiguous':
      return 'could mean several files (ambiguous)';
    default:
      return 'no such file (not_found)';
  }
}

function renderTried({ candidates, targets }: z.infer<typeof ImportAnswer>): readonly string[] {
  if (candidates === undefined || candidates.length === 0) return [];
  return [
    `        tried ${candidates.map((path) => (targets.includes(path) ? `${quotedPath(path)} ✓` : quotedPath(path))).join(', ')}`,
  ];
}

function renderAlso(what: string, paths: readonly string[] | null): readonly string[] {
  return paths === null || paths.length === 0 ? [] : [`${what}:`, ...paths.map((path) => `  ${quotedPath(path)}`)];
}

function renderImporters({ file, importers, count, note, also_used_by, ...page }: z.infer<typeof Importers>): string {
  const lines = columns(
    importers.map(({ path, line, col, specifier, type_only }) => [
      line === null ? quotedPath(path) : `${quotedPath(path)}:${line}:${col}`,
      `${shown(specifier, 80)}${type_only ? ' (types only)' : ''}`,
    ]),
  );
  return [
    `${renderFileHead(file)} · imported by ${countOf(count, 'file')}`,
    ...whyMore(count),
    ...(note === null ? [] : [`  note: ${note}`]),
    ...lines,
    ...renderAlso('also used by, without an import', also_used_by),
    ...renderMore(page.continue),
  ].join('\n');
}
