/** The thread that runs one user-supplied regex at a time. It may never come back: its owner ends it then. */

import { parentPort } from 'node:worker_threads';

export type RegexQuestion = {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
};
/** The UTF-16 offset of the first match, -1 without one. */
export type RegexAnswer = number;

parentPort?.on('message', (question: RegexQuestion) => {
  const at = new RegExp(question.source, question.flags).exec(question.text)?.index ?? -1;
  parentPort?.postMessage(at satisfies RegexAnswer);
});
parentPort?.postMessage(-1 satisfies RegexAnswer);
