/**
 * A question about facts, answered from the published context: which facts, whether the tree has changed since, and the lines that are
 * their evidence as they are on disk now. Nothing is run and nothing is written.
 */

import type { JsonObject } from '../../kernel/base/json.ts';
import { silentLogger } from '../../kernel/base/log.ts';
import { decodeLenient, shown } from '../../kernel/base/text.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import { type FileScope, type Listing, listScope } from '../../kernel/tree/file-scope.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';
import type { Probe } from '../contract.ts';
import { redactText } from '../publish/redact.ts';
import { numberAt, textAt } from '../report/loose-json.ts';
import { readExcludes } from '../run/open-world.ts';
import { type Fact, isWithin, readFacts } from './fact.ts';
import { cleanScope, type FactsAsk, type FoundFacts, findFacts } from './find-facts.ts';

/** A fact with the lines that show it: asked for by `explain`. */
export type ExplainedFact = Fact & {
  readonly says?: string;
  readonly lines?: readonly { readonly at: string; readonly text: string }[];
};

export type FactsAnswer =
  | {
      readonly kind: 'facts';
      readonly facts: readonly ExplainedFact[];
      readonly gathered_at: string | null;
      /** Why what is told may no longer be so; null where nothing has changed since the gather. */
      readonly stale: string | null;
      /** The one directory that was gathered and that the question is about; absent where it was the whole tree. */
      readonly component?: string;
    }
  | Exclude<FoundFacts, { kind: 'facts' }>;

type Tree = {
  readonly root: string;
  readonly isGit: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly cliVersion: string;
};

export async function answerFacts(
  tree: Tree,
  envelope: JsonObject,
  probes: readonly Probe[],
  ask: FactsAsk & { readonly explain: boolean },
): Promise<FactsAnswer> {
  const listing = await listNow(tree);
  const component = textAt(envelope, 'repo', 'component');
  const isInside = component !== null && ask.scope !== null && isWithin(cleanScope(ask.scope), component);
  const stale = component === null || isInside ? whyStale(tree, listing, envelope) : `only ${component} was gathered`;
  const rules = probes.flatMap((probe) => probe.facts);
  const found = findFacts(readFacts(envelope), rules, ask, (path) => isInTree(listing.scope, path));
  if (found.kind !== 'facts') return found;
  const says = new Map(rules.map((rule) => [rule.id, rule.says]));
  const facts = ask.explain
    ? found.facts.map((fact) => ({ ...fact, says: says.get(fact.id) ?? '', lines: readLines(tree.root, fact) }))
    : found.facts;
  return {
    kind: 'facts',
    facts,
    gathered_at: textAt(envelope, 'gathered_at'),
    stale,
    ...(isInside ? { component } : {}),
  };
}

async function listNow({ root, isGit, environment, signal }: Tree): Promise<Listing> {
  const host = createExecHost({ root, environment, toolPaths: {}, logger: silentLogger });
  try {
    const exec = host.bind({ name: 'facts', signal, workspace: root });
    return await listScope({ root, git: isGit ? exec.git : undefined, excludes: readExcludes(root) });
  } finally {
    await host.killAll();
  }
}

/** P1, and cheap: no file is read. A change that keeps commit, count of changed files and all times is not noticed. */
function whyStale({ cliVersion }: Tree, { scope, git }: Listing, envelope: JsonObject): string | null {
  if (!Array.isArray(envelope['facts'])) return 'the context is of a program that stated no facts';
  if (textAt(envelope, 'task_context', 'cli_version') !== cliVersion) return 'another version of codegenie gathered it';
  if (textAt(envelope, 'repo', 'git_commit') !== git.commit) return 'another commit is checked out';
  if (git.state !== 'unreadable' && numberAt(envelope, 'repo', 'dirty_files') !== git.dirtyFiles.length)
    return 'other files are changed or untracked';
  const sinceMs = Date.parse(textAt(envelope, 'gathered_at') ?? '');
  const newer = scope.files.find(({ stat }) => Number(stat.ctimeNs) / 1e6 > sinceMs);
  return newer === undefined ? null : `${newer.path} was changed after the gather`;
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
