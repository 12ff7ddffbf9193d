/** A thread that makes a share of the documents. */

import { parentPort, workerData } from 'node:worker_threads';
import type { TsgoJob } from '../../../languages/typescript/typescript-indexers.ts';
import { indexShare } from './index-share.ts';

export type ShareStart = { readonly job: TsgoJob; readonly share: number; readonly taken: Int32Array };
export type ShareMessage =
  | { readonly kind: 'document'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'done'; readonly report: ReturnType<typeof indexShare> };

const tell = (message: ShareMessage): void => parentPort?.postMessage(message);
const start = workerData as ShareStart;
const report = indexShare({ ...start, give: (at, bytes) => tell({ kind: 'document', at, bytes }) });
tell({ kind: 'done', report });
