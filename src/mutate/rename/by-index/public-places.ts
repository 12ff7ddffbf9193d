/**
 * Names that users of a published package can import (mutation.md §2.6, `public_api`), where no compiler tells what is reachable: by the
 * rules of the language for who may see a name, and by what makes a directory a package that others can install. A name that is hidden by
 * rule or custom, a program, a test and a module whose path has no host have no users outside of the repository.
 */

import type { Question } from '../../../index/navigate/question.ts';
import type { JsonObject } from '../../../kernel/base/json.ts';
import { member } from '../../../kernel/base/json-access.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseGoMod } from '../../../kernel/formats/go-mod.ts';
import { parseToml } from '../../../kernel/formats/toml.ts';
import type { CodeSpan } from '../../compiler/session/messages.ts';
import { type FamilySymbol, listKeyNames } from './symbol-family.ts';

/** Of these declarations, those that users of a package see. */
export function findPublicPlaces(of: {
  readonly question: Question;
  readonly language: string;
  readonly oldName: string;
  readonly symbols: readonly FamilySymbol[];
  readonly definitions: readonly CodeSpan[];
}): readonly CodeSpan[] {
  const { question, language, oldName, symbols, definitions } = of;
  if (language === 'go')
    return /^\p{Lu}/u.test(oldName) ? definitions.filter(({ path }) => isImportableGo(question, path)) : [];
  if (language !== 'python') return [];
  const isHidden = symbols.length > 0 && symbols.every(({ key }) => isHiddenInPython(key));
  if (isHidden || isUnderscored(oldName)) return [];
  return definitions.filter(({ path }) => isDistributedPython(question, path));
}

/** Files that say what the directory of a file belongs to, nearest first. */
function* directoriesAbove(path: string): Generator<string> {
  for (let cut = path.lastIndexOf('/'); cut >= 0; cut = path.lastIndexOf('/', cut - 1)) yield path.slice(0, cut);
  yield '';
}

const below = (directory: string, path: string): string => (directory === '' ? path : `${directory}/${path}`);

// ---- Go

/**
 * The go command fetches a module only if its path begins with a host, which has a dot; packages below `internal` are for their own module,
 * and `main` is a program.
 */
function isImportableGo(question: Question, path: string): boolean {
  if (path.endsWith('_test.go')) return false;
  for (const directory of directoriesAbove(path)) {
    const source = question.source(below(directory, 'go.mod'));
    if (source === undefined) continue;
    const read = parseGoMod(source.bytes, { maxBytes: limits.manifestBytes });
    const module = read.ok ? read.value.module : null;
    if (module === null || module === undefined || !(module.split('/')[0] ?? '').includes('.')) return false;
    const inside = path
      .slice(directory === '' ? 0 : directory.length + 1)
      .split('/')
      .slice(0, -1);
    const isHidden = [...module.split('/'), ...inside].some((name) => name === 'internal');
    const isIgnored = inside.some((name) => /^[._]/.test(name) || name === 'testdata' || name === 'vendor');
    return !isHidden && !isIgnored && !/^package\s+main\b/m.test(question.source(path)?.text ?? '');
  }
  return false;
}

// ---- Python

const isUnderscored = (name: string): boolean => name.startsWith('_') && !/^__\w+__$/.test(name);

/** Something above it is private by custom, or it stands in a function. */
function isHiddenInPython(key: string): boolean {
  const names = listKeyNames(key);
  return names === undefined || names.flatMap((name) => name.split('.')).some(isUnderscored);
}

/** Folders that hold no part of what is installed (those that setuptools leaves out by itself). */
const apart = new Set(
  `ci bin debian doc docs documentation manpages news newsfragments changelog test tests unit_test unit_tests example examples scripts
  tools util utils python build benchmark benchmarks exercise exercises htmlcov tasks`.split(/\s+/),
);

function isDistributedPython(question: Question, path: string): boolean {
  const [name = '', ...folders] = path.split('/').reverse();
  if (/^(?:test_.*|.*_test|conftest|setup|noxfile|tasks|fabfile)\.py$/.test(name)) return false;
  if (folders.some((folder) => folder === 'tests' || folder === 'test' || isUnderscored(folder))) return false;
  if (isUnderscored(name.replace(/\.py$/, ''))) return false;
  for (const directory of directoriesAbove(path)) {
    const texts = ['pyproject.toml', 'setup.py', 'setup.cfg'].map((file) => question.source(below(directory, file)));
    const [toml, ...setup] = texts;
    if (texts.every((source) => source === undefined)) continue;
    const read = toml === undefined ? undefined : parseToml(toml.bytes, tomlLimits);
    const project: JsonObject = read?.ok === true ? read.value : {};
    const isBuilt = setup.some((source) => source !== undefined) || project['build-system'] !== undefined;
    // A file of settings alone belongs to the package above it.
    if (!isBuilt && member(project, 'project') === undefined && member(project, 'tool', 'poetry') === undefined)
      continue;
    if (!isBuilt || isPrivate(project, texts.map((source) => source?.text ?? '').join('\n'))) return false;
    return isPartOf(
      path.slice(directory === '' ? 0 : directory.length + 1),
      project,
      texts.map((one) => one?.text),
    );
  }
  return false;
}

const tomlLimits = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

function isPrivate(project: JsonObject, texts: string): boolean {
  return (
    texts.includes('Private :: Do Not Upload') ||
    member(project, 'tool', 'poetry', 'package-mode') === false ||
    member(project, 'tool', 'uv', 'package') === false
  );
}

/** A folder that is none of those kept apart; or a single module that bears the project's name, or that its configuration names. */
function isPartOf(path: string, project: JsonObject, texts: readonly (string | undefined)[]): boolean {
  const [top = '', ...rest] = path.split('/');
  if (rest.length > 0) return !apart.has(top);
  const module = top.replace(/\.py$/, '');
  const named = member(project, 'project', 'name') ?? member(project, 'tool', 'poetry', 'name');
  const isNamed = typeof named === 'string' && named.toLowerCase().replace(/[-.]+/g, '_') === module.toLowerCase();
  return (
    isNamed || texts.some((text) => text?.includes(`"${module}"`) === true || text?.includes(`'${module}'`) === true)
  );
}
