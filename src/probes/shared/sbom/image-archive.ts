/** Where the layers of a saved image lie in its archive, lowest first: OCI layout and docker's own form. */

import type { ArchiveFile } from '../../../kernel/archive/archive-file.ts';
import { readExactly } from '../../../kernel/archive/byte-source.ts';
import { normalisePath, readTar, type TarBudget, type TarEntry } from '../../../kernel/archive/read-tar.ts';
import type { JsonObject } from '../../../kernel/base/json.ts';
import { parseJson } from '../../../kernel/parse/json.ts';
import { listAt, member, textAt } from '../json-access.ts';

export type LayerPlace = { readonly name: string; readonly offset: number; readonly size: number };
export type ImageLayers =
  | { readonly kind: 'found'; readonly layers: readonly LayerPlace[] }
  | { readonly kind: 'failed'; readonly reason: string };

const documentBytes = 4 * 1024 * 1024;
const nestedIndexes = 3;
const maxLayers = 1000;
const linkChars = 4096;

export async function findLayers(file: ArchiveFile, budget: TarBudget): Promise<ImageLayers> {
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

type Archive = { readonly file: ArchiveFile; readonly entries: ReadonlyMap<string, TarEntry> };

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
