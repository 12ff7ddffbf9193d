/**
 * What to rename: declarations of every kind the language has, as evenly as the project allows, and what to call them. The compiler that
 * plans has no part in it.
 */

import type { Oracle, OracleNode, Place } from './oracle.ts';
import type { Random } from './random.ts';

export type Picked = Place & {
  readonly line: number;
  readonly col: number;
  readonly kind: string;
  readonly oldName: string;
  readonly newName: string;
  /** The new name stands nowhere in the project. */
  readonly isFresh: boolean;
  readonly aliasPolicy: 'through' | 'keep_local';
};

export type Site = Place & { readonly name: string };

/** How often an existing identifier of the file is the new name. */
const takenShare = 0.3;

export function pickSymbols(oracle: Oracle, count: number, random: Random): readonly Picked[] {
  const byKind = listSites(oracle);
  const kinds = [...byKind.keys()].sort();
  const picked: Picked[] = [];
  const seen = new Set<string>();
  for (let round = 0; picked.length < count && round < count * 4; round += 1) {
    const kind = kinds[round % kinds.length] ?? '';
    const site = random.pick(byKind.get(kind) ?? []);
    if (site === undefined || seen.has(`${site.path}:${site.start}`)) continue;
    seen.add(`${site.path}:${site.start}`);
    picked.push(nameAnew(oracle, site, kind, picked.length, random));
  }
  return picked;
}

/** Declarations whose name stands in many files, each name once. */
export function pickWide(oracle: Oracle, count: number, random: Random, least: number): readonly Picked[] {
  const byKind = listSites(oracle);
  const files = new Map<string, Set<string>>();
  for (const { name, path } of [...byKind.values()].flat())
    files.set(name, (files.get(name) ?? new Set<string>()).add(path));
  const isDeclared = (kind: string) =>
    !['use', 'import', 'shorthand', 'local', 'parameter', 'destructured'].includes(kind);
  const wide = [...byKind].flatMap(([kind, sites]) =>
    isDeclared(kind)
      ? sites.filter(({ name }) => (files.get(name)?.size ?? 0) >= least).map((site) => ({ ...site, kind }))
      : [],
  );
  const picked: Picked[] = [];
  const seen = new Set<string>();
  for (let round = 0; picked.length < count && round < count * 20; round += 1) {
    const site = random.pick(wide);
    if (site === undefined || seen.has(site.name)) continue;
    seen.add(site.name);
    picked.push(nameAnew(oracle, site, `wide ${site.kind}`, 10_000 + picked.length, random));
  }
  return picked;
}

function nameAnew(oracle: Oracle, site: Site, kind: string, number: number, random: Random): Picked {
  const { name, path, start } = site;
  const isPrivate = name.startsWith('#');
  const others = [...new Set(oracle.names(path).map(({ text }) => text))].filter(
    (text) => text !== name && text.startsWith('#') === isPrivate && text !== 'default',
  );
  const taken = random.chance(takenShare) ? random.pick(others) : undefined;
  const isUpper = /^#?\p{Lu}/u.test(name);
  const fresh = `${isPrivate ? '#' : ''}${isUpper ? 'Fuzzed' : 'fuzzed'}${number}`;
  const at = oracle.tree(path)?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 };
  return {
    path,
    start,
    line: at.line + 1,
    col: at.character + 1,
    kind,
    oldName: name,
    newName: taken ?? fresh,
    isFresh: taken === undefined,
    aliasPolicy: random.chance(0.5) ? 'through' : 'keep_local',
  };
}

/** Names by the kind of what they declare; those that declare nothing are uses. */
export function listSites({
  compiler: ts,
  files,
  tree,
}: Pick<Oracle, 'compiler' | 'files' | 'tree'>): ReadonlyMap<string, readonly Site[]> {
  const sites = new Map<string, Site[]>();
  for (const path of files) {
    const file = tree(path);
    if (file === undefined) continue;
    const nodes: (typeof file | OracleNode)[] = [file];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      ts.forEachChild(node, (child) => {
        nodes.push(child);
      });
      if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) continue;
      const kind = kindOf(ts, node);
      if (kind === undefined || node.end === node.getStart(file)) continue;
      const list = sites.get(kind) ?? [];
      list.push({ path, start: node.getStart(file), name: node.text });
      sites.set(kind, list);
    }
  }
  return sites;
}

type Ts = Oracle['compiler'];

/** Of a declaration's name what it declares; of any other name, `use`. */
function kindOf(ts: Ts, node: OracleNode): string | undefined {
  const { parent } = node;
  if (ts.isLabeledStatement(parent)) return 'label';
  if (ts.isJsxAttribute(parent)) return 'jsx attribute';
  if (ts.isJsxOpeningLikeElement(parent)) return 'jsx component';
  if (ts.isImportSpecifier(parent)) return parent.propertyName === undefined ? 'import' : 'import alias';
  if (ts.isImportClause(parent)) return 'import alias';
  if (ts.isNamespaceImport(parent)) return 'import alias';
  if (ts.isExportSpecifier(parent)) return 'export specifier';
  if (ts.isShorthandPropertyAssignment(parent)) return 'shorthand';
  const named = parent as { readonly name?: unknown };
  if (named.name !== node || ts.isPropertyAccessExpression(parent)) return 'use';
  if (ts.isPrivateIdentifier(node)) return 'private name';
  if (ts.isFunctionDeclaration(parent) || ts.isFunctionExpression(parent)) return 'function';
  if (ts.isClassDeclaration(parent) || ts.isClassExpression(parent)) return 'class';
  if (ts.isInterfaceDeclaration(parent)) return 'interface';
  if (ts.isTypeAliasDeclaration(parent)) return 'type alias';
  if (ts.isEnumDeclaration(parent)) return 'enum';
  if (ts.isEnumMember(parent)) return 'enum member';
  if (ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent)) return 'method';
  if (ts.isAccessor(parent)) return 'accessor';
  if (ts.isPropertyDeclaration(parent)) return 'property';
  if (ts.isPropertySignature(parent)) return 'property signature';
  if (ts.isPropertyAssignment(parent)) return 'object key';
  if (ts.isParameter(parent))
    return ts.isParameterPropertyDeclaration(parent, parent.parent) ? 'parameter property' : 'parameter';
  if (ts.isTypeParameterDeclaration(parent)) return 'type parameter';
  if (ts.isModuleDeclaration(parent)) return 'namespace';
  if (ts.isBindingElement(parent)) return 'destructured';
  if (ts.isVariableDeclaration(parent)) return isTopLevel(ts, parent) ? 'variable' : 'local';
  return undefined;
}

function isTopLevel(ts: Ts, declaration: OracleNode): boolean {
  return ts.isSourceFile(declaration.parent.parent.parent);
}
