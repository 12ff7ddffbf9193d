import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { walkJavaScript } from '../../../test/support/walk-javascript.ts';
import type { RawFacts } from '../facts.ts';
import type { GrammarName } from '../languages.ts';
import { withParsedSource } from '../parsing/parse-source.ts';
import extractJavaScript from './javascript-facts.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/syntax');

function extract(text: string, path = 'file.ts'): Promise<RawFacts> {
  return withParsedSource(grammarOf(path), new TextEncoder().encode(text), ({ root, hasErrors }) =>
    extractJavaScript({ root, text, path, hasErrors }),
  );
}

function grammarOf(path: string): GrammarName {
  if (path.endsWith('.tsx')) return 'tsx';
  return /\.[cm]?ts$/.test(path) ? 'typescript' : 'javascript';
}

/** The facts in one shape, found quickly and found by looking at every node; `null` if the source has errors. */
function compareWithWalk(text: string, path: string): Promise<{ quick: string[]; slow: string[] } | null> {
  return withParsedSource(grammarOf(path), new TextEncoder().encode(text), ({ root, hasErrors }) => {
    if (hasErrors) return null;
    const facts = extractJavaScript({ root, text, path, hasErrors });
    const walked = walkJavaScript(root);
    const symbol = (s: { kind: string; name: string; nameStart: number; start: number; end: number }) =>
      `${s.kind} ${s.name}@${s.nameStart} ${s.start}-${s.end}`;
    const quick = [
      ...facts.symbols.map((s) => {
        const parent = facts.symbols[s.parent];
        return `${symbol(s)} in ${parent === undefined ? 'the file' : symbol(parent)}`;
      }),
      ...facts.imports.filter((found) => found.kind !== 'reference').map((found) => rows(found)),
      ...facts.dynamicSites.map((site) => rows(site)),
    ];
    const slow = [
      ...walked.symbols.map((s) => `${symbol(s)} in ${s.parent === null ? 'the file' : symbol(s.parent)}`),
      ...walked.imports.map((found) => rows(found)),
      ...walked.sites.map((site) => rows(site)),
    ];
    return { quick: quick.sort(), slow: slow.sort() };
  });
}

function rows(found: object): string {
  return JSON.stringify(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const sources = ['typescript', 'javascript'].flatMap((language) =>
  readdirSync(join(fixtures, language))
    .filter((file) => !file.endsWith('.golden'))
    // CommonJS exports are symbols that no declaration makes; the goldens hold them.
    .filter((file) => !/broken|gaps|exports-/.test(file))
    .map((file) => `${language}/${file}`),
);

test.each(sources)('S1 %s: looking at few nodes finds what looking at all finds', async (source) => {
  const both = await compareWithWalk(readFileSync(join(fixtures, source), 'utf8'), source);
  expect(both).not.toBeNull();
  expect(both?.quick).toEqual(both?.slow);
});

// Programs from pieces that contain each other. Names are few, so that text in strings and comments looks like code.
const name = fc.constantFrom('a', 'Foo', 'type', 'get', 'of', '$x', 'ünï', 'evaluate', 'requires');
const noise = fc.constantFrom('', ' ', '\n', ' /* class A {} [x] */ ', ' // function f() {} import("x")\n');
const leaf = fc.constantFrom(
  '1',
  "'function g() {} a[b]'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  '`class X {} ${a[b]} [c]`',
  '/[(]function a\\(/',
  'a',
  'eval("x")',
  'eval',
);
const { expression, statement } = fc.letrec<{ expression: string; statement: string; member: string; body: string }>(
  (tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.tuple(name, noise, tie('expression')).map(([a, gap, b]) => `${a}${gap}[${b}]`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a})?.[${b}].x`),
      tie('expression').map((a) => `x['key'][${a}][0]`),
      tie('body').map((a) => `(() => {${a}})`),
      fc.tuple(name, tie('expression')).map(([a, b]) => `(${a} => ${b})`),
      fc.tuple(name, tie('body')).map(([a, b]) => `(function ${a}() {${b}})`),
      fc.tuple(name, tie('member')).map(([a, b]) => `(class ${a} {${b}})`),
      tie('member').map((a) => `(class {${a}})`),
      tie('expression')
        .map((a) => `{ m() { return ${a}; }, k: ${a} }`)
        .map((a) => `(${a})`),
      fc.constantFrom('require("x")', 'require(a)', 'import("y")', 'require.resolve("z")', '(await import("y")).b'),
      fc.constantFrom('Reflect.get(a, "b")', 'Object.defineProperty(a, b, c)', 'new Function("a")', 'Reflect.x'),
    ),
    member: fc.oneof(
      { maxDepth: 4 },
      fc.constant(''),
      fc.tuple(name, tie('expression'), tie('member')).map(([a, b, c]) => `static ${a} = ${b};\n${c}`),
      fc.tuple(name, tie('body'), tie('member')).map(([a, b, c]) => `@dec() async ${a}(p = 1) {${b}}\n${c}`),
      fc.tuple(tie('body'), tie('member')).map(([a, b]) => `constructor(private p: T, q) {${a}}\n${b}`),
      fc.tuple(tie('expression'), tie('member')).map(([a, b]) => `get [${a}]() { return 1; }\n#p = 2;\n${b}`),
    ),
    body: fc.array(tie('statement'), { maxLength: 3 }).map((all) => all.join('')),
    statement: fc
      .tuple(
        noise,
        fc.oneof(
          { maxDepth: 4 },
          fc.tuple(name, tie('expression')).map(([a, b]) => `const ${a} = ${b};`),
          fc.tuple(name, tie('expression')).map(([a, b]) => `let ${a}: T[] = ${b}, second = () => ${b};`),
          fc.tuple(name, tie('body')).map(([a, b]) => `const ${a} = async (p: A = b[c]): Promise<T> => {${b}};`),
          fc.tuple(name, tie('member')).map(([a, b]) => `var ${a} = class Inner extends Base {${b}};`),
          tie('expression').map((a) => `const { k, l: [m] = ${a}, ...n } = o;`),
          fc.tuple(name, tie('body')).map(([a, b]) => `function ${a}<T>(p: T[K] = q): T {${b}}`),
          fc.tuple(name, tie('member')).map(([a, b]) => `class ${a}<T> extends B(class {}) {${b}}`),
          fc
            .tuple(name, noise)
            .map(([a, b]) => `interface ${a} {${b} readonly x: T['k']; m?(): void; [k: string]: unknown }`),
          name.map((a) => `type ${a} = { p: import('t').U; get q(): string }`).map((a) => `${a};`),
          name.map((a) => `enum ${a} { A, 'b' = 1, C = x[y] }`),
          fc
            .tuple(tie('expression'), tie('body'))
            .map(([a, b]) => `if (${a}) {${b}} else { for (const x of y) {${b}} }`),
          tie('expression').map((a) => `f(${a});`),
        ),
      )
      .map(([gap, text]) => `${gap}${text}\n`),
  }),
);
const outer = fc.oneof(
  { weight: 6, arbitrary: statement },
  fc.tuple(fc.constantFrom('export ', 'export ', 'export declare '), name).map(([a, b]) => `${a}const ${b}: string;\n`),
  fc.tuple(name, statement).map(([a, b]) => `export namespace ${a}.Inner {\n${b}export const c = 1;\n}\n`),
  statement.map((a) => `namespace N {\n${a}}\n`),
  name.map(
    (a) => `import ${a === 'of' ? 'b' : a}, { type T, c as d } from "m";\nexport { d as e, default } from 'm';\n`,
  ),
  expression.map((a) => `export default ${a};\n`),
);
const program = fc.array(outer, { maxLength: 8 }).map((all) => all.join(''));

test('S1 programs made up: looking at few nodes finds what looking at all finds', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(program, async (text) => {
      const both = await compareWithWalk(text, 'file.ts');
      if (both === null) return;
      compared += 1;
      expect(both.quick).toEqual(both.slow);
    }),
    { numRuns: 400 },
  );
  // Some pieces do not fit together; most must, or nothing is being tested.
  expect(compared).toBeGreaterThan(200);
});

test('S6 no text makes it throw, nor the texts of its records', async () => {
  const torn = fc.tuple(program, fc.nat(), fc.nat()).map(([text, a, b]) => {
    const cut = (a % (text.length + 1)) + 0;
    return text.slice(0, cut) + text.slice(cut + (b % 7));
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(torn, fc.string({ unit: 'binary' })),
      fc.constantFrom('a.ts', 'a.tsx', 'a.js'),
      async (text, path) => {
        const facts = await extract(text, path);
        for (const record of facts.interfaceRecords ?? []) record.text();
        for (const { start, end, nameStart, nameEnd, parent } of facts.symbols) {
          expect(start <= nameStart && nameStart < nameEnd && nameEnd <= end && end <= text.length).toBe(true);
          expect(parent).toBeLessThan(facts.symbols.length);
        }
      },
    ),
    { numRuns: 300 },
  );
});

const deep = 20_000;
test.each([
  ['empty', ''],
  ['brackets', `${'['.repeat(deep)}${']'.repeat(deep)}`],
  ['subscripts', `x${'[x'.repeat(deep)}${']'.repeat(deep)}`],
  ['a long sum', `y = ${'x[a] + '.repeat(deep)}1;`],
  ['namespaces', `${'namespace a {'.repeat(deep / 4)}${'}'.repeat(deep / 4)}`],
  ['functions', `${'function f() {'.repeat(deep / 4)}${'}'.repeat(deep / 4)}`],
  ['classes', `${'x = class A { y = '.repeat(deep / 4)}1${'}'.repeat(deep / 4)}`],
  ['members', `export class A {${'a;'.repeat(deep * 10)}}`],
  ['errors', `${'a[b] ) '.repeat(deep)}`],
  ['quotes', `export const a = b + "${"'\\'".repeat(deep)}`],
  ['one export clause', `export {${'a,'.repeat(deep)}}`],
])('S6 hostile: %s', async (_, text) => {
  const facts = await extract(text);
  for (const record of facts.interfaceRecords ?? []) record.text();
});
