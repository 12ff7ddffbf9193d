/**
 * Shells that the trace saw and the image's own commands do not explain: the program starts them itself (`execSync`, `system()`), and no
 * change to the Dockerfile makes them go away. Said only where every shell of the image's commands can be counted: each start of a shell
 * form is one. Package managers and scripts start as many as they like.
 */

import type { Json } from '../../../kernel/base/json.ts';
import { listAt, member } from '../json-access.ts';
import { findDefaultScenario } from '../trace/default-scenarios.ts';
import type { Touchpoint } from './classify-touchpoint.ts';

const uncountable: ReadonlySet<string> = new Set(['package_manager_at_runtime', 'script_entrypoint', 'unknown']);

export function findSpawnedShells(
  trace: Json | undefined,
  total: number,
  touchpoints: readonly Touchpoint[],
): readonly Touchpoint[] {
  if (touchpoints.some(({ classification }) => uncountable.has(classification))) return [];
  const started = listAt(trace, 'scenario_results').filter((result) => member(result, 'kind') === 'completed');
  let explained = 0;
  for (const result of started) {
    const name = member(result, 'scenario_name');
    const program = typeof name === 'string' ? findDefaultScenario(name)?.runs : undefined;
    // Somebody's own scenario may start anything.
    if (program === undefined || program === 'smoke_test_command') return [];
    const isHealth = program === 'healthcheck';
    explained += touchpoints.filter(({ where }) => where.endsWith(' HEALTHCHECK') === isHealth).length;
  }
  const own = total - explained;
  if (started.length === 0 || own <= 0) return [];
  return [
    {
      where: 'runtime trace',
      text: `${total} shells in ${started.length} scenarios, ${explained} of them by the image's own commands`,
      classification: 'spawned_by_program',
      replacement_known: 'depends',
      replacement:
        'start programs without a shell (execFile or spawn with a list of arguments), or keep one in the image',
    },
  ];
}
