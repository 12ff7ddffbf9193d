/** Can this symbol have that name? Asked once it is known what it is: a reserved word may name a member and not a variable (§2.7). */

import type { Question } from '../../index/state/navigate/question.ts';
import { checkName, type NameProblem } from '../names/check-name.ts';
import { findCoupledFileName } from '../names/coupled-file-name.ts';

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
