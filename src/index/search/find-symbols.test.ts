import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { createScratchStore, makeRecord, makeSymbol, type ScratchStore } from '../../../test/support/store-records.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { ReadSession } from '../store/read-session.ts';
import { listSymbolsNamed } from '../store/stored-symbols.ts';
import { findSymbols } from './find-symbols.ts';
import { parseSymbolQuery, rankSymbols } from './rank-symbols.ts';

// Cases of letters whose lower case is longer, depends on what follows, or is a letter of another alphabet.
const pieces = [
  'get',
  'Get',
  'user',
  'User',
  'UN',
  'N',
  'g',
  '_',
  '$',
  '7',
  '17',
  '73',
  'NAME',
  'ΟΔΟΣ',
  'σ',
  'İx',
  'é',
  'K',
];
const word = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((some) => some.join(''));

let store: ScratchStore;
let facts: WritableFacts;
beforeAll(() => {
  store = createScratchStore();
  const names = [...new Set(fc.sample(word, { numRuns: 500, seed: 7 }))];
  facts = store.fill(
    ['a.ts', 'b.ts'].map((path, file) => {
      const { record } = makeRecord(path);
      const mine = names.filter((_, at) => at % 3 === file || at % 3 === 2);
      const symbols = mine.map((name, at) =>
        makeSymbol(name, { start: at * 60, line: at, namePath: at % 4 === 0 ? `A/${name}` : name }),
      );
      const nothing = { imports: [], exports: [], sites: [], errors: [], provides: [] };
      return { record: { ...record, facts: { symbols, ...nothing } }, resolutions: [] };
    }),
  );
});
afterAll(() => store.dispose());

test('a search by parts of names finds what ranking every symbol of the store finds', () => {
  const query = fc.tuple(word, fc.constantFrom('', 'A/', '/'), fc.constantFrom('', '[0]', '[1]'));
  const all = facts.read(listAllSymbols);
  fc.assert(
    fc.property(query, ([name, before, after]) => {
      const text = `${before}${name}${after}`;
      facts.read((session) => {
        const { ranked, cut } = findSymbols(session, { query: text, exact: false, accepts: () => true });
        expect(cut).toBe(false);
        expect(ranked).toEqual(rankSymbols(parseSymbolQuery(text), all));
      });
    }),
    { numRuns: 300 },
  );
});

function listAllSymbols(session: ReadSession) {
  const rows = session.statement('SELECT DISTINCT name, name_fold AS nameFold FROM syn_symbols').all();
  return rows.flatMap((row) => listSymbolsNamed(session, row as { name: string; nameFold: string }, 1_000));
}

test('the name as it was asked is found, however many are spelled like it', () => {
  const crowded = createScratchStore();
  const { record } = makeRecord('crowd.ts');
  const symbols = Array.from({ length: 10_001 }, (_, at) =>
    makeSymbol(at === 10_000 ? 'ab' : 'AB', { start: at * 60, line: at }),
  );
  const nothing = { imports: [], exports: [], sites: [], errors: [], provides: [] };
  const many = crowded.fill([{ record: { ...record, facts: { symbols, ...nothing } }, resolutions: [] }]);
  many.read((session: ReadSession) => {
    const { ranked, cut } = findSymbols(session, { query: 'ab', exact: false, accepts: () => true });
    expect(ranked[0]?.symbol.name).toBe('ab');
    expect(cut).toBe(true);
  });
  crowded.dispose();
});
