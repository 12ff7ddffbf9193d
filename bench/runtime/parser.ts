/** How fast a log becomes facts, read from disk as it is in a gather (at least 50 MB/s); the peer only counts its lines. */

import { execFileSync } from 'node:child_process';
import { closeSync, linkSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchTrace } from '../../src/probes/runtime-trace/watch-workload.ts';
import { createTable, median, ms, time } from '../figures.ts';

const rounds = 5;
const attached = 1000;

export async function benchParser(megabytes: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'codegenie-bench-'));
  const file = join(directory, 'log');
  try {
    const bytes = writeLog(file, megabytes * 1e6);
    const [ours, peer]: [number[], number[]] = [[], []];
    let found = '';
    for (let round = 0; round <= rounds; round += 1) {
      const counted = await time(() => execFileSync('grep', ['-c', 'openat', file]));
      // A watch removes its log.
      linkSync(file, join(directory, 'round'));
      const parsed = await time(async () => {
        const watch = watchTrace(join(directory, 'round'), attached);
        const facts = await watch.finish();
        await watch.discard();
        found = `${watch.calls} calls, ${facts.files_read.length} files, ${facts.shared_libs_loaded.length} libraries`;
      });
      if (round === 0) continue;
      ours.push(parsed);
      peer.push(counted);
    }
    const table = createTable(`parser: a log of ${(bytes / 1e6).toFixed(0)} MB, ${rounds} rounds (${found})`);
    const rate = bytes / 1e6 / (median(ours) / 1e3);
    table.add({
      measure: `select, join and parse: ${rate.toFixed(0)} MB/s`,
      ours: ms(ours),
      peer: `grep -c ${ms(peer)}`,
      ratio: median(ours) / median(peer),
      target: { says: '≥ 50 MB/s', value: -rate, most: -50 },
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The shape of a Node service's trace: mappings, opens that fail and opens that do not, calls cut in two by threads. */
function writeLog(file: string, atLeast: number): number {
  const descriptor = openSync(file, 'w');
  let bytes = writeSync(
    descriptor,
    `${attached} execve("/usr/bin/node", ["node", "index.js"], 0x1 /* 5 vars */) = 0\n`,
  );
  for (let block = 0; bytes < atLeast; block += 1) {
    const lines: string[] = [];
    for (let at = 0; at < 2000; at += 1) {
      const name = `/app/node_modules/package-${(block * 7 + at) % 5000}/lib/index-${at % 40}.js`;
      const thread = attached + 1 + (at % 4);
      lines.push(
        `${attached} mmap(NULL, 262144, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE, -1, 0) = 0x7f622a9e5000`,
        `${attached} openat(AT_FDCWD</app>, "${name}on", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)`,
        `${thread} openat(AT_FDCWD</app>, "${name}", O_RDONLY|O_CLOEXEC <unfinished ...>`,
        `${attached} mmap(0x7f622a85f000, 1052672, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_FIXED|MAP_DENYWRITE, 3</lib/lib${at % 200}.so.6>, 0x99000) = 0x7f622a85f000`,
        `${thread} <... openat resumed>)             = 17<${name}>`,
      );
    }
    bytes += writeSync(descriptor, `${lines.join('\n')}\n`);
  }
  closeSync(descriptor);
  return bytes;
}
