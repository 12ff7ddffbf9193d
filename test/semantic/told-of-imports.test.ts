/** S12: what jobs tell of an import that refused documents repeats no secret of the code, whole or in part. */

import { afterEach, expect, test } from 'vitest';
import { listItemsOfFile } from '../../src/index/store/stored-items.ts';
import { listJobs } from '../../src/index/store/stored-jobs.ts';
import { createImportedTree, type ImportedTree } from '../support/imported-tree.ts';
import { documentOf, type MarkedDocument, partsOf } from '../support/scip-document.ts';

let tree: ImportedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
const longer = `github_pat_${'11ABCDEFG0aB3dE5gH7jK9'}_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hJ1kL3mN5pQ7rS9tU'}`;
const word = 'blue-horse-staple';

/** Sources whose index is of other text, so that what stands there is told. */
const cases: readonly (readonly [shows: string, marked: string, secret: string])[] = [
  ['a token', `export const t = "«${token}|src/\`a.ts\`/foo.»";\n`, token],
  [
    'the middle of a token',
    `export const t = "ghp_«aB3dE5gH7jK9mN1p|src/\`a.ts\`/foo.»Q3rS5tU7vW9xY1zA3bC5";\n`,
    token,
  ],
  ['a token that is longer than what is told', `export const t = "«${longer}|src/\`a.ts\`/foo.»";\n`, longer],
  ['a password that only its surroundings betray', `export const password = "«${word}|src/\`a.ts\`/foo.»";\n`, word],
  ['the end of a password', `export const password = "blue-«horse-staple|src/\`a.ts\`/foo.»";\n`, word],
  ['a name that is a token', `export const t = "«x|src/\`a.ts\`/\`'${longer}'\`.»";\n`, longer],
];

/** No eight characters of it in a row. */
function expectNothingOf(secret: string, told: string): void {
  for (let at = 0; at + 8 <= secret.length; at += 1) {
    const part = secret.slice(at, at + 8);
    if (part !== 'github_p' && !'github_pat_'.includes(part)) expect(told).not.toContain(part);
  }
}

async function importOf(marked: MarkedDocument, others: number) {
  const crowd = Array.from({ length: others }, (_, at) =>
    documentOf(`src/x${at}.ts`, `export const «x|=src/\`x${at}.ts\`/x.» = ${at};\n`),
  );
  const all = [marked, ...crowd];
  const sources = Object.fromEntries(all.map(({ document, text }) => [document.relativePath, text]));
  tree = createImportedTree({ 'package.json': '{"name": "fixture", "version": "1.0.0"}', ...sources });
  const context = await tree.putContext('typescript', Object.keys(sources));
  const outcome = await tree.importOutput({ context, output: partsOf(...all.map(({ document }) => document)) });
  const { facts } = await tree.session();
  return { outcome, facts, jobs: facts.read((moment) => listJobs(moment, context.id, 10)) };
}

test.each(cases)('S12 a refused document is told without %s', async (_, marked, secret) => {
  const { outcome, jobs } = await importOf(documentOf('src/a.ts', marked), 20);
  expect(outcome).toMatchObject({ kind: 'committed', rejected: 1 });
  expect(jobs[0]?.detail).toMatch(/^src\/a\.ts: 1 of 1 texts .* line 1 has /);
  expectNothingOf(secret, JSON.stringify(jobs));
});

test.each(cases)('S12 too few documents are told without %s', async (_, marked, secret) => {
  const { outcome } = await importOf(documentOf('src/a.ts', marked), 2);
  expect(outcome).toMatchObject({ kind: 'failed', failure: 'too_few_documents' });
  expect(JSON.stringify(outcome)).toMatch('src/a.ts: 1 of 1 texts');
  expectNothingOf(secret, JSON.stringify(outcome));
});

test.each(cases)('S12 a gap is told without %s', async (_, marked, secret) => {
  const good = '«foo|src/`a.ts`/foo.»;\n'.repeat(400);
  const { outcome, facts } = await importOf(documentOf('src/a.ts', `${good}${marked}`), 0);
  expect(outcome).toMatchObject({ kind: 'committed', rejected: 0 });
  const items = facts.read((moment) => listItemsOfFile(moment, 'src/a.ts'));
  expect(items.some(({ detail }) => detail?.startsWith('the text') === true)).toBe(true);
  expectNothingOf(secret, JSON.stringify(items));
});

test('a text that is no secret is told as it stands', async () => {
  const { jobs } = await importOf(documentOf('src/a.ts', 'export const «bar|=src/`a.ts`/foo.» = 1;\n'), 20);
  expect(jobs[0]?.detail).toBe('src/a.ts: 1 of 1 texts are not what the index says: line 1 has "bar" for "foo"');
});
