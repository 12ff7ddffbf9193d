import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/fleet/store/embedded-engine.ts';
import { engineSuite } from './engine-suite.ts';

engineSuite('the engine in SQLite', async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-engine-')));
  const engine = openEmbedded(place, 'create');
  return {
    engine,
    again: async () => openEmbedded(place, 'write'),
    dispose: async () => {
      await engine.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
});
