import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildDocumentIndex, type IndexedDocument, queryDocumentIndex } from './artifact-builder.ts';
import { isBuilderMade } from './builder-made.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'artifact-builder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function document(name: string, parts: Partial<IndexedDocument>): IndexedDocument {
  return { name, title: '', headings: [], tags: [], firstParagraph: '', body: '', ...parts };
}

const library = [
  document('deploy.md', { title: 'Deploying services', headings: ['Rollback'], body: 'canary and blue green' }),
  document('tls.md', { title: 'Certificates', tags: ['tls'], body: 'a rollback of certificates is rare' }),
  document('oncall.md', {
    title: 'On call',
    firstParagraph: 'who answers the pager',
    body: 'escalation, pager, pager',
  }),
];

function names(bytes: Uint8Array, query: string): string[] {
  const outcome = queryDocumentIndex(bytes, query);
  return outcome.kind === 'answered' ? outcome.hits.map((hit) => hit.name) : [outcome.detail];
}

test('P6 equal documents give equal bytes, whatever their order and whatever the file is called', () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    document(`doc-${n}.md`, { title: `Title ${n}`, body: `${'lorem ipsum '.repeat(n)} word${n}` }),
  );
  const first = buildDocumentIndex(many, join(dir, 'a.sqlite'));
  const second = buildDocumentIndex([...many].reverse(), join(dir, 'another-name.sqlite'));
  expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  const changed = buildDocumentIndex(
    [...many.slice(1), document('doc-0.md', { title: 'Title O' })],
    join(dir, 'c.sqlite'),
  );
  expect(Buffer.from(first).equals(Buffer.from(changed))).toBe(false);
});

test('the scratch file is gone afterwards, also when building fails', () => {
  const file = join(dir, 'a.sqlite');
  buildDocumentIndex(library, file);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'not a database, but long enough to be read as one'.repeat(20));
  expect(() => buildDocumentIndex(library, file)).toThrow();
  expect(existsSync(file)).toBe(false);
});

test('each column outweighs the next: title, headings and tags, first paragraph, body', () => {
  const filler = 'other words of the same length here';
  const columns = buildDocumentIndex(
    [
      document('a-body.md', {
        title: filler,
        headings: [filler],
        tags: [filler],
        firstParagraph: filler,
        body: 'needle',
      }),
      document('b-first.md', {
        title: filler,
        headings: [filler],
        tags: [filler],
        firstParagraph: 'needle',
        body: filler,
      }),
      document('c-heading.md', {
        title: filler,
        headings: ['needle'],
        tags: [filler],
        firstParagraph: filler,
        body: filler,
      }),
      document('d-title.md', {
        title: 'needle',
        headings: [filler],
        tags: [filler],
        firstParagraph: filler,
        body: filler,
      }),
      ...Array.from({ length: 8 }, (_, n) => document(`z${n}.md`, { title: filler, body: filler })),
    ],
    join(dir, 'a.sqlite'),
  );
  expect(names(columns, 'needle')).toEqual(['d-title.md', 'c-heading.md', 'b-first.md', 'a-body.md']);
});

test('a query ranks the right document first and reads words as data', () => {
  const bytes = buildDocumentIndex(library, join(dir, 'a.sqlite'));
  expect(names(bytes, 'rollback')[0]).toBe('deploy.md');
  expect(names(bytes, 'pager escalation')).toEqual(['oncall.md']);
  expect(names(bytes, 'title:certificates" OR NEAR(*')[0]).toBe('tls.md');
  expect(names(bytes, '"*()^')).toEqual([]);
});

test('any SQLite client that orders by rank gets the same order', () => {
  const bytes = buildDocumentIndex(library, join(dir, 'a.sqlite'));
  const file = join(dir, 'copy.sqlite');
  writeFileSync(file, bytes);
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(`SELECT name FROM document WHERE document MATCH 'rollback' ORDER BY rank`).all();
  database.close();
  expect(rows.map((row) => row.name)).toEqual(names(bytes, 'rollback'));
});

test('only the bytes of the builder itself are its own, not a copy and not a foreign file', () => {
  const bytes = buildDocumentIndex(library, join(dir, 'a.sqlite'));
  expect(isBuilderMade(bytes)).toBe(true);
  expect(isBuilderMade(Uint8Array.from(bytes))).toBe(false);
  expect(isBuilderMade(new TextEncoder().encode('SQLite format 3\0'))).toBe(false);
});

test('a file that is no database is an answer, not an exception', () => {
  expect(queryDocumentIndex(new TextEncoder().encode('x'.repeat(5000)), 'pager').kind).toBe('unreadable');
  expect(queryDocumentIndex(join(dir, 'missing.sqlite'), 'pager').kind).toBe('unreadable');
});
