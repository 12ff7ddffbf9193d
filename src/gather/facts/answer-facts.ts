/**
 * A question about facts, answered from the published context: which facts, whether the tree has changed since, and the lines that are
 * their evidence as they are on disk now. Nothing is run and nothing is written.
 */

import { decodeLenient, shown } from '../../kernel/base/text.ts';
import type { FileScope } from '../../kernel/tree/file-scope.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import type { Probe } from '../contract.ts';
import type { Now, PastGather } from '../freshness/freshness-now.ts';
import type { Since, Touch } from '../freshness/since.ts';
import { redactText } from '../publish/redact.ts';
import { textAt } from '../report/loose-json.ts';
import { type Fact, isWithin, readFacts } from './fact.ts';
import { cleanScope, type FactsAsk, findFacts, type UnknownId, type UnknownScope } from './find-facts.ts';

/** A fact as it is told. With `explain` the lines that show it. */
export type ToldFact = Fact & {
  /** What it was read from is not what it was: it may no longer be so. */
  readonly stale?: Touch;
  readonly says?: string;
  readonly lines?: readonly { readonly at: string; readonly text: string }[];
};

export type FactsAnswer =
  | {
      readonly kind: 'facts';
      /** `stale`: what is told may no longer be so, and what is not told may be so by now. */
      readonly outcome: 'ok' | 'stale';
      readonly facts: readonly ToldFact[];
      readonly gathered_at: string | null;
      /** What has changed since the gather; the facts that it touches say so themselves. */
      readonly since: Since | null;
      /** The one directory that was gathered and that the question is about; absent where it was the whole tree. */
      readonly component?: string;
    }
  | UnknownId
  | UnknownScope;

export function answerFacts(
  { root, envelope, probes }: Pick<PastGather, 'root' | 'envelope' | 'probes'>,
  { since, compared, scope }: Pick<Now, 'since' | 'compared' | 'scope'>,
  ask: FactsAsk & { readonly explain: boolean },
): FactsAnswer {
  const component = textAt(envelope, 'repo', 'component');
  const isInside = component !== null && ask.scope !== null && isWithin(cleanScope(ask.scope), component);
  const isElsewhere = component !== null && !isInside;
  const rules = probes.flatMap((probe) => probe.facts);
  const found = findFacts(readFacts(envelope), rules, ask, (path) => isInTree(scope, path));
  if (found.kind === 'unknown_id') return found;
  const touch = createTouch(probes, compared);
  const isTouched = isElsewhere || found.asked.some((id) => touch.ofId(id) !== undefined);
  // A part that is not known may have come since.
  if (found.kind === 'unknown_scope' && !isTouched)
    return { kind: found.kind, given: found.given, nearest: found.nearest };
  const says = new Map(rules.map((rule) => [rule.id, rule.says]));
  const facts = (found.kind === 'facts' ? found.facts : []).map((fact): ToldFact => {
    const stale = isElsewhere ? 'changed' : touch.ofFact(fact);
    return {
      ...fact,
      ...(stale === undefined ? {} : { stale }),
      ...(ask.explain ? { says: says.get(fact.id) ?? '', lines: readLines(root, fact) } : {}),
    };
  });
  return {
    kind: 'facts',
    outcome: isTouched || facts.some(({ stale }) => stale !== undefined) ? 'stale' : 'ok',
    facts,
    gathered_at: textAt(envelope, 'gathered_at'),
    since: isElsewhere ? onlyPartly(component, since) : since,
    ...(isInside ? { component } : {}),
  };
}

/** Of a gather of one directory: nothing else of the tree was looked at. */
function onlyPartly(component: string, since: Since | null): Since {
  const says = `only ${component} was gathered`;
  const nothing = { files: [], count: 0, sections: [], perhaps: [] };
  return since === null ? { says, ...nothing } : { ...since, says: `${says}; ${since.says}` };
}

/**
 * A fact rests on the section of its probe, on the parts that the tree is said to consist of, and on the files that are its evidence.
 * That an id has no fact rests on the first two.
 */
function createTouch(probes: readonly Probe[], { changes }: Now['compared']) {
  const owners = new Map(probes.flatMap(({ name, facts }) => facts.map((rule) => [rule.id, name] as const)));
  const spine = probes.find((probe) => probe.spine !== undefined)?.name;
  const edited = new Set([...changes.values()].flatMap(({ files }) => files));
  const ofId = (id: string): Touch | undefined => {
    const touches = [owners.get(id), spine].map((name) => changes.get(name ?? '')?.touch);
    return touches.find((touch) => touch === 'changed') ?? touches.find((touch) => touch !== undefined);
  };
  const ofFact = ({ id, evidence }: Fact): Touch | undefined =>
    evidence.some((place) => edited.has(place.replace(/:\d+$/, ''))) ? 'changed' : ofId(id);
  return { ofId, ofFact };
}

function isInTree(scope: FileScope, path: string): boolean {
  return scope.find(path) !== undefined || scope.files.some((file) => file.path.startsWith(`${path}/`));
}

const evidenceFileBytes = 8 * 1024 * 1024;

function readLines(root: string, { evidence }: Fact) {
  const guard = createDirectoryGuard(root);
  return evidence.map((at) => {
    const [, path = '', line = '1'] = /^(.*):(\d+)$/.exec(at) ?? [];
    const outcome = readRegular(root, path, evidenceFileBytes, guard);
    const text =
      outcome.kind === 'read' ? decodeLenient(outcome.bytes).split(/\r\n|\n|\r/)[Number(line) - 1] : undefined;
    return { at, text: text === undefined ? '(gone)' : shown(redactText(text.trim()), 200) };
  });
}
