/** An image archive read by ourselves: every layer as a stream, nothing on disk, within caps. */

import { openArchiveFile } from '../../../kernel/archive/archive-file.ts';
import { catalogueImage, type ImageCatalogue } from './catalogue-image.ts';
import { findLayers } from './image-archive.ts';
import { type ImageFact, imageFactReader } from './image-facts.ts';
import { type ReaderFor, readLayers } from './read-layers.ts';
import type { TracedFiles } from './traced-files.ts';

export type ImageRead =
  | {
      readonly kind: 'read';
      readonly catalogue: ImageCatalogue;
      readonly sizeBytes: number;
      readonly unsafePaths: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

export const imageCaps = { bytes: 20 * 1024 ** 3, entries: 2_000_000, facts: 500_000 } as const;

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
