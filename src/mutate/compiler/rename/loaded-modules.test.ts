import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';

afterAll(closePrograms);

const config = { 'tsconfig.json': renderConfig({ lib: ['es2023', 'dom'] }) };
const home = { ...config, 'm/x.ts': 'export const «a» = () => 1;' };
const asked = (source: string) => askedAbout('dynamic_access', { ...home, 'u.ts': `export {};\n${source}` });
const cast = 'interface M { a(): number } declare const n: string; declare const p: string;\n';

describe('M9 modules that are loaded by a computed path', () => {
  test.each([
    ['a template', `${cast}const { a } = (await import(\`./m/\${n}.js\`)) as M; a();`],
    ['a sum', `${cast}const m = (await import('./m/' + n)) as M; m.a();`],
    [
      'a function that loads',
      `${cast}const load = (k: string) => import(\`./m/\${k}.js\`) as Promise<M>; (await load(n)).a();`,
    ],
    ['nothing written', `${cast}const m = (await import(p)) as M; m.a();`],
    [
      'a loader without a type',
      "const ls: Record<string, () => Promise<any>> = { x: () => import('./m/x.js') }; const { a } = await ls['x']!(); a();",
    ],
    ['a value without a type', "const m: any = await import('./m/x.js'); m.a();"],
    ['a loader of Node', "declare const createRequire: any; createRequire(import.meta.url)('./m/x.js');"],
    ['a name behind a dot', `${cast}const m = (await import(\`./\${n}.js\`)) as M; m.a();`],
  ])('M9 %s', (_, source) => {
    expect(asked(source)).toHaveLength(1);
  });

  test.each([
    ['another directory', `${cast}const { a } = (await import(\`./k/\${n}.js\`)) as M; a();`],
    ['a name that no file says', `${cast}const m = (await import(\`./m/\${n}.js\`)) as { b: 1 }; m.b;`],
    ['something untyped elsewhere', "declare const u: any; u.a; await import('./m/y.js');"],
    ['a path that is known', "const m = await import('./m/x.js'); m.a();"],
    ['something else of that name', `${cast}const m = (await import(\`./k/\${n}.js\`)) as { b: 1 }; m.b; ({}) as M;`],
  ])('M9 not: %s', (_, source) => {
    expect(asked(source)).toEqual([]);
  });
});

describe('M9 a type is no key of a module', () => {
  const loads = "import * as m from './m/x.js'; Object.keys(m);";
  test.each([
    ['an interface', 'export interface «a» {}', []],
    ['an alias', 'export type «a» = 1;', []],
    ['a class', 'export class «a» {}', ['u.ts: m']],
    ['a type and a value', 'export interface «a» {} export const a = 1;', ['u.ts: m']],
  ])('M9 %s', (_, source, expected) => {
    expect(askedAbout('dynamic_access', { ...config, 'm/x.ts': source, 'u.ts': loads })).toEqual(expected);
  });
});

describe('M9 modules as objects', () => {
  test.each([
    ['its keys', "import * as m from './m/x.js'; Object.keys(m);"],
    ['poured out', "import * as m from './m/x.js'; export const o = { ...m };"],
    ['given to others', "import * as m from './m/x.js'; declare function f(o: object): void; f(m);"],
    ['its keys in a loop', "import * as m from './m/x.js'; for (const k in m) k;"],
  ])('M9 %s', (_, source) => {
    expect(asked(source)).toEqual(['u.ts: m']);
  });

  test('M9 not where it qualifies a name, nor of another module', () => {
    expect(asked("import * as m from './m/x.js'; m.a();")).toEqual([]);
    expect(
      askedAbout('dynamic_access', {
        ...home,
        'k.ts': 'export const a = 1;',
        'u.ts': "import * as k from './k.js'; Object.keys(k);",
      }),
    ).toEqual([]);
  });

  test('M9 something untyped that is said to be the module', () => {
    const type = "type M = typeof import('./m/x.js'); declare const u: any;\n";
    expect(asked(`${type}export const f = (): M => u;`)).toEqual(['u.ts: u']);
    expect(asked(`${type}export const f = async (): Promise<M> => u;`)).toEqual(['u.ts: u']);
    expect(asked(`${type}declare function g(m: M): void; g({} as any);`)).toEqual(['u.ts: {} as any']);
    expect(asked("import * as m from './m/x.js'; declare const u: any; export const x: typeof m = u;")).toHaveLength(1);
    expect(asked(`${type}let m: M | undefined; m ??= await import('./m/x.js'); m.a();`)).toEqual([]);
    expect(asked("type K = typeof import('./k.js'); declare const u: any; export const x: K = u;")).toEqual([]);
  });

  test('M9 keys of what replaces a module that passes the export on', () => {
    const files = { ...home, 'm/index.ts': "export * from './x.js';", 'k.ts': 'export const a = 1;' };
    const test = (path: string) => `declare const vi: any; vi.mock('${path}', () => ({ a: () => 2 })); export {};`;
    expect(askedAbout('untyped_access', { ...files, 'u.ts': test('./m/index.js') })).toEqual(['u.ts: a']);
    expect(askedAbout('untyped_access', { ...files, 'u.ts': test('./m') })).toEqual(['u.ts: a']);
    expect(askedAbout('untyped_access', { ...files, 'u.ts': test('./k.js') })).toEqual([]);
  });
});
