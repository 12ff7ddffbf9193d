/**
 * The packages that a file lies in, before and after a move, and what changes when they are others: the module system that runs it, what
 * its bare imports find, who may reach it by a relative path.
 */

import type { Question } from '../../index/navigate/question.ts';
import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { quotedPath } from '../../kernel/base/text.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { ancestorsOf, below, directoryOf, isRelativeName } from '../../languages/resolving/root-paths.ts';
import type { Found, Moving } from './moved-tree.ts';

export type PackageAround = { readonly directory: string; readonly json: JsonObject };

export type PackagesAround = {
  /** From the nearest outwards. */
  of(path: string): readonly PackageAround[];
};

export function readPackagesAround(world: ResolveWorld): PackagesAround {
  const known = new Map<string, PackageAround | null>();
  const at = (directory: string): PackageAround | undefined => {
    const seen = known.get(directory);
    if (seen !== undefined) return seen ?? undefined;
    const bytes = world.readConfig(below(directory, 'package.json'));
    const parsed =
      bytes === undefined
        ? undefined
        : parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
    const found = parsed === undefined ? null : { directory, json: parsed.ok ? parsed.value : {} };
    known.set(directory, found);
    return found ?? undefined;
  };
  return { of: (path) => [...ancestorsOf(directoryOf(path))].flatMap((directory) => at(directory) ?? []) };
}

/** Does any package around the file, or its scripts, speak of one of these? */
export function mentionsPackage(packages: readonly PackageAround[], names: readonly string[]): boolean {
  return packages.some(({ json }) => {
    const declared = listDependencies(json);
    const scripts = isJsonObject(json['scripts']) ? Object.values(json['scripts']).join('\n') : '';
    return names.some(
      (name) => declared.has(name) || new RegExp(`(?:^|[\\s/'"&|;(])${name}(?![\\w-])`, 'm').test(scripts),
    );
  });
}

function listDependencies(json: JsonObject): ReadonlySet<string> {
  const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return new Set(fields.flatMap((field) => (isJsonObject(json[field]) ? Object.keys(json[field]) : [])));
}

/** One question for each way in which the packages around what moves make a difference. */
export function lookAtPackages(question: Question, { moves }: Moving, around: PackagesAround, found: Found): void {
  for (const [from, to] of moves) {
    const source = question.source(from);
    if (source === undefined || !/\.[cm]?[jt]sx?$/.test(from) || /\.d\.[cm]?ts$/.test(from)) continue;
    const [was, is] = [systemOf(from, around), systemOf(to, around)];
    if (was !== is && !isSameFor(source.text, was, is))
      found.items.push({
        path: from,
        start: 0,
        end: 0,
        kind: 'module_system',
        detail: `${says(from, was)}, and ${says(to, is)}`,
        edits: {},
      });
    const [left, entered] = [around.of(from), around.of(to)];
    if (left[0]?.directory === entered[0]?.directory) continue;
    const missing = listMissing(question, from, left, entered);
    if (missing.length > 0)
      found.items.push({
        path: from,
        start: 0,
        end: 0,
        kind: 'module_system',
        detail: `${missing.slice(0, 3).join(', ')} is declared by the package it leaves, and not by the one it enters`,
        edits: {},
      });
  }
}

type ModuleSystem = 'esm' | 'cjs' | 'by syntax';

/** As Node reads it: by the ending, else by the `type` of the nearest package, else by what the text looks like. */
function systemOf(path: string, around: PackagesAround): ModuleSystem {
  if (/\.m[jt]s$/.test(path)) return 'esm';
  if (/\.c[jt]s$/.test(path)) return 'cjs';
  const type = around.of(path)[0]?.json['type'];
  if (type === 'module') return 'esm';
  return type === 'commonjs' ? 'cjs' : 'by syntax';
}

const moduleSyntax = /^\s*(?:import\s*(?:["'{*]|[\w$]+[\s,])|export\s)|\bimport\.meta\b/m;

/** What has no syntax of modules is CommonJS where the syntax decides. */
function isSameFor(text: string, was: ModuleSystem, is: ModuleSystem): boolean {
  const sides = new Set([was, is]);
  return sides.has('by syntax') && sides.has('cjs') && !moduleSyntax.test(text);
}

function says(path: string, system: ModuleSystem): string {
  const words = { esm: 'is an ES module', cjs: 'is CommonJS', 'by syntax': 'is read by its syntax' };
  return `${quotedPath(path)} ${words[system]}`;
}

/** Packages that it imports, which were declared around its old place and are not around its new one. */
function listMissing(
  question: Question,
  path: string,
  left: readonly PackageAround[],
  entered: readonly PackageAround[],
): readonly string[] {
  const declaredBy = (packages: readonly PackageAround[], name: string) =>
    packages.some(({ json }) => listDependencies(json).has(name) || json['name'] === name);
  const names = question
    .imports(path)
    .filter(({ specifier, literal }) => literal && !isRelativeName(specifier) && !/^(?:node:|#|\/)/.test(specifier))
    .map(({ specifier }) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)].filter((name) => declaredBy(left, name) && !declaredBy(entered, name));
}
