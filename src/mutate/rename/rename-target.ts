/**
 * Where a rename begins: a file and an offset, from a position or a name path. In TypeScript and JavaScript the compiler decides what
 * stands there; here only the text is looked at. A name of several things is a question back (mutation.md §2.1).
 */

import type { Question } from '../../index/navigate/question.ts';
import { findTargetFile, parseTarget } from '../../index/navigate/question-target.ts';
import { findOneSubject, lineAt, type Subject } from '../../index/navigate/subject.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { shown } from '../../kernel/base/text.ts';
import { listIdentifierRuns } from '../../languages/identifiers.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import { checkName, findCoupledFileName, type NameProblem } from '../../languages/naming.ts';

export type RenameTarget = {
  readonly kind: 'target';
  readonly path: string;
  readonly language: string;
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  readonly name: string;
  /** What syntax says it is; null for a position in TypeScript and JavaScript, which only the compiler is asked about. */
  readonly subject: Subject | null;
};

export async function findRenameTarget(
  question: Question,
  ask: { readonly target: string; readonly cwd?: string | undefined },
): Promise<RenameTarget | NotAnswered> {
  const [first] = parseTarget(ask.target);
  if (first?.kind === 'position' && first.col !== null) {
    const found = question.ask((session) => findTargetFile(session, question.view, { path: first.path, cwd: ask.cwd }));
    if (isNotAnswered(found)) return found;
    const { path, language } = found.file;
    if (language !== null && isJavaScript(language)) return findInText(question, path, language, first.line, first.col);
  }
  const one = await findOneSubject(question, ask);
  if (isNotAnswered(one)) return one;
  const { subject, facts } = one;
  const { path, language } = facts;
  return { kind: 'target', path, language, offset: subject.token.start, name: subject.token.text, subject };
}

function findInText(
  question: Question,
  path: string,
  language: string,
  lineNumber: number,
  col: number,
): RenameTarget | NotAnswered {
  const source = question.source(path);
  if (source === undefined) return notAnswered('not_found', `target: ${shown(path)} cannot be read as text`);
  const line = lineAt(source.text, lineNumber);
  if (line === undefined) return notAnswered('invalid', `target: ${shown(path)} has no line ${lineNumber}`);
  const offset = line.start + col - 1;
  const runs = listIdentifierRuns(source.text.slice(line.start, line.end), language);
  const at = offset - line.start;
  // Just behind a name still means it, unless the next one begins right there.
  const run =
    runs.find(({ start, end }) => at >= start && at < end) ??
    runs.find(
      ({ start, end }) =>
        at >= start - 1 &&
        at <= end &&
        (at === end || (line.start + start === offset + 1 && source.text[offset] === '#')),
    );
  if (col < 1 || offset > line.end || run === undefined) {
    const near = runs.map(({ name, start }) => `${path}:${lineNumber}:${start + 1} ${shown(name, 80)}`);
    return notAnswered('not_found', `target: no identifier at ${shown(path)}:${lineNumber}:${col}`, near);
  }
  return { kind: 'target', path, language, offset: line.start + run.start, name: run.name, subject: null };
}

/** Can this symbol have that name? Asked once it is known what it is: a reserved word may name a member and not a variable (§2.7). */
export function checkSymbolName(
  question: Question,
  language: string,
  symbol: { readonly name: string; readonly kind: string; readonly definedAt: { readonly path: string } },
  newName: string,
): NameProblem | undefined {
  const { name, kind, definedAt } = symbol;
  return (
    checkName(language, name, newName, { kind, isPrivateName: name.startsWith('#'), isJsxComponent: false }) ??
    findCoupledFileName({
      language,
      path: definedAt.path,
      name,
      kind,
      hasFile: (path) => question.file(path)?.presence === 'present',
    })
  );
}
