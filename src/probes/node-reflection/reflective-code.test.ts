// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are programs

import { expect, test } from 'vitest';
import type { GrammarName } from '../../languages/languages.ts';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractReflection, type ReflectionFacts } from './reflective-code.ts';

const nothing: ReflectionFacts = {
  evals: 0,
  functionConstructors: 0,
  dynamicRequires: 0,
  dynamicImports: 0,
  dynamicAccesses: 0,
  dynamicCalls: 0,
  prototypeChanges: 0,
  middlewareChains: 0,
  envReads: 0,
  envReadsInConditions: 0,
  envNames: [],
  decorators: [],
};

async function check(text: string, expected: Partial<ReflectionFacts>, grammar: GrammarName = 'typescript') {
  expect(await withParsedSource(grammar, text, extractReflection)).toEqual({ ...nothing, ...expected });
}

test.each<[string, Partial<ReflectionFacts>]>([
  ['eval("1"); globalThis.eval(x); (0, eval)("x"); medieval("x"); obj.eval("x");', { evals: 3 }],
  ['new Function("a", "return a"); Function("x"); new FunctionLike();', { functionConstructors: 2 }],
  ['require(name); require("./a"); require(`./b`); require(`./${c}`);', { dynamicRequires: 2 }],
  ['import("./a"); await import(path); import(`./${x}.js`);', { dynamicImports: 2 }],
  [
    'Object.setPrototypeOf(a, b); A.prototype.run = f; B.prototype = Object.create(A.prototype); x.__proto__ = y; ({ __proto__: z }); Object.assign(A.prototype, mixin);',
    { prototypeChanges: 6 },
  ],
  ['Array.prototype.slice.call(xs); Object.assign({}, a);', {}],
])('what is evaluated, loaded and rewired: %s', async (text, expected) => {
  await check(text, expected);
});

test.each<[string, Partial<ReflectionFacts>]>([
  ['o["a"]; o[0]; o[`a`]; o[Symbol.iterator]; o[-1];', {}],
  ['o[k]; o[f()]; o[k](); o?.[k]?.(x); o["a"]();', { dynamicAccesses: 4, dynamicCalls: 2 }],
  ['for (let i = 0; i < n; i++) { a[i]; a[i + 1]; b[i][j]; }', { dynamicAccesses: 1 }],
  ['xs.map((x, i) => { for (let i = 0; i < 1; i++) a[i]; return b[i]; });', { dynamicAccesses: 1 }],
  ['let i = 0; while (i < n) { a[i]; i += 1; } a[a.length - 1]; a[Math.floor(n / 2)];', {}],
  ['const at = o["x"] as number; a[at]; a[k as number]; let n: number; a[n]; a[k as string];', { dynamicAccesses: 1 }],
  ['function f(i: number, k: string) { a[i]; o[k]; }', { dynamicAccesses: 1 }],
  ['const KEY = "a" as const; const NAME = "b"; o[KEY]; o[NAME]; let loose = "c"; o[loose];', { dynamicAccesses: 1 }],
  ['const KEYS = ["a", "b"] as const; for (const k of KEYS) o[k]; for (const q of ["a"] as const) o[q];', {}],
  ['const KEYS = load(); for (const k of KEYS) o[k]; for (const p in o) o[p];', { dynamicAccesses: 2 }],
  ['const NAMES = { a: "x" } as const; o[NAMES.a]; o[names.a];', { dynamicAccesses: 1 }],
  ['const K = "a"; function f(K) { o[K]; }', { dynamicAccesses: 1 }],
  ['type A = B["c"]; type D = E[keyof F];', {}],
])('computed members: %s', async (text, expected) => {
  await check(text, expected);
});

test.each<[string, Partial<ReflectionFacts>]>([
  [
    'process.env.A; process.env["B"]; import.meta.env.C; process.env!.D;',
    { envReads: 4, envNames: ['A', 'B', 'C', 'D'] },
  ],
  ['const { A, B: b, C = 1, ...rest } = process.env;', { envReads: 3, envNames: ['A', 'B', 'C'] }],
  ['run({ ...process.env }); const env = process.env;', { envReads: 2 }],
  ['process.env.A = "1"; delete process.env.B; process.env["C"] = x;', {}],
  ['process.env[name];', { envReads: 1, dynamicAccesses: 1 }],
  [
    'if (process.env.A === "1") {} const x = process.env.B ? 1 : 2;',
    { envReads: 2, envReadsInConditions: 2, envNames: ['A', 'B'] },
  ],
  [
    'if (a) { f(process.env.A); } switch (process.env.B) {}',
    { envReads: 2, envReadsInConditions: 1, envNames: ['A', 'B'] },
  ],
])('the environment: %s', async (text, expected) => {
  await check(text, expected);
});

test.each<[string, Partial<ReflectionFacts>]>([
  ['const app = express(); app.use(a); app.use(b);', { middlewareChains: 1 }],
  ['express().use(a).use(b); new Koa().use(c);', { middlewareChains: 2 }],
  ['export default (router) => { router.use(a); list.use(b); };', { middlewareChains: 1 }],
  ['const app = createApp(Root); app.use(plugin);', {}],
  ['configure(consumer) { consumer.apply(Log).forRoutes("*"); }', { middlewareChains: 1 }],
])('middleware: %s', async (text, expected) => {
  await check(text, expected);
});

test('decorators are told with the module they come from', async () => {
  await check(
    'import { Controller as C } from "@nestjs/common";\nimport * as v from "class-validator";\n@C("/a") @own class A { @v.IsInt() n = 1; }',
    {
      decorators: [
        { name: 'C', module: '@nestjs/common' },
        { name: 'own', module: null },
        { name: 'IsInt', module: 'class-validator' },
      ],
    },
  );
});

test('S6 hostile nesting and broken code end soon', async () => {
  await check('a'.concat('[b]'.repeat(50_000)), { dynamicAccesses: 50_000 }, 'javascript');
  await check(`x(${'process.env.A,'.repeat(30_000)})`, { envReads: 30_000, envNames: ['A'] }, 'javascript');
  const broken = await withParsedSource('tsx', 'const = eval(; [[[ process.env.', extractReflection);
  expect(broken.evals).toBeLessThanOrEqual(1);
});
