/** Built and traced once, then gathered again: the same digest replays the trace, and no container is made. */

import type { Containers } from '../../test/support/container-images.ts';
import { createFixtureRepo, recordOf } from '../../test/support/fixture-repo.ts';
import { createTable, median, ms, time } from '../figures.ts';

const only = ['image_build', 'runtime_trace'];

export async function benchWarmGather(containers: Containers, rounds: number): Promise<void> {
  const repo = createFixtureRepo({
    Dockerfile: `FROM ${containers.nodeBase()}\nCOPY index.js /app/\n`,
    'index.js': "require('node:net').createServer().listen(8080);\nprocess.on('SIGTERM', () => process.exit(0));\n",
  });
  const settings = { environment: containers.environment };
  try {
    let scenarios: unknown;
    const cold = await time(async () => {
      const { envelope } = await repo.publish({ only }, settings);
      scenarios = (envelope['runtime_trace'] as { readonly scenarios_run?: readonly string[] }).scenarios_run?.length;
    });
    const warm: number[] = [];
    const states = new Set<string>();
    const made = watchContainers(containers);
    for (let round = 0; round < rounds; round += 1) {
      warm.push(
        await time(async () => {
          const { envelope } = await repo.publish({ only }, settings);
          states.add(recordOf(envelope, 'runtime_trace').cache.state);
        }),
      );
    }
    const table = createTable(
      `gather of ${only.join(' and ')}: ${String(scenarios)} scenarios completed, ${rounds} warm rounds`,
    );
    table.add({
      measure: `warm (${[...states].join(', ')}), containers made: ${made()}`,
      ours: ms(warm),
      peer: `cold ${cold.toFixed(0)} ms`,
      ratio: median(warm) / cold,
    });
  } finally {
    repo.dispose();
  }
}

/** The engine's own record of what it made since then. */
function watchContainers(containers: Containers): () => number {
  const since = new Date().toISOString();
  return () =>
    containers
      .podman('events', '--stream=false', '--since', since, '--filter', 'event=create', '--format', '{{.ID}}')
      .stdout.split('\n')
      .filter((line) => line !== '').length;
}
