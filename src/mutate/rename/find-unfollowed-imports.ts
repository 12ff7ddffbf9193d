/**
 * Imports that may lead to the renamed export where the compiler does not follow them: a package of the repository that is not installed, a
 * path that only a bundler knows. The compiler binds such a name to its own specifier, and a proof over that says nothing about what the
 * import means: so it is a question (mutation.md §2.4, §2.6), never another symbol.
 */

import type { SourceText } from '../../index/state/code-view.ts';
import type { Question } from '../../index/state/navigate/question.ts';
import type { CensusAccount, CodeSpan, CompilerEdit, RenameFindings } from '../compiler/types.ts';
import { spanKey } from './account-census.ts';
import type { ItemDraft } from './build-groups.ts';

export function findUnfollowedImports(
  question: Question,
  answer: Pick<RenameFindings, 'edits' | 'census' | 'isMember' | 'reach'>,
  /** What is asked already. */
  doubts: readonly CodeSpan[],
  names: { readonly oldName: string; readonly newName: string },
): readonly ItemDraft[] {
  if (answer.isMember || answer.reach === 'file') return [];
  const providers = listProviders(question, new Set(answer.edits.map(({ path }) => path)));
  const asked = new Set(doubts.map(spanKey));
  const items: ItemDraft[] = [];
  for (const [path, accounts] of Map.groupBy(answer.census, (one) => one.path)) {
    const source = question.source(path);
    if (source === undefined) continue;
    const byStart = new Map(accounts.map((one) => [one.start, one]));
    for (const { specifier, targets, names: imported } of question.imports(path)) {
      const leads = targets.some((target) => providers.has(target));
      if (!leads && (targets.length > 0 || !mayMean(specifier, providers))) continue;
      for (const { name, start } of imported) {
        const own = name === names.oldName ? byStart.get(toUnit(source, start)) : undefined;
        if (own?.account !== 'other_symbol' || own.declaredIn !== undefined || asked.has(spanKey(own))) continue;
        items.push(doubt(own, accounts, names, leads));
      }
    }
  }
  return items;
}

function doubt(
  own: CensusAccount,
  accounts: readonly CensusAccount[],
  { oldName, newName }: { readonly oldName: string; readonly newName: string },
  leads: boolean,
): ItemDraft {
  const { path, start, end, detail } = own;
  // Uses of the specifier's own name are bound to the specifier.
  const uses = accounts.filter((one) => spanKey(one) === spanKey(own) || (detail !== null && one.detail === detail));
  const edits = uses.map(
    (use): CompilerEdit => ({
      path,
      start: use.start,
      end: use.end,
      oldText: oldName,
      newText: newName,
      form: 'plain',
    }),
  );
  const says = leads
    ? 'the import leads to the renamed export, and the compiler cannot follow it'
    : 'the compiler finds no such module, and the path fits a file that exports the renamed name';
  return { path, start, end, kind: 'unresolved_reference', detail: says, edits: { rename: edits } };
}

/** Files that are edited, and those that pass everything of them on. */
function listProviders(question: Question, edited: ReadonlySet<string>): ReadonlySet<string> {
  const providers = new Set(edited);
  // A set may grow while it is walked.
  for (const path of providers) {
    for (const importer of question.importers(path)) {
      const passes = question.imports(importer.path)[importer.ordinal];
      if (passes?.kind === 'reexport' && passes.names.some(({ name }) => name === '*')) providers.add(importer.path);
    }
  }
  return providers;
}

/**
 * Could this path, which nothing resolves, be one of the files after all? Bundlers and test runners have prefixes of their own (`@/a`,
 * `~lib/a`, `#a`, `src/a`), so what comes behind the prefix is compared with the ends of the files' paths.
 */
function mayMean(specifier: string, providers: ReadonlySet<string>): boolean {
  if (/^(?:\.|\/|[a-z]+:)/.test(specifier)) return false;
  const bare = withoutSuffix(specifier.replace(/[?].*$/, ''));
  const rest = bare.slice(bare.indexOf('/') + 1);
  const ends = new Set([bare.replace(/^[@~#$]\/?/, ''), rest]);
  ends.delete('');
  return [...providers].some((path) => {
    const file = withoutSuffix(path);
    return [...ends].some((end) => file === end || file.endsWith(`/${end}`));
  });
}

function withoutSuffix(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
}

function toUnit({ bytes, bom }: SourceText, byte: number): number {
  return bytes.subarray(bom ? 3 : 0, byte).toString('utf8').length;
}
