import { lstatSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig, writeTree } from '../../../../test/support/open-programs.ts';
import * as fc from '../../../../test/support/properties.ts';
import { prove } from '../proof/prove.ts';
import { answerDoubts, answerRename } from '../rename/answer-rename.ts';
import type { ProgramSpec, RenameQuestion } from '../session/messages.ts';
import type { Programs } from './job-types.ts';
import { listNameTokens } from './name-tokens.ts';
import { openPrograms } from './programs.ts';

afterEach(closePrograms);

const specs: readonly ProgramSpec[] = [{ key: 'main', config: 'tsconfig.json' }];
/** To this clock no file is young, so it is the stat that must tell. */
const later = () => Date.now() + 60_000;

const loose: readonly ProgramSpec[] = [{ key: 'loose', config: null, files: ['src/a.ts', 'src/b.ts', 'src/c.js'] }];

const files = {
  'tsconfig.json': renderConfig({}, { include: ['src'] }),
  'package.json': '{ "type": "module", "exports": "./src/b.ts" }',
  'src/a.ts': 'export interface Shape { size: number }\nexport class Box implements Shape { size = 1; }\n',
  'src/b.ts':
    "import { Box, type Shape } from './a.js';\nimport { dep } from 'dep';\nexport const box: Shape = new Box();\nexport const sum = (it: Shape) => it.size + dep;\n// @ts-ignore\nexport const bad: string = box.size;\n",
  'src/c.js':
    "import 'absent';\nimport { box } from './b.js';\nimport * as more from './more.js';\nexport const all = { size: box.size, more };\n",
  'node_modules/dep/package.json': '{ "name": "dep", "types": "index.d.ts" }',
  'node_modules/dep/index.d.ts': 'export const dep: number;\n',
};

/** Each a text that a path may have, or none. Some differ by one letter only, so that a size says nothing. */
const texts: Readonly<Record<string, readonly (string | null)[]>> = {
  'src/a.ts': [
    files['src/a.ts'],
    files['src/a.ts'].replace('size = 1', 'size = 2'),
    files['src/a.ts'].replaceAll('size', 'seen'),
    `${files['src/a.ts']}export class Bag extends Box { size = 3; }\n`,
    'export interface Shape { size: ',
  ],
  'src/b.ts': [
    files['src/b.ts'],
    files['src/b.ts'].replace('sum', 'all'),
    "export * from './a.js';\n/** size of size */\nexport const box = { size: 1 };\n",
    null,
  ],
  'src/c.js': [files['src/c.js'], files['src/c.js'].replace('box.size', "box['size']"), ''],
  'src/more.ts': [null, 'export const size = 1;\n', "export { box as size } from './b.js';\n"],
  'src/b.d.ts': [null, 'export declare const box: { size: string };\n'],
  'tsconfig.json': [files['tsconfig.json'], renderConfig({ strict: false, checkJs: true }, { include: ['src'] })],
  'package.json': [files['package.json'], '{ "type": "module", "exports": "./src/c.js" }', null],
  'node_modules/absent/index.d.ts': [null, 'export {};\n', 'declare global { const size: number }\nexport {};\n'],
  'node_modules/dep/index.d.ts': [files['node_modules/dep/index.d.ts'], 'export const dep: string;\n', null],
};

type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string | null; readonly keepsTime: boolean }
  | { readonly kind: 'link' }
  | { readonly kind: 'ask'; readonly at: number; readonly newName: string; readonly specs: readonly ProgramSpec[] };

const write: fc.Arbitrary<Step> = fc
  .constantFrom(...Object.entries(texts).flatMap(([path, all]) => all.map((text) => ({ path, text }))))
  .chain((what) => fc.boolean().map((keepsTime) => ({ kind: 'write' as const, ...what, keepsTime })));
const ask: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('ask' as const),
  at: fc.nat({ max: 60 }),
  newName: fc.constantFrom('renamed', 'size', 'Z'),
  specs: fc.oneof({ weight: 4, arbitrary: fc.constant(specs) }, { weight: 1, arbitrary: fc.constant(loose) }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 1, arbitrary: fc.constant({ kind: 'link' as const }) },
  { weight: 5, arbitrary: ask },
);

function act(root: string, step: Exclude<Step, { kind: 'ask' }>): void {
  const clock = `${root}.clock`;
  const before = touch(clock);
  // A change within one tick of the file system's clock is another test's.
  while (touch(clock) === before);
  rmSync(clock);
  if (step.kind === 'link') {
    const isLink = lstatSync(join(root, 'src')).isSymbolicLink();
    if (isLink) {
      rmSync(join(root, 'src'));
      renameSync(join(root, 'elsewhere'), join(root, 'src'));
    } else {
      renameSync(join(root, 'src'), join(root, 'elsewhere'));
      symlinkSync('elsewhere', join(root, 'src'));
    }
    return;
  }
  const path = join(root, step.path);
  if (step.text === null) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, step.text);
  if (step.keepsTime) utimesSync(path, 1_000, 1_000);
}

/** Files that claim to be of one moment long ago. */
function makeTree(): string {
  const root = writeTree(files);
  for (const path of Object.keys(files)) utimesSync(join(root, path), 1_000, 1_000);
  return root;
}

function touch(path: string): number {
  writeFileSync(path, '');
  return statSync(path).ctimeMs;
}

/** All that a rename of what stands there comes to. */
function tell(programs: Programs, { at, newName }: Extract<Step, { kind: 'ask' }>): unknown {
  const names = programs.open.flatMap((program) => program.files.flatMap((path) => listNameTokens(program, path)));
  const token = names[at % Math.max(1, names.length)];
  const seen = programs.open.map(({ key, files: all, project }) => {
    const says = project.program
      .getSemanticDiagnostics()
      .map(({ code, fileName, pos, text }) => [code, fileName, pos, text]);
    return { key, all, says };
  });
  if (token === undefined) return { seen };
  const { path, start: offset, text } = token;
  const census = names.flatMap((one) =>
    one.text === text ? [{ path: one.path, start: one.start, end: one.end }] : [],
  );
  const question: RenameQuestion = {
    kind: 'rename',
    path,
    offset,
    newName,
    aliasPolicy: 'through',
    publicNames: 'rename',
    census,
  };
  const answer = answerRename(programs, question);
  if (answer.kind === 'refused') return { seen, answer };
  const doubts = answerDoubts(programs, { ...question, kind: 'doubt' });
  const { reach, family, isMember, symbol, edits } = answer;
  const report = prove(programs, {
    kind: 'prove',
    oldName: symbol.name,
    newName,
    edits,
    moves: [],
    reach,
    family,
    isMember,
  });
  return { seen, answer, doubts, report: { ...report, ms: {} } };
}

test('P1 P6 a compiler that stays says what one that is started now says, whatever was edited and asked before', () => {
  let kept = 0;
  let renewed = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 12 }), (steps) => {
      const root = makeTree();
      let warm = openPrograms(root, specs, { stays: true, nowMs: later });
      try {
        for (const one of [...steps, { kind: 'ask' as const, at: 3, newName: 'renamed', specs }]) {
          if (one.kind !== 'ask') {
            act(root, one);
            continue;
          }
          const next = warm.renew(one.specs);
          if (next === undefined) {
            warm.close();
            warm = openPrograms(root, one.specs, { stays: true, nowMs: later });
            renewed += 1;
          } else {
            warm = next;
            kept += 1;
          }
          const cold = openPrograms(root, one.specs);
          try {
            expect(tell(warm, one)).toEqual(tell(cold, one));
          } finally {
            cold.close();
          }
        }
      } finally {
        warm.close();
      }
    }),
    { numRuns: 12 },
  );
  // Neither way is left out.
  expect([kept > 5, renewed > 5]).toEqual([true, true]);
});

describe('what is still known', () => {
  const open = (nowMs = later) => {
    const root = makeTree();
    const programs = openPrograms(root, specs, { stays: true, nowMs });
    return { root, programs, renew: (wanted = specs) => programs.renew(wanted) };
  };
  const projectOf = (programs: Programs | undefined) => programs?.open[0]?.project;

  test('P1 a file that no program can be made of changes nothing', () => {
    const { root, programs, renew } = open();
    act(root, { kind: 'write', path: 'src/notes.md', text: 'size', keepsTime: false });
    expect(projectOf(renew())).toBe(projectOf(programs));
    programs.close();
  });

  test('P1 nothing has changed: the same programs, with all that was found out about them', () => {
    const { programs, renew } = open();
    const next = renew();
    expect(projectOf(next)).toBe(projectOf(programs));
    // What is not the compiler's (manifests that only we read) is looked at again.
    expect(next).not.toBe(programs);
    programs.close();
  });

  test('P1 a source with other bytes of the same length and times: its text is of now, and the others are not read again', () => {
    const { root, programs, renew } = open();
    const others = programs.open[0]?.sourceFile('src/b.ts');
    act(root, { kind: 'write', path: 'src/a.ts', text: texts['src/a.ts']?.[1] ?? '', keepsTime: true });
    const next = renew();
    expect(next?.open[0]?.sourceFile('src/a.ts')?.text).toContain('size = 2');
    expect(next?.open[0]?.sourceFile('src/b.ts')).toBe(others);
    programs.close();
  });

  test.each([
    ['a configuration', 'tsconfig.json', renderConfig({ strict: false })],
    ['a manifest', 'package.json', '{ "type": "commonjs" }'],
    ['a package', 'node_modules/dep/index.d.ts', 'export const dep: 1;\n'],
    ['a package that an import missed', 'node_modules/absent/index.d.ts', 'export {};\n'],
    ['a file that an import missed', 'src/more.ts', ''],
    ['a file that is nearer', 'src/b.d.ts', ''],
    ['a new source', 'src/new.ts', ''],
  ])('P1 %s: all is opened anew', (_, path, text) => {
    const { root, programs, renew } = open();
    act(root, { kind: 'write', path, text, keepsTime: false });
    expect(renew()).toBeUndefined();
    programs.close();
  });

  test('P1 a directory that is a link now leads elsewhere, also where the same files are found through it', () => {
    const { root, programs, renew } = open();
    act(root, { kind: 'link' });
    expect(renew()).toBeUndefined();
    programs.close();
  });

  test('P1 a file that changed just before it was read is read again', () => {
    const { root, programs } = open();
    const text = texts['src/a.ts']?.[1] ?? '';
    act(root, { kind: 'write', path: 'src/a.ts', text, keepsTime: false });
    const bytes = statSync(join(root, 'src/a.ts')).ctimeMs;
    const next = openPrograms(root, specs, { stays: true, nowMs: () => bytes + 1 });
    expect(projectOf(next.renew(specs))).not.toBe(projectOf(next));
    next.close();
    programs.close();
  });

  test('P1 what has changed while a question was answered is seen by the next', () => {
    const { root, programs, renew } = open();
    const after = programs.withTexts(new Map([['src/a.ts', 'export const nothing = 1;\n']]));
    const text = texts['src/a.ts']?.[1] ?? '';
    act(root, { kind: 'write', path: 'src/a.ts', text, keepsTime: false });
    after.release();
    expect(renew()?.open[0]?.sourceFile('src/a.ts')?.text).toBe(text);
    programs.close();
  });
});
