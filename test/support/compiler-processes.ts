/** The compiler jobs of one root among the processes of this machine, so that a test can hold one still and see it end. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export function listCompilers(root: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const isJob = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('compiler/job/compiler-job.ts');
        return isJob && readlinkSync(`/proc/${name}/cwd`) === root;
      } catch {
        // It ended meanwhile, or is another process.
        return false;
      }
    })
    .map(Number);
}
