/**
 * Names of the family that others can import (mutation.md §2.6, `public_api`): reachable from an entry of a package that is not
 * `private`. The place told is where the name is shown last, which is where an alias could keep it. A package without a `package.json`
 * has no entry, and a member is no name that a module shows.
 */

import { type OpenProgram, placeKey, type RenameWorld } from '../in-job.ts';
import type { CodeSpan } from '../types.ts';
import { placeOfSymbol } from './clash-words.ts';
import { type BuildPaths, listEntryFiles } from './entry-files.ts';
import { findManifest, type Manifest } from './read-manifest.ts';

export function findPublicExports(world: RenameWorld): readonly CodeSpan[] {
  if (world.reach === 'file') return [];
  const spans = new Map<string, CodeSpan>();
  const manifests = new Map<string, Manifest>();
  for (const { path } of world.family) {
    const manifest = findManifest(world.programs.root, path);
    if (manifest !== undefined && manifest.fields['private'] !== true) manifests.set(manifest.directory, manifest);
  }
  for (const manifest of manifests.values())
    for (const program of world.programs.open)
      for (const span of findInProgram(world, program, manifest)) spans.set(`${span.path}\0${span.start}`, span);
  return [...spans.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}

function findInProgram(world: RenameWorld, program: OpenProgram, manifest: Manifest): readonly CodeSpan[] {
  const { checker } = program.project;
  return listEntryFiles(manifest, program.files, buildPaths(world, program)).flatMap((path) => {
    const file = program.sourceFile(path);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    const shown = module === undefined ? undefined : checker.getMemberInModuleExports(module, world.oldName);
    const place = shown === undefined ? null : placeOfSymbol(world.programs, program.project, shown);
    if (place === null || place.outside || !isRenamed(world, place)) return [];
    return [{ path: place.path, start: place.start, end: place.start + world.oldName.length }];
  });
}

/** In the family, and written anew under the public name. */
function isRenamed(world: RenameWorld, place: { path: string; start: number; outside: boolean }): boolean {
  const key = placeKey(place);
  const at = world.occurrences.find(
    ({ token }) => placeKey({ ...place, path: token.path, start: token.start }) === key,
  );
  return at?.edit !== undefined && at.edit !== null && at.edit.form !== 'export_keeps_public';
}

function buildPaths({ programs }: RenameWorld, { project }: OpenProgram): BuildPaths {
  const { outDir, declarationDir, rootDir } = project.program.getCompilerOptions();
  const inside = (path: string | undefined): readonly string[] => {
    if (path === undefined) return [];
    const place = programs.place(path);
    return place.outside ? [] : [place.path];
  };
  return { outDirs: [...inside(outDir), ...inside(declarationDir)], rootDir: inside(rootDir)[0] };
}
