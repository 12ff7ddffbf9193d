/** How fast the redactor reads ordinary text (gather.md §12: at least 50 MB/s): the sources in node_modules, several rounds. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactString } from '../src/kernel/secrets/redact-string.ts';

const ROUNDS = 5;
const MAX_BYTES = 48 * 1024 * 1024;

export async function benchRedact(): Promise<void> {
  const texts = readSources(join(import.meta.dirname, '..', 'node_modules'));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let findings = 0;
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const started = performance.now();
    findings = texts.reduce((sum, text) => sum + redactString(text, { entropy: true }).findings.length, 0);
    // The first round compiles.
    if (round > 0) rates.push(bytes / 1e6 / ((performance.now() - started) / 1e3));
  }
  rates.sort((a, b) => a - b);
  const [low, median, high] = [rates[0], rates[rates.length >> 1], rates.at(-1)].map((rate) => (rate ?? 0).toFixed(0));
  console.log(
    `redactor: ${median} MB/s (${low} to ${high}, ${ROUNDS} rounds) over ${texts.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${findings} findings; target 50 MB/s`,
  );
}

function readSources(directory: string): string[] {
  const texts: string[] = [];
  let left = MAX_BYTES;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:[cm]?[jt]s|json|md|ya?ml)$/.test(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    texts.push(text);
    left -= text.length;
    if (left < 0) break;
  }
  return texts;
}
