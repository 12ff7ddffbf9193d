/**
 * Names of the family that others can import (mutation.md §2.6, `public_api`): reachable from an entry of a package that is not
 * `private`. The place told is where the name is shown last, which is where an alias could keep it; of a member, where an exported type
 * declares it. A package that names an entry which leads to no file here may show anything: whatever a module exports is told then. A
 * package without a `package.json` has no entry.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../in-job.ts';
import type { CodeSpan } from '../types.ts';
import { placeOfSymbol } from './clash-words.ts';
import { listOwners, type Owner } from './doubts/doubted-family.ts';
import { type BuildPaths, listEntryFiles, namesEntry } from './entry-files.ts';
import { hasModifier, memberDeclaration } from './member-types.ts';
import { findManifest, type Manifest } from './read-manifest.ts';

export function findPublicExports(world: RenameWorld): readonly CodeSpan[] {
  if (world.reach === 'file') return [];
  const spans = new Map<string, CodeSpan>();
  const manifests = new Map<string, Manifest>();
  for (const { path, outside } of world.family) {
    const manifest = outside ? undefined : findManifest(world.programs.root, path);
    if (manifest !== undefined && manifest.fields['private'] !== true) manifests.set(manifest.directory, manifest);
  }
  const owners = manifests.size > 0 ? listOwners(world) : [];
  for (const manifest of manifests.values())
    for (const { program, paths } of listEntries(world, manifest))
      for (const path of paths)
        for (const span of findInModule(world, program, path, owners)) spans.set(`${span.path}\0${span.start}`, span);
  return [...spans.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}

type Entries = { readonly program: OpenProgram; readonly paths: readonly string[] };

/** Where the package names an entry and no program has its source, every file of the family may be behind it. */
function listEntries(world: RenameWorld, manifest: Manifest): readonly Entries[] {
  const entries = world.programs.open.map((program) => ({
    program,
    paths: listEntryFiles(manifest, program.files, buildPaths(world, program)),
  }));
  if (entries.some(({ paths }) => paths.length > 0) || !namesEntry(manifest)) return entries;
  const own = [...new Set(world.family.filter(({ outside }) => !outside).map(({ path }) => path))];
  return world.programs.open.map((program) => ({ program, paths: own }));
}

function findInModule(
  world: RenameWorld,
  program: OpenProgram,
  path: string,
  owners: readonly Owner[],
): readonly CodeSpan[] {
  const { checker } = program.project;
  const file = program.sourceFile(path);
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  if (world.isMember) return findMember(world, program, module, owners);
  const shown = checker.getMemberInModuleExports(module, world.oldName);
  const place = shown === undefined ? null : placeOfSymbol(world.programs, program.project, shown);
  if (place === null || place.outside || !isRenamed(world, place)) return [];
  return [{ path: place.path, start: place.start, end: place.start + world.oldName.length }];
}

/** The first of the members that users of an exported type can say. */
function findMember(
  world: RenameWorld,
  program: OpenProgram,
  module: ts.Symbol,
  owners: readonly Owner[],
): readonly CodeSpan[] {
  const { checker } = program.project;
  const named = owners.filter((owner) => owner.program === program && isDeclaration(owner.node));
  if (named.length === 0 || world.oldName.startsWith('#')) return [];
  const nodes = new Set(named.map(({ node }) => node));
  const shown = checker.getExportsOfModule(module).flatMap((symbol) => {
    const own = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
    return own.declarations.flatMap((handle) => {
      const inside = !world.programs.place(handle.path).outside && isOwnerKind(handle.kind);
      const node = inside ? handle.resolve(program.project) : undefined;
      return node !== undefined && nodes.has(ownerNode(node)) ? [ownerNode(node)] : [];
    });
  });
  const open = new Set(shown);
  const first = world.occurrences.find(({ token, edit }) => {
    const declaration = edit === null ? undefined : memberDeclaration(token.node);
    return declaration !== undefined && open.has(declaration.parent) && !hasModifier(declaration, K.PrivateKeyword);
  });
  if (first === undefined) return [];
  const { path, start, end } = first.token;
  return [{ path, start, end }];
}

const K = ts.SyntaxKind;

function isOwnerKind(kind: ts.SyntaxKind): boolean {
  return [K.ClassDeclaration, K.InterfaceDeclaration, K.EnumDeclaration, K.TypeAliasDeclaration].includes(kind);
}

function isDeclaration(node: ts.Node): boolean {
  return isOwnerKind(node.kind) || node.parent.kind === K.TypeAliasDeclaration;
}

/** Of `type X = {…}`, what stands on its right. */
function ownerNode(node: ts.Node): ts.Node {
  return ts.isTypeAliasDeclaration(node) ? node.type : node;
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
