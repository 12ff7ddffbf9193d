import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';

afterAll(closePrograms);

const config = { 'tsconfig.json': renderConfig({ lib: ['es2023', 'dom'], types: [] }) };
const asked = (source: string) =>
  askedAbout('name_as_data', { ...config, 'a.ts': `export {};\n${source}` }).map((one) => one.replace(/^.*?: /, ''));
const run = 'declare function run(text: string): void;\n';
const caller = 'function who() { return /at (\\w+)/.exec(new Error().stack!.split("\\n")[2]!)![1]; }\n';

describe('M9 functions tell of what they call', () => {
  test.each([
    ['in a template', `${run}function «a»() {} function f() { a(); } run(${'`($'}{f})()${'`'});`, 'f'],
    ['as a string', `${run}const «a» = 1; const f = () => a; run(String(f));`, 'f'],
    ['joined', `${run}class «a» {} function f() { return new a(); } run(f + "; f()");`, 'f'],
    ['where it stands', `${run}function «a»() {} run((() => a()).toString());`, '() => a()'],
    ['a function in it', `${run}function «a»() {} function f() { return () => a(); } run(f.toString());`, 'f.toString'],
    [
      'by what it is given to',
      `${run}const «a» = 1; const f = () => a; const send = (g: () => number) => run(String(g)); send(f);`,
      'g',
    ],
    ['where it is given', `${run}const «a» = 1; const send = (g: () => number) => run(String(g)); send(() => a);`, 'g'],
    ['by a trace', `${caller}function «a»() { return who(); } a();`, 'stack'],
    ['by a trace that another takes', `${caller}const log = () => who(); function «a»() { log(); } a();`, 'stack'],
  ])('M9 %s', (_, source, text) => {
    const expected = text === 'f.toString' ? 'f' : text;
    expect(asked(source)).toEqual([expected]);
  });

  test.each([
    ['its own variables', `${run}function f() { const «a» = 1; return a; } run(String(f));`],
    ['its parameters', `${run}const f = («a»: number) => a; run(String(f));`],
    ['another function', `${run}function «a»() {} function f() { return 1; } a(); run(String(f));`],
    ['what no trace leads through', `${caller}function «a»() { return 1; } a(); who();`],
    ['what stands in a type', `${run}class «a» {} function f(x: a) { return x as a; } run(String(f));`],
    ['an interface', `${run}interface «a» {} function f(x: a) { return x; } run(String(f));`],
    ['a trace that is only shown', 'function «a»() { return new Error().stack; } a();'],
  ])('M9 not %s', (_, source) => {
    expect(asked(source)).toEqual([]);
  });
});
