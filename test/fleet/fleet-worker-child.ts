/** A worker in a process of its own, which a test kills: `<place> <name of the fleet>`. Says `began <repository>` as it goes. */

import { openFleet } from '../../src/fleet/open-fleet.ts';
import { runForever } from '../../src/fleet/work.ts';
import { gatherText } from './fleet-rig.ts';

const [place = ''] = process.argv.slice(2);
const environment = { PATH: process.env['PATH'], HOME: `${place}/home`, CODEGENIE_STATE_DIR: `${place}/state` };
const opened = openFleet({ home: `${place}/home`, environment, root: '/dev/null', name: 'default' });
if (opened.kind !== 'fleet') throw new Error(opened.kind);
await runForever(
  {
    fleet: opened.fleet,
    environment,
    gatherTree: gatherText,
    jobs: 2,
    signal: new AbortController().signal,
    nowMs: Date.now,
    random: Math.random,
    onEvent: (event) => {
      if (event.kind !== 'looked') console.log(`${event.kind} ${event.name}`);
    },
  },
  false,
);
