/**
 * Modules as objects that the compiler does not follow (mutation.md §2.6): loaded by a path that is made at run time, put in the place of
 * a module that passes the export on, or handed around whole. Their names are then keys. A computed path counts where its written parts
 * fit the renamed module, and a file says the old name of something that the compiler calls another thing.
 */

import { posix } from 'node:path';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import { withoutEnding } from '../job/programs.ts';
import { listAffected } from '../proof/affected-files.ts';
import type { ItemDraft } from '../session/messages.ts';
import { isUntyped, type Site, site, tellFirst, typesAt, walkNodes } from './doubted-family.ts';
import { listFlows } from './flows.ts';
import { isFamilySymbol } from './member-types.ts';

const K = ts.SyntaxKind;

export function findLoadedModules(world: RenameWorld): readonly ItemDraft[] {
  if (world.reach === 'file' || world.oldName.startsWith('#') || isTypeAlone(world)) return [];
  return [
    ...findComputedLoads(world),
    ...findUntypedLoads(world),
    ...(world.isMember
      ? []
      : [...findReplacedBarrels(world), ...findWholeModules(world), ...findClaimedModules(world)]),
  ];
}

/** An interface or an alias of a type, and nothing that runs: no module has it for a key. */
function isTypeAlone({ occurrences }: RenameWorld): boolean {
  const links = occurrences.flatMap(({ binding }) => (binding.kind === 'bound' ? binding.links : []));
  const flags = links.reduce((all, { symbol }) => all | symbol.flags, 0);
  const isType = (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0;
  return isType && (flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Namespace)) === 0;
}

// ---- loaded by a path that only the running program knows

function findComputedLoads(world: RenameWorld): readonly ItemDraft[] {
  const { oldName } = world;
  const own = [...new Set(world.family.filter(({ outside }) => !outside).map(({ path }) => path))];
  const strays = listStrays(world);
  const sites: Site[] = [];
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !/\bimport\s*\(|\brequire\b|\bglob(?:Eager)?\s*[(<]/.test(file.text)) continue;
      walkNodes(file, (node) => {
        const fits = ts.isCallExpression(node) ? fitOf(path, node, own) : undefined;
        if (fits === 'written' ? strays.size > 0 : fits === 'open' && !world.isMember && strays.has(path))
          sites.push({ path, node });
      });
    }
  return tellFirst(
    'dynamic_access',
    sites,
    `This loads modules by a path that only the running program knows, and \`${oldName}\` is said of such a module`,
  );
}

/** Files where the old name is looked up in something else than what is renamed. */
function listStrays(world: RenameWorld): ReadonlySet<string> {
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const strays = tokensNamed(world.programs, world.oldName).filter(({ token }) => {
    if (planned.has(`${token.path}\0${token.start}`)) return false;
    const { parent } = token.node;
    return (
      (ts.isPropertyAccessExpression(parent) && parent.name === token.node) ||
      ts.isBindingElement(parent) ||
      ts.isElementAccessExpression(parent) ||
      token.kind === 'string'
    );
  });
  return new Set(strays.map(({ token }) => token.path));
}

/** `written`: the literal parts of the path lead to one of the modules. `open`: there are none. */
function fitOf(path: string, call: ts.CallExpression, own: readonly string[]): 'written' | 'open' | undefined {
  const callee = call.expression.getText();
  const [argument] = call.arguments;
  if (argument === undefined) return undefined;
  if (/(?:^|\.)(?:glob|globEager)$|^require\.context$/.test(callee)) {
    const base = /['"`]([^'"`*]*)/.exec(argument.getText())?.[1] ?? '';
    const directory = base.startsWith('/') ? base.slice(1) : posix.join(posix.dirname(path), base);
    return own.some((one) => one.startsWith(directory)) ? 'written' : undefined;
  }
  if (call.expression.kind !== K.ImportKeyword && !/^(?:require|createRequire\(.*\))$/.test(callee)) return undefined;
  if (ts.isStringLiteral(argument) || ts.isNoSubstitutionTemplateLiteral(argument)) return undefined;
  const parts = [...argument.getText().matchAll(/(['"])(.*?)\1|`([^`]*)`/g)].flatMap(([, , quoted, template]) =>
    (quoted ?? template ?? '').split(/\$\{[^}]*\}/),
  );
  const segments = parts
    .map((part) => part.replace(/^(?:\.{0,2}\/)+|\/+$/g, ''))
    .filter((part) => /[\w]/.test(part) && !isEnding.test(part));
  if (segments.length === 0)
    return parts.some((part) => part.startsWith('.')) && !fitsBelow(path, parts, own) ? undefined : 'open';
  return own.some((one) => segments.every((segment) => one.includes(segment))) ? 'written' : undefined;
}

const isEnding = /^\.?(?:[cm]?[jt]sx?|json)$/;

/** `./${name}.ts`: nothing is written but that it lies here, or above. */
function fitsBelow(path: string, parts: readonly string[], own: readonly string[]): boolean {
  const [, up = './'] = /^((?:\.{1,2}\/)+)/.exec(parts.find((part) => part.startsWith('.')) ?? '') ?? [];
  const directory = posix.join(posix.dirname(path), up);
  return own.some((one) => directory === './' || one.startsWith(directory));
}

// ---- loaded by a path that is written, into something of which the compiler knows nothing

/**
 * `const { a } = (await loaders[k]())` where a loader is `() => import('./m')` and their type says `any`; and what `createRequire` makes,
 * whose modules have no type at all.
 */
function findUntypedLoads(world: RenameWorld): readonly ItemDraft[] {
  const own = new Set(world.family.filter(({ outside }) => !outside).map(({ path }) => withoutEnding(path)));
  const strays = listUntypedStrays(world);
  const sites: Site[] = [];
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !/\bimport\s*\(|\bcreateRequire\b/.test(file.text)) continue;
      const loaders = [...file.text.matchAll(/\b(\w+)\s*=\s*createRequire\b/g)].map(([, name]) => name);
      walkNodes(file, (node) => {
        const [first] = ts.isCallExpression(node) ? node.arguments : [];
        if (!ts.isCallExpression(node) || first === undefined || !ts.isStringLiteral(first)) return;
        const module = resolve(program, path, first.text);
        if (module === undefined) return;
        const callee = node.expression.getText();
        const isLoader = /^createRequire\(/.test(callee) || (loaders.includes(callee) && callee !== 'require');
        const isOwn = own.has(withoutEnding(module)) || (!world.isMember && passesOn(world, program, module));
        if (
          isLoader
            ? isOwn
            : node.expression.kind === K.ImportKeyword && isOwn && !world.isMember && isStray(node, path, strays)
        )
          sites.push({ path, node });
      });
    }
  return tellFirst(
    'dynamic_access',
    sites,
    `The module is loaded here into something untyped, of which \`${world.oldName}\` is a key`,
  );
}

/** In the same file, or anywhere where the promise of the module is passed on. */
function isStray({ parent }: ts.Node, path: string, strays: ReadonlySet<string>): boolean {
  return (
    strays.has(path) || (strays.size > 0 && !ts.isAwaitExpression(parent) && !ts.isPropertyAccessExpression(parent))
  );
}

/** Files where the old name is looked up in something untyped. */
function listUntypedStrays(world: RenameWorld): ReadonlySet<string> {
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const strays = tokensNamed(world.programs, world.oldName).filter(({ program, token: { path, start, node } }) => {
    const { parent } = node;
    if (planned.has(`${path}\0${start}`)) return false;
    const receiver =
      ts.isPropertyAccessExpression(parent) && parent.name === node
        ? parent.expression
        : ts.isBindingElement(parent)
          ? parent.parent
          : undefined;
    return receiver !== undefined && isUntyped(typesAt(program, [receiver])[0]);
  });
  return new Set(strays.map(({ token }) => token.path));
}

// ---- a module that a test puts in the place of one that passes the export on

function findReplacedBarrels(world: RenameWorld): readonly ItemDraft[] {
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const own = new Set(world.family.map(({ path }) => withoutEnding(path)));
  return tokensNamed(world.programs, world.oldName).flatMap(({ program, token }): ItemDraft[] => {
    const { path, start, end, node } = token;
    const key = node.parent as ts.Node & { readonly name?: ts.Node };
    if (planned.has(`${path}\0${start}`) || key.name !== node || !ts.isObjectLiteralExpression(key.parent)) return [];
    const specifier = replacedBy(key.parent);
    const barrel = specifier === undefined ? undefined : resolve(program, path, specifier);
    if (barrel === undefined || own.has(withoutEnding(barrel)) || !passesOn(world, program, barrel)) return [];
    const text = node.getSourceFile().text.slice(start, end);
    const isShort = ts.isShorthandPropertyAssignment(key);
    const newText = isShort ? `${world.question.newName}: ${text}` : world.question.newName;
    const form = isShort ? ('shorthand_property' as const) : ('plain' as const);
    const detail = `\`${world.oldName}\` of \`${specifier}\` is meant, which passes the renamed export on.`;
    return [
      {
        ...site('untyped_access', path, node, detail),
        start,
        end,
        edits: { rename: [{ path, start, end, oldText: text, newText, form }] },
      },
    ];
  });
}

/** The module for which a factory makes this object: `vi.mock('./m', () => ({ … }))`. */
function replacedBy(literal: ts.Node): string | undefined {
  for (let at = literal.parent; at !== undefined; at = at.parent) {
    if (!ts.isCallExpression(at)) continue;
    const [first] = at.arguments;
    const isReplacer = /\.(?:mock|doMock|unstable_mockModule|setMock|module)$/.test(at.expression.getText());
    return isReplacer && first !== undefined && ts.isStringLiteral(first) ? first.text : undefined;
  }
  return undefined;
}

function resolve(program: OpenProgram, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const bare = withoutEnding(posix.join(posix.dirname(from), specifier));
  return program.files.find((path) => [bare, posix.join(bare, 'index')].includes(withoutEnding(path)));
}

function passesOn(world: RenameWorld, program: OpenProgram, path: string): boolean {
  return askOr(() => {
    const { checker } = program.project;
    const file = program.sourceFile(path);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    return module !== undefined && exportsFamily(world, program, module);
  }, true);
}

function exportsFamily(world: RenameWorld, program: OpenProgram, module: ts.Symbol): boolean {
  const { checker } = program.project;
  const shown = checker.getMemberInModuleExports(module, world.oldName);
  if (shown === undefined) return false;
  const isAlias = (shown.flags & ts.SymbolFlags.Alias) !== 0;
  return isFamilySymbol(world, program, isAlias ? checker.getAliasedSymbol(shown) : shown);
}

// ---- a module that is handed around as an object

function findWholeModules(world: RenameWorld): readonly ItemDraft[] {
  const sites: Site[] = [];
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !/\*\s*as\b/.test(file.text)) continue;
      const names = file.statements.flatMap((statement) => namespaceOf(statement));
      for (const { name, specifier } of names) {
        const uses: ts.Node[] = [];
        walkNodes(file, (node) => {
          if (ts.isIdentifier(node) && node.text === name && isHandedOn(node)) uses.push(node);
        });
        if (uses.length === 0) continue;
        const module = askOr(() => program.project.checker.getSymbolAtLocation(specifier), undefined);
        if (module !== undefined && askOr(() => exportsFamily(world, program, module), true))
          sites.push(...uses.map((node) => ({ path, node })));
      }
    }
  return tellFirst(
    'dynamic_access',
    sites,
    `The module is handed on as an object that has \`${world.oldName}\` for a key`,
  );
}

// ---- something else that is said to be a module

/** `mocks.get(path)` of type `any`, where `typeof import('./m')` is expected: its keys are the names of the exports. */
function findClaimedModules(world: RenameWorld): readonly ItemDraft[] {
  const { programs } = world;
  const sites: Site[] = [];
  for (const program of programs.open) {
    const said = program.files.filter((path) => saysModule(program.sourceFile(path)));
    if (said.length === 0) continue;
    const seeds = said.map((path) => ({ path }));
    for (const path of listAffected(programs, program, { seeds }) ?? program.files) {
      const file = program.sourceFile(path);
      if (file === undefined) continue;
      for (const { source, how, value, wanted } of listFlows(programs, program, file)) {
        const isClaim = source !== undefined && (how === 'asserted' || (how === 'taken' && isUntyped(source)));
        if (!isClaim || isModule(world, program, source)) continue;
        if (wanted().some(({ type }) => type !== null && isModule(world, program, type)))
          sites.push({ path, node: value });
      }
    }
  }
  return tellFirst(
    'dynamic_access',
    sites,
    `This is said to be a module that has \`${world.oldName}\`, and the compiler did not see it being one`,
  );
}

/** `typeof import('./m')`, or of a namespace that is imported. */
function saysModule(file: ts.SourceFile | undefined): boolean {
  if (file === undefined || !/\btypeof\b/.test(file.text)) return false;
  if (/\btypeof\s+import\s*\(/.test(file.text)) return true;
  return [...file.text.matchAll(/\*\s*as\s+([\w$]+)/g)].some(([, name]) =>
    new RegExp(`\\btypeof\\s+${name?.replaceAll('$', '\\$')}(?![\\w$.])`).test(file.text),
  );
}

/** One that exports what is renamed; also a promise of it, or a part of it. */
function isModule(world: RenameWorld, program: OpenProgram, type: ts.Type): boolean {
  return askOr(() => {
    const { checker } = program.project;
    const parts = type.isUnionType() || type.isIntersectionType() ? (type.getTypes() ?? []) : [type];
    const given = parts.flatMap((part) => [
      part,
      ...(part.isTypeReference() ? checker.getTypeArguments(part) : part.getAliasTypeArguments()),
    ]);
    return given.some((one) => {
      const symbol = one.getSymbol();
      const isFile = symbol?.declarations.some(({ kind }) => kind === K.SourceFile) === true;
      return isFile && exportsFamily(world, program, symbol);
    });
  }, false);
}

function namespaceOf(statement: ts.Node): readonly { readonly name: string; readonly specifier: ts.Node }[] {
  if (!ts.isImportDeclaration(statement)) return [];
  const bindings = statement.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamespaceImport(bindings)) return [];
  return [{ name: bindings.name.text, specifier: statement.moduleSpecifier }];
}

/** An argument, or poured into another object; what merely qualifies a name is followed by the compiler. */
function isHandedOn(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  return (
    parent.kind === K.SpreadAssignment ||
    (ts.isForInStatement(parent) && parent.expression === node) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.InKeyword && parent.right === node)
  );
}
