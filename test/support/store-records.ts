/** Records of files that no extractor made, for tests of the store, and a store of their own to put them in. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFacts, type FactsBuild, type FactsPlace, type WritableFacts } from '../../src/index/store/facts-file.ts';
import type { FileRecord, FileRow, ResolvedImport, SymbolRow } from '../../src/index/store/file-rows.ts';
import { openLedger } from '../../src/index/store/ledger/ledger.ts';

export type StoredRecord = { readonly record: FileRecord; readonly resolutions: readonly ResolvedImport[] };

export function makeFile(path: string, change: Partial<FileRow> = {}): FileRow {
  return {
    path,
    pathKey: path,
    kind: 'file',
    canonicalPath: null,
    language: 'typescript',
    presence: 'present',
    contentHash: hexOf(path),
    // Microseconds that lose their last digits where they pass through a double as nanoseconds.
    stat: { size: 100, mtimeUs: 1_763_200_000_123_457, ctimeUs: 1_763_200_000_123_459, ino: 7 },
    hashedUs: 1_763_200_009_000_001,
    eol: 'lf',
    bom: false,
    lines: 10,
    generated: false,
    vendored: false,
    test: false,
    conflicted: false,
    redacted: false,
    skipReason: null,
    parse: 'ok',
    synIface: hexOf(`interface of ${path}`),
    ifaceClosed: true,
    ifaceCore: { hash: hexOf(`core of ${path}`), mentions: [[0, 'a']] },
    ...change,
  };
}

export function makeSymbol(name: string, change: Partial<SymbolRow> = {}): SymbolRow {
  const start = change.start ?? 0;
  return {
    parent: -1,
    name,
    nameFold: name.toLowerCase(),
    namePath: name,
    overload: 0,
    kind: 'function',
    exported: true,
    nameStart: start,
    nameEnd: start + name.length,
    start,
    end: start + 50,
    line: 1,
    column: 2,
    ...change,
  };
}

/** A file with something of everything; `variant` makes other contents of the same shape. */
export function makeRecord(path: string, variant = '', change: Partial<FileRow> = {}): StoredRecord {
  const stem = path.replace(/\W/g, '_');
  return {
    record: {
      file: makeFile(path, { contentHash: hexOf(`${path} ${variant}`), ...change }),
      facts: {
        symbols: [
          makeSymbol(`Outer${variant}`, { kind: 'class', end: 90 }),
          makeSymbol('inner', { parent: 0, namePath: `Outer${variant}/inner`, start: 20, end: 60, kind: 'method' }),
          makeSymbol(`last_${stem}`, { start: 95, exported: false }),
        ],
        imports: [
          importOf('./near', [{ name: 'a', alias: 'b', start: 9 }]),
          importOf('pkg', []),
          importOf('acme/orders', []),
        ],
        exports: [
          { publicName: `Outer${variant}`, localName: null, specifier: null, star: false, typeOnly: false },
          { publicName: '*', localName: null, specifier: './near', star: true, typeOnly: true },
        ],
        sites: [
          { start: 30, end: 40, kind: 'computed_member', name: null },
          { start: 30, end: 45, kind: 'computed_member', name: `reached${variant}` },
        ],
        provides: [`java:${stem}${variant}`],
      },
      text: { names: `Outer${variant} inner ${stem} $dollar`, trigrams: `aaaa ${wordOf(path)} ${wordOf(variant)}` },
    },
    resolutions: [
      { targets: ['src/near.ts'], reason: null, external: null, candidates: ['src/near', 'src/near.ts'] },
      { targets: [], reason: 'external', external: 'pkg', candidates: ['src/pkg.ts'] },
      { targets: ['orders/a.go', 'orders/b.go'], reason: null, external: null, candidates: ['orders/'] },
    ],
  };
}

export type ScratchStore = {
  readonly place: FactsPlace;
  /** A build that has not been published. */
  begin(): FactsBuild;
  /** A published store of these records. */
  fill(records: readonly StoredRecord[]): WritableFacts;
  dispose(): void;
};

/** In a directory of its own, unless a data dir is given. */
export function createScratchStore(given?: string): ScratchStore {
  const directory = given ?? realpathSync(mkdtempSync(join(tmpdir(), 'store-')));
  const stateDir = given ?? join(directory, '.codegenie');
  const place: FactsPlace = { cacheDir: stateDir, rootHash: 'root', extractor: 'extractor' };
  const begin = (): FactsBuild => {
    const opened = openLedger(place.cacheDir);
    if (opened.kind !== 'open') throw new Error(`no ledger: ${JSON.stringify(opened)}`);
    const created = createFacts({ ...place, ledger: opened.ledger });
    opened.ledger.close();
    if (created.kind !== 'created') throw new Error(`no store: ${JSON.stringify(created)}`);
    return created.build;
  };
  return {
    place,
    begin,
    fill(records) {
      const build = begin();
      build.writer.transaction(() => {
        for (const { record, resolutions } of records) build.writer.putFile(record, resolutions);
      });
      return build.publish();
    },
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}

type Import = NonNullable<FileRecord['facts']>['imports'][number];

function importOf(specifier: string, names: Import['names']): Import {
  return { specifier, kind: 'import', literal: true, typeOnly: false, names, start: 1, end: 2 };
}

/** 64 hex digits that depend on every character; nothing secret about it. */
export function hexOf(text: string): string {
  return hashOf(text).toString(16).padStart(8, '0').repeat(8);
}

/** Four letters, as the trigram encoding has them. */
function wordOf(text: string): string {
  return (hashOf(text) & 0xfffff)
    .toString(32)
    .padStart(4, '0')
    .replace(/[0-9]/g, (digit) => 'wxyzabcdef'[Number(digit)] as string);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
