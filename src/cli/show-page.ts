/** What `ui` and `serve --open` share: the page is built before it is wanted, and a browser is started with it. */

import { settingsOf } from './ask.ts';
import type { Invocation } from './command.ts';

/** In a clone, once for each state of its sources; a package carries it built. */
export async function buildForPerson({ globals, terminal }: Invocation): Promise<void> {
  const { ensurePageBuilt } = await import('../serve/page/page-files.ts');
  const isLive = terminal.stderr.isTTY === true && !globals.quiet && !globals.json;
  let drawn = false;
  await ensurePageBuilt((says) => {
    if (!isLive) return;
    drawn = true;
    terminal.stderr.write(`\r\x1b[K${says}`);
  });
  if (drawn) terminal.stderr.write('\r\x1b[K');
}

/** A person at a terminal gets a browser; where there is none, what to do. */
export async function showPage(invocation: Invocation, root: string): Promise<void> {
  const { terminal, globals } = invocation;
  if (terminal.stdout.isTTY !== true) return;
  const { ownDirsOf } = await import('../kernel/base/own-dirs.ts');
  const { openInBrowser } = await import('../kernel/exec/open-browser.ts');
  const { stateDir } = ownDirsOf({ ...settingsOf(invocation), root });
  const isOpen = await openInBrowser(`${stateDir}/run/page.html`, terminal.environment);
  if (!isOpen && !globals.quiet) terminal.stderr.write('open this address in a browser on this machine\n');
}
