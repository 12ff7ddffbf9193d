/**
 * Files of languages whose imports are not written anew here. They move only where it can be shown that nothing has to be: a file of Go
 * within its package, and one of Python that nothing of the repository names and that names nothing of it.
 */

import type { Question } from '../../index/state/navigate/question.ts';
import { listFilesMatchingName, listRedactedFiles } from '../../index/store/queries/list-text-candidates.ts';
import { longestWord } from './find-candidates.ts';
import { directoryOf } from './path-style.ts';

/** Undefined: it may move. */
export function whyOtherStays(question: Question, language: string, from: string, to: string): string | undefined {
  if (language === 'go') return whyGoStays(from, to);
  if (language === 'python') return whyPythonStays(question, from);
  return `moving a file of ${language} is not supported (${from}): its imports are not followed`;
}

function whyGoStays(from: string, to: string): string | undefined {
  if (directoryOf(from) !== directoryOf(to))
    return `${from} would leave its package, and imports of Go are not followed; a file moves within its directory`;
  return constraintsOf(from) === constraintsOf(to)
    ? undefined
    : `the name of ${from} says when it is built, and ${to} says something else`;
}

const builds =
  /(?:_(?:test|aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|unix|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm))+(?=\.go$)/;

function constraintsOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // The build leaves such files out.
  const hidden = /^[_.]/.exec(name)?.[0] ?? '';
  return hidden + (builds.exec(name)?.[0] ?? '');
}

function whyPythonStays(question: Question, from: string): string | undefined {
  const says = `imports of Python are not followed, and ${from}`;
  const name = from.slice(from.lastIndexOf('/') + 1).replace(/\.pyi?$/, '');
  if (/^__\w+__$|^conftest$|^setup$/.test(name)) return `${says} has a name with a meaning`;
  const [importer] = question.importers(from);
  if (importer !== undefined) return `${says} is imported by ${importer.path}`;
  const own = question.imports(from).find(({ targets, reason }) => targets.length > 0 || reason !== 'external');
  if (own !== undefined) return `${says} imports ${own.specifier}`;
  if (question.source(from)?.text.includes('__file__') === true) return `${says} looks at its own path`;
  const word = longestWord(name);
  const holding = question.ask((session) =>
    word === undefined ? [] : [...listFilesMatchingName(session, word), ...listRedactedFiles(session)],
  );
  const other = holding.find(({ path }) => path !== from && !/\.(?:md|rst|txt)$/i.test(path));
  return other === undefined && word !== undefined ? undefined : `${says} may be named in ${other?.path ?? 'any file'}`;
}
