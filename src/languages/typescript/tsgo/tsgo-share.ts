/** A thread that makes a share of the documents. */

import { parentPort, workerData } from 'node:worker_threads';
import { indexShare, type ShareMessage, type ShareStart } from './index-program.ts';

const tell = (message: ShareMessage): void => parentPort?.postMessage(message);
const start = workerData as ShareStart;
const report = indexShare({ ...start, give: (at, bytes) => tell({ kind: 'document', at, bytes }) });
tell({ kind: 'done', report });
