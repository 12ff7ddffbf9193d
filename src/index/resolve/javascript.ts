/**
 * TypeScript and JavaScript imports (code-plane.md §3.4). Where the compiler resolves, the answer is the compiler's, under the options
 * of the configuration that governs the importing file; built files stand for their sources. Where it does not, what a bundler or
 * Node would find is better than no edge. Answers are remembered by what they depend on: a relative import by the path it names, a
 * bare one by the package that asks.
 */

import { createBuildOutputs } from './javascript/build-outputs.ts';
import { createReadConfigFile } from './javascript/config-file.ts';
import { isDeclaration, tryMappedSource } from './javascript/declaration-map.ts';
import { createFindGoverningConfig } from './javascript/governing-config.ts';
import { createFindLanes, type Lane } from './javascript/lanes.ts';
import { type BareAnswer, loadBare } from './javascript/load-bare.ts';
import { loadReferencedPath, loadReferencedTypes, looksLikePath } from './javascript/load-reference.ts';
import { loadRelative } from './javascript/load-relative.ts';
import { createPackages } from './javascript/package-info.ts';
import { parsePackageRequest, typesPackageOf } from './javascript/package-names.ts';
import { createFindPackagedConfig } from './javascript/packaged-config.ts';
import { isRelativeName, joinPath } from './javascript/paths.ts';
import { createFindRepositoryPackage } from './javascript/repository-packages.ts';
import { createTrail, type Search } from './javascript/search.ts';
import { below, directoryOf } from './shared/root-paths.ts';
import { type CreateResolve, maxCandidates, type Resolution, resolvedTo, unresolved } from './types.ts';

const specifierLengthMax = 4_096;

export const createJavaScriptResolve: CreateResolve = (world) => {
  const packages = createPackages(world);
  const findPackage = createFindRepositoryPackage(world, packages);
  const readConfig = createReadConfigFile(world, createFindPackagedConfig(world, packages, findPackage));
  const outputs = createBuildOutputs(world, readConfig);
  const findLane = createFindLanes(packages, outputs, createFindGoverningConfig(world, readConfig));

  const startSearch = (lane: Lane): Search => ({ ...lane.search, world, packages, outputs, trail: createTrail() });

  const resolveRelative = (lane: Lane, directory: string, specifier: string): Resolution => {
    const path = joinPath(directory, specifier);
    if (path === undefined) return unresolved('outside_root');
    const directoryOnly = /(?:^|\/)\.{0,2}$/.test(specifier);
    const key = directoryOnly ? `${path}/` : path;
    const known = lane.relative.get(key);
    if (known !== undefined) return known;
    const search = startSearch(lane);
    const hit = loadRelative(search, lane.order, path, directoryOnly);
    const resolution = hit === undefined ? unresolved('not_found', candidatesOf(search)) : found(lane, search, hit);
    lane.relative.set(key, resolution);
    return resolution;
  };

  const resolveBare = (lane: Lane, specifier: string): Resolution => {
    const known = lane.bare.get(specifier);
    if (known !== undefined) return known;
    const search = startSearch(lane);
    const answer = loadBare(search, findPackage, lane.scope, specifier);
    const resolution = describe(lane, search, answer, specifier);
    lane.bare.set(specifier, resolution);
    return resolution;
  };

  const describe = (lane: Lane, search: Search, answer: BareAnswer, specifier: string): Resolution => {
    if (answer.kind === 'hit') return found(lane, search, answer.path);
    const candidates = candidatesOf(search);
    if (answer.kind === 'ambiguous') {
      const claims = answer.directories.map((directory) => below(directory, 'package.json'));
      return unresolved('ambiguous', [...new Set([...candidates, ...claims])].slice(0, maxCandidates));
    }
    if (specifier.startsWith('/')) return unresolved('outside_root', candidates);
    return answer.kind === 'external'
      ? unresolved('external', candidates, answer.name)
      : unresolved('not_found', candidates);
  };

  /** A declaration that says where it comes from stands for its source, unless another declaration asks. */
  const found = (lane: Lane, search: Search, hit: string): Resolution => {
    const mapped = isDeclaration(hit) && !lane.fromDeclaration ? tryMappedSource(search, hit) : undefined;
    return resolvedTo([mapped ?? hit], candidatesOf(search, mapped ?? hit));
  };

  const resolveReference = (lane: Lane, directory: string, specifier: string): Resolution => {
    const search = startSearch(lane);
    const isPath = looksLikePath(specifier);
    const path = isPath && !specifier.startsWith('/') ? joinPath(directory, specifier) : undefined;
    if (isPath && path === undefined) return unresolved('outside_root');
    const hit = path === undefined ? undefined : loadReferencedPath(search, path);
    if (hit !== undefined) return found(lane, search, hit);
    if (isRelativeName(specifier)) return unresolved('not_found', candidatesOf(search));
    const answer = loadReferencedTypes(search, specifier, (types) =>
      loadBare(types, findPackage, lane.scope, specifier),
    );
    if (isPath && answer.kind !== 'hit') return unresolved('not_found', candidatesOf(search));
    const types = typesPackageOf(parsePackageRequest(specifier)?.name ?? specifier);
    const isTyped = answer.kind === 'external' && lane.scope.package?.dependencies.has(types) === true;
    return describe(lane, search, isTyped ? { kind: 'external', name: types } : answer, specifier);
  };

  const resolve = (lane: Lane, from: string, specifier: string): Resolution =>
    isRelativeName(specifier) ? resolveRelative(lane, directoryOf(from), specifier) : resolveBare(lane, specifier);

  return (from, { specifier, kind, literal }) => {
    if (!literal) return unresolved('dynamic');
    if (specifier === '' || specifier.length > specifierLengthMax) return unresolved('not_found');
    const lane = findLane(from, kind);
    if (kind === 'reference') return resolveReference(lane, directoryOf(from), specifier);
    const resolution = resolve(lane, from, specifier);
    if (resolution.reason === null || !loaderSyntax.test(specifier)) return resolution;
    const plain = resolve(lane, from, specifier.replace(/^.*!/, '').replace(/\?.*$/, ''));
    return plain.reason === null ? plain : resolution;
  };
};

/** `./icon.svg?react`, `!!raw-loader!./text.md`: how bundlers are told what to do with a file. */
const loaderSyntax = /[?!]/;

/** Each path once, in order; a hit that would fall off the end takes the last place. */
function candidatesOf({ trail }: Search, hit?: string): readonly string[] {
  const unique = [...new Set(trail.paths)];
  if (hit === undefined) return unique.slice(0, maxCandidates);
  if (unique.indexOf(hit) < maxCandidates && unique.at(-1) === hit) return unique;
  return [...unique.filter((path) => path !== hit).slice(0, maxCandidates - 1), hit];
}
