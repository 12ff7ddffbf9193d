/** A free query, asked of a process that is ended when its time is up (`query-job.ts`). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../kernel/base/log.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import type { Now, QueryLimits, QueryOutcome } from '../fleet-engine.ts';
import { whyNoQuery } from './fleet-views.ts';
import type { QueryAsk, QuerySaid } from './query-job.ts';

const answerBytes = 64 * 1024 * 1024;
const script = fileURLToPath(
  new URL(`./${import.meta.url.endsWith('.ts') ? 'query-job.ts' : 'fleet-query-job.js'}`, import.meta.url),
);

export async function askQuery(
  database: string,
  ask: { readonly sql: string; readonly ids: readonly string[] | null; readonly now: Now; readonly rows: number },
  limits: QueryLimits,
): Promise<QueryOutcome> {
  const why = whyNoQuery(ask.sql);
  if (why !== undefined) return { kind: 'refused', message: why };
  const workspace = mkdtempSync(join(tmpdir(), 'codegenie-query-'));
  const host = createExecHost({ root: workspace, environment: {}, toolPaths: {}, logger: silentLogger });
  let said = '';
  try {
    const outcome = await host.runScript({ name: 'fleet query', signal: limits.signal, workspace }, script, {
      cwd: workspace,
      timeoutS: limits.timeoutS,
      maxLineBytes: answerBytes,
      memoryMb: 1024,
      // Readers of a database in WAL write their locks beside it.
      writable: [dirname(database)],
      onInput: ({ write }) => write(`${JSON.stringify({ ...ask, database } satisfies QueryAsk)}\n`),
      onLine: (line, stream) => {
        if (stream === 'stdout') said = line;
      },
    });
    if (outcome.kind === 'timed_out')
      return { kind: 'timed_out', message: `the query took longer than ${limits.timeoutS} s and was ended` };
    if (outcome.kind !== 'exited' || outcome.code !== 0 || said === '')
      return { kind: 'failed', message: `the query ended without an answer (${outcome.kind})` };
    const answer = JSON.parse(said) as QuerySaid;
    if ('problem' in answer) return { kind: 'failed', message: shortLine(answer.problem, 300) };
    return {
      kind: 'rows',
      columns: answer.columns,
      rows: answer.rows.slice(0, ask.rows),
      truncated: answer.rows.length > ask.rows,
    };
  } finally {
    await host.killAll();
    rmSync(workspace, { recursive: true, force: true });
  }
}
