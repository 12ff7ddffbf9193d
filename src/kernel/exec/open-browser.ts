/**
 * A file shown to the person at this machine, by what their desktop opens such files with. Like this program started again, it has no timeout
 * and their environment: it is theirs. The file is all that stands in its arguments, which every user of the machine can see.
 */

import { spawn } from 'node:child_process';
import type { Environment } from './environment.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'xdg-open',
  darwin: 'open',
  win32: 'explorer.exe',
};

/** False where there is nothing to open it with. */
export function openInBrowser(file: string, environment: Environment): Promise<boolean> {
  const opener = openers[process.platform];
  const hasDesktop =
    process.platform !== 'linux' || Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
  if (opener === undefined || !hasDesktop) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(opener, [file], { cwd: '/', env: { ...environment }, stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
