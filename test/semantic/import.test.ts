/** What an import writes, refuses and leaves alone (code-plane.md §6.2, §6.3), against a real store. */

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { listDependencies, listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { listItemsOfFile } from '../../src/index/store/stored-items.ts';
import { findQueuedJob, listJobs } from '../../src/index/store/stored-jobs.ts';
import { listOccurrencesOf, listOccurrencesOfFile } from '../../src/index/store/stored-occurrences.ts';
import type { IndexSession } from '../../src/index/sync/index-session.ts';
import type { ScipDocument } from '../../src/kernel/formats/scip.ts';
import { encodeScip } from '../../src/kernel/formats/write-scip.ts';
import { renderDump } from '../support/canonical-dump.ts';
import { createImportedTree, type ImportedTree } from '../support/imported-tree.ts';
import { documentOf, partsOf } from '../support/scip-document.ts';

let tree: ImportedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

const manifest = '{"name": "fixture", "version": "1.0.0"}';
const a = documentOf('src/a.ts', 'export const «foo|=src/`a.ts`/foo.» = 1;\n', {
  signatures: { 'src/`a.ts`/foo.': 'const foo: 1' },
});
const b = documentOf(
  'src/b.ts',
  "import { «foo|src/`a.ts`/foo.» } from «'./a'|src/`a.ts`/»;\nexport const «bar|=src/`b.ts`/bar.» = «foo|src/`a.ts`/foo.»;\n",
);

/** Three files, so that one that moves is not too many. */
async function openPair(more: Readonly<Record<string, string>> = {}) {
  const files = { 'package.json': manifest, 'src/a.ts': a.text, 'src/b.ts': b.text, ...more };
  tree = createImportedTree(files);
  const members = Object.keys(files).filter((path) => path.endsWith('.ts'));
  const context = await tree.putContext('typescript', members);
  return { tree, context, session: await tree.session() };
}

const occurrencesOf = (session: IndexSession, path: string) =>
  session.facts.read((moment) => listOccurrencesOfFile(moment, path));

/** Twenty more files with a document each: one of twenty-two that does not fit is within the tenth. */
function crowd(): { readonly files: Record<string, string>; readonly documents: readonly ScipDocument[] } {
  const made = Array.from({ length: 20 }, (_, at) =>
    documentOf(`src/x${at}.ts`, `export const «x|=src/\`x${at}.ts\`/x.» = ${at};\n`),
  );
  return {
    files: Object.fromEntries(made.map(({ document, text }) => [document.relativePath, text])),
    documents: made.map(({ document }) => document),
  };
}

test('an import is readable occurrence by occurrence, with its dependencies', async () => {
  const { tree, context, session } = await openPair();
  const outcome = await tree.importOutput({ context, output: partsOf(a.document, b.document) });
  expect(outcome).toEqual({ kind: 'committed', accepted: 2, rejected: 0, moved: [] });
  expect(session.facts.read(checkInvariants)).toEqual([]);
  const found = occurrencesOf(session, 'src/b.ts').map(({ key, form, roles, start }) => [key, form, roles, start]);
  expect(found).toEqual([
    ['typescript @ src/`a.ts`/foo.', 'name', 0, 9],
    ['typescript @ src/`a.ts`/', 'module', 0, 20],
    ['typescript @ src/`b.ts`/bar.', 'name', 1, 40],
    ['typescript @ src/`a.ts`/foo.', 'name', 0, 46],
  ]);
  const [facts] = session.facts.read((moment) => listFactsOfFile(moment, 'src/a.ts'));
  const deps = session.facts.read((moment) => listDependencies(moment, 'src/b.ts', context.id));
  expect(deps).toEqual([{ path: 'src/a.ts', syn: expect.stringMatching(/^\w{64}$/), sem: facts?.semIface }]);
  expect(facts?.semIface).toMatch(/^\w{64}$/);
});

test('R12 a document of a file that was edited during the run is not taken, and the file is queued again', async () => {
  const { files, documents } = crowd();
  const { tree, context, session } = await openPair(files);
  const outcome = await tree.importOutput({
    context,
    output: partsOf(a.document, b.document, ...documents),
    during: () => tree.write('src/b.ts', `${b.text}// later\n`),
  });
  expect(outcome).toEqual({ kind: 'committed', accepted: 21, rejected: 1, moved: ['src/b.ts'] });
  expect(session.facts.read((moment) => listFactsOfFile(moment, 'src/b.ts'))).toEqual([]);
  expect(session.facts.read((moment) => findQueuedJob(moment, context.id)?.scope)).toEqual({
    files: ['src/b.ts'],
    packages: [],
  });
});

test('R12 a file that the store has moved on with after the run keeps its old facts', async () => {
  const { files, documents } = crowd();
  const { tree, context, session } = await openPair(files);
  const outcome = await tree.importOutput({
    context,
    output: partsOf(a.document, b.document, ...documents),
    before: async () => {
      tree.write('src/a.ts', 'export const other = 1;\n');
      await session.reconcile('all');
    },
  });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 21, moved: ['src/a.ts'] });
  expect(session.facts.read((moment) => listFactsOfFile(moment, 'src/a.ts'))).toEqual([]);
});

test('R12 an index of other text with the same hash before and after is refused by its texts', async () => {
  const { files, documents } = crowd();
  const { tree, context, session } = await openPair(files);
  // As if `foo` had been `other` while the tool read it.
  const shifted = documentOf('src/a.ts', 'export const «other|=src/`a.ts`/other.» = 1;\n');
  const outcome = await tree.importOutput({ context, output: partsOf(shifted.document, b.document, ...documents) });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 21, rejected: 1, moved: [] });
  expect(occurrencesOf(session, 'src/a.ts')).toEqual([]);
  // Its definition was refused with it: what refers to it leads nowhere now.
  const items = session.facts.read((moment) => listItemsOfFile(moment, 'src/b.ts'));
  expect(items.map(({ kind, name, start }) => [kind, name, start])).toEqual([
    ['unresolved_reference', 'foo', 9],
    ['unresolved_reference', 'foo', 46],
  ]);
});

test('R13 a dependency that was edited during the run is unknown to its dependents, which are queued', async () => {
  const { files, documents } = crowd();
  const { tree, context, session } = await openPair(files);
  await tree.importOutput({
    context,
    output: partsOf(a.document, b.document, ...documents),
    during: () => tree.write('src/a.ts', `${a.text}// later\n`),
  });
  const deps = session.facts.read((moment) => listDependencies(moment, 'src/b.ts', context.id));
  expect(deps).toEqual([{ path: 'src/a.ts', syn: null, sem: null }]);
  expect(session.facts.read((moment) => findQueuedJob(moment, context.id)?.scope)).toEqual({
    files: ['src/a.ts', 'src/b.ts'],
    packages: [],
  });
});

test('R14 an import with a scope leaves the facts of all other files as they were', async () => {
  const { tree, context, session } = await openPair();
  await tree.importOutput({ context, output: partsOf(a.document, b.document) });
  const before = occurrencesOf(session, 'src/a.ts');
  const edited = documentOf('src/b.ts', 'export const «baz|=src/`b.ts`/baz.» = 2;\n');
  tree.write('src/b.ts', edited.text);
  // A document of `src/a.ts` that says nothing, as a tool gives for what it only looked at.
  const silent = { ...a.document, occurrences: [], symbols: [] };
  const outcome = await tree.importOutput({
    context,
    output: partsOf(silent, edited.document),
    scope: { files: ['src/b.ts'], packages: [] },
  });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 1 });
  expect(occurrencesOf(session, 'src/a.ts')).toEqual(before);
  expect(occurrencesOf(session, 'src/b.ts').map(({ name }) => name)).toEqual(['baz']);
});

test('R14 a member without a document keeps its rows', async () => {
  const { files, documents } = crowd();
  const { tree, context, session } = await openPair(files);
  await tree.importOutput({ context, output: partsOf(a.document, b.document, ...documents) });
  const before = occurrencesOf(session, 'src/b.ts');
  await tree.importOutput({ context, output: partsOf(a.document, ...documents) });
  expect(occurrencesOf(session, 'src/b.ts')).toEqual(before);
});

test('R15 an absent, empty, cut-off or foreign output changes nothing', async () => {
  const { tree, context, session } = await openPair();
  await tree.importOutput({ context, output: partsOf(a.document, b.document) });
  const before = session.facts.read(renderDump);
  const whole = encodeScip(partsOf(a.document, b.document));
  const cut = await tree.importOutput({ context, output: whole.subarray(0, whole.length - 5) });
  expect(cut).toMatchObject({ kind: 'failed', failure: 'decode_error' });
  expect(await tree.importOutput({ context, output: new Uint8Array(0) })).toMatchObject({ failure: 'no_output' });
  const absent = join(tree.base, 'nothing.scip');
  expect(await tree.importOutput({ context, output: absent })).toMatchObject({ failure: 'no_output' });
  const noise = new TextEncoder().encode('not an index at all, whatever it is');
  expect(await tree.importOutput({ context, output: noise })).toMatchObject({ failure: 'decode_error' });
  expect(session.facts.read(renderDump)).toBe(before);
});

test('R15 fewer documents than nine in ten change nothing', async () => {
  const { tree, context, session } = await openPair();
  const before = session.facts.read(renderDump);
  const outcome = await tree.importOutput({ context, output: partsOf(a.document) });
  expect(outcome).toMatchObject({ kind: 'failed', failure: 'too_few_documents', detail: /^1 of 2 files/ });
  expect(session.facts.read(renderDump)).toBe(before);
});

test('R17 `local 0` of two documents are two symbols, and so it is of two texts of one file', async () => {
  const one = documentOf('src/a.ts', '{ const «x|=local 0» = 1; «x|local 0»; }\n');
  const two = documentOf('src/b.ts', '{ const «y|=local 0» = 1; }\n');
  tree = createImportedTree({ 'package.json': manifest, 'src/a.ts': one.text, 'src/b.ts': two.text });
  const context = await tree.putContext('typescript', ['src/a.ts', 'src/b.ts']);
  await tree.importOutput({ context, output: partsOf(one.document, two.document) });
  const session = await tree.session();
  const [x] = occurrencesOf(session, 'src/a.ts');
  const [y] = occurrencesOf(session, 'src/b.ts');
  expect([x?.name, y?.name]).toEqual(['x', 'y']);
  expect(x?.key).not.toBe(y?.key);
  const later = documentOf('src/a.ts', '{ const «z|=local 0» = 1; }\n');
  tree.write('src/a.ts', later.text);
  await tree.importOutput({ context, output: partsOf(later.document, two.document) });
  expect(occurrencesOf(session, 'src/a.ts')[0]?.key).not.toBe(x?.key);
});

test('R17 references to an external symbol are all kept', async () => {
  const library = 'scip-typescript npm lodash 4.17.21 `index.d.ts`/map().';
  const one = documentOf('src/a.ts', `«map|${library}»(«map|${library}»);\n`);
  const two = documentOf('src/b.ts', `«map|${library}»();\n`);
  tree = createImportedTree({ 'package.json': manifest, 'src/a.ts': one.text, 'src/b.ts': two.text });
  const context = await tree.putContext('typescript', ['src/a.ts', 'src/b.ts']);
  await tree.importOutput({ context, output: partsOf(one.document, two.document) });
  const session = await tree.session();
  const [found] = occurrencesOf(session, 'src/a.ts');
  expect(found).toMatchObject({ key: 'typescript npm lodash 4.17.21 `index.d.ts`/map().', inRepo: false });
  const all = session.facts.read((moment) => listOccurrencesOf(moment, [found?.symbolId ?? 0]));
  expect(all.map(({ path }) => path)).toEqual(['src/a.ts', 'src/a.ts', 'src/b.ts']);
  expect(session.facts.read((moment) => listItemsOfFile(moment, 'src/a.ts'))).toEqual([]);
});

test('R19 the keys of an unchanged program depend neither on the package version nor on the tool', async () => {
  const spell = (owner: string) =>
    documentOf('src/a.ts', 'export const «foo|=src/`a.ts`/foo.» = «x|src/`a.ts`/`$x`.»;\n'.replace('«x|', '«$x|'), {
      owner,
    });
  const keysWith = async (owner: string, version: string) => {
    const { document, text } = spell(owner);
    tree = createImportedTree({ 'package.json': `{"name": "fixture", "version": "${version}"}`, 'src/a.ts': text });
    const context = await tree.putContext('typescript', ['src/a.ts']);
    await tree.importOutput({ context, output: partsOf(document) });
    const keys = occurrencesOf(await tree.session(), 'src/a.ts').map(({ key }) => key);
    await tree.dispose();
    tree = undefined;
    return keys;
  };
  const first = await keysWith('scip-typescript npm fixture 1.0.0 ', '1.0.0');
  expect(first).toEqual(['typescript @ src/`a.ts`/foo.', 'typescript @ src/`a.ts`/$x.']);
  expect(await keysWith('scip-typescript npm fixture 2.0.0 ', '2.0.0')).toEqual(first);
  expect(await keysWith('tsgo npm fixture 1.0.0 ', '1.0.0')).toEqual(first);
});

test('R20 lone surrogates in an index lose no document', async () => {
  const { tree, context, session } = await openPair();
  const broken = b.document.symbols.map((symbol) => ({
    ...symbol,
    documentation: ['```ts\nconst bar: "\ud83d"\n```'],
  }));
  const strange = {
    range: [1, 0, 6],
    enclosingRange: [],
    symbol: 'scip-typescript npm fixture 1.0.0 `\ud83d`.',
    roles: 0,
  };
  const document = { ...b.document, symbols: broken, occurrences: [...b.document.occurrences, strange] };
  const bytes = withLoneSurrogates(encodeScip(partsOf(a.document, document)));
  const outcome = await tree.importOutput({ context, output: bytes });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 2, rejected: 0 });
  expect(occurrencesOf(session, 'src/b.ts')).toHaveLength(5);
});

/** As protobuf libraries for JavaScript write them: three bytes that are no UTF-8, where a strict encoder writes U+FFFD. */
function withLoneSurrogates(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  const replaced = Buffer.from('\ufffd');
  for (let at = copy.indexOf(replaced); at >= 0; at = copy.indexOf(replaced, at + 1)) copy.set([0xed, 0xa0, 0xbd], at);
  expect(copy.equals(bytes)).toBe(false);
  return copy;
}

test('R28 an import for a job that another owner has by now changes nothing', async () => {
  const { tree, context, session } = await openPair();
  const before = session.facts.read(renderDump);
  const outcome = await tree.importOutput({ context, output: partsOf(a.document, b.document), owner: 'another' });
  expect(outcome).toEqual({ kind: 'lost' });
  expect(session.facts.read(renderDump)).toBe(before);
  expect(
    session.facts.read((moment) => listJobs(moment, context.id, 10)).every(({ status }) => status !== 'completed'),
  ).toBe(true);
});

test('dependents in another context that remember another interface are queued there', async () => {
  const { tree, context, session } = await openPair();
  await tree.importOutput({ context, output: partsOf(a.document, b.document) });
  const other = await tree.putContext('typescript', ['src/b.ts'], 'typescript:other');
  await tree.importOutput({ context: other, output: partsOf(b.document) });
  expect(session.facts.read((moment) => findQueuedJob(moment, other.id))).toBeUndefined();
  const changed = documentOf('src/a.ts', 'export const «foo|=src/`a.ts`/foo.» = "x";\n', {
    signatures: { 'src/`a.ts`/foo.': 'const foo: "x"' },
  });
  tree.write('src/a.ts', changed.text);
  await tree.importOutput({ context, output: partsOf(changed.document, b.document) });
  expect(session.facts.read((moment) => findQueuedJob(moment, other.id)?.scope)).toEqual({
    files: ['src/b.ts'],
    packages: [],
  });
});

test('documents of files that are no members or not in the repository are left out', async () => {
  const { tree, context, session } = await openPair();
  const outside = { ...a.document, relativePath: '../elsewhere/a.ts' };
  const absolute = { ...a.document, relativePath: '/etc/passwd' };
  const outcome = await tree.importOutput({ context, output: partsOf(a.document, b.document, outside, absolute) });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 2, rejected: 0 });
  expect(session.facts.read(checkInvariants)).toEqual([]);
});

test('a document that names a link is one of the file it leads to', async () => {
  const { tree, context, session } = await openPair();
  symlinkSync('a.ts', join(tree.root, 'src/link.ts'));
  const linked = documentOf('src/link.ts', 'export const «foo|=src/`link.ts`/foo.» = 1;\n');
  const outcome = await tree.importOutput({ context, output: partsOf(a.document, b.document, linked.document) });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 2, rejected: 0 });
  expect(occurrencesOf(session, 'src/a.ts').map(({ key }) => key)).toEqual(['typescript @ src/`a.ts`/foo.']);
});

test('a reference to a built file is one to its source, and what maps to none is a boundary', async () => {
  const index = documentOf('packages/lib/src/index.ts', 'export const «made|=src/`index.ts`/made.» = 1;\n', {
    owner: 'scip-typescript npm lib 1.0.0 ',
  });
  const user = documentOf(
    'app.ts',
    "import { «made|dist/`index.d.ts`/made.», «gone|dist/`index.d.ts`/gone.» } from 'lib';\n",
    { owner: 'scip-typescript npm lib 1.0.0 ' },
  );
  tree = createImportedTree({
    'package.json': manifest,
    'app.ts': user.text,
    'packages/lib/package.json': '{"name": "lib", "version": "1.0.0", "types": "dist/index.d.ts"}',
    'packages/lib/tsconfig.json': '{"compilerOptions": {"outDir": "dist", "rootDir": "src", "declaration": true}}',
    'packages/lib/src/index.ts': index.text,
  });
  const context = await tree.putContext('typescript', ['app.ts', 'packages/lib/src/index.ts']);
  await tree.importOutput({ context, output: partsOf(index.document, user.document) });
  const session = await tree.session();
  expect(occurrencesOf(session, 'app.ts').map(({ key }) => key)).toEqual([
    'typescript @packages/lib src/`index.ts`/made.',
    'typescript @packages/lib dist/`index.d.ts`/gone.',
  ]);
  const items = session.facts.read((moment) => listItemsOfFile(moment, 'app.ts'));
  expect(items.map(({ kind, name }) => [kind, name])).toEqual([['dist_boundary', 'gone']]);
});

test('S12 secrets are in no fact, and a redacted output gives the facts of the one it was made from', async () => {
  const token = `${'gh'}p_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const phrase = ['Corr3ct', 'Horse', 'Battery'].join('-');
  const names = documentOf(
    'src/a.ts',
    `export const «${token}|=src/\`a.ts\`/${token}.» = { «'${token}'|=src/\`a.ts\`/\`'${token}'0\`:»: 1 };\nexport const «pass${'word'}|=src/\`a.ts\`/pass${'word'}.» = '${phrase}';\n«${token}|src/\`a.ts\`/${token}.»;\n`,
  );
  // Inferred: nothing around it says what it is.
  const derived = documentOf('src/b.ts', 'export const «first|=src/`b.ts`/first.» = 1;\n', {
    signatures: { 'src/`b.ts`/first.': `const first: "${phrase}"` },
  });
  tree = createImportedTree({ 'package.json': manifest, 'src/a.ts': names.text, 'src/b.ts': derived.text });
  const context = await tree.putContext('typescript', ['src/a.ts', 'src/b.ts']);
  const output = encodeScip(partsOf(names.document, derived.document));
  let redacted: Buffer | undefined;
  const outcome = await tree.importOutput({
    context,
    output,
    before: async (_, prepared) => {
      const place = mkdtempSync(join(tmpdir(), 'kept-'));
      redacted = prepared?.redactOutput(`${place}/kept`) === true ? readFileSync(`${place}/kept`) : undefined;
      rmSync(place, { recursive: true });
    },
  });
  expect(outcome).toMatchObject({ kind: 'committed', accepted: 2, rejected: 0 });
  const session = await tree.session();
  const first = session.facts.read(renderDump);
  for (const secret of [token, phrase]) expect(first).not.toContain(secret);
  expect(first).toContain('<REDACTED:');
  if (redacted === undefined) throw new Error('not redacted');
  for (const secret of [token, phrase]) expect(redacted.includes(secret)).toBe(false);
  expect(await tree.importOutput({ context, output: redacted })).toMatchObject({ accepted: 2, rejected: 0 });
  expect(session.facts.read(renderDump)).toBe(first);
});

test('two files that define one key make its definitions doubtful', async () => {
  const owner = 'scip-python python proj 0.1.0 ';
  const module = (path: string) => documentOf(path, '«|=`pkg.m`/__init__:»class «C|=`pkg.m`/C#»: pass\n', { owner });
  const paths = ['one/pkg/m.py', 'two/pkg/m.py'];
  tree = createImportedTree(Object.fromEntries(paths.map((path) => [path, module(path).text])));
  const context = await tree.putContext('python', paths);
  await tree.importOutput({ context, output: partsOf(...paths.map((path) => module(path).document)) });
  const session = await tree.session();
  const items = session.facts.read((moment) => listItemsOfFile(moment, 'one/pkg/m.py'));
  expect(items.map(({ kind, name, detail }) => [kind, name, detail])).toEqual([
    ['multiple_definitions', 'C', 'also in two/pkg/m.py'],
  ]);
});
