/**
 * Random small programs that run: values of a few types come from somewhere, go through functions, containers and casts, and are read in
 * one of many ways; what is read is printed. Few words serve as names, so that a member, a key, a string and a local often share one.
 * The same random numbers give the same program, and every program ends and prints the same each time.
 */

import type { Random } from './random.ts';

export type Program = {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** How much of it leaves the types behind, or makes names data: 0 is none. */
  readonly looseShare: number;
  /** Every place where a name of the program stands as an identifier. */
  readonly places: readonly ProgramPlace[];
};

export type ProgramPlace = {
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly name: string;
};

type Member = { readonly name: string; readonly type: 'number' | 'string' | Shape; readonly optional: boolean };

type Shape = {
  readonly name: string;
  readonly form: 'interface' | 'type' | 'class';
  readonly members: readonly Member[];
  /** Another type with the same members. */
  readonly twin: string;
};

type Source = (shape: Shape) => string;

/** Turns an expression of a shape into another expression. */
type Step = (value: string, shape: Shape, random: Random) => string;

export const memberNames = [
  'id',
  'name',
  'size',
  'kind',
  'value',
  'code',
  'label',
  'count',
  'next',
  'path',
  'total',
] as const;
const shapeNames = ['Item', 'User', 'Node', 'Event', 'Entry', 'Point', 'Row', 'Order'] as const;
const localNames = ['one', 'found', 'value', 'item', 'made', 'name', 'data', 'size', 'entry'] as const;

export function writeProgram(random: Random): Program {
  const shapes = makeShapes(random);
  // Programs where no type is left behind show what is asked in vain; one hole in them shows what is missed.
  const looseShare = random.pick([0, 0, 0.1, 0.3]) ?? 0;
  const chains = Array.from({ length: 5 + random.below(4) }, (_, at) => writeChain(shapes, at, looseShare, random));
  const half = Math.ceil(chains.length / 2);
  const files = [
    { path: 'package.json', text: '{"name":"x","private":true,"type":"module"}\n' },
    { path: 'tsconfig.json', text: `${JSON.stringify(config)}\n` },
    { path: 'types.ts', text: writeTypes(shapes) },
    { path: 'lib.ts', text: lib },
    { path: 'loose.js', text: loose },
    { path: 'more.ts', text: writeModule(shapes, chains.slice(half), 'export ') },
    {
      path: 'main.ts',
      text: [
        writeModule(shapes, chains.slice(0, half), ''),
        `import * as more from './more.ts';`,
        ...chains.map(({ name }, at) => `console.log(String(await ${at < half ? '' : 'more.'}${name}()));`),
        '',
      ].join('\n'),
    },
  ];
  const own = new Set<string>([
    ...memberNames,
    ...localNames,
    'Kind',
    'tell',
    ...shapes.flatMap(({ name, twin }) => [name, twin]),
    ...chains.map(({ name }) => name),
    ...[...`${lib}\n${loose}`.matchAll(/(?:function|class|const) (\w+)/g)].map(([, name]) => name ?? ''),
  ]);
  return { files, looseShare, places: files.flatMap(({ path, text }) => listPlaces(path, text, own)) };
}

const config = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    noEmit: true,
    allowJs: true,
    allowImportingTsExtensions: true,
    types: [],
  },
};

/** Typed helpers, some with a hole where the type of a value is lost. */
const lib = `import type * as types from './types.ts';
export type Shapes = typeof types;
export function same<T>(given: T): T { return given; }
export function parse<T>(text: string): T { return JSON.parse(text); }
export function read<T, K extends keyof T>(from: T, key: K): T[K] { return from[key]; }
export function keys<T>(...all: (keyof T)[]): (keyof T)[] { return all; }
function isObject<T>(given: unknown): given is T { return typeof given === 'object'; }
export function narrow<T>(given: unknown): T { if (!isObject<T>(given)) throw new Error('no object'); return given; }
export function dump(given: object): string { return Object.entries(given).map(([key, part]) => key + '=' + String(part)).join(); }
export function many(list: readonly unknown[]): number { return list.length; }
export function equal(left: unknown, right: unknown): boolean { return JSON.stringify(left) === JSON.stringify(right); }
export function apply<A, B>(given: A, by: (given: A) => B): B { return by(given); }
export function later<T>(given: T): Promise<T> { return Promise.resolve(given); }
export class Holder<T> { readonly held: T; constructor(held: T) { this.held = held; } unwrap(): T { return this.held; } }
export function at(from: unknown, path: string): unknown { return path.split('.').reduce((held, key) => (held as Record<string, unknown>)[key], from); }
export function fill<T extends object>(into: T, from: object): T { return Object.assign(into, from); }
export function caught<T>(given: T): T { try { throw given; } catch (thrown) { return thrown as T; } }
export function upper(key: string): string { return key.toUpperCase(); }
export class Table<T> { readonly rows = new Map<string, T>(); put(key: string, row: T): this { this.rows.set(key, row); return this; } take(key: string): T { return this.rows.get(key)!; } }
`;

const loose = `export function pass(given) { return given; }
export function pick(from, key) { return from[key]; }
export function visit(list, by) { return list.map((one) => by(one)); }
`;

function makeShapes(random: Random): readonly Shape[] {
  const shapes: Shape[] = [];
  for (let at = 0; at < 3; at += 1) {
    const name = takeNew(shapeNames, new Set(shapes.map((shape) => shape.name)), random);
    const taken = new Set<string>();
    const members = Array.from({ length: 2 + random.below(2) }, (): Member => {
      const member = takeNew(memberNames, taken, random);
      taken.add(member);
      const inner = shapes.find(({ form }) => form !== 'class');
      if (inner !== undefined && random.chance(0.2)) return { name: member, type: inner, optional: false };
      return { name: member, type: random.chance(0.5) ? 'number' : 'string', optional: random.chance(0.3) };
    });
    const form = random.pick(['interface', 'type', 'class', 'interface'] as const) ?? 'type';
    shapes.push({ name, form, members, twin: `${name}Like` });
  }
  return shapes;
}

function takeNew<T extends string>(from: readonly T[], taken: ReadonlySet<string>, random: Random): T {
  const free = from.filter((one) => !taken.has(one));
  return random.pick(free) ?? (from[0] as T);
}

function writeTypes(shapes: readonly Shape[]): string {
  return `export enum Kind { id, size = 4, code }\n${shapes.map((shape) => `${writeType(shape)}\n`).join('')}`;
}

function writeType({ name, form, members, twin }: Shape): string {
  const fields = members.map((one) => `${one.name}${one.optional ? '?' : ''}${typeOf(one)}`).join('; ');
  const like = `export interface ${twin} { ${fields} }`;
  if (form === 'interface') return `export interface ${name} { ${fields} }\n${like}`;
  if (form === 'type') return `export type ${name} = { ${fields} };\n${like}`;
  const set = members.map((one) => `${one.name}${typeOf(one)} = ${literalOf(one)};`).join(' ');
  return `export class ${name} { ${set} tell() { return String(this.${members[0]?.name}); } }\n${like}`;
}

function typeOf({ type }: Member): string {
  return `: ${typeof type === 'string' ? type : type.name}`;
}

function literalOf({ type, name }: Member): string {
  if (type === 'number') return String(name.length);
  return type === 'string' ? `'${name[0]}'` : literal(type);
}

function literal(shape: Shape): string {
  return `{ ${shape.members.map((one) => `${one.name}: ${literalOf(one)}`).join(', ')} }`;
}

function computed(shape: Shape): string {
  return `{ ${shape.members.map((one) => `['${one.name}']: ${literalOf(one)}`).join(', ')} }`;
}

function jsonOf(shape: Shape): string {
  const of = ({ type, name }: Member): string =>
    type === 'number' ? String(name.length) : type === 'string' ? `"${name[0]}"` : jsonOf(type);
  return `{${shape.members.map((one) => `"${one.name}":${of(one)}`).join()}}`;
}

function fillIn(shape: Shape): string {
  return shape.members.map((one) => `made['${one.name}'] = ${literalOf(one)};`).join(' ');
}

const make = (shape: Shape) => (shape.form === 'class' ? `new ${shape.name}()` : literal(shape));

/** Where a value comes from. What is loose leaves the types behind, or makes the names data. */
const sources: readonly Source[] = [
  make,
  (shape) => `((): ${shape.name} => (${make(shape)}))()`,
  (shape) => `same<${shape.name}>(${make(shape)})`,
  (shape) => (shape.form === 'class' ? make(shape) : computed(shape)),
  (shape) => `Object.freeze<${shape.name}>(${make(shape)})`,
  (shape) => `(${make(shape)}) satisfies ${shape.name} as ${shape.name}`,
];
const looseSources: readonly Source[] = [
  (shape) => `JSON.parse('${jsonOf(shape)}') as ${shape.name}`,
  (shape) => `parse<${shape.name}>('${jsonOf(shape)}')`,
  (shape) => `(${literal(shape)}) as unknown as ${shape.name}`,
  (shape) => `pass(${literal(shape)})`,
  (shape) => `Object.fromEntries(Object.entries(JSON.parse('${jsonOf(shape)}'))) as unknown as ${shape.name}`,
  (shape) => `narrow<${shape.name}>(JSON.parse('${jsonOf(shape)}'))`,
  (shape) => `fill<${shape.name}>(${make(shape)}, JSON.parse('${jsonOf(shape)}'))`,
  (shape) => `Object.assign({} as ${shape.name}, ${literal(shape)})`,
  (shape) => `new Map<string, any>([['k', ${literal(shape)}]]).get('k') as ${shape.name}`,
  (shape) => `(await pass(Promise.resolve(${literal(shape)}))) as ${shape.name}`,
  (shape) => `((): ${shape.name} => { const made: any = {}; ${fillIn(shape)} return made; })()`,
  (shape) => `{ ...${make(shape)}, ...JSON.parse('${jsonOf(shape)}') } as ${shape.name}`,
];

/** How it travels. A class's own methods are lost on some ways, and the program does not ask for them afterwards. */
const transports: readonly Step[] = [
  (value) => `same(${value})`,
  (value) => `[${value}][0]!`,
  (value) => `[${value}].map((one) => one)[0]!`,
  (value) => `new Map([['k', ${value}]]).get('k')!`,
  (value) => `await later(${value})`,
  (value) => `apply(${value}, (given) => given)`,
  (value) => `new Holder(${value}).unwrap()`,
  (value, { name }) => `new Table<${name}>().put('k', ${value}).take('k')`,
  (value) => `({ inside: ${value} }).inside`,
  (value, { form }) => (form === 'class' ? value : `({ ...${value} })`),
  (value, { name }) => `apply(${value} as Readonly<${name}>, (given) => given)`,
  (value) => `Object.values({ inside: ${value} })[0]!`,
  (value) => `[...new Set([${value}])][0]!`,
  (value) => `[[${value}]].flat()[0]!`,
  (value) => `(await Promise.all([later(${value})]))[0]`,
  (value, { name }) => `((...all: ${name}[]) => all[0]!)(${value})`,
  (value, { name }) => `(function* (given: ${name}) { yield given; })(${value}).next().value as ${name}`,
  (value, { name }) => `[${value}].reduce((last: ${name}, one: ${name}) => (last === one ? one : last))`,
];
const looseTransports: readonly Step[] = [
  (value, { twin }) => `apply(${value}, (given: ${twin}) => given)`,
  (value, { name, twin }) => `((given: ${twin}): ${twin} => given)(${value}) as ${name}`,
  (value) => `pass(${value})`,
  (value, { name }) => `JSON.parse(JSON.stringify(${value})) as ${name}`,
  (value, { name }) => `structuredClone(${value} as ${name})`,
  (value, { form }) => (form === 'class' ? value : `Object.assign({}, ${value})`),
  (value) => `caught(${value})`,
  (value, { name }) => `({ inside: ${value} } as Record<string, unknown>)['inside'] as ${name}`,
  (value, { name }) => `new Proxy<${name}>(${value}, { get: (of, key) => Reflect.get(of, key) })`,
  (value, { name, form }) =>
    form === 'class' ? value : `Object.fromEntries(Object.entries(${value})) as unknown as ${name}`,
  (value, { name, form }) => (form === 'class' ? value : `Object.create(${value}) as ${name}`),
  (value, { name }) => `[${value} as any].map((one: ${name}) => one)[0]!`,
];

/** How it is read: an expression whose value is printed. */
const uses: readonly Step[] = [
  (value, shape, random) => `${value}.${memberOf(shape, random)}`,
  (value, shape, random) => `[${value}, ${value}].map((one) => one.${memberOf(shape, random)}).join()`,
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `(({ ${member} }: ${shape.name}) => ${member})(${value})`;
  },
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `apply(${value}, ({ ${member}, ...rest }) => String(${member}) + many([rest]))`;
  },
  (value, shape, random) => `${value}['${memberOf(shape, random)}']`,
  (value, shape, random) => `read(${value}, '${memberOf(shape, random)}')`,
  (value, shape, random) => `many([${value}].filter((one) => one.${memberOf(shape, random)} !== undefined))`,
  (value, shape, random) => `\`\${${value}.${memberOf(shape, random)}}\``,
  (value) => `Object.keys(${value}).length`,
  () => 'Kind.id + Kind.size',
  () => `Kind['code']`,
  (value, { form }) => (form === 'class' ? `${value}.tell()` : `Object.values(${value}).length`),
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `((key: '${member}') => ${value}[key])('${member}')`;
  },
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `((given: { [K in keyof ${shape.name}]: ${shape.name}[K] }) => given.${member})(${value})`;
  },
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `(() => { const { ${member}: inner = 'none' } = ${value}; return String(inner); })()`;
  },
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `((given: Pick<${shape.name}, '${member}'>) => given.${member})(${value})`;
  },
  (value, shape, random) => {
    const [first, second] = [memberOf(shape, random), memberOf(shape, random)];
    return `keys<${shape.name}>('${first}', '${second}').map((key) => ${value}[key]).join()`;
  },
];
const looseUses: readonly Step[] = [
  (value, shape, random) => `at(${value}, '${memberOf(shape, random)}')`,
  (value, shape, random) => `at({ inside: ${value} }, 'inside.${memberOf(shape, random)}')`,
  (value, shape, random) => `${value}[pass('${memberOf(shape, random)}') as keyof ${shape.name}]`,
  (value, shape, random) => `Object.hasOwn(${value}, '${memberOf(shape, random)}')`,
  (value) => `Reflect.ownKeys(${value}).length + Reflect.ownKeys(${value}).join()`,
  (value) => `Object.entries(${value}).map(([key, part]) => upper(key) + String(part)).join()`,
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `Object.keys(${value}).map((key) => { switch (key) { case '${member}': return 1; default: return 0; } }).join()`;
  },
  (value, shape, random) => `(${value} as unknown as Record<string, unknown>)['${memberOf(shape, random)}']`,
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `(({ ${member} }: any) => ${member})(${value})`;
  },
  (value, { form }) => (form === 'class' ? `${value}.constructor.name` : `Object.keys(${value}).sort().join()`),
  (value, { form }) => (form === 'class' ? `pick(${value}, 'tell').call(${value})` : `JSON.stringify([${value}])`),
  () => 'same.name',
  () => 'Object.keys(Kind).join()',
  () => `String(Kind[pass('id') as keyof typeof Kind])`,
  () => 'Kind[0]',
  (value, shape, random) => `Reflect.get(${value}, '${memberOf(shape, random)}')`,
  (value, shape, random) => `pick(${value}, '${memberOf(shape, random)}')`,
  (value, shape, random) => `(${value} as any)[['${memberOf(shape, random)}'].join()]`,
  (value, shape, random) => `('${memberOf(shape, random)}' in ${value})`,
  (value, shape, random) => {
    const member = memberOf(shape, random);
    return `((given: unknown) => (given as { ${member}?: unknown }).${member})(${value})`;
  },
  (value, shape, random) => `visit([${value}], (one: ${shape.name}) => one.${memberOf(shape, random)}).join()`,
  (value) => `Object.keys(${value}).join()`,
  (value) => `JSON.stringify(${value})`,
  (value) => `dump(${value})`,
  (value) => `(() => { let all = ''; for (const key in ${value}) all += key; return all; })()`,
  (value, shape) => `equal(${value}, ${literal(shape)})`,
];

function memberOf({ members }: Shape, random: Random): string {
  return random.pick(members)?.name ?? '';
}

type Chain = { readonly name: string; readonly text: string };

function writeChain(shapes: readonly Shape[], at: number, looseShare: number, random: Random): Chain {
  const choose = <T>(plain: readonly T[], loose: readonly T[]) =>
    random.pick(random.chance(looseShare) ? loose : plain) as T;
  const shape = random.pick(shapes) as Shape;
  const [first, second] = [random.pick(localNames) ?? 'one', random.pick(localNames) ?? 'two'];
  const source = choose(sources, looseSources)(shape);
  let travelled: string = first;
  for (let left = random.below(3); left > 0; left -= 1) {
    travelled = choose(transports, looseTransports)(`(${travelled})`, shape, random);
  }
  const use = choose(uses, looseUses)(second === first ? first : second, shape, random);
  const name = `run${at}`;
  const lines = [
    `async function ${name}() {`,
    `  const ${first}${random.chance(0.5) ? `: ${shape.name}` : ''} = ${source};`,
    ...(second === first
      ? []
      : [`  const ${second}: ${random.chance(looseShare) ? shape.twin : shape.name} = ${travelled};`]),
    `  return ${use};`,
    '}',
  ];
  return { name, text: lines.join('\n') };
}

function writeModule(shapes: readonly Shape[], chains: readonly Chain[], prefix: string): string {
  const names = shapes.map(({ name, form, twin }) => `${form === 'class' ? '' : 'type '}${name}, type ${twin}`);
  return [
    `import { Kind, ${names.join(', ')} } from './types.ts';`,
    `import { apply, at, caught, dump, equal, fill, Holder, keys, later, many, narrow, parse, read, same, Table, upper } from './lib.ts';`,
    `import { pass, pick, visit } from './loose.js';`,
    ...chains.map(({ text }) => `${prefix}${text}`),
    '',
  ].join('\n');
}

/** Identifiers among `own`: what stands in quotes, and the holes of templates, are left out. */
function listPlaces(path: string, text: string, own: ReadonlySet<string>): readonly ProgramPlace[] {
  if (!/\.[jt]s$/.test(path)) return [];
  return text
    .split('\n')
    .flatMap((line, row) =>
      [...line.matchAll(/'[^']*'|`[^`]*`|[A-Za-z_]\w*/g)]
        .filter(([word]) => own.has(word))
        .map(({ 0: name, index }) => ({ path, line: row + 1, col: index + 1, name })),
    );
}
