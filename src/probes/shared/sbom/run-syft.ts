/** Runs syft on a saved image, in the sandbox, with the archive and nothing else of ours in sight. */

import type { ProbeContext } from '../../../gather/contract.ts';
import type { JsonObject } from '../../../kernel/base/json.ts';
import type { EngineKind } from '../../../kernel/containers/types.ts';
import { parseJsonObject } from '../../../kernel/parse/json.ts';
import { failedWith, outcomeOfProcess, type ScannerOutcome } from '../scanner.ts';
import { convertSyft, type SyftCatalogue, withoutSyftRun } from './convert-syft.ts';
import type { TracedFiles } from './traced-files.ts';

export type SyftRun =
  | (SyftCatalogue & { readonly kind: 'read'; readonly document: JsonObject })
  | { readonly kind: 'failed'; readonly outcome: ScannerOutcome };

/** As much as may be published. */
const outputBytes = 128 * 1024 * 1024;

export async function runSyft(
  ctx: Pick<ProbeContext<never>, 'exec' | 'workspace'>,
  request: {
    readonly file: string;
    readonly engine: EngineKind;
    readonly traced: TracedFiles | null;
    readonly timeoutS: number;
  },
): Promise<SyftRun> {
  const scheme = request.engine === 'podman' ? 'oci-archive' : 'docker-archive';
  // Not `--quiet`: with it a failure has no words.
  const outcome = await ctx.exec.runExternalCli(['syft', 'scan', `${scheme}:${request.file}`, '-o', 'syft-json'], {
    cwd: ctx.workspace,
    timeoutS: request.timeoutS,
    maxStdoutBytes: outputBytes,
    readable: [request.file],
  });
  const unusual = outcomeOfProcess(outcome);
  if (unusual !== null) return { kind: 'failed', outcome: unusual };
  if (outcome.kind !== 'exited' || outcome.code !== 0) {
    const [code, stderr] = outcome.kind === 'exited' ? [outcome.code, outcome.stderr] : [-1, ''];
    return { kind: 'failed', outcome: failedWith(code, stderr) };
  }
  const parsed = parseJsonObject(outcome.stdout, { maxBytes: outputBytes, maxDepth: 64 });
  const catalogue = parsed.ok ? convertSyft(parsed.value, request.traced) : null;
  if (!parsed.ok || catalogue === null)
    return { kind: 'failed', outcome: failedWith(0, outcome.stderr, 'invalid_json') };
  return { kind: 'read', ...catalogue, document: withoutSyftRun(parsed.value) };
}
