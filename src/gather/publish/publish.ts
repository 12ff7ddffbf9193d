/**
 * Publishing (gather.md §8.3): under the lock, each file whole or not at all, the document after the artifacts it names, and
 * nothing of the previous gather removed before the new one is in place.
 */

import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { sha256Hex } from '../../kernel/base/hash.ts';
import type { Json, JsonObject } from '../../kernel/base/json.ts';
import type { Logger } from '../../kernel/base/log.ts';
import {
  ensureOwnDirectory,
  ensureParents,
  flushDirectory,
  lstatOwn,
  OutputRefused,
  parentsBelow,
  refuseForeignDirectory,
  writeAtomically,
} from '../../kernel/base/write-file.ts';
import type { Execution } from '../run/execution.ts';
import { sweepLeftovers } from '../run/scratch.ts';
import type { TaskClass } from '../run/task-class.ts';
import { buildRunRecord, noteContext, type RunFacts } from './audit.ts';
import { ENVELOPE_VERSION, type Envelope } from './envelope.ts';
import { acquireGatherLock } from './gather-lock.ts';
import { assertRedactedArtifact, type RedactedArtifact, redactText } from './redact.ts';

type PublishOutcome =
  | { readonly kind: 'published'; readonly files: PublishedFiles; readonly reportProblem: string | null }
  | { readonly kind: 'busy'; readonly owner: string }
  | { readonly kind: 'refused'; readonly path: string; readonly why: string }
  | { readonly kind: 'invalid'; readonly file: string };

export type PublishedFiles = {
  readonly yaml: string;
  readonly markdown: string;
  readonly html: string;
  readonly record: string;
};

/** What a gather has to say of one publication. */
export type Published = {
  readonly kind: 'published';
  readonly envelope: Envelope;
  readonly executions: readonly Execution[];
  readonly files: PublishedFiles;
  readonly taskClass: TaskClass | undefined;
  readonly reportProblem: string | null;
};

export async function publish(of: {
  readonly dataDir: string;
  readonly stateDir: string;
  readonly envelope: Envelope;
  readonly problems: readonly string[];
  readonly executions: readonly Execution[];
  readonly artifacts: readonly RedactedArtifact[];
  readonly reports: () => { readonly markdown: string; readonly html: string };
  readonly run: RunFacts;
  /** The record of the first publication of the same run: one run has one record. */
  readonly replaces?: string | undefined;
  readonly waitS: number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}): Promise<PublishOutcome> {
  try {
    refuseMoved(of.dataDir);
    const lock = await acquireGatherLock(of.dataDir, of.waitS, of.signal);
    if (lock.kind === 'busy') return lock;
    try {
      of.signal.throwIfAborted();
      return writeAll(of);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (!(error instanceof OutputRefused)) throw error;
    of.logger.event('writer.symlink.refused', { path: error.path, why: error.why });
    return { kind: 'refused', path: error.path, why: error.why };
  }
}

function writeAll(of: Parameters<typeof publish>[0]): PublishOutcome {
  refuseMoved(of.dataDir);
  const context = `${of.dataDir}/context`;
  for (const directory of [context, `${context}/raw`, `${context}/runs`]) ensureOwnDirectory(directory);
  sweepLeftovers(of.dataDir);
  const yaml = renderYaml(of.envelope as unknown as JsonObject);
  if (of.problems.length > 0) {
    const file = `${context}/repo-context.yaml.invalid`;
    writeAtomically(file, yaml, { durable: true });
    return { kind: 'invalid', file };
  }
  // Looked at before the first write: a refusal must leave the previous gather as it was.
  const files: PublishedFiles = {
    yaml: `${context}/repo-context.yaml`,
    markdown: `${context}/CONTEXT_REPORT.md`,
    html: `${context}/CONTEXT_REPORT.html`,
    record: `${context}/runs/${recordName(of.run.startedAt, readdirSync(`${context}/runs`))}`,
  };
  const version = `${context}/schema-version.txt`;
  const rejected = `${context}/repo-context.yaml.invalid`;
  const raw = `${context}/raw`;
  for (const path of [files.yaml, files.markdown, files.html, version, rejected]) refuseForeign(path);
  for (const artifact of of.artifacts) {
    for (const parent of parentsBelow(raw, `${raw}/${artifact.name}`)) refuseForeignDirectory(parent);
    refuseForeign(`${raw}/${artifact.name}`);
  }

  const changed = new Set([raw, `${context}/runs`, context]);
  for (const artifact of of.artifacts) {
    assertRedactedArtifact(artifact);
    const path = `${raw}/${artifact.name}`;
    ensureParents(raw, path);
    if (writeUnlessSame(path, artifact.bytes)) for (const parent of parentsBelow(raw, path)) changed.add(parent);
  }
  writeUnlessSame(version, Buffer.from(`${ENVELOPE_VERSION}\n`));
  // Both are ours until the new one is in place.
  const settle = noteContext(of.stateDir, sha256Hex(yaml));
  writeAtomically(files.yaml, yaml, { durable: true });
  const reports = writeReports(of, files);
  const record = buildRunRecord({
    ...of.run,
    yamlSha256: sha256Hex(yaml),
    reportSha256: reports.sha256,
    htmlSha256: reports.htmlSha256,
    artifacts: of.artifacts,
    executions: of.executions,
  });
  const recorded = redactText(`${JSON.stringify(record, null, 2)}\n`);
  writeAtomically(files.record, recorded, { durable: true });
  settle(sha256Hex(recorded));
  if (of.replaces !== undefined) removeFile(of.replaces);
  rmSync(rejected, { force: true });
  removeUnlisted(raw, new Set(of.artifacts.map((artifact) => artifact.name)));
  // Once each and after the last change: a gather pays for a handful of flushes, not for two per file.
  for (const directory of changed) flushDirectory(directory);
  of.logger.event('envelope.written', { secrets_redacted_count: of.envelope.redaction.count });
  return { kind: 'published', files, reportProblem: reports.problem };
}

/** Whether it had to write. */
function writeUnlessSame(path: string, bytes: Uint8Array): boolean {
  const present = lstatSync(path, { throwIfNoEntry: false });
  if (present?.isFile() === true && present.size === bytes.length && readFileSync(path).equals(bytes)) return false;
  writeAtomically(path, bytes, { durable: true });
  return true;
}

/**
 * A report that cannot be rendered is a warning: the facts are published already. The previous report goes, because beside the new
 * facts it would be read as theirs.
 */
function writeReports(
  of: Parameters<typeof publish>[0],
  files: PublishedFiles,
): { sha256: string | null; htmlSha256: string | null; problem: string | null } {
  try {
    const { markdown, html } = of.reports();
    writeAtomically(files.markdown, markdown, { durable: true });
    writeAtomically(files.html, html, { durable: true });
    return { sha256: sha256Hex(markdown), htmlSha256: sha256Hex(html), problem: null };
  } catch (error) {
    for (const path of [files.markdown, files.html]) removeFile(path);
    if (error instanceof OutputRefused) throw error;
    of.logger.event('report.render_failed', { message: (error as Error).message });
    return { sha256: null, htmlSha256: null, problem: (error as Error).message };
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A foreign file, or a directory that cannot be written: the problem that led here is the one to tell.
  }
}

/** It may have been exchanged for a link while the gather ran, and so may the tree: the root is a real path. */
function refuseMoved(dataDir: string): void {
  if (realpathSync.native(dataDir) !== dataDir)
    throw new OutputRefused(dataDir, 'leads elsewhere since the gather began');
}

function refuseForeign(path: string): void {
  const found = lstatOwn(path);
  if (found?.isSymbolicLink() === true) throw new OutputRefused(path, 'is a symbolic link');
  if (found !== undefined && !found.isFile()) throw new OutputRefused(path, 'is not a regular file');
}

function removeUnlisted(raw: string, listed: ReadonlySet<string>): void {
  const visit = (below: string): void => {
    for (const entry of readdirSync(`${raw}/${below}`, { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        visit(name);
        if (readdirSync(`${raw}/${name}`).length === 0) rmSync(`${raw}/${name}`, { recursive: true, force: true });
      } else if (!listed.has(name)) rmSync(`${raw}/${name}`, { force: true });
    }
  };
  visit('');
}

const recordStamp = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-[0-9a-f]{8}\.json$/;

/**
 * Records sort in the order of publishing, because the audit takes the last one for the one whose files lie here. Neither a clock
 * that went back nor a gather that began earlier and published later may fall behind a record that is there already.
 */
function recordName(startedAt: string, present: readonly string[]): string {
  let newest = Date.parse(startedAt) - 1;
  for (const name of present) {
    const time = Date.parse(name.replace(recordStamp, '$1:$2:$3.$4'));
    if (time > newest) newest = time;
  }
  return `${new Date(newest + 1).toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}.json`;
}

/**
 * Canonical YAML: keys in the order given, block style, no anchors, no folding, LF. A string stands plain only where no reader of
 * YAML 1.1 or 1.2 could take it for anything else; otherwise it is a JSON string, which every YAML reader understands.
 */
export function renderYaml(document: JsonObject): string {
  const lines: string[] = [];
  renderMembers(document, '', lines);
  return `${lines.join('\n')}\n`;
}

const plain = /^[A-Za-z_./][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+(),-]+)*$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity|\.nan|\.inf|[.]+|\.\d.*)$/i;

function renderScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return plain.test(value) && !reserved.test(value) ? value : quote(value);
}

// JSON leaves these as they are; YAML readers take them for line breaks or refuse them, and people are misled by the bidi ones.
const unsafe =
  /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function quote(text: string): string {
  return JSON.stringify(text).replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function renderMembers(object: JsonObject, indent: string, lines: string[]): void {
  for (const [key, value] of Object.entries(object)) {
    renderValue(`${indent}${renderScalar(key)}:`, value, indent, lines);
  }
}

function renderItems(items: readonly Json[], indent: string, lines: string[]): void {
  for (const item of items) {
    if (isBlockObject(item)) {
      const start = lines.length;
      renderMembers(item, `${indent}  `, lines);
      lines[start] = `${indent}- ${(lines[start] as string).slice(indent.length + 2)}`;
    } else renderValue(`${indent}-`, item, indent, lines);
  }
}

function renderValue(head: string, value: Json, indent: string, lines: string[]): void {
  if (value === null || typeof value !== 'object') lines.push(`${head} ${renderScalar(value)}`);
  else if (Array.isArray(value)) {
    if (value.length === 0) lines.push(`${head} []`);
    else {
      lines.push(head);
      renderItems(value as readonly Json[], `${indent}  `, lines);
    }
  } else if (isBlockObject(value)) {
    lines.push(head);
    renderMembers(value, `${indent}  `, lines);
  } else lines.push(`${head} {}`);
}

function isBlockObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
