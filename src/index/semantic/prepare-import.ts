/**
 * From an indexer's output file to facts that are ready to be written (code-plane.md §6.2, §6.3). Nothing is written here, so it may take its
 * time: documents are read one by one, and the event loop turns between them.
 *
 * R12  A document is taken only if the bytes it is checked against are those from before the run.
 * R15  An absent, empty, cut-off or undecodable file is a failure and gives nothing.
 */

import { blake3Hex, hashFile } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { releaseMemory } from '../../kernel/base/processes.ts';
import { readScipAsync } from '../../kernel/formats/read-scip.ts';
import { type Redactors, redactScip } from '../../kernel/formats/rewrite-scip.ts';
import type { ScipDocument, ScipMetadata, ScipReadOutcome } from '../../kernel/formats/scip.ts';
import type { IndexerAdapter } from '../../languages/indexers/indexer-adapter.ts';
import type { Failure } from '../../languages/projects/context-spec.ts';
import { joinInRoot } from '../../languages/resolving/root-paths.ts';
import type { DocumentFacts } from '../store/document-facts.ts';
import type { StoredContext } from '../store/stored-contexts.ts';
import type { StoredDefinition } from '../store/stored-occurrences.ts';
import { type DocumentDraft, describeDocument, mergeDrafts } from './describe-document.ts';
import { createSecretsSeen, recogniseOnce, recogniseSecrets } from './import-secrets.ts';
import { settleDocuments } from './settle-documents.ts';
import { createDocumentPacker, writePackedIndex } from './stored-documents.ts';
import { createSymbolKeys, type RepoPackages } from './symbol-key.ts';
import { createShapes } from './symbol-shape.ts';

/** A file as a reconcile left it. */
export type FileMoment = { readonly hash: string; readonly synIface: string | null; readonly augments?: boolean };

export type ImportSource = {
  readonly outputPath: string;
  /** What document paths are relative to, root-relative. */
  readonly documentBase: string;
  readonly context: Pick<StoredContext, 'family' | 'id' | 'key'>;
  /** Whose documents are taken: those of the context, or fewer if a tool was asked for fewer. */
  readonly members: ReadonlySet<string>;
  /** `members` are not all: what the context says of the others stays, and counts. */
  readonly isPart?: boolean;
  readonly adapter: Pick<IndexerAdapter, 'positionEncoding'>;
  readonly packages: RepoPackages;
  /** Before the run. */
  readonly pre: ReadonlyMap<string, FileMoment>;
  readonly readBytes: (path: string) => Uint8Array | undefined;
  /** Of a link, the file that it leads to; of anything else, itself. */
  readonly canonicalOf: (path: string) => string;
  readonly storedDefinitions: (keys: readonly string[]) => ReadonlyMap<string, readonly StoredDefinition[]>;
  /** Has the context a document of that file, from before? Asked where `isPart`. */
  readonly isStored?: (path: string) => boolean;
  /** Files that hold secrets and that types here may be inferred from, members or not. */
  readonly secretBearers?: readonly string[];
  readonly signal?: Pick<AbortSignal, 'aborted'>;
};

type RejectedDocument = { readonly path: string; readonly why: string };

export type PreparedImport = {
  readonly kind: 'prepared';
  /** By path. */
  readonly documents: readonly DocumentFacts[];
  /** Of members only. */
  readonly rejected: readonly RejectedDocument[];
  /** By path of a document: the files in the repository that define what it speaks of. */
  readonly touches: ReadonlyMap<string, readonly string[]>;
  readonly pre: ReadonlyMap<string, FileMoment>;
  readonly outputHash: string;
  /** Documents of files that are not in scope or no members. */
  readonly ignored: number;
  /** By path, as they are stored; of the one language that an index is published of. */
  readonly scip: ReadonlyMap<string, Uint8Array>;
  /** Writes a copy of the output without secrets, those of the program's texts included; false: there is none. */
  readonly redactOutput: (to: string) => boolean;
};

export type ImportFailure = { readonly kind: 'failed'; readonly failure: Failure; readonly detail: string };

export async function prepareImport(source: ImportSource): Promise<PreparedImport | ImportFailure> {
  const shapeOf = createShapes(source.context.family);
  const secrets = createSecretsSeen();
  const drafts = new Map<string, DocumentDraft>();
  const rejected = new Map<string, string>();
  let [ignored, unreleased, released, projectRoot] = [0, 0, false, ''];

  const take = (document: ScipDocument): void => {
    const named = joinInRoot(source.documentBase, document.relativePath);
    const path = named === null ? null : source.canonicalOf(named);
    const before = path === null ? undefined : source.pre.get(path);
    if (path === null || before === undefined || !source.members.has(path)) {
      ignored += 1;
      return;
    }
    if (rejected.has(path)) return;
    const description = describe(document, path, before.hash);
    if (description.kind === 'rejected') {
      // What half of a file says is not what the file says.
      drafts.delete(path);
      rejected.set(path, description.why);
      return;
    }
    const other = drafts.get(path);
    drafts.set(path, other === undefined ? description.draft : mergeDrafts(other, description.draft));
  };
  const describe = (document: ScipDocument, path: string, contentHash: string) => {
    const bytes = source.readBytes(path);
    if (bytes === undefined) return { kind: 'rejected', why: 'the file cannot be read any more' } as const;
    if (blake3Hex(bytes) !== contentHash) return { kind: 'rejected', why: 'the file changed during the run' } as const;
    secrets.note(recogniseSecrets(bytes));
    const { family } = source.context;
    const encoding = source.adapter.positionEncoding;
    return describeDocument(document, { path, contentHash, bytes, family, encoding, shapeOf });
  };

  const outcome = await readScipAsync(source.outputPath, (part) => {
    if (source.signal?.aborted === true) throw new Stopped();
    if (part.kind === 'metadata') projectRoot = part.metadata.projectRoot;
    else if (part.kind === 'document') {
      take(part.document);
      unreleased += weigh(part.document);
      if (unreleased < releaseBytes) return;
      unreleased = 0;
      released = true;
      releaseMemory();
    }
  }).catch(asStopped);
  if (outcome === 'stopped') return { kind: 'failed', failure: 'internal_error', detail: 'stopped by its signal' };
  if (outcome.kind === 'failed') return { kind: 'failed', failure: failureOf[outcome.reason], detail: outcome.detail };

  if (released) releaseMemory();
  const described = new Set([...drafts.keys(), ...rejected.keys()]);
  for (const path of source.secretBearers ?? []) {
    const bytes = described.has(path) ? undefined : source.readBytes(path);
    if (bytes !== undefined) secrets.note(recogniseOnce(bytes));
  }
  const { family } = source.context;
  const keys = createSymbolKeys(source.packages, family, { ...source, projectRoot });
  const sorted = [...drafts.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  drafts.clear();
  const settled = settleDocuments([...secrets.hide(sorted.splice(0), family)], {
    ...source,
    family,
    keys,
    contextId: source.context.id,
    contextKey: source.context.key,
    synIfaceOf: (path) => source.pre.get(path)?.synIface ?? null,
    release: released ? releaseMemory : () => {},
  });
  if (released) releaseMemory();
  const redactors = secrets.redactors();
  const paths = new Set(settled.map(({ facts }) => facts.path));
  const packed = family === 'typescript' ? await packDocuments(source, redactors, paths) : nothingPacked;
  if (packed === undefined) return { kind: 'failed', failure: 'internal_error', detail: 'stopped by its signal' };
  const { scip, whole } = packed;
  if (released) releaseMemory();
  return {
    kind: 'prepared',
    documents: settled.map(({ facts }) => facts),
    // Said in the store and in the status (S12).
    rejected: [...rejected]
      .map(([path, why]) => ({ path, why: redactors.text(why) }))
      .sort((a, b) => compareCodeUnits(a.path, b.path)),
    touches: new Map(settled.map(({ facts, touches }) => [facts.path, touches])),
    pre: source.pre,
    outputHash: hashFile(source.outputPath),
    ignored,
    scip,
    redactOutput(to) {
      if (whole === undefined) return redactScip(source.outputPath, to, redactors).kind === 'redacted';
      writePackedIndex(to, whole, scip.values(), redactors);
      return true;
    },
  };
}

type Packed = {
  readonly scip: ReadonlyMap<string, Uint8Array>;
  /** There where the output has nothing but these documents and says so in the beginning: what it says of itself. */
  readonly whole: ScipMetadata | undefined;
};

const nothingPacked: Packed = { scip: new Map(), whole: undefined };

/** Read a second time: what has to be hidden is known only now. Undefined: stopped. */
async function packDocuments(
  source: ImportSource,
  redactors: Redactors,
  paths: ReadonlySet<string>,
): Promise<Packed | undefined> {
  const pack = createDocumentPacker(redactors);
  const packed = new Map<string, Uint8Array>();
  let metadata: ScipMetadata | undefined;
  let isWhole = true;
  const outcome = await readScipAsync(source.outputPath, (part) => {
    if (source.signal?.aborted === true) throw new Stopped();
    if (part.kind === 'metadata') metadata = part.metadata;
    if (part.kind === 'external') isWhole = false;
    if (part.kind !== 'document') return;
    const named = joinInRoot(source.documentBase, part.document.relativePath);
    const path = named === null ? null : source.canonicalOf(named);
    if (path !== null && paths.has(path) && !packed.has(path)) {
      packed.set(path, pack(part.document, path));
      if (path === part.document.relativePath) return;
    }
    isWhole = false;
  }).catch(asStopped);
  return outcome === 'stopped' ? undefined : { scip: packed, whole: isWhole ? metadata : undefined };
}

/**
 * Decoded documents are garbage as soon as they are described, and the collector lets hundreds of megabytes of it stand. A collection takes
 * a tenth of the time that it takes to describe so much.
 */
const releaseBytes = 64 * 1024 ** 2;
const bytesPerOccurrence = 160;
const bytesPerSymbol = 240;

/** About what a document takes as objects. */
function weigh({ occurrences, symbols }: ScipDocument): number {
  let bytes = occurrences.length * bytesPerOccurrence + symbols.length * bytesPerSymbol;
  for (const { documentation } of symbols) for (const text of documentation) bytes += text.length;
  return bytes;
}

/** Leaves the reader, which has no other way out. */
class Stopped extends Error {}

function asStopped(error: unknown): 'stopped' {
  if (error instanceof Stopped) return 'stopped';
  throw error;
}

const failureOf: Readonly<Record<Extract<ScipReadOutcome, { kind: 'failed' }>['reason'], Failure>> = {
  absent: 'no_output',
  empty: 'no_output',
  truncated: 'decode_error',
  undecodable: 'decode_error',
  too_large: 'decode_error',
};
