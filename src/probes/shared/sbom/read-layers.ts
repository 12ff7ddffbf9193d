/**
 * The file system that an image's layers make together, as far as somebody wants to know of it. A later layer hides what it
 * replaces, what its whiteouts name (`.wh.name`), and everything below a directory that it marks opaque (`.wh..wh..opq`); all of
 * these speak of lower layers alone. Nothing is extracted: what is kept of a file is what `readerFor` makes of its bytes.
 */

import type { ArchiveFile } from '../../../kernel/archive/archive-file.ts';
import { streamSource } from '../../../kernel/archive/byte-source.ts';
import { decompress } from '../../../kernel/archive/decompress.ts';
import { type EntrySink, readTar, type TarBudget, type TarEntry } from '../../../kernel/archive/read-tar.ts';
import type { LayerPlace } from './image-archive.ts';

/** Null: nothing about this file is worth knowing. `keep` may be called once, or not at all. */
export type ReaderFor<Fact> = (path: string, size: number, keep: (fact: Fact) => void) => EntrySink | null;

export type LayersRead<Fact> =
  | {
      readonly kind: 'read';
      /** By path in the image, without the leading slash. */
      readonly facts: ReadonlyMap<string, Fact>;
      /** Of all regular files of all layers, hidden ones too. */
      readonly sizeBytes: number;
      readonly unsafePaths: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

const opaqueMark = '.wh..wh..opq';
const whiteoutPrefix = '.wh.';

export async function readLayers<Fact>(
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
      // The bytes of a hard link are at its first name, which may be one that nobody asked about: the layer is read once more.
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
