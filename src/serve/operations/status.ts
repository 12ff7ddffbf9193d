/** What the index holds, how it came through the parsers, how it compares with the disk, and who writes it. */

import { storeBytes } from '../../index/store/current-file.ts';
import { countFiles, countParses, type ParseCount } from '../../index/store/store-counts.ts';
import { findRepoState } from '../../index/store/stored-files.ts';
import { listSkippedFiles } from '../../index/store/stored-text.ts';
import { countDifferences } from '../../index/sync/find-differences.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { formatBytes, formatCount, formatTime } from '../../kernel/base/quantities.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { columns, plural, quotedPath, shown, tallies, whyUnverified } from './answer-words.ts';
import {
  describeSemantics,
  renderContexts,
  renderProblems,
  renderUnsettled,
  Semantics,
  semanticsLine,
  splitReasons,
} from './describe-index.ts';
import { defineOperation } from './operation.ts';

const whole = z.number().int();

const LanguageCounts = z.object({
  /** Null: a kind of file that has no name here. */
  language: z.string().nullable(),
  files: whole,
  ok: whole,
  errors: whole,
  failed: whole,
  too_large: whole,
  /** Searched and not parsed, because there is no grammar. */
  text_only: whole,
  /** Only the name is known. */
  skipped: whole,
});
type LanguageCounts = z.infer<typeof LanguageCounts>;

const output = z.object({
  files: z.object({
    present: whole,
    links: whole,
    absent: whole,
    test: whole,
    generated: whole,
    vendored: whole,
    conflicted: whole,
    /** Hold secret-shaped strings, which are not in the index. */
    redacted: whole,
  }),
  /** How much is known of how many files; `resolved` are those that an indexer has seen as they are now. */
  certainty: z.object({ resolved: whole, syntactic: whole, text: whole, name_only: whole }),
  /** Files on disk that are not as the index has them. */
  differing: whole,
  /** Why that is not certain; null where it is. */
  unverified: z.string().nullable(),
  languages: z.array(LanguageCounts),
  /** Files of which only the name is known, by reason. */
  skipped: z.record(z.string(), whole),
  /** Links that lead to no file in scope, by reason. */
  links_astray: z.record(z.string(), whole),
  /** Where asked for. */
  skipped_files: z.array(z.object({ path: z.string(), reason: z.string() })),
  symbols: whole,
  imports: whole,
  store: z.object({ path: z.string().nullable(), bytes: whole.nullable() }),
  /** When something was last written; null where that is unknown. */
  last_written: z.string().nullable(),
  /** The process that keeps the index; null where that was this one, for as long as it took to answer. */
  writer: z.object({ pid: whole }).nullable(),
  semantic: Semantics,
  // Also in the heads of the answer; here for the text.
  root: z.string(),
  head: z.string(),
  generation: whole,
  watch: z.enum(['ok', 'degraded', 'off']),
});

export default defineOperation({
  name: 'status',
  says: 'What the index holds, how fresh it is, and who keeps it',
  semantic: true,
  tellsOf: 'index',
  input: strictInput({
    /** How many skipped files to name. */
    skipped_limit: z.number().int().min(0).max(10_000).optional(),
    /** How many files that are not clean to name. */
    unsettled_limit: z.number().int().min(0).max(10_000).optional(),
  }),
  output,
  async run(view, input) {
    const semantic = describeSemantics(view, input.unsettled_limit ?? 10);
    const resolved = semantic.files.by_freshness.clean;
    return view.read((session) => {
      const counts = countFiles(session);
      const languages = tableOf(countParses(session));
      const state = findRepoState(session);
      const total = (key: Exclude<keyof LanguageCounts, 'language'>) =>
        languages.reduce((sum, row) => sum + row[key], 0);
      const limit = input.skipped_limit ?? 0;
      const { skipped, astray } = splitReasons(counts.bySkipReason);
      return {
        files: {
          present: counts.files,
          links: counts.aliases,
          absent: counts.absent,
          test: counts.test,
          generated: counts.generated,
          vendored: counts.vendored,
          conflicted: counts.conflicted,
          redacted: counts.redacted,
        },
        certainty: {
          resolved,
          syntactic: Math.max(0, total('ok') + total('errors') - resolved),
          text: total('text_only') + total('failed') + total('too_large'),
          name_only: total('skipped'),
        },
        differing: countDifferences(view.differences),
        unverified: whyUnverified(view),
        languages,
        skipped,
        links_astray: astray,
        skipped_files:
          limit === 0
            ? []
            : listSkippedFiles(session, limit).map(({ path, skipReason }) => ({ path, reason: skipReason })),
        symbols: counts.symbols,
        imports: counts.imports,
        store: { path: session.path, bytes: storeBytes(session.path) },
        last_written: typeof state?.reconciledMs === 'number' ? new Date(state.reconciledMs).toISOString() : null,
        writer: view.writer === null ? null : { pid: view.writer.pid },
        semantic,
        root: view.root,
        head: view.head,
        generation: session.generation,
        watch: view.watch,
      };
    });
  },
  render(status) {
    const { files, certainty } = status;
    const rows: (readonly [string, string])[] = [
      ['index', indexLine(status)],
      ['disk', diskLine(status)],
      ['head', headWords[status.head] ?? shown(status.head)],
      ['written', status.last_written === null ? 'unknown' : formatTime(status.last_written)],
      [
        'kept by',
        status.writer === null
          ? 'no daemon; each command brings the index up to date itself'
          : `process ${status.writer.pid}, which follows the disk`,
      ],
      ['watcher', watchWords[status.watch]],
      ['semantic', semanticsLine(status.semantic, status.writer !== null)],
      ['files', filesLine(files)],
      [
        'known',
        [
          `${formatCount(certainty.resolved)} by compilers`,
          `${formatCount(certainty.syntactic)} by syntax`,
          `${formatCount(certainty.text)} as text only`,
          `${formatCount(certainty.name_only)} by name only`,
        ].join(', '),
      ],
      [
        'facts',
        `${plural(status.symbols, 'symbol')}, ${plural(status.imports, 'import')}` +
          `${status.semantic.occurrences === 0 ? '' : `, ${plural(status.semantic.occurrences, 'resolved occurrence')}`}`,
      ],
      ...(Object.keys(status.skipped).length === 0 ? [] : [['skipped', skippedLine(status)] as const]),
      ...(Object.keys(status.links_astray).length === 0
        ? []
        : [['links', `lead to no file in scope: ${tallies(status.links_astray)}`] as const]),
    ];
    const named = status.skipped_files.map(({ path, reason }) => `${shown(reason)}: ${quotedPath(path)}`);
    return [
      quotedPath(status.root),
      ...columns(rows),
      ...renderLanguages(status.languages),
      ...renderProblems(status.semantic),
      ...renderContexts(status.semantic),
      ...renderUnsettled(status.semantic),
      ...named.map((line) => `  ${line}`),
    ].join('\n');
  },
});

type Status = z.infer<typeof output>;

function tableOf(counts: readonly ParseCount[]): LanguageCounts[] {
  const table = new Map<string | null, LanguageCounts>();
  for (const { language, parse, skipReason, count } of counts) {
    const row = table.get(language) ?? {
      ...{ language, files: 0, ok: 0, errors: 0, failed: 0, too_large: 0, text_only: 0, skipped: 0 },
    };
    const column =
      skipReason !== null ? 'skipped' : parse === null ? 'text_only' : parse === 'skipped' ? 'too_large' : parse;
    table.set(language, { ...row, files: row.files + count, [column]: row[column] + count });
  }
  return [...table.values()].sort((a, b) => b.files - a.files || compareCodeUnits(a.language ?? '', b.language ?? ''));
}

const headWords: Readonly<Record<string, string>> = { none: 'none: no git here', unborn: 'unborn: no commit yet' };
const watchWords: Readonly<Record<Status['watch'], string>> = {
  ok: 'on',
  degraded: 'degraded: changes are found by looking every 10 s, and by every question',
  off: 'off; every question compares with the disk itself',
};

function indexLine({ store }: Status): string {
  const bytes = store.bytes === null ? '' : ` · ${formatBytes(store.bytes)}`;
  return `${store.path === null ? 'unknown place' : quotedPath(store.path)}${bytes}`;
}

function diskLine({ differing, unverified }: Status): string {
  const found = differing === 0 ? [] : [`${plural(differing, 'file')} not yet indexed`];
  if (unverified !== null) return [...found, shown(unverified)].join('; ');
  return `compared now: ${found[0] ?? 'nothing differs'}`;
}

function filesLine({ present, ...others }: Status['files']): string {
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  return [
    `${formatCount(present)} in scope`,
    ...rest.map(([name, count]) => `${formatCount(count)} ${fileWords[name] ?? name}`),
  ].join(', ');
}

const fileWords: Readonly<Record<string, string>> = {
  links: 'links besides',
  absent: 'tracked and not on disk',
  test: 'of tests',
  conflicted: 'in conflict',
  redacted: 'with secret-shaped strings (the strings are not in the index)',
};

function skippedLine({ skipped, skipped_files }: Status): string {
  return `${tallies(skipped)}${skipped_files.length > 0 ? ', named below' : ' · --verbose names them'}`;
}

function renderLanguages(languages: readonly LanguageCounts[]): readonly string[] {
  if (languages.length === 0) return [];
  const kinds = ['files', 'ok', 'errors', 'failed', 'too_large', 'text_only', 'skipped'] as const;
  const used = kinds.filter((kind) => kind === 'files' || languages.some((row) => row[kind] > 0));
  const head = ['language', ...used.map((kind) => kind.replaceAll('_', ' '))];
  const body = languages.map((row) => [
    row.language ?? '(other)',
    ...used.map((kind) => (row[kind] === 0 ? '·' : formatCount(row[kind]))),
  ]);
  return ['', ...columns([head, ...body])];
}
