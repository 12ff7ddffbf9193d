import { afterEach, expect, test } from 'vitest';
import { readMarkedEdits } from '../../../../test/support/marked-edits.ts';
import { closePrograms, openTree } from '../../../../test/support/open-programs.ts';
import { tokensNamed } from '../job/name-tokens.ts';
import { compareReferences } from './answer-rename.ts';

afterEach(closePrograms);

/** Marked are the planned spans; the family is marked with ‹›. */
function compareMarked(marked: Readonly<Record<string, string>>) {
  const { files, edits, family } = readMarkedEdits(marked);
  const programs = openTree(files);
  const [target] = tokensNamed(programs, edits[0]?.oldText ?? '');
  if (target === undefined) throw new Error('no token of that name');
  return compareReferences(programs, target, edits, family);
}

test('M5 the compiler finds what is planned: aliases keep their names, strings count without their quotes', () => {
  const compared = compareMarked({
    'a.ts': 'export interface A { ‹a→b›: number }\n',
    'b.ts': `import type { A } from './a.js';\nexport const f = (x: A, { «a→b: a» }: A) => [x['«a→b»'], x.«a→b», a];\n`,
  });
  expect(compared).toMatchObject({ onlyHere: [] });
  const renamedImport = compareMarked({
    'a.ts': 'export const ‹a→b› = 1;\n',
    'b.ts': "import { «a→b» as c } from './a.js';\nexport const x = c;\n",
  });
  expect(renamedImport).toEqual({ agrees: true, onlyThere: [], onlyHere: [] });
});

test('M5 what only one side knows is told', () => {
  const compared = compareMarked({
    'a.ts': 'export const ‹a→b› = 1;\nexport const x = a;\nexport const y = { «a→b»: 1 };\n',
  });
  expect(compared).toEqual({
    agrees: false,
    onlyThere: [{ path: 'a.ts', start: 37, end: 38 }],
    onlyHere: [{ path: 'a.ts', start: 59, end: 60 }],
  });
});

test('M5 a name that stands for two symbols is followed as far as the family goes', () => {
  const kept = compareMarked({
    'a.ts': 'export const ‹a→b› = 1;\nexport const x = «a→b»;\n',
    'b.ts': "import { «a→b as a» } from './a.js';\nexport const y = a;\n",
  });
  expect(kept).toEqual({ agrees: true, onlyThere: [], onlyHere: [] });
  const local = compareMarked({
    'a.ts': 'declare const o: { a: number };\nconst { ‹a→a: b› } = o;\nexport const x = [«a→b», o.a];\n',
  });
  expect(local).toEqual({ agrees: true, onlyThere: [], onlyHere: [] });
});
