/**
 * A program that a user's configuration names as `scip-typescript` and that does what the test last said: it stays the same file, so that
 * it stays the same tool. `real` is the real one, behind it.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Behaviour =
  | { readonly does: 'real'; readonly waitsFirst?: boolean }
  /** Puts these bytes into its output. */
  | { readonly does: 'write'; readonly bytes: Uint8Array }
  /** Statements of a script; `output` is where an index belongs, `fs` and `child` are what they are. */
  | { readonly does: 'run'; readonly script: string };

export type PretendIndexer = {
  behave(behaviour: Behaviour): void;
  /** Lets a `real` one that `waitsFirst` go on. It says `waiting` when it does. */
  letGo(): void;
};

const real = fileURLToPath(
  new URL('../../node_modules/@sourcegraph/scip-typescript/dist/src/main.js', import.meta.url),
);

/** `home` is where the user's configuration goes. */
export function installPretendIndexer(home: string): PretendIndexer {
  const place = join(home, 'pretend');
  mkdirSync(place);
  const tool = join(place, 'tool.mjs');
  writeFileSync(tool, program(place), { mode: 0o755 });
  mkdirSync(join(home, '.codegenie'), { recursive: true });
  const chosen = `scip.indexer: scip-typescript\ntools.scip-typescript.path: ${tool}\n`;
  writeFileSync(join(home, '.codegenie/config.yaml'), chosen);
  return {
    behave(behaviour) {
      rmSync(join(place, 'go'), { force: true });
      if (behaviour.does === 'write') writeFileSync(join(place, 'bytes'), behaviour.bytes);
      const said = behaviour.does === 'write' ? { does: 'write' } : behaviour;
      writeFileSync(join(place, 'behaviour.json'), JSON.stringify(said));
    },
    letGo: () => writeFileSync(join(place, 'go'), ''),
  };
}

function program(place: string): string {
  return `#!/usr/bin/env node
import fs from 'node:fs';
import child from 'node:child_process';
const place = ${JSON.stringify(place)};
const output = process.argv[process.argv.indexOf('--output') + 1];
if (process.argv.includes('--version')) console.log('0.4.0');
else {
  const { does, waitsFirst, script } = JSON.parse(fs.readFileSync(place + '/behaviour.json', 'utf8'));
  if (does === 'write') fs.copyFileSync(place + '/bytes', output);
  if (does === 'run') new Function('output', 'fs', 'child', script)(output, fs, child);
  if (does === 'real') {
    if (waitsFirst) {
      console.log('waiting');
      while (!fs.existsSync(place + '/go')) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const args = [${JSON.stringify(real)}, ...process.argv.slice(2)];
    process.exitCode = child.spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
  }
}
`;
}
