/**
 * The run of adrs: every architecture decision record, in the styles people write them: id, title, status, date, and what it supersedes.
 * Reads what the text says and nothing more: a status that is not one of the known words is `unknown`.
 */

import { posix } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import {
  belowConfigured,
  confidenceOf,
  type PerFileError,
  shownPath,
  sortPerFileErrors,
} from '../shared/authored-files.ts';
import { type MarkdownLine, plainText, scanMarkdownLines, splitFrontmatterBytes } from '../shared/markdown.ts';
import { cutText } from '../shared/probe-reading.ts';

const HEAD_BYTES = 64 * 1024;

export async function gatherAdrs(
  repo: ProbeRepo,
  ctx: ProbeContext<'adrs.paths'>,
  ids: readonly string[],
): Promise<ProbeOutput> {
  const adrs = [];
  const errors: PerFileError[] = [];
  let read = 0;
  for (const id of ids) {
    const path = shownPath(repo, id);
    if ((repo.inputs.fingerprint(id)?.size ?? 0) > limits.textBytes) {
      errors.push({ path, reason: 'file_exceeds_cap' });
      continue;
    }
    const head = await repo.inputs.readHead(id, HEAD_BYTES);
    if (head.kind === 'absent') continue;
    if (head.kind === 'failed') {
      errors.push({ path, reason: head.failure.kind === 'symlink_refused' ? 'symlink_refused' : 'unreadable' });
      continue;
    }
    const split = splitFrontmatterBytes(head.bytes);
    const frontmatter = split.kind === 'found' ? parseAdrFrontmatter(split.yaml) : {};
    const text = decodeLenient(head.bytes.subarray('bodyOffset' in split ? split.bodyOffset : 0));
    // The last line may have been cut in the middle of a word; then it says nothing reliable.
    const body = head.truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
    const record = readAdr(posix.basename(id), frontmatter, body);
    if (record === undefined) {
      errors.push({ path, reason: 'no_h1' });
      continue;
    }
    read += 1;
    // A page beside the records, such as an overview: it has neither number nor status.
    if (record.id === null && record.status === 'unknown') continue;
    adrs.push({ ...record, path });
  }
  adrs.sort((a, b) => compareCodeUnits(a.id ?? '', b.id ?? '') || compareCodeUnits(a.path, b.path));
  return {
    kind: 'ran',
    slice: {
      'organizational.adrs': {
        adrs,
        scanned_locations: ctx.config['adrs.paths']
          .filter((path, position) =>
            ids.some((id) => belowConfigured(repo.root, id, { key: 'adrs.paths', position, path })),
          )
          .sort(),
        per_file_errors: sortPerFileErrors(errors),
      },
    },
    confidence: confidenceOf(read, errors.length),
    warnings: errors.length > 0 ? ['adrs.per_file_errors_present'] : [],
  };
}

const adrStatuses = ['proposed', 'accepted', 'rejected', 'deprecated', 'superseded', 'unknown'] as const;
type AdrStatus = (typeof adrStatuses)[number];

export type AdrRecord = {
  /** `ADR-<number as written>`; null if neither name nor title has one. */
  readonly id: string | null;
  readonly title: string;
  readonly status: AdrStatus;
  /** `YYYY-MM-DD`. */
  readonly date: string | null;
  /** Ids, sorted. */
  readonly supersedes: readonly string[];
  readonly superseded_by: readonly string[];
};

/** Undefined if there is no title: neither a heading of level 1 nor one in the front matter. */
export function readAdr(fileName: string, frontmatter: JsonObject, body: string): AdrRecord | undefined {
  const lines = scanMarkdownLines(body);
  const heading = lines.find((line) => line.heading?.level === 1)?.heading?.text;
  const title = heading ?? textOf(frontmatter['title']);
  if (title === undefined || title === '') return undefined;
  const fields = readFields(lines);
  const statusText = textOf(frontmatter['status']) ?? fields.status ?? '';
  const relations = readRelations(lines, `${statusText}\n${fields.statusSection}`, frontmatter);
  return {
    id: idOf(fileName, title),
    title: cutText(singleLine(title), 200),
    status: statusOf(statusText),
    date: dateIn(textOf(frontmatter['date']) ?? '') ?? dateIn(fields.date ?? '') ?? dateIn(fileName.slice(0, 10)),
    supersedes: relations.supersedes,
    superseded_by: relations.supersededBy,
  };
}

/** Front matter as a mapping; `{}` when it is none. */
function parseAdrFrontmatter(yaml: Uint8Array): JsonObject {
  const outcome = parseYaml(yaml, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  return outcome.ok && isJsonObject(outcome.value) ? outcome.value : {};
}

function idOf(fileName: string, title: string): string | null {
  // A leading date is no number of a record.
  const stem = fileName.replace(/\.[^.]*$/, '').replace(/^\d{4}-\d{2}-\d{2}|^\d{8}(?!\d)/, '');
  const digits =
    /\d{1,9}/.exec(stem)?.[0] ?? /\bADR[-_ ]?#?(\d{1,9})/i.exec(title)?.[1] ?? /^(\d{1,9})[.:)]/.exec(title)?.[1];
  return digits === undefined ? null : `ADR-${digits}`;
}

function statusOf(text: string): AdrStatus {
  const word = /[a-z]+/.exec(plainText(text).toLowerCase())?.[0] ?? '';
  return adrStatuses.find((status) => status === word) ?? 'unknown';
}

type Pair = { readonly name: 'status' | 'date'; readonly value: string };
type Fields = { status: string | undefined; date: string | undefined; statusSection: string };

/** The first of each; lines win over tables and sections because they come first in every template that has them. */
function readFields(lines: readonly MarkdownLine[]): Fields {
  const fields: Fields = { status: undefined, date: undefined, statusSection: '' };
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'heading' && line.heading?.text.toLowerCase() === 'status') {
      const words = sectionText(lines, index + 1);
      fields.statusSection = words.join('\n');
      fields.status ??= words[0];
    }
    if (line.kind !== 'text') continue;
    const pair = readPair(line.text);
    for (const { name, value } of pair === undefined ? readTablePairs(lines, index) : [pair]) {
      if (name === 'status') fields.status ??= value;
      else fields.date ??= value;
    }
  }
  return fields;
}

/** `Status: x`, `**Status:** x`, `**Status**: x`, `* Status: x`. */
function readPair(text: string): Pair | undefined {
  const plain = plainText(text.replace(/^\s*[-*+]\s+/, ''));
  const match = /^(status|date)\s{0,3}:\s{0,10}(\S.*)$/i.exec(plain);
  if (match === null) return undefined;
  return { name: match[1]?.toLowerCase() === 'status' ? 'status' : 'date', value: match[2] ?? '' };
}

/** `| Status | Accepted |`, or columns called Status and Date with their values in the first row below the rule. */
function readTablePairs(lines: readonly MarkdownLine[], index: number): readonly Pair[] {
  const cells = cellsOf(lines[index]?.text ?? '');
  const rule = cellsOf(lines[index + 1]?.text ?? '');
  const isHeader = rule.length > 0 && rule.every((cell) => /^:?-+:?$/.test(cell));
  const below = isHeader ? cellsOf(lines[index + 2]?.text ?? '') : [];
  return cells.flatMap((cell, column) => {
    const name = cell.toLowerCase();
    if (name !== 'status' && name !== 'date') return [];
    const beside = column === 0 ? cells[1] : undefined;
    // A two-column table may use its first pair as header: `| Status | Accepted |` above the rule.
    const isColumn = isHeader && (beside === undefined || statusOf(beside) === 'unknown');
    const value = isColumn ? below[column] : beside;
    return value === undefined || value === '' ? [] : [{ name, value }];
  });
}

function cellsOf(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith('|')) return [];
  return trimmed
    .slice(1, trimmed.endsWith('|') ? -1 : undefined)
    .split('|')
    .map(plainText);
}

function sectionText(lines: readonly MarkdownLine[], from: number): readonly string[] {
  const words: string[] = [];
  for (const line of lines.slice(from, from + 30)) {
    if (line.kind === 'heading') break;
    if (line.kind === 'text') words.push(plainText(line.text.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '')));
  }
  return words;
}

function readRelations(lines: readonly MarkdownLine[], statusText: string, frontmatter: JsonObject) {
  const supersedes = new Set(referencesIn(joined(frontmatter['supersedes'])));
  const by = joined(frontmatter['superseded_by'] ?? frontmatter['superseded-by'] ?? frontmatter['supersededBy']);
  const supersededBy = new Set(referencesIn(by));
  const note = (sentence: string, passiveForm: RegExp): void => {
    const lower = sentence.toLowerCase();
    const passive = lower.search(passiveForm);
    const active = lower.search(/supersedes(?![ _-]by)/);
    if (passive >= 0) for (const id of referencesIn(sentence.slice(passive))) supersededBy.add(id);
    else if (active >= 0) for (const id of referencesIn(sentence.slice(active))) supersedes.add(id);
  };
  // "Replaced by" is everyday language anywhere but in the status.
  for (const sentence of statusText.split('\n')) note(sentence, /supersede[ds][ _-]by|replaced by/);
  for (const line of lines) if (line.kind === 'text') note(line.text, /supersede[ds][ _-]by/);
  return { supersedes: [...supersedes].sort(), supersededBy: [...supersededBy].sort() };
}

/** `ADR-0003`, `ADR 3`, `[3](0003-x.md)`, or a bare number of at least two digits that is no part of a date. */
function referencesIn(text: string): readonly string[] {
  const ids = new Set<string>();
  for (const match of text
    .slice(0, 4096)
    .matchAll(/\bADR[-_ ]?#?(\d{1,9})|(?<![\d-])(\d{2,4})-[a-z]|^\s*['"]?(\d{1,9})['"]?\s*$/gim)) {
    ids.add(`ADR-${match[1] ?? match[2] ?? match[3]}`);
  }
  return [...ids];
}

function joined(value: unknown): string {
  return (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .join('\n');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? plainText(value) : undefined;
}

function dateIn(text: string): string | null {
  const match = /(?<!\d)(\d{4})[-/.](\d{2})[-/.](\d{2})(?!\d)/.exec(text);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}
