/** Terraform: where its files are, and images that are written as literals. The language itself is not evaluated. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseText } from '../../../kernel/formats/parse-outcome.ts';
import { shortLine } from '../json-access.ts';
import { readParsed } from '../read.ts';
import type { ImageSite } from './deployment-facts.ts';

/** `image = "…"` in HCL, `"image": "…"` in an inline JSON document. */
const imageLine = /^\s{0,200}"?image"?\s{0,100}[=:]\s{0,100}"([^"]{1,500})"/;

export async function readTerraformImages(repo: ProbeRepo, files: readonly string[]): Promise<ImageSite[]> {
  const images: ImageSite[] = [];
  for (const file of files) {
    const outcome = await readParsed(repo, file, limits.textBytes, (bytes) =>
      parseText(bytes, { maxBytes: limits.textBytes }),
    );
    if ('absent' in outcome || !outcome.ok) continue;
    for (const [index, line] of outcome.value.split('\n').entries()) {
      const value = imageLine.exec(line)?.[1];
      if (value !== undefined) images.push({ file, path: `line ${index + 1}`, value: shortLine(value) });
    }
  }
  return images;
}
