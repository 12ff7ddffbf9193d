/**
 * Names of the family that others can import (mutation.md §2.6, `public_api`): reachable from an entry of a package that is not
 * `private`. The place told is where the name is shown last, which is where an alias could keep it; of a member, where it is declared: in an
 * exported type, or in one that users reach through what they give and get. A package that names an entry which leads to no file here may
 * show anything: whatever a module exports is told then. A package without a `package.json` has no entry.
 */

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findUnsaved } from '../../../kernel/tree/unsaved-texts.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import { listAffected } from '../proof/affected-files.ts';
import type { CodeSpan } from '../session/messages.ts';
import { placeOfSymbol } from './clashes.ts';
import { listOwners } from './doubted-family.ts';
import { hasModifier, isFamilySymbol, memberDeclaration } from './member-types.ts';
import { shapeOf } from './type-shapes.ts';

export function findPublicExports(world: RenameWorld): readonly CodeSpan[] {
  if (world.reach === 'file') return [];
  const spans = new Map<string, CodeSpan>();
  const manifests = new Map<string, Manifest>();
  for (const { path, outside } of world.family) {
    const manifest = outside ? undefined : findManifest(world.programs.root, path);
    if (manifest !== undefined && manifest.fields['private'] !== true) manifests.set(manifest.directory, manifest);
  }
  const surfaces = [...manifests.values()]
    .flatMap((manifest) => listEntries(world, manifest))
    .filter(({ paths }) => paths.length > 0)
    .map(({ program, paths }) => {
      const mayHold = createReach(world, program);
      return { program, mayHold, modules: paths.filter(mayHold).flatMap((path) => moduleOf(program, path)) };
    });
  const find = world.isMember ? createMemberFinder(world) : findExport;
  for (const { program, modules } of surfaces)
    for (const module of modules)
      for (const span of find(world, program, module)) spans.set(`${span.path}\0${span.start}`, span);
  // What users reach without a name costs a walk through types, and adds nothing to what they can name.
  if (world.isMember && spans.size === 0)
    for (const span of findReached(world, surfaces)) spans.set(`${span.path}\0${span.start}`, span);
  return [...spans.values()].sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
}

type Surface = {
  readonly program: OpenProgram;
  readonly modules: readonly ts.Symbol[];
  readonly mayHold: (path: string) => boolean;
};

function moduleOf(program: OpenProgram, path: string): readonly ts.Symbol[] {
  const file = program.sourceFile(path);
  const module = file === undefined ? undefined : program.project.checker.getSymbolAtLocation(file);
  return module === undefined ? [] : [module];
}

/** No chain of mentions leads from other files to a member of the family, so no type that they declare has it. */
function createReach({ programs, family, isMember }: RenameWorld, program: OpenProgram): (path: string) => boolean {
  const seeds = family.filter(({ outside }) => !outside);
  const affected = isMember ? listAffected(programs, program, { seeds }) : null;
  const reached = new Set(affected);
  return (path) => affected === null || reached.has(path);
}

type Entries = { readonly program: OpenProgram; readonly paths: readonly string[] };

/** Where the package names an entry of which no program has the source, every file of the family may be behind it. */
function listEntries(world: RenameWorld, manifest: Manifest): readonly Entries[] {
  const found = world.programs.open.map((program) => ({
    program,
    doors: listEntryFiles(manifest, program.files, buildPaths(world, program)),
  }));
  const isOpen = (name: string) => found.some(({ doors }) => (doors.get(name) ?? []).length > 0);
  const isBlind = listDoors(manifest.fields).some(({ name, targets }) => targets.some(isCode) && !isOpen(name));
  const own = isBlind ? world.family.filter(({ outside }) => !outside).map(({ path }) => path) : [];
  return found.map(({ program, doors }) => ({ program, paths: [...new Set([...[...doors.values()].flat(), ...own])] }));
}

function findExport(world: RenameWorld, program: OpenProgram, module: ts.Symbol): readonly CodeSpan[] {
  const { checker } = program.project;
  return listNamespaces(world, program, module).flatMap((namespace) => {
    const shown = checker.getMemberInModuleExports(namespace, world.oldName);
    const place = shown === undefined ? null : placeOfSymbol(world.programs, program.project, shown);
    if (place === null || place.outside || !isRenamed(world, place)) return [];
    return [{ path: place.path, start: place.start, end: place.start + world.oldName.length }];
  });
}

/** The module, and what users reach as a part of it: `export * as util`, a namespace, an object that has an imported module in it. */
function listNamespaces({ programs }: RenameWorld, program: OpenProgram, module: ts.Symbol): readonly ts.Symbol[] {
  const { checker } = program.project;
  const found = new Map([[module.id, module]]);
  const seen = new Set<number>();
  const takeNamespace = (symbol: ts.Symbol | undefined): void => {
    if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Module) === 0) return;
    if (symbol.declarations.some(({ path }) => !programs.place(path).outside)) found.set(symbol.id, symbol);
  };
  for (const namespace of found.values()) {
    let values = follow(program, checker.getExportsOfModule(namespace));
    for (const symbol of values) takeNamespace(symbol);
    while (values.length > 0 && seen.size < surfaceTypes) {
      const held = values.filter(({ id, flags }) => (flags & holders) !== 0 && !seen.has(id));
      for (const { id } of held) seen.add(id);
      const types = held.length === 0 ? [] : askOr(() => checker.getTypeOfSymbol(held), []);
      values = types.flatMap((type) => {
        const symbol = askOr(() => type?.getSymbol(), undefined);
        takeNamespace(symbol);
        const isLiteral = type !== undefined && ((symbol?.flags ?? 0) & ts.SymbolFlags.ObjectLiteral) !== 0;
        return isLiteral ? askOr(() => checker.getPropertiesOfType(type), []) : [];
      });
    }
  }
  return [...found.values()];
}

const holders = ts.SymbolFlags.Variable | ts.SymbolFlags.Property;

/** The first of the members that users of an exported type can say. */
function createMemberFinder(world: RenameWorld): typeof findExport {
  if (world.oldName.startsWith('#')) return () => [];
  // By their places: the program that has the entry may be another than the one that an owner was found in.
  const keyOf = (node: ts.Node) =>
    placeKey({ ...world.programs.place(node.getSourceFile().fileName), start: node.pos });
  const owners = listOwners(world).filter((owner) => isDeclaration(owner.node));
  const owned = new Set(owners.map(({ node }) => keyOf(node)));
  return (_, program, module) => {
    const shown = listShown(world, program, module).flatMap(({ declarations }) =>
      declarations.flatMap((handle) => {
        const inside = !world.programs.place(handle.path).outside && isOwnerKind(handle.kind);
        const node = inside ? handle.resolve(program.project) : undefined;
        const key = node === undefined ? undefined : keyOf(ownerNode(node));
        return key !== undefined && owned.has(key) ? [key] : [];
      }),
    );
    const open = new Set(shown);
    return spanOf(findOpenDeclaration(world, (owner) => open.has(keyOf(owner))));
  };
}

/** The first of the members that users can say of something that they give or get. */
function findReached(world: RenameWorld, surfaces: readonly Surface[]): readonly CodeSpan[] {
  const declaration = world.oldName.startsWith('#') ? undefined : findOpenDeclaration(world);
  if (declaration === undefined) return [];
  return surfaces.some((surface) => isReached(world, surface)) ? spanOf(declaration) : [];
}

function spanOf(occurrence: RenameWorld['occurrences'][number] | undefined): readonly CodeSpan[] {
  if (occurrence === undefined) return [];
  const { path, start, end } = occurrence.token;
  return [{ path, start, end }];
}

/** What the module exports, itself or in a namespace, followed to where it is declared. */
function listShown(world: RenameWorld, program: OpenProgram, module: ts.Symbol): readonly ts.Symbol[] {
  const { checker } = program.project;
  return listNamespaces(world, program, module).flatMap((one) => follow(program, checker.getExportsOfModule(one)));
}

function follow({ project: { checker } }: OpenProgram, symbols: readonly ts.Symbol[]): readonly ts.Symbol[] {
  return symbols.map((symbol) =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol),
  );
}

function findOpenDeclaration(
  { occurrences }: RenameWorld,
  isOwner: (owner: ts.Node) => boolean = () => true,
): RenameWorld['occurrences'][number] | undefined {
  return occurrences.find(({ token, edit }) => {
    const declaration = edit === null ? undefined : memberDeclaration(token.node);
    return declaration !== undefined && isOwner(declaration.parent) && !hasModifier(declaration, K.PrivateKeyword);
  });
}

/** An entry from which more types can be reached may show any of them. */
const surfaceTypes = 3_000;

/** What users of the entries can say without naming the type: properties of what they give and get, to any depth. */
function isReached(world: RenameWorld, { program, modules, mayHold }: Surface): boolean {
  const { checker } = program.project;
  const most = surfaceTypes * modules.length;
  const seen = new Set<number>();
  const waiting: ts.Type[] = [];
  const add = (types: readonly (ts.Type | undefined)[]) => {
    for (const type of types)
      if (type !== undefined && !seen.has(type.id)) {
        seen.add(type.id);
        waiting.push(type);
      }
  };
  for (const symbol of modules.flatMap((module) => listShown(world, program, module)))
    add([
      askOr(() => checker.getTypeOfSymbol(symbol), undefined),
      askOr(() => checker.getDeclaredTypeOfSymbol(symbol), undefined),
    ]);
  for (const type of waiting) {
    if (seen.size > most) return true;
    const own = shapeOf(world.programs, program, type);
    const { kind, parts, args, isNamed, origin, declaredIn } = own;
    if (kind === 'open' || kind === 'plain') continue;
    if (kind === 'parameter') add([askOr(() => checker.getBaseConstraintOfType(type), undefined)]);
    add(kind === 'union' ? parts : args);
    if (kind !== 'object' || (isNamed && origin !== 'here')) continue;
    if (isNamed && declaredIn !== undefined && !mayHold(declaredIn)) continue;
    const { calls, indexed } = own;
    const member = own.property(world.oldName);
    if (member !== undefined && askOr(() => isFamilySymbol(world, program, member), false)) return true;
    const open = askOr(() => checker.getPropertiesOfType(type), []).filter((one) => !isHidden(program, one));
    add(open.length === 0 ? [] : askOr(() => checker.getTypeOfSymbol(open), []));
    for (const { parameters, returns } of calls) add([...parameters, returns]);
    add([indexed]);
  }
  return false;
}

/** A private member of a class: what it holds, users do not see. */
function isHidden({ project }: OpenProgram, { name, declarations }: ts.Symbol): boolean {
  if (name.includes('#')) return true;
  const [handle] = declarations;
  const isMember =
    handle !== undefined && (handle.kind === K.PropertyDeclaration || handle.kind === K.MethodDeclaration);
  const node = isMember ? handle.resolve(project) : undefined;
  return node !== undefined && hasModifier(node, K.PrivateKeyword);
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

// Which source files a package shows to others: what its `package.json` names, followed back from build output to source, or else the
// index files that packages have by custom. Pure: a list of files goes in, a part of it comes out.

/** Where the compiler writes to and reads from, root-relative. */
type BuildPaths = { readonly outDirs: readonly string[]; readonly rootDir: string | undefined };

/** By the door that users come in by. */
export function listEntryFiles(
  manifest: Manifest,
  files: readonly string[],
  build: BuildPaths,
): ReadonlyMap<string, readonly string[]> {
  const own = files.filter((file) => manifest.directory === '' || file.startsWith(`${manifest.directory}/`));
  const known = new Set(own);
  const found = new Map<string, readonly string[]>();
  const doors = listDoors(manifest.fields);
  for (const { name, targets } of [...doors, { name: 'bin', targets: listStrings(manifest.fields['bin']) }]) {
    const sources = targets.flatMap((target) => {
      const path = joinPath(manifest.directory, target);
      return path === undefined ? [] : sourcesOf(path, build, manifest.directory);
    });
    const shown = sources.flatMap((source) => (source.includes('*') ? matchStar(source, own) : [source]));
    found.set(name, [...new Set(shown.filter((file) => known.has(file)))].sort());
  }
  if ([...found.values()].every(({ length }) => length === 0)) {
    const custom = ['', 'src', 'lib'].flatMap((folder) =>
      sourceExtensions.flatMap((extension) => joinPath(manifest.directory, `${folder}/index${extension}`) ?? []),
    );
    found.set('.', custom.filter((file) => known.has(file)).sort());
  }
  return found;
}

const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs'];

type Door = { readonly name: string; readonly targets: readonly string[] };

/** What the package is known by, and each path below it that `exports` names; the targets of a door are the same module in several forms. */
function listDoors(fields: Readonly<Record<string, unknown>>): readonly Door[] {
  const main = ['main', 'module', 'browser', 'types', 'typings'].flatMap((key) => listStrings(fields[key]));
  const { exports } = fields;
  const isByPath =
    typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => /^\./.test(key));
  const paths = new Map(isByPath ? Object.entries(exports) : [['.', exports]]);
  paths.set('.', [main, paths.get('.')]);
  return [...paths].map(([name, value]) => ({ name, targets: listStrings(value) }));
}

/** Under any condition. */
function listStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : [];
}

/** Others than code show no names. */
function isCode(target: string): boolean {
  return /(?:^|\/)[^./]*$|\.[cm]?[jt]sx?$/.test(target);
}

/** The file itself, the source it is compiled from beside it, and the same below the source directory. */
function sourcesOf(path: string, build: BuildPaths, directory: string): readonly string[] {
  const places = [path];
  const roots = build.rootDir === undefined ? ['src', ''] : [build.rootDir];
  const outDirs =
    build.outDirs.length > 0
      ? build.outDirs
      : ['dist', 'lib', 'build', 'out', 'esm', 'cjs'].map((each) => joinPath(directory, each) ?? each);
  for (const outDir of outDirs) {
    if (!path.startsWith(`${outDir}/`)) continue;
    const inner = path.slice(outDir.length + 1);
    for (const root of roots) {
      const base = build.rootDir === undefined ? (joinPath(directory, root) ?? '') : root;
      places.push(base === '' ? inner : `${base}/${inner}`);
    }
  }
  return places.flatMap((place) => [place, ...withSourceExtensions(place)]);
}

function withSourceExtensions(path: string): readonly string[] {
  const bare = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const folders = bare === path ? [`${path.replace(/\/$/, '')}/index`] : [];
  return [bare, ...folders].flatMap((each) => sourceExtensions.map((extension) => `${each}${extension}`));
}

function matchStar(pattern: string, files: readonly string[]): readonly string[] {
  const at = pattern.indexOf('*');
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  return files.filter(
    (file) => file.length >= pattern.length - 1 && file.startsWith(before) && file.endsWith(after.replaceAll('*', '')),
  );
}

/** Root-relative; undefined for a path that leads out of the package. */
function joinPath(directory: string, path: string): string | undefined {
  const parts: string[] = directory === '' ? [] : directory.split('/');
  const floor = parts.length;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length <= floor) return undefined;
    else parts.pop();
  }
  return parts.join('/');
}

// The package a file belongs to: the nearest `package.json` at or above it, below the root. Read in the compiler job, once per root.

type Manifest = {
  /** Root-relative, '' for the root itself. */
  readonly directory: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

const manifestBytesMax = 1_000_000;

/** Undefined: there is none, or it cannot be read as an object. The nearest one counts, also where it is broken. */
export function findManifest(root: string, path: string): Manifest | undefined {
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const relative = directory === '.' ? '' : directory;
    const path = join(relative, 'package.json');
    const text = findUnsaved(root, path)?.toString('utf8') ?? readText(join(root, path));
    if (text !== undefined) {
      const fields = parseObject(text);
      return fields === undefined ? undefined : { directory: relative, fields };
    }
    if (relative === '') return undefined;
  }
}

/** Names of everything a package says it needs, whatever for. */
export function dependenciesOf({ fields }: Manifest): ReadonlySet<string> {
  const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return new Set(
    lists.flatMap((list) => {
      const value = fields[list];
      return typeof value === 'object' && value !== null ? Object.keys(value) : [];
    }),
  );
}

function readText(file: string): string | undefined {
  try {
    const found = statSync(file);
    return !found.isFile() || found.size > manifestBytesMax ? '' : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
