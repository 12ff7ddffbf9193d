import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';

afterAll(closePrograms);

const tags =
  'declare function html(s: TemplateStringsArray, ...v: unknown[]): string; declare const gql: typeof html;\n';
const owner = `${tags}export class X { «heading» = ''; }\n`;

const hole = (text: string, value = '1') => text.replace('@', `$\{${value}}`);

describe('M9 templates and queries in strings', () => {
  test.each([
    ['a property of an element', hole('html`<x-a .heading=@></x-a>`;')],
    ['an attribute of an element', 'html`<x-a class="b" heading="c"></x-a>`;'],
    ['an expression', "export const c = { template: '<h1>{{ heading }}</h1>' };"],
    ['a directive', 'export const c = { template: `<p v-if="heading"></p>` };'],
    ['an input', 'export const c = { template: `<p [title]="heading"></p>` };'],
    ['a field', 'gql`query { user { heading } }`;'],
    ['code', "export const f = new Function('o', 'with (o) return heading');"],
    ['a column', "export const q = 'select heading from t';"],
  ])('M9 %s', (_, source) => {
    expect(askedAbout('text_reference', `${owner}${source}`)).toHaveLength(1);
  });

  test.each([
    ['text of an element', 'html`<h1>heading</h1>`;'],
    ['what stands in a hole', hole('declare const x: X; html`<h1>@</h1>`;', 'x.heading')],
    ['a sentence', "console.log('the heading is here');"],
    ['an attribute of the platform', 'html`<th scope="heading"></th>`;'],
    ['a part of a word', hole('html`<x-a .headings=@></x-a>`;')],
  ])('M9 not: %s', (_, source) => {
    expect(askedAbout('text_reference', `${owner}${source}`)).toEqual([]);
  });

  test('M9 one question for all places; none for a name that its file keeps', () => {
    expect(
      askedAbout('text_reference', `${owner}html\`<a .heading=\${1}>\`; html\`<b .heading=\${1}>\`;`),
    ).toHaveLength(1);
    expect(
      askedAbout('text_reference', `${tags}export {}; const «heading» = 1; html\`<a .heading=\${heading}>\`;`),
    ).toEqual([]);
  });
});
