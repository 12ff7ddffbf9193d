import { afterEach, expect, test } from 'vitest';
import { proveMarked } from '../../../../test/support/marked-edits.ts';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';

afterEach(closePrograms);

/** How much was asked shows in what is told of errors that were there already: those of files that are not asked are not counted. */
const broken = 'export const no: string = 1;\n';
const seen = (files: Readonly<Record<string, string>>) => {
  const report = proveMarked(files);
  return report.kind === 'proven' ? report.diagnostics : report;
};

test('M15 errors of a file that only calls a thing otherwise are what they were', () => {
  const use = `import { «a→z» } from './a.js';\nexport const b = «a→z»;\n${broken}`;
  expect(seen({ 'a.ts': 'export const ‹a→z› = 1;\n', 'use.ts': use })).toBe(0);
});

const asked: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['where it is declared', { 'a.ts': `export const ‹a→z› = 1;\n${broken}` }],
  [
    'where the new name stands already',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'use.ts': `import { «a→z» } from './a.js';\nexport const b = { z: «a→z» };\n${broken}`,
    },
  ],
  [
    'where the new name is spelled with an escape',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'use.ts': `import { «a→z» } from './a.js';\nexport const b = { \\u007a: «a→z» };\n${broken}`,
    },
  ],
  [
    'where more than a name is written',
    {
      'a.ts': 'export const ‹a→z› = 1;\n',
      'use.ts': `import { «a→z as a» } from './a.js';\nexport const b = a;\n${broken}`,
    },
  ],
  [
    'everywhere, if the new name means by itself that it is not used',
    {
      'a.ts': 'export const ‹a→_z› = 1;\n',
      'use.ts': `import { «a→_z» } from './a.js';\nexport const b = «a→_z»;\n${broken}`,
    },
  ],
  [
    'everywhere, if the new name is a global one',
    {
      'a.ts': 'export const ‹a→escape› = 1;\n',
      'use.ts': `import { «a→escape» } from './a.js';\nexport const b = «a→escape»;\n${broken}`,
    },
  ],
  [
    'everywhere, if the first letter becomes another kind of letter',
    {
      'a.ts': 'export const ‹a→Z› = 1;\n',
      'use.ts': `import { «a→Z» } from './a.js';\nexport const b = «a→Z»;\n${broken}`,
    },
  ],
];
test.each(asked)('M15 errors are asked for %s', (_, files) => {
  expect(seen(files)).toBe(1);
});

test('M15 what is passed on is asked about where two could have the name', () => {
  const a = 'export const ‹a→z› = 1;\n';
  const all = `export * from './a.js';\nexport * from './b.js';\n${broken}`;
  expect(seen({ 'a.ts': a, 'b.ts': 'export const b = 1;\n', 'all.ts': all })).toBe(0);
  expect(proveMarked({ 'a.ts': a, 'b.ts': 'export const z = 1;\n', 'all.ts': all })).toMatchObject({
    kind: 'disproved',
  });
  // What was said of two of the old name would go.
  expect(proveMarked({ 'a.ts': a, 'b.ts': 'export const a = 1;\n', 'all.ts': all })).toMatchObject({
    kind: 'disproved',
  });
});

test('M16 a name that is captured is found without its errors', () => {
  const capture = "import { «a→z» } from './a.js';\nexport const b = (z: number) => «a→z» + z;\n";
  expect(proveMarked({ 'a.ts': 'export const ‹a→z› = 1;\n', 'use.ts': capture })).toMatchObject({
    kind: 'disproved',
    reason: 'bindings_change',
  });
});

test('M15 the function that makes elements is looked up where none is spelled', () => {
  const files = {
    'tsconfig.json': renderConfig({ jsx: 'react', jsxFactory: 'make' }),
    'make.ts': 'declare global { namespace JSX { interface IntrinsicElements { box: {} } } }\nexport {};\n',
    'a.ts': 'export declare function ‹make→built›(): void;\n',
    'use.tsx': "import { «make→built» } from './a';\nexport const x = <box />;\nexport const y = «make→built»;\n",
  };
  expect(proveMarked(files)).toMatchObject({ kind: 'disproved' });
  const own = {
    ...files,
    'tsconfig.json': renderConfig({ jsx: 'react' }),
    'use.tsx': `/** @jsx make */\n${files['use.tsx']}`,
  };
  expect(proveMarked(own)).toMatchObject({ kind: 'disproved' });
});
