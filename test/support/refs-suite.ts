/**
 * Suites of references: small programs, and for every name in them the places that mean the same, as the language service of TypeScript 5.9
 * told them when the suite was written. A suite is one text: `=== title` begins a case, `--- path` a file of it; `§` is the case's number, so
 * that no name of one case means anything in another. All cases of a suite are one tree.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRefresher } from '../../src/index/refresh/refresher.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import refs from '../../src/serve/operations/refs.ts';
import { answerFrom } from '../../src/serve/operations/run-operation.ts';
import { createIndexedTree } from './indexed-tree.ts';

const directory = join(import.meta.dirname, '../fixtures/refs');

type SuiteCase = { readonly title: string; readonly folder: string; readonly files: Readonly<Record<string, string>> };

/** Places as `path:line:col`. `from`: the names that have this set; without it, all of its own places. */
type Group = { readonly from?: readonly string[]; readonly refs: readonly string[] };
export type Golden = Readonly<Record<string, readonly Group[]>>;

export type Judged = {
  readonly names: number;
  readonly eq: number;
  readonly equal: number;
  /** `eq` and another set; a reference that is called resolved and is none; two that say `eq`, one a place of the other, and differ. */
  readonly wrong: readonly string[];
  /** What is not the golden set and does not claim to be. */
  readonly short: readonly string[];
};

const options = {
  strict: true,
  target: 'es2022',
  lib: ['es2022'],
  module: 'esnext',
  moduleResolution: 'bundler',
  allowJs: true,
  checkJs: false,
  noEmit: true,
  jsx: 'preserve',
  types: [],
};

export function readSuite(name: string): readonly SuiteCase[] {
  const text = readFileSync(join(directory, `${name}.txt`), 'utf8');
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part, at) => {
      const number = String(at + 1);
      const [title = '', ...files] = part.split(/^--- /m);
      const folder = `c${number.padStart(2, '0')}`;
      const read = files.map((file) => {
        const end = file.indexOf('\n');
        return [`${folder}/${file.slice(0, end)}`, file.slice(end + 1).replaceAll('§', number)] as const;
      });
      return { title: title.trim(), folder, files: Object.fromEntries(read) };
    });
}

/** Cases with a configuration of their own are no part of the common one. */
export function treeOf(cases: readonly SuiteCase[]): Readonly<Record<string, string>> {
  const own = cases.filter(({ files, folder }) => `${folder}/tsconfig.json` in files).map(({ folder }) => folder);
  return {
    'package.json': '{"name":"suite","version":"1.0.0"}',
    'tsconfig.base.json': JSON.stringify({ compilerOptions: options, files: [] }),
    'tsconfig.json': JSON.stringify({ extends: './tsconfig.base.json', include: ['c*/**/*'], exclude: own }),
    ...Object.assign({}, ...cases.map(({ files }) => files)),
  };
}

export const readGolden = (name: string): Golden =>
  JSON.parse(readFileSync(join(directory, `${name}.golden.json`), 'utf8')) as Golden;

export function writeGolden(name: string, golden: Golden): void {
  const cases = Object.entries(golden).map(
    ([title, groups]) =>
      `${JSON.stringify(title)}: [\n${groups.map((group) => `    ${JSON.stringify(group)}`).join(',\n')}\n  ]`,
  );
  writeFileSync(join(directory, `${name}.golden.json`), `{\n  ${cases.join(',\n  ')}\n}\n`);
}

/** Asks at every name of the golden sets. */
export async function judgeSuite(cases: readonly SuiteCase[], golden: Golden): Promise<Judged> {
  const tree = createIndexedTree(treeOf(cases));
  const world = { nowMs: Date.now, signal: new AbortController().signal };
  try {
    const session = await tree.session();
    const refresher = openRefresher(session, {
      ...world,
      root: tree.root,
      stateDir: tree.stateDir,
      cacheDir: tree.stateDir,
      environment: process.env,
      toolPaths: {},
      maxFileMb: 4,
      onEvent: () => {},
    });
    await refresher.refreshContexts();
    await refresher.enqueueUnsettled('suite');
    const { failed } = await refresher.runUntilIdle({ skipGuard: true, waitMs: 300_000 });
    await refresher.close();
    const view = await openSessionView(tree.root, session, 'sweep');
    const wrong = failed.map(({ context, failure, detail }) => `${context}: ${failure}: ${detail}`);
    const short: string[] = [];
    const counts = { names: 0, eq: 0, equal: 0 };
    for (const { title, files } of cases) {
      const lineOf = (place: string) => {
        const [, path = '', line, col] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
        return { text: (files[path] ?? '').split('\n')[Number(line) - 1] ?? '', col: Number(col) };
      };
      const wordAt = (place: string) => /^[\w$#]+/.exec(lineOf(place).text.slice(lineOf(place).col - 1))?.[0];
      const show = (place: string) => {
        const { text, col } = lineOf(place);
        return `${place} ${text.slice(Math.max(0, col - 21), col - 1)}»${text.slice(col - 1, col + 19)}`;
      };
      const said = new Map<string, { readonly hits: ReadonlyMap<string, string>; readonly isEq: boolean }>();
      for (const { from, refs: wanted } of golden[title] ?? []) {
        for (const at of from ?? wanted) {
          const { hits, isEq, why } = await ask(at);
          said.set(at, { hits, isEq });
          const extra = [...hits.keys()].filter((place) => !wanted.includes(place));
          const missing = wanted.filter((place) => !hits.has(place));
          const isSame = extra.length === 0 && missing.length === 0;
          const sure = extra.filter((place) => hits.get(place) === 'resolved');
          counts.names += 1;
          if (isEq) counts.eq += 1;
          if (isSame) counts.equal += 1;
          const line = () =>
            [
              `${isEq ? 'eq' : 'gte'} «${title}» at ${show(at)}`,
              ...extra.map((place) => `  too many ${show(place)} (${hits.get(place)})`),
              ...missing.map((place) => `  missing ${show(place)}`),
              ...why.map((one) => `  because ${one}`),
            ].join('\n');
          if (isEq ? !isSame : sure.length > 0) wrong.push(line());
          else if (!isSame || !isEq) short.push(line());
        }
      }
      for (const [at, { hits, isEq }] of said) {
        for (const there of isEq ? hits.keys() : []) {
          const other = said.get(there);
          // Another name for it is a thing of its own, as in editors.
          if (wordAt(there) !== wordAt(at)) continue;
          if (other?.isEq !== true || sameKeys(other.hits, hits)) continue;
          wrong.push(`law «${title}»: ${show(at)} has ${hits.size}, ${show(there)} has ${other.hits.size}`);
        }
      }
    }
    return { ...counts, wrong, short };

    async function ask(target: string) {
      const outcome = await answerFrom(refs, { target, limit: 10_000 }, view, world);
      if (outcome.kind !== 'answered') {
        const why = outcome.kind === 'not_answered' ? outcome.problem.message : outcome.kind;
        return { hits: new Map<string, string>(), isEq: false, why: [why] };
      }
      const { files, count } = outcome.answer;
      const hits = files.flatMap(({ path, hits }) =>
        hits.map(({ line, col, provenance }) => [`${path}:${line}:${col}`, provenance] as const),
      );
      return { hits: new Map<string, string>(hits), isEq: count.relation === 'eq', why: count.unresolved };
    }
  } finally {
    await tree.dispose();
  }
}

function sameKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}
