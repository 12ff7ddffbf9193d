/**
 * `protocol_name`: members that the language or the platform looks up by name, on anything, without an import or a type that would say so.
 * A rename away from such a name hides the member from its reader; a rename to it shows the member to one. Both type-check.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr } from '../job/name-tokens.ts';
import type { ItemDraft } from '../session/messages.ts';
import { listDeclared } from './declared-elsewhere.ts';
import { holdsFamily, isUntyped, site, typesAt, walkNodes } from './doubted-family.ts';
import { memberDeclaration, ownerType } from './member-types.ts';

const K = ts.SyntaxKind;

export function findProtocolNames(world: RenameWorld): readonly ItemDraft[] {
  const { oldName, question, reach, isMember } = world;
  if (!isMember && reach === 'file') return [];
  const ways = [
    { name: oldName, words: 'under another name it is not found' },
    { name: question.newName, words: `\`${oldName}\` would be taken for it` },
  ];
  for (const { name, words } of ways)
    for (const protocol of protocols.filter(({ names }) => names.has(name)))
      for (const { program, token } of listDeclared(world)) {
        if (!askOr(() => owners[protocol.owner](world, { program, name: token.node, says: name }), false)) continue;
        const detail = `${protocol.reader} \`${name}\` by its name: ${words}.`;
        return [site('protocol_name', token.path, token.node, detail)];
      }
  return [];
}

type Declared = { readonly program: OpenProgram; readonly name: ts.Node; readonly says: string };
type IsOwner = (world: RenameWorld, declared: Declared) => boolean;

/** On what a reader looks for its names. */
const owners = {
  'any callable member': (_, { program, name }) => {
    const declaration = memberDeclaration(name);
    return declaration !== undefined && mayBeCalled(program, name, declaration);
  },
  'a member of a class': (_, { name }) => isInClass(memberDeclaration(name)),
  'a member of a derived class': (_, { name }) => {
    const { heritageClauses } = (memberDeclaration(name)?.parent ?? {}) as { readonly heritageClauses?: unknown[] };
    return isInClass(memberDeclaration(name)) && heritageClauses !== undefined;
  },
  'an iterator': (_, { program, name, says }) => {
    const owner = memberDeclaration(name)?.parent;
    if (owner === undefined) return false;
    if (iterates.test(owner.getText())) return true;
    return says !== 'next' && hasMember(program, name, 'next');
  },
  'a result of an iterator': (_, { program, name, says }) =>
    memberDeclaration(name) !== undefined && hasMember(program, name, says === 'done' ? 'value' : 'done'),
  'a handler of a Proxy': (world) => isProxyHandler(world),
  'an attribute in JSX': (world) => world.occurrences.some(({ token }) => ts.isJsxAttribute(token.node.parent)),
  'an exported function': ({ isMember }, { name }) =>
    !isMember && (ts.isFunctionDeclaration(name.parent) || ts.isVariableDeclaration(name.parent)),
} as const satisfies Record<string, IsOwner>;

const iterates = /\bSymbol\s*\.\s*(?:iterator|asyncIterator)\b/;

function isInClass(declaration: ts.Node | undefined): boolean {
  return declaration !== undefined && ts.isClassLikeDeclaration(declaration.parent);
}

/** `then: string` of a syntax tree is no promise. */
function mayBeCalled(program: OpenProgram, name: ts.Node, { kind }: ts.Node): boolean {
  if (kind === K.EnumMember) return false;
  if (kind === K.MethodDeclaration || kind === K.MethodSignature) return true;
  const { checker } = program.project;
  const type = checker.getTypeAtLocation(name);
  if (type === undefined || isUntyped(type)) return true;
  const bare = checker.getNonNullableType(type) ?? type;
  const parts = bare.isUnionType() ? (bare.getTypes() ?? []) : [bare];
  return parts.some((part) => checker.getSignaturesOfType(part, ts.SignatureKind.Call).length > 0);
}

function hasMember(program: OpenProgram, name: ts.Node, other: string): boolean {
  const type = ownerType(program, name);
  return type !== undefined && program.project.checker.getPropertyOfType(type, other) !== undefined;
}

/** `new Proxy(target, handler)`: the handler has the renamed member. */
function isProxyHandler(world: RenameWorld): boolean {
  return world.programs.open.some((program) =>
    program.files.some((path) => {
      const file = program.sourceFile(path);
      if (file === undefined || !/\bProxy\b/.test(file.text)) return false;
      const handlers: ts.Node[] = [];
      walkNodes(file, (node) => {
        if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
        const second = /^(?:Proxy|Proxy\.revocable)$/.test(node.expression.getText()) ? node.arguments?.[1] : undefined;
        if (second !== undefined) handlers.push(ts.isAsExpression(second) ? second.expression : second);
      });
      return typesAt(program, handlers).some((type) => holdsFamily(world, program, type));
    }),
  );
}

export type Protocol = {
  readonly names: ReadonlySet<string>;
  readonly owner: keyof typeof owners;
  /** Who looks them up, as the beginning of a sentence that ends in the name. */
  readonly reader: string;
  readonly source: string;
  /** A rename of the marked name is asked about. */
  readonly example: string;
};

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

const htmlStandard = 'html.spec.whatwg.org, custom elements';

export const protocols: readonly Protocol[] = [
  {
    names: names('toString toLocaleString valueOf'),
    owner: 'any callable member',
    reader: 'Conversions of a value to a string or a number call',
    source: 'tc39.es/ecma262, OrdinaryToPrimitive; Array.prototype.toLocaleString',
    example: 'export class M { «toString»() { return "m"; } }',
  },
  {
    names: names('toJSON'),
    owner: 'any callable member',
    reader: '`JSON.stringify` calls',
    source: 'tc39.es/ecma262, SerializeJSONProperty',
    example: 'export const o = { «toJSON»: () => 1 };',
  },
  {
    names: names('then'),
    owner: 'any callable member',
    reader: '`await` and promises call',
    source: 'tc39.es/ecma262, Promise Resolve Functions',
    example: 'export class T { «then»(f: (v: number) => void) { f(1); } }',
  },
  {
    names: names('then'),
    owner: 'an exported function',
    reader: '`await import()` of the module calls',
    source: 'tc39.es/ecma262, ContinueDynamicImport',
    example: 'export function «then»(f: (v: number) => void) { f(1); }',
  },
  {
    names: names('next return throw'),
    owner: 'an iterator',
    reader: 'Loops, spreads and `yield*` call',
    source: 'tc39.es/ecma262, the Iterator interface',
    example:
      'export class I { next() { return { done: true, value: 1 }; } «return»() { return { done: true, value: 1 }; } [Symbol.iterator]() { return this; } }',
  },
  {
    names: names('done value'),
    owner: 'a result of an iterator',
    reader: 'Loops, spreads and `yield*` read',
    source: 'tc39.es/ecma262, the IteratorResult interface',
    example: 'export class I { next() { return { «done»: true, value: 1 }; } }',
  },
  {
    names: names('handleEvent'),
    owner: 'any callable member',
    reader: 'Event targets call',
    source: 'dom.spec.whatwg.org, EventListener',
    example: 'export class L { «handleEvent»() {} }',
  },
  {
    names: names(`connectedCallback disconnectedCallback adoptedCallback connectedMoveCallback attributeChangedCallback
      observedAttributes formAssociated formAssociatedCallback formDisabledCallback formResetCallback formStateRestoreCallback
      disabledFeatures`),
    owner: 'a member of a class',
    reader: 'The registry of custom elements looks up',
    source: htmlStandard,
    example: 'export class X { «connectedCallback»() {} }',
  },
  {
    names: names('process registerProcessor parameterDescriptors'),
    owner: 'a member of a derived class',
    reader: 'Audio worklets look up',
    source: 'webaudio.github.io/web-audio-api, AudioWorkletProcessor',
    example: 'class Base {} export class P extends Base { «process»() { return true; } }',
  },
  {
    names: names('_read _write _writev _transform _flush _final _destroy _construct'),
    owner: 'a member of a derived class',
    reader: 'Streams of Node call',
    source: 'nodejs.org/api/stream, API for stream implementers',
    example: 'class Base {} export class S extends Base { «_transform»() {} }',
  },
  {
    names:
      names(`get set has deleteProperty apply construct defineProperty getOwnPropertyDescriptor getPrototypeOf setPrototypeOf
      isExtensible preventExtensions ownKeys`),
    owner: 'a handler of a Proxy',
    reader: 'A `Proxy` calls',
    source: 'tc39.es/ecma262, Proxy object internal methods',
    example:
      'class H { «get»() { return 1; } x = 1; }\nexport const p = new Proxy({}, new H() as unknown as ProxyHandler<object>);\ndeclare const h: H; export const q = new Proxy({}, h as object);',
  },
  {
    names: names('key ref children dangerouslySetInnerHTML'),
    owner: 'an attribute in JSX',
    reader: 'What makes elements of JSX keeps for itself, or fills in,',
    source: 'react.dev/reference/react, special props; preactjs.com',
    example: 'interface P { «key»?: number }\nfunction C(p: P) { return p.key; }\nexport const e = <C key={1} />;',
  },
];
