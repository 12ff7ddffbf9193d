/**
 * What to change in a project whose tests are the judge: declarations by kind in equal parts, and files to move. Parsing is all it takes,
 * so a project without a configuration of TypeScript is read as well. The same seed picks the same changes.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import type ts from '../../node_modules/@sourcegraph/scip-typescript/node_modules/typescript/lib/typescript.d.ts';
import type { Random } from './random.ts';

export const changeKinds = [
  'local',
  'parameter',
  'function',
  'class',
  'constant',
  'private member',
  'public member',
  'interface property',
  'move',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export type PickedChange = {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly name: string;
  /** The new name, which stands nowhere, or the new path. */
  readonly to: string;
};

export type PickSettings = {
  readonly root: string;
  /** Directories, each with a slash at its end; none: all of the tree. */
  readonly within: readonly string[];
  /** What is tried in turn; a kind that stands in it twice comes twice as often. */
  readonly kinds?: readonly ChangeKind[] | undefined;
  /** How many turns. */
  readonly count: number;
  readonly random: Random;
};

type Site = Pick<PickedChange, 'path' | 'line' | 'col' | 'name'>;

const compiler = createRequire(createRequire(import.meta.url).resolve('@sourcegraph/scip-typescript/package.json'))(
  'typescript',
) as typeof ts;

const code = /\.[cm]?[jt]sx?$/;
/** What only stands beside the program; taken where the program itself has no more of a kind. */
const beside =
  /(?:^|\/)(?:[\w-]*tests?|__tests__|specs?|[\w-]*bench(?:marks?)?|examples?|docs?|scripts)\/|[.-](?:test|spec|bench)\.[^/]*$|^[^/]*\.config\./;

/** One of each kind in turn, so that a run which is cut short has its parts as well. */
export function pickChanges({
  root,
  within,
  kinds = changeKinds,
  count,
  random,
}: PickSettings): readonly PickedChange[] {
  const paths = listCode(root).filter((path) => within.length === 0 || within.some((one) => path.startsWith(one)));
  const sites = new Map<ChangeKind, Site[]>(changeKinds.map((kind) => [kind, []]));
  for (const path of paths) {
    listDeclarations(path, readFileSync(join(root, path), 'utf8'), (kind, site) => sites.get(kind)?.push(site));
    sites.get('move')?.push({ path, line: 1, col: 1, name: posix.basename(path) });
  }
  const directories = [...new Set(paths.map((path) => posix.dirname(path)))];
  const picks = [...sites].map(([kind, ones]): [ChangeKind, PickedChange[]] => {
    const mixed = shuffle(ones, random);
    const [own, others] = [
      mixed.filter(({ path }) => !beside.test(path)),
      mixed.filter(({ path }) => beside.test(path)),
    ];
    const most = count * kinds.filter((one) => one === kind).length;
    const picked = [...own, ...others].slice(0, most).map((site, at): PickedChange => {
      const to = kind === 'move' ? placeAnew(site.path, at, directories, random) : nameAnew(site.name, kind, at);
      return { id: `${kind} ${site.path}:${site.line}:${site.col}`, kind, ...site, to };
    });
    return [kind, picked];
  });
  const left = new Map(picks);
  return Array.from({ length: count }, () => kinds.flatMap((kind) => left.get(kind)?.shift() ?? [])).flat();
}

function listCode(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  return listed.split('\0').filter((path) => code.test(path) && !/\.d\.[cm]?ts$/.test(path));
}

function shuffle<T>(from: readonly T[], random: Random): readonly T[] {
  const mixed = [...from];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
  }
  return mixed;
}

/** Another meaning, so that a place which keeps the old name is missed. */
function nameAnew(name: string, kind: ChangeKind, at: number): string {
  return `${name}Anew${changeKinds.indexOf(kind)}x${at}`;
}

/** Beside itself, one directory below, or in another directory that there is. */
function placeAnew(path: string, at: number, directories: readonly string[], random: Random): string {
  const directory = posix.dirname(path);
  const [stem = '', ...endings] = posix.basename(path).split('.');
  const named = [`${stem}Anew${at}`, ...endings].join('.');
  const others = directories.filter((one) => one !== directory);
  const places = [directory, posix.join(directory, `anew${at}`), random.pick(others) ?? directory];
  return posix.join(random.pick(places) ?? directory, named);
}

function listDeclarations(path: string, text: string, take: (kind: ChangeKind, site: Site) => void): void {
  const file = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [file];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    compiler.forEachChild(node, (child) => {
      nodes.push(child);
    });
    if (!compiler.isIdentifier(node) && !compiler.isPrivateIdentifier(node)) continue;
    const kind = kindOf(node);
    const start = node.getStart(file);
    if (kind === undefined || node.end === start || node.text === 'this') continue;
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    take(kind, { path, line: line + 1, col: character + 1, name: node.text });
  }
}

function kindOf(node: ts.Node): ChangeKind | undefined {
  const { parent } = node;
  if ((parent as { readonly name?: unknown }).name !== node) return undefined;
  if (compiler.isFunctionDeclaration(parent)) return parent.body === undefined ? undefined : 'function';
  if (compiler.isClassDeclaration(parent)) return 'class';
  if (compiler.isParameter(parent)) return kindOfParameter(parent);
  if (compiler.isPropertySignature(parent) || compiler.isMethodSignature(parent)) return 'interface property';
  if (compiler.isClassElement(parent) && compiler.isClassLike(parent.parent))
    return compiler.isPrivateIdentifier(node) || isPrivate(parent) ? 'private member' : 'public member';
  if (compiler.isVariableDeclaration(parent)) return kindOfVariable(parent);
  if (compiler.isBindingElement(parent)) {
    const root = compiler.walkUpBindingElementsAndPatterns(parent);
    if (compiler.isParameter(root)) return 'parameter';
    return kindOfVariable(root) === 'local' ? 'local' : undefined;
  }
  return undefined;
}

function kindOfParameter(parameter: ts.ParameterDeclaration): ChangeKind | undefined {
  if (compiler.isParameterPropertyDeclaration(parameter, parameter.parent))
    return isPrivate(parameter) ? 'private member' : 'public member';
  const { body } = parameter.parent as { readonly body?: ts.Node };
  return body === undefined ? undefined : 'parameter';
}

/** By a keyword; what a comment calls private is not. */
function isPrivate(node: ts.Node): boolean {
  const { modifiers } = node as { readonly modifiers?: readonly ts.Node[] };
  return modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.PrivateKeyword) ?? false;
}

function kindOfVariable(declaration: ts.VariableDeclaration): ChangeKind | undefined {
  const { parent, initializer } = declaration;
  if (!compiler.isVariableDeclarationList(parent)) return 'local';
  if (!compiler.isSourceFile(parent.parent.parent)) return 'local';
  if ((parent.flags & compiler.NodeFlags.Const) === 0) return undefined;
  const isFunction =
    initializer !== undefined && (compiler.isArrowFunction(initializer) || compiler.isFunctionExpression(initializer));
  return isFunction ? 'function' : 'constant';
}
