/** A runtime trace that says what a test wants it to say, for probes that come after it. */

import { z } from 'zod';
import { defineProbe, type Probe } from '../../src/gather/contract.ts';
import { probes } from '../../src/probes/registry.gen.ts';

/** Every probe there is, with the trace in the place of the real one. */
export function probesWithTrace(trace: {
  readonly binaries: readonly string[];
  readonly libraries: readonly string[];
}): Probe[] {
  const stub = defineProbe({
    name: 'runtime_trace',
    version: '0.0.0',
    layer: 'C',
    says: 'what the test wants',
    heaviness: 'light',
    sections: {
      runtime_trace: z.strictObject({
        binaries_executed: z.array(z.string()),
        shared_libs_loaded: z.array(z.string()),
      }),
    },
    declaredInputs: [],
    cacheStrategy: 'none',
    timeoutSeconds: 10,
    confidenceRule: 'high',
    run: async () => ({
      kind: 'ran',
      slice: { runtime_trace: { binaries_executed: [...trace.binaries], shared_libs_loaded: [...trace.libraries] } },
      confidence: 'high',
    }),
  });
  return [...probes.filter((probe) => probe.name !== 'runtime_trace'), stub];
}
