/** `refs` of the most used symbol of a project, beside TypeScript's language service asked for the same. */

import { join } from 'node:path';
import { listOccurrencesOf, listOccurrencesOfFile } from '../../src/index/store/stored-occurrences.ts';
import type { IndexSession } from '../../src/index/sync/index-session.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { readScip } from '../../src/kernel/formats/read-scip.ts';
import { roleBits } from '../../src/kernel/formats/scip.ts';
import refs from '../../src/serve/operations/refs.ts';
import { answerFrom } from '../../src/serve/operations/run-operation.ts';
import { createTable, median, ms, p95, time } from '../figures.ts';
import { command } from './indexing.ts';
import type { ServiceAnswer, ServiceAsk } from './language-service-child.ts';
import { openIndex, world } from './open-index.ts';
import { runChild, runProcess } from './run-process.ts';

const storeAsks = 200;
const operationAsks = 20;
/** More than any of these symbols has: an answer with all of them also gives the role of each from its scope. */
const allHits = 10_000;

type Used = { readonly symbol: string; readonly path: string; readonly line: number; readonly column: number };

export async function benchReferences(name: string, root: string, output: string, pairs: number): Promise<void> {
  const used = findMostUsed(output);
  const target = `${used.path}:${used.line + 1}:${used.column + 1}`;
  const started: number[] = [];
  const services: ServiceAnswer[] = [];
  const ask = { config: join(root, 'tsconfig.json'), file: join(root, used.path), asks: operationAsks };
  const place = { line: used.line, column: used.column };
  for (let round = 0; round < pairs; round += 1) {
    services.push(
      await runChild<ServiceAnswer>('./language-service-child.ts', { ...ask, ...place } satisfies ServiceAsk),
    );
    const args = [command, '-C', root, 'refs', target];
    started.push((await runProcess(process.execPath, args, root)).ms);
  }
  const session = await openIndex(root);
  try {
    const store = await askStore(session, used);
    const warm = await askOperation(session, root, { target });
    const whole = await askOperation(session, root, { target, limit: allHits });
    const theirs = services.flatMap(({ warmMs }) => warmMs);
    const first = services.map(({ firstMs }) => firstMs);
    const peer = `TypeScript ${services[0]?.version} findReferences, warm ${ms(theirs)}`;
    const table = createTable(
      `${name}: references to \`${target}\`, ${store.count} occurrences in ${store.files} files; language service ${services[0]?.references}, \`refs\` ${warm.count}`,
    );
    table.add({
      measure: `the store's answer, grouped, p95 of ${storeAsks}`,
      ours: `${p95(store.times).toFixed(2)} ms (${ms(store.times)})`,
      peer,
      ratio: median(store.times) / median(theirs),
      ...(store.count < 1_000
        ? {}
        : { target: { says: '≤ 5 ms of ≥ 1 000 occurrences', value: p95(store.times), most: 5 } }),
    });
    const add = (measure: string, times: readonly number[]) =>
      table.add({ measure, ours: ms(times), peer, ratio: median(times) / median(theirs) });
    add('`refs`, warm, the first 200', warm.plain);
    add('… every file compared with the disk first', warm.swept);
    add('`refs`, warm, all', whole.plain);
    const overtime = warm.overtime + whole.overtime;
    if (overtime > 0) table.add({ measure: '… answers cut short by their time budget', ours: String(overtime) });
    table.add({
      measure: '`refs` from process start',
      ours: ms(started),
      peer: `from process start ${ms(first)}`,
      ratio: median(started) / median(first),
    });
  } finally {
    await session.close();
  }
}

/** Of what the project itself defines, by occurrences; the first in the file's order of those that are equal. */
function findMostUsed(output: string): Used {
  const counts = new Map<string, number>();
  const definitions = new Map<string, Used>();
  readScip(output, (part) => {
    if (part.kind !== 'document') return;
    for (const { symbol, roles, range } of part.document.occurrences) {
      // A file as a whole is a symbol too, and is written nowhere.
      if (symbol.startsWith('local ') || symbol.endsWith('/')) continue;
      counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
      if ((roles & roleBits.definition) === 0 || definitions.has(symbol)) continue;
      const [line = 0, column = 0] = range;
      definitions.set(symbol, { symbol, path: part.document.relativePath, line, column });
    }
  });
  let most: Used | undefined;
  const countOf = (used: Used | undefined) => (used === undefined ? -1 : (counts.get(used.symbol) ?? 0));
  for (const used of definitions.values()) if (countOf(used) > countOf(most)) most = used;
  if (most === undefined) throw new Error('the index defines nothing');
  return most;
}

async function askStore(session: IndexSession, { path, line, column }: Used) {
  const id = session.facts.read((moment) => {
    const here = listOccurrencesOfFile(moment, path).filter((one) => one.line === line && one.column === column);
    return here.find(({ roles }) => (roles & roleBits.definition) !== 0)?.symbolId;
  });
  if (id === undefined) throw new Error(`the store defines nothing at ${path}:${line + 1}`);
  const times: number[] = [];
  let [count, files] = [0, 0];
  for (let at = 0; at < storeAsks; at += 1) {
    times.push(
      await time(() => {
        const occurrences = session.facts.read((moment) => listOccurrencesOf(moment, [id]));
        const byPath = Map.groupBy(occurrences, (one) => one.path);
        count = occurrences.length;
        files = byPath.size;
      }),
    );
  }
  return { times, count, files };
}

async function askOperation(
  session: IndexSession,
  root: string,
  input: { readonly target: string; readonly limit?: number },
) {
  const view = await openSessionView(root, session, 'none');
  let count = '';
  // A question has a budget: an answer that used it up says nothing about how long it would have taken.
  let overtime = 0;
  const ask = async (given: typeof view) => {
    const outcome = await answerFrom(refs, input, given, world);
    if (outcome.kind !== 'answered') throw new Error(`refs ${input.target}: ${JSON.stringify(outcome)}`);
    const { value, relation, unresolved } = outcome.answer.count;
    if (unresolved.some((why) => why.includes('ran out of time'))) overtime += 1;
    count = `${relation === 'eq' ? '' : '≥ '}${value}`;
  };
  await ask(view);
  const [plain, swept]: [number[], number[]] = [[], []];
  for (let at = 0; at < operationAsks; at += 1) {
    plain.push(await time(() => ask(view)));
    swept.push(await time(async () => ask(await openSessionView(root, session, 'sweep'))));
  }
  return { plain, swept, count, overtime };
}
