/** What a run over the references of a real project leaves for the next one, and what logs of several projects add up to. */

import { compareCodeUnits } from '../../src/kernel/base/json.ts';
import { alignRows } from '../conformance/report-renames.ts';
import { renderTable } from '../reference/markdown-text.ts';
import { readLog } from './line-log.ts';

/** Places are `path:line:col`. */
export type Wanted = {
  readonly at: string;
  readonly name: string;
  readonly kind: string;
  /** Null: the oracle finds nothing there. */
  readonly wanted: readonly string[] | null;
};

export type Answered = {
  readonly at: string;
  /** Null: not answered. */
  readonly relation: 'eq' | 'gte' | null;
  readonly resolved: number;
  /** What the oracle does not have: place and how it is known. */
  readonly extra: readonly (readonly [string, string])[];
  readonly missing: readonly string[];
  /** Why it is `gte`, or not answered. */
  readonly why: readonly string[];
  /** Places of the answer from which another set is said, both with `eq`. */
  readonly law: readonly string[];
};

export type RefsLog = {
  readonly version: string;
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly answered: ReadonlyMap<string, Answered>;
};

type Line = { readonly version?: string; readonly wanted?: Wanted; readonly answered?: Answered };

export function readRefsLog(path: string): RefsLog {
  const read = readLog<Line>(path);
  return {
    version: read.findLast(({ version }) => version !== undefined)?.version ?? '',
    wanted: new Map(read.flatMap(({ wanted }) => (wanted === undefined ? [] : [[wanted.at, wanted]]))),
    answered: new Map(read.flatMap(({ answered }) => (answered === undefined ? [] : [[answered.at, answered]]))),
  };
}

/** WRONG: `eq` and another set. IMPRECISE: a reference that is called resolved and is none. LAW: two that say `eq` and differ. */
export function verdictOf({
  relation,
  extra,
  missing,
  law,
}: Answered): 'equal' | 'differs' | 'WRONG' | 'IMPRECISE' | 'LAW' {
  const isSame = extra.length === 0 && missing.length === 0;
  if (relation === 'eq' && !isSame) return 'WRONG';
  if (extra.some(([, how]) => how === 'resolved')) return 'IMPRECISE';
  if (law.length > 0) return 'LAW';
  return isSame ? 'equal' : 'differs';
}

const head = [
  '',
  'asked',
  'eq',
  'gte',
  'not answered',
  'eq that differ',
  'law broken',
  'resolved',
  'of which none',
  'missing',
];

export function reportRefs(projects: readonly { readonly name: string; readonly log: RefsLog }[]): {
  readonly failures: number;
  readonly summary: readonly string[];
  readonly markdown: string;
} {
  const all = projects.map(({ name, log }) => ({ name: `${name} ${log.version}`.trim(), ones: listAnswered(log) }));
  const rows = [...all, { name: 'all', ones: all.flatMap(({ ones }) => ones) }].map(({ name, ones }) =>
    rowOf(name, ones),
  );
  const ones = all.flatMap((project) => project.ones);
  const classes = listClasses(ones);
  const failures = ones.filter((one) => !['equal', 'differs'].includes(verdictOf(one))).length;
  const classHead = ['what the answer says of it', 'gte', 'another set', 'missing', 'too many, syntactic'];
  return {
    failures,
    summary: [...alignRows([head, ...rows]), '', ...alignRows([classHead, ...classes])],
    markdown: [
      'Random names of real projects: every other one is any name, the others of each kind of declaration in turn. The judge is `findReferences` of',
      'TypeScript 5.9 at the same place, in every program that has the file. *missing*: places of its sets that an answer lacks; such an answer says `gte`.',
      'What a package or a file with `export =` exports the service lists for one importing file at a time, and where a script takes a module by',
      '`require` it leaves out even the place it is asked at: a place that its checker binds to the same declaration counts as right.',
      '',
      renderTable(head, rows),
      "Why answers say `gte` (an answer may say several things), and how many of them are another set than the compiler's:",
      '',
      renderTable(classHead, classes),
    ].join('\n'),
  };
}

function listAnswered({ wanted, answered }: RefsLog): readonly Answered[] {
  return [...answered.values()].filter(({ at }) => wanted.get(at)?.wanted != null);
}

function rowOf(name: string, ones: readonly Answered[]): readonly string[] {
  const count = (isIt: (one: Answered) => boolean) => String(ones.filter(isIt).length);
  const sum = (of: (one: Answered) => number) => String(ones.reduce((total, one) => total + of(one), 0));
  return [
    name,
    String(ones.length),
    count(({ relation }) => relation === 'eq'),
    count(({ relation }) => relation === 'gte'),
    count(({ relation }) => relation === null),
    count((one) => verdictOf(one) === 'WRONG'),
    count(({ law }) => law.length > 0),
    sum(({ resolved }) => resolved),
    sum(({ extra }) => extra.filter(([, how]) => how === 'resolved').length),
    sum(({ missing }) => missing.length),
  ];
}

function listClasses(ones: readonly Answered[]): readonly (readonly string[])[] {
  const said = ones.flatMap((one) => [...new Set(one.why.map(classOf))].map((why) => ({ why, one })));
  return [...Map.groupBy(said, ({ why }) => why)]
    .sort(([a, some], [b, others]) => others.length - some.length || compareCodeUnits(a, b))
    .map(([why, some]) => [
      why,
      String(some.length),
      String(some.filter(({ one }) => verdictOf(one) === 'differs').length),
      String(some.reduce((sum, { one }) => sum + one.missing.length, 0)),
      String(some.reduce((sum, { one }) => sum + one.extra.length, 0)),
    ]);
}

/** Without the names and numbers of one case. */
function classOf(why: string): string {
  return why
    .replace(/(declared outside, in|it exports) .*/, '$1 …')
    .replaceAll(/\b\d+ (places?|files?)\b/g, '… $1')
    .replaceAll(/\bplaces\b/g, 'place')
    .replace('place means', 'place mean')
    .replaceAll(/\bfiles\b/g, 'file')
    .replaceAll(/\S*[\w$]\.[cm]?[jt]sx?\b:?/g, '…')
    .replaceAll(/(exports|several|in) \S+ (under|from)/g, '$1 … $2');
}
