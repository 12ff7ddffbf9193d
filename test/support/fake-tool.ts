/** A tool that answers what a test wants, on a PATH of its own: for what the real one does not do on demand. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `answer`: shell lines that run for every call but `--version`. Gives the PATH to use. */
export function putFakeTool(base: string, name: string, answer: string, path = process.env['PATH'] ?? ''): string {
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, 'tools-'));
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo "${name} 9.9.9"; exit 0; fi\n${answer}\n`;
  writeFileSync(join(folder, name), script, { mode: 0o755 });
  return `${folder}:${path}`;
}
