/**
 * Traces beside the same containers untraced, on the same engine in the same run; what the engine itself costs per scenario; the
 * parser over a generated log; a warm gather.
 *   --quick          fewer rounds, a smaller log
 *   --pairs=<n>      5
 *   --parts=<names>  of parser, scenario, gather
 * Containers need podman and strace; without them only the parser is measured. Storage lies below the temporary directory of the machine.
 */

import { availableParallelism, cpus } from 'node:os';
import { openTraceRig } from '../test/support/trace-rig.ts';
import { benchWarmGather } from './runtime/gather.ts';
import { benchParser } from './runtime/parser.ts';
import { benchScenario } from './runtime/scenario.ts';

const allParts = ['parser', 'scenario', 'gather'] as const;

export async function benchRuntime(flags: readonly string[]): Promise<void> {
  const isQuick = flags.includes('--quick');
  const flag = (name: string) => flags.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
  const pairs = Number(flag('pairs') ?? (isQuick ? 2 : 5));
  const parts = flag('parts')?.split(',') ?? allParts;
  const unknown = parts.find((part) => !allParts.some((one) => one === part));
  if (unknown !== undefined) throw new Error(`unknown name '${unknown}' in --parts: ${allParts.join(', ')}`);
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
  if (parts.includes('parser')) await benchParser(isQuick ? 32 : 256);
  if (!parts.includes('scenario') && !parts.includes('gather')) return;
  const rig = openTraceRig();
  try {
    if (!rig.usable) console.log('\npodman or strace cannot be used here: containers are left out');
    else {
      if (parts.includes('scenario')) await benchScenario(rig, pairs);
      if (parts.includes('gather')) await benchWarmGather(rig.containers, isQuick ? 2 : pairs);
    }
  } finally {
    await rig.dispose();
  }
}
