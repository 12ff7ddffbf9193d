/** A gather in a process of its own that kills itself when its first publication is there: `first-publication-child.ts <root> <home>`. */

import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { echoProbe, makeProbe } from './engine-probes.ts';

const [root = '', home = ''] = process.argv.slice(2);
const workspace = createLocalWorkspace({
  root,
  home,
  isGit: true,
  environment: { PATH: process.env['PATH'], HOME: home },
  cliVersion: '0.0.0',
  nowMs: Date.now,
  signal: new AbortController().signal,
  probes: [makeProbe('slow', () => new Promise(() => {}), { heaviness: 'heavy' }), echoProbe('alpha', ['a/**'])],
});
await workspace.gather({
  task: null,
  only: null,
  skip: [],
  mode: 'default',
  maxConcurrency: null,
  onProgress: ({ kind }) => {
    if (kind === 'first') process.kill(process.pid, 'SIGKILL');
  },
});
