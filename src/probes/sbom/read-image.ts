/**
 * An image archive read by ourselves: every layer as a stream, nothing on disk, within caps. The layers make one file system together: a
 * later layer hides what it replaces, what its whiteouts name (`.wh.name`), and everything below a directory that it marks opaque
 * (`.wh..wh..opq`); all of these speak of lower layers alone. What is kept of a file is what its reader makes of its bytes.
 */

import type { JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, textAt } from '../../kernel/base/json-access.ts';
import {
  type ArchiveFile,
  decompress,
  openArchiveFile,
  readExactly,
  streamSource,
} from '../../kernel/formats/archive-bytes.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import { type EntrySink, normalisePath, readTar, type TarBudget, type TarEntry } from '../../kernel/formats/tar.ts';
import {
  catalogueImage,
  type ImageCatalogue,
  type ImageFact,
  imageFactReader,
  type ReaderFor,
  type TracedFiles,
} from './image-packages.ts';

type ImageRead =
  | {
      readonly kind: 'read';
      readonly catalogue: ImageCatalogue;
      readonly sizeBytes: number;
      readonly unsafePaths: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

type LayerPlace = { readonly name: string; readonly offset: number; readonly size: number };
type ImageLayers =
  | { readonly kind: 'found'; readonly layers: readonly LayerPlace[] }
  | { readonly kind: 'failed'; readonly reason: string };

type LayersRead<Fact> =
  | {
      readonly kind: 'read';
      /** By path in the image, without the leading slash. */
      readonly facts: ReadonlyMap<string, Fact>;
      /** Of all regular files of all layers, hidden ones too. */
      readonly sizeBytes: number;
      readonly unsafePaths: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

type Archive = { readonly file: ArchiveFile; readonly entries: ReadonlyMap<string, TarEntry> };

const imageCaps = { bytes: 20 * 1024 ** 3, entries: 2_000_000, facts: 500_000 } as const;

const documentBytes = 4 * 1024 * 1024;
const nestedIndexes = 3;
const maxLayers = 1000;
const linkChars = 4096;

const opaqueMark = '.wh..wh..opq';
const whiteoutPrefix = '.wh.';

export async function readImage(
  path: string,
  options: {
    readonly traced: TracedFiles | null;
    readonly signal: AbortSignal;
    readonly caps?: { readonly bytes: number; readonly entries: number; readonly facts: number };
  },
): Promise<ImageRead> {
  const { traced, signal, caps = imageCaps } = options;
  const opened = await openArchiveFile(path);
  if (opened.kind === 'failed') return { kind: 'failed', reason: `archive_${opened.fault}` };
  try {
    const budget = { bytes: caps.bytes, entries: caps.entries };
    // The archive's own list is passed over, not read: its bytes are those of the layers, which count when they are unpacked.
    const found = await findLayers(opened.file, { ...budget, bytes: Number.MAX_SAFE_INTEGER });
    if (found.kind === 'failed') return found;
    const facts = capped(
      imageFactReader((file) => traced?.has(file) ?? false),
      caps.facts,
    );
    const layers = await readLayers(opened.file, found.layers, { budget, signal, readerFor: facts.readerFor });
    if (layers.kind === 'failed') return layers;
    if (facts.isFull()) return { kind: 'failed', reason: 'too_many_packages' };
    const { sizeBytes, unsafePaths } = layers;
    return { kind: 'read', catalogue: catalogueImage(layers.facts, traced), sizeBytes, unsafePaths };
  } finally {
    await opened.file.close();
  }
}

/** A hostile image can hold more manifests than memory; past the cap nothing more is looked at. */
function capped(readerFor: ReaderFor<ImageFact>, maxFacts: number) {
  let kept = 0;
  return {
    isFull: () => kept > maxFacts,
    readerFor: ((path, size, keep) =>
      kept > maxFacts
        ? null
        : readerFor(path, size, (fact) => {
            kept += weightOf(fact);
            keep(fact);
          })) satisfies ReaderFor<ImageFact>,
  };
}

/** In packages and paths: one file may tell of many. */
function weightOf(fact: ImageFact): number {
  switch (fact.kind) {
    case 'dpkg':
    case 'apk':
      return 1 + fact.packages.length;
    case 'dpkg_files':
    case 'python_files':
      return 1 + fact.files.length;
    case 'go':
      return 1 + fact.info.dependencies.length;
    default:
      return 1;
  }
}

async function findLayers(file: ArchiveFile, budget: TarBudget): Promise<ImageLayers> {
  const entries = new Map<string, TarEntry>();
  const listed = await readTar(file.source(), budget, (entry) => {
    entries.set(entry.path, entry);
    return null;
  });
  if (listed.kind === 'failed') return { kind: 'failed', reason: `archive_${listed.fault}` };
  const archive = { file, entries };
  const index = await readDocument(archive, 'index.json');
  if (index !== null) return findOciLayers(archive, index);
  const manifests = await readDocument(archive, 'manifest.json');
  if (manifests === null) return { kind: 'failed', reason: 'no_manifest' };
  const names = listAt(Array.isArray(manifests) ? (manifests[0] as JsonObject) : null, 'Layers');
  return placeLayers(archive, names.map(String));
}

async function findOciLayers(archive: Archive, index: unknown): Promise<ImageLayers> {
  let document: unknown = index;
  for (let depth = 0; depth <= nestedIndexes; depth += 1) {
    const layers = member(document as JsonObject, 'layers');
    if (Array.isArray(layers)) {
      const names = listAt(document as JsonObject, 'layers').map((layer) => blobPath(textAt(layer, 'digest')));
      return placeLayers(archive, names);
    }
    const [first] = listAt(document as JsonObject, 'manifests');
    document = await readDocument(archive, blobPath(textAt(first, 'digest')));
    if (document === null) break;
  }
  return { kind: 'failed', reason: 'no_manifest' };
}

function blobPath(digest: string | null): string {
  return `blobs/${(digest ?? '').replace(':', '/')}`;
}

function placeLayers(archive: Archive, names: readonly string[]): ImageLayers {
  if (names.length > maxLayers) return { kind: 'failed', reason: 'too_many_layers' };
  const layers: LayerPlace[] = [];
  for (const name of names) {
    const entry = findFile(archive, name);
    if (entry === undefined) return { kind: 'failed', reason: 'layer_missing' };
    layers.push({ name, offset: entry.offset, size: entry.size });
  }
  return { kind: 'found', layers };
}

/** docker names a layer that two images share by a link; one step is all there ever is. */
function findFile(archive: Archive, name: string): TarEntry | undefined {
  const entry = archive.entries.get(name);
  if (entry?.type === 'hardlink') return archive.entries.get(entry.linkTarget);
  if (entry?.type !== 'symlink') return entry?.type === 'file' ? entry : undefined;
  if (entry.linkTarget.length > linkChars) return undefined;
  const folder = name.split('/').slice(0, -1);
  const steps = entry.linkTarget.split('/');
  while (steps[0] === '..' && folder.length > 0) {
    steps.shift();
    folder.pop();
  }
  const target = archive.entries.get(normalisePath([...folder, ...steps].join('/')) ?? '');
  return target?.type === 'file' ? target : undefined;
}

async function readDocument(archive: Archive, name: string): Promise<unknown> {
  const entry = findFile(archive, name);
  if (entry === undefined || entry.size > documentBytes) return null;
  const chunks = archive.file.range(entry.offset, entry.size)[Symbol.asyncIterator]();
  const bytes = await readExactly(async () => {
    const step = await chunks.next();
    return step.done === true ? new Uint8Array() : step.value;
  }, entry.size);
  const parsed = parseJson(bytes, { maxBytes: documentBytes, maxDepth: 32 });
  return parsed.ok ? parsed.value : null;
}

async function readLayers<Fact>(
  file: ArchiveFile,
  layers: readonly LayerPlace[],
  options: { readonly budget: TarBudget; readonly signal: AbortSignal; readonly readerFor: ReaderFor<Fact> },
): Promise<LayersRead<Fact>> {
  let facts = new Map<string, Fact>();
  let sizeBytes = 0;
  let unsafePaths = 0;
  for (const place of layers) {
    const read = (onEntry: (entry: TarEntry) => EntrySink | null) => {
      const chunks = decompress(file.range(place.offset, place.size));
      return readTar(streamSource(chunks, options.signal), options.budget, onEntry);
    };
    const layer = startLayer<Fact>(facts, options.readerFor);
    const outcome = await read(layer.onEntry);
    if (outcome.kind === 'failed') return { kind: 'failed', reason: `layer_${outcome.fault}` };
    const wanted = layer.linksUnread();
    if (wanted.size > 0) {
      // The bytes of a hard link are at its first name, which may be one without a reader: the layer is read once more.
      const again = await read((entry) =>
        entry.type === 'file' && wanted.has(entry.path) ? layer.readLinked(entry) : null,
      );
      if (again.kind === 'failed') return { kind: 'failed', reason: `layer_${again.fault}` };
    }
    sizeBytes += layer.sizeBytes();
    unsafePaths += outcome.unsafePaths;
    facts = layer.merge();
  }
  return { kind: 'read', facts, sizeBytes, unsafePaths };
}

function startLayer<Fact>(lower: ReadonlyMap<string, Fact>, readerFor: ReaderFor<Fact>) {
  const added = new Map<string, Fact>();
  const folders = foldersOf(lower.keys());
  /** Paths of this layer at which nothing of a lower one shows, nor anything below them. */
  const hidden = new Set<string>();
  /** Directories whose lower content does not show. */
  const opaque = new Set<string>();
  /** First name of a hard link → the names under which its bytes matter. */
  const links = new Map<string, string[]>();
  let sizeBytes = 0;

  function onEntry(entry: TarEntry): EntrySink | null {
    const { path } = entry;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const folder = path.slice(0, Math.max(slash, 0));
    if (name === opaqueMark) {
      opaque.add(folder);
      return null;
    }
    if (name.startsWith(whiteoutPrefix)) {
      const target = name.slice(whiteoutPrefix.length);
      hidden.add(folder === '' ? target : `${folder}/${target}`);
      return null;
    }
    // A directory over a directory adds to it; anything else takes the place of what was there.
    if (lower.has(path) || (entry.type !== 'directory' && folders.has(path))) hidden.add(path);
    added.delete(path);
    if (entry.type === 'hardlink') {
      if (readerFor(path, 0, () => {}) === null) return null;
      const names = links.get(entry.linkTarget);
      if (names === undefined) links.set(entry.linkTarget, [path]);
      else names.push(path);
      return null;
    }
    if (entry.type !== 'file') return null;
    sizeBytes += entry.size;
    return readerFor(path, entry.size, (fact) => added.set(path, fact));
  }

  return {
    onEntry,
    sizeBytes: () => sizeBytes,
    linksUnread: (): ReadonlySet<string> => new Set(links.keys()),
    /** A link has one content and may have several names that matter, each with its own reader. */
    readLinked(entry: TarEntry): EntrySink {
      const sinks = (links.get(entry.path) ?? []).map((path) =>
        readerFor(path, entry.size, (fact) => added.set(path, fact)),
      );
      return {
        push: (chunk) => sinks.map((sink) => sink?.push(chunk) ?? false).some(Boolean),
        end: () => {
          for (const sink of sinks) sink?.end();
        },
      };
    },
    merge(): Map<string, Fact> {
      const merged = new Map<string, Fact>();
      for (const [path, fact] of lower) if (!isHidden(path, hidden, opaque)) merged.set(path, fact);
      for (const [path, fact] of added) merged.set(path, fact);
      return merged;
    },
  };
}

function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function isHidden(path: string, hidden: ReadonlySet<string>, opaque: ReadonlySet<string>): boolean {
  if (hidden.has(path) || opaque.has('')) return true;
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    const folder = path.slice(0, slash);
    if (hidden.has(folder) || opaque.has(folder)) return true;
  }
  return false;
}
