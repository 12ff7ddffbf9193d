/**
 * One job from a configuration to an index file (code-plane.md §6.1): the program is loaded, each document is asked about and encoded, and all
 * are written in the order of their paths. A large job is shared with a second thread, which has a compiler of its own: the checker works
 * on one core only.
 */

import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compilerVersion } from '../../../kernel/exec/compiler-packages.ts';
import { createScipFile } from '../../../kernel/formats/write-scip.ts';
import type { TsgoJob } from '../../../languages/typescript/typescript-indexers.ts';
import { hasPipeAbove } from './has-pipe-above.ts';
import { indexShare, type ShareReport } from './index-share.ts';
import { copyProject } from './open-program.ts';
import type { ShareMessage, ShareStart } from './share-worker.ts';

/** From how many files on a second thread saves more time than loading the program twice costs. */
const sharedFiles = 600;
/** The compiler's collector works beside its checker: on two cores a second thread gained an eighth of the time for two thirds more memory. */
const sharedCores = 4;

/** Gives the exit code. */
export async function indexProgram(given: TsgoJob, say: (line: string) => void): Promise<number> {
  const began = performance.now();
  const job: TsgoJob = { ...given, isCareful: given.isCareful || hasPipeAbove(given) };
  const documents: Uint8Array[] = [];
  const give = (at: number, document: Uint8Array): void => {
    documents[at] = document;
  };
  const taken = new Int32Array(new SharedArrayBuffer(4));
  // Its configuration is copied before the first one is completed: they would read and write the same file otherwise.
  const second = mayShare(job)
    ? startShare({ job: { ...job, project: copyProject(job, '1') }, share: 1, taken }, give)
    : undefined;
  const first = indexShare({ job, share: 0, taken, give });
  const reports = [first, await second].filter((report) => report !== undefined);
  if (first === undefined) {
    say('config_error: the compiler cannot open the project');
    return 1;
  }
  const written = performance.now();
  const bytes = writeIndex(job, documents);
  for (const path of new Set(reports.flatMap(({ pipes }) => pipes)))
    say(`not read: ${path.replace(`${job.root}/`, '')} is no regular file`);
  for (const note of reports.flatMap(({ notes }) => notes)) say(`no document of ${note}`);
  say(describe(reports, bytes, performance.now() - began, performance.now() - written));
  return 0;
}

function mayShare({ isShared, isThrifty, scope, members }: TsgoJob): boolean {
  if (isShared !== undefined) return isShared;
  return !isThrifty && (scope ?? members).length >= sharedFiles && availableParallelism() >= sharedCores;
}

function startShare(start: ShareStart, give: (at: number, document: Uint8Array) => void) {
  const { promise, resolve, reject } = Promise.withResolvers<ShareReport | undefined>();
  const worker = new Worker(workerUrl, { workerData: start });
  worker.on('message', (message: ShareMessage) => {
    if (message.kind === 'document') give(message.at, message.bytes);
    else resolve(message.report);
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('a thread ended early')));
  // Whoever waits for it is told; until then nobody may be waiting.
  promise.catch(() => {});
  return promise;
}

/** The published form has its entries beside each other, under names of their own. */
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './share-worker.ts' : './tsgo-share.js', import.meta.url);

function writeIndex({ root, output }: TsgoJob, documents: readonly Uint8Array[]): number {
  const file = createScipFile(output);
  const metadata = {
    toolName: 'codegenie-tsgo',
    toolVersion: compilerVersion,
    projectRoot: pathToFileURL(root).href,
  };
  file.write({ kind: 'metadata', metadata });
  for (const document of documents) if (document !== undefined) file.append(document);
  return file.close();
}

function describe(reports: readonly ShareReport[], bytes: number, allMs: number, writeMs: number): string {
  const sum = (of: (report: ShareReport) => number): number =>
    Math.round(reports.reduce((all, one) => all + of(one), 0));
  const [documents, requests] = [sum((one) => one.documents), sum((one) => one.requests)];
  const load = Math.round(Math.max(...reports.map(({ loadMs }) => loadMs)));
  return (
    `${documents} documents, ${bytes} bytes in ${Math.round(allMs)} ms: load ${load} ms, ` +
    `resolve ${sum((one) => one.resolveMs)} ms in ${requests} requests, ` +
    `encode ${sum((one) => one.encodeMs) + Math.round(writeMs)} ms, in ${reports.length} thread${reports.length === 1 ? '' : 's'}`
  );
}
