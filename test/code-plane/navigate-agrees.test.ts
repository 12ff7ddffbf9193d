/**
 * References are found from a declaration outwards, definitions from a use inwards: two ways over random trees of modules that must
 * agree. Every bound reference leads back to what was asked about, and everything that leads there is a bound reference.
 */

import { afterAll, expect, test } from 'vitest';
import { findDefinitions } from '../../src/index/navigate/definitions.ts';
import { createQuestion, type Question } from '../../src/index/navigate/question.ts';
import { findReferences } from '../../src/index/navigate/references.ts';
import { findSubject } from '../../src/index/navigate/subject.ts';
import { openSessionView } from '../../src/index/view/code-view.ts';
import { createIndexedTree } from '../support/indexed-tree.ts';
import fc from '../support/properties.ts';

const names = ['a', 'b'] as const;
const files = ['m.ts', 'n.ts', 'o.ts'] as const;
const name = fc.constantFrom(...names);
const file = fc.constantFrom(...files.map((path) => `./${path}`));

/** A statement with what it declares at the top level and what it exports: a module may do neither twice. */
type Statement = { readonly text: string; readonly declares?: string; readonly exports?: string };

const two = fc.tuple(name, name);
const statement: fc.Arbitrary<Statement> = fc.oneof(
  name.map((x) => ({ text: `export const ${x} = 1;`, declares: x, exports: x })),
  name.map((x) => ({ text: `export function ${x}(${x}: number) { return ${x}; }`, declares: x, exports: x })),
  name.map((x) => ({ text: `const local_${x} = ${x};`, declares: `local_${x}` })),
  two.map(([x, y]) => ({ text: `{ const ${x} = 1; console.log(${x}, ${y}, '${x}'); }` })),
  fc.tuple(name, file).map(([x, from]) => ({ text: `import { ${x} } from '${from}';`, declares: x })),
  fc.tuple(two, file).map(([[x, y], from]) => ({ text: `import { ${x} as ${y} } from '${from}';`, declares: y })),
  fc.tuple(name, file).map(([x, from]) => ({ text: `import * as ns_${x} from '${from}';`, declares: `ns_${x}` })),
  two.map(([x, y]) => ({ text: `console.log(ns_${x}.${y});` })),
  fc.tuple(name, file).map(([x, from]) => ({ text: `export { ${x} } from '${from}';`, exports: x })),
  fc.tuple(two, file).map(([[x, y], from]) => ({ text: `export { ${x} as ${y} } from '${from}';`, exports: y })),
  two.map(([x, y]) => ({ text: `export { ${x} as out_${y} };`, exports: `out_${y}` })),
  fc.tuple(name, file).map(([x, from]) => ({ text: `import { out_${x} } from '${from}';`, declares: `out_${x}` })),
  file.map((from) => ({ text: `export * from '${from}';` })),
  name.map((x) => ({ text: `export default ${x};`, exports: 'default' })),
  fc.tuple(name, file).map(([x, from]) => ({ text: `import ${x} from '${from}';`, declares: x })),
  two.map(([x, y]) => ({ text: `console.log({ ${x}, ${y}: ${x} }, ${x}.${y}, out_${x});` })),
);
const source = fc.array(statement, { maxLength: 9 }).map((statements) => {
  const taken = new Set<string>();
  const kept = statements.filter(({ declares, exports }) => {
    const wanted = [
      ...(declares === undefined ? [] : [`d ${declares}`]),
      ...(exports === undefined ? [] : [`e ${exports}`]),
    ];
    if (wanted.some((key) => taken.has(key))) return false;
    for (const key of wanted) taken.add(key);
    return true;
  });
  return kept.map(({ text }) => text).join('\n');
});
const program = fc.record(Object.fromEntries(files.map((path) => [path, source])));

const tree = createIndexedTree({}, { git: false });
afterAll(() => tree.dispose());

test('T14: references and definitions agree', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (sources) => {
      for (const [path, text] of Object.entries(sources)) tree.write(path, text);
      const view = await openSessionView(tree.root, await tree.session(), 'sweep');
      const question = createQuestion(view, { nowMs: () => 0, signal: new AbortController().signal });
      const meanings = await listMeanings(question);
      const byMeaning = Map.groupBy(meanings, ({ means }) => means);
      for (const { path, start, means, text, isDeclaration } of meanings) {
        if (!isDeclaration) continue;
        const facts = await question.facts(path);
        const token = facts?.tokens.find((one) => one.start === start);
        if (facts === undefined || token === undefined) continue;
        const found = await findReferences(question, findSubject(question, facts, token));
        const hits = new Set(found.hits.map((hit) => `${hit.path}:${hit.start}`));
        for (const hit of hits) {
          const meant = meanings.find((one) => `${one.path}:${one.start}` === hit);
          // A clause that names it and an import that could not be followed have no definition of their own to compare.
          if (meant !== undefined) expect({ hit, of: text, means: meant.means }).toEqual({ hit, of: text, means });
        }
        for (const other of byMeaning.get(means) ?? [])
          expect(
            hits.has(`${other.path}:${other.start}`),
            `${other.path}:${other.start} means ${text} of ${path}`,
          ).toBe(true);
      }
    }),
    { numRuns: 120 },
  );
});

/** Every token of code with exactly one binding as its definition. */
async function listMeanings(question: Question) {
  const meanings: { path: string; start: number; text: string; means: string; isDeclaration: boolean }[] = [];
  for (const path of files) {
    const facts = await question.facts(path);
    for (const token of facts?.tokens ?? []) {
      if (facts === undefined || token.class !== 'code') continue;
      const subject = findSubject(question, facts, token);
      if (subject.kind === 'name') continue;
      const { definitions, doubts } = await findDefinitions(question, subject);
      const [first] = definitions;
      if (first === undefined || doubts.length > 0) continue;
      const isSame = definitions.every((one) => one.path === first.path && one.name === first.name);
      const isDeclaration = definitions.some((one) => one.path === path && one.start === token.start);
      if (isSame)
        meanings.push({
          path,
          start: token.start,
          text: token.text,
          means: `${first.path}:${first.start}`,
          isDeclaration,
        });
    }
  }
  return meanings;
}
