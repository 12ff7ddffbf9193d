/** Field numbers are held against the code that was generated from scip.proto, in both directions. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScipFixture } from '../../../test/support/scip-fixture.ts';
import { readScip } from './read-scip.ts';
import { parseScipSymbol, renderScipSymbol, type ScipDocument, type ScipPart, type ScipSymbol } from './scip.ts';
import { encodeScip } from './write-scip.ts';

type GeneratedSymbol = {
  readonly symbol: string;
  readonly documentation: readonly string[];
  readonly relationships: readonly Record<string, string | boolean>[];
  readonly kind: number;
  readonly display_name: string;
  readonly signature_documentation?: { readonly text: string };
  readonly enclosing_symbol: string;
};
type GeneratedIndex = {
  readonly metadata: {
    readonly tool_info: { readonly name: string; readonly version: string };
    readonly project_root: string;
  };
  readonly documents: readonly {
    readonly language: string;
    readonly relative_path: string;
    readonly text: string;
    readonly occurrences: readonly {
      readonly range: readonly number[];
      readonly symbol: string;
      readonly symbol_roles: number;
      readonly enclosing_range: readonly number[];
    }[];
    readonly symbols: readonly GeneratedSymbol[];
  }[];
  readonly external_symbols: readonly GeneratedSymbol[];
};
type GeneratedCode = {
  readonly scip: { readonly Index: { deserialize(bytes: Uint8Array): { toObject(): GeneratedIndex } } };
};

const { scip } = createRequire(import.meta.url)('@sourcegraph/scip-typescript/dist/src/scip.js') as GeneratedCode;

let dir: string;
let index: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'codegenie-scip-'));
  index = await makeScipFixture(dir);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function symbolOf(generated: GeneratedSymbol): ScipSymbol {
  return {
    symbol: generated.symbol,
    documentation: generated.documentation,
    relationships: generated.relationships.map((one) => ({
      symbol: one['symbol'] as string,
      isReference: one['is_reference'] as boolean,
      isImplementation: one['is_implementation'] as boolean,
      isTypeDefinition: one['is_type_definition'] as boolean,
      isDefinition: one['is_definition'] as boolean,
    })),
    kind: generated.kind,
    displayName: generated.display_name,
    signature: generated.signature_documentation?.text ?? '',
    enclosingSymbol: generated.enclosing_symbol,
  };
}

/** The generated code of this version does not know `position_encoding`. */
function partsOf({ metadata, documents, external_symbols }: GeneratedIndex): readonly ScipPart[] {
  const { tool_info: tool, project_root: projectRoot } = metadata;
  return [
    { kind: 'metadata', metadata: { toolName: tool.name, toolVersion: tool.version, projectRoot } },
    ...documents.map((document): ScipPart => {
      const read: ScipDocument = {
        relativePath: document.relative_path,
        language: document.language,
        positionEncoding: 0,
        text: document.text,
        occurrences: document.occurrences.map((one) => ({
          range: one.range,
          enclosingRange: one.enclosing_range,
          symbol: one.symbol,
          roles: one.symbol_roles,
        })),
        symbols: document.symbols.map(symbolOf),
        hadBadText: false,
      };
      return { kind: 'document', document: read };
    }),
    ...external_symbols.map((symbol): ScipPart => ({ kind: 'external', symbol: symbolOf(symbol) })),
  ];
}

function readAll(path: string): readonly ScipPart[] {
  const parts: ScipPart[] = [];
  expect(readScip(path, (part) => parts.push(part))).toMatchObject({ kind: 'read' });
  return parts;
}

test('a real index reads as the generated code reads it', () => {
  const parts = readAll(index);
  expect(parts).toEqual(partsOf(scip.Index.deserialize(readFileSync(index)).toObject()));
  expect(parts.filter((part) => part.kind === 'document').length).toBeGreaterThan(4);
});

test('what we write is read by the generated code as it is', () => {
  const every: ScipSymbol = {
    symbol: 's m n v a.',
    documentation: ['one', 'two'],
    relationships: [
      { symbol: 'a', isReference: true, isImplementation: false, isTypeDefinition: false, isDefinition: false },
      { symbol: 'b', isReference: false, isImplementation: true, isTypeDefinition: false, isDefinition: false },
      { symbol: 'c', isReference: false, isImplementation: false, isTypeDefinition: true, isDefinition: false },
      { symbol: 'd', isReference: false, isImplementation: false, isTypeDefinition: false, isDefinition: true },
    ],
    kind: 61,
    displayName: 'a',
    signature: 'a: 1',
    enclosingSymbol: 'e',
  };
  const document: ScipDocument = {
    relativePath: 'a.ts',
    language: 'typescript',
    positionEncoding: 0,
    text: 'const a = 1;',
    occurrences: [{ range: [0, 6, 7], enclosingRange: [0, 0, 1, 12], symbol: 's m n v a.', roles: 5 }],
    symbols: [every],
    hadBadText: false,
  };
  const parts: readonly ScipPart[] = [
    { kind: 'metadata', metadata: { toolName: 't', toolVersion: '1', projectRoot: 'file:///r' } },
    { kind: 'document', document },
    { kind: 'external', symbol: every },
  ];
  expect(partsOf(scip.Index.deserialize(encodeScip(parts)).toObject())).toEqual(parts);
});

test('every symbol of a real index is a symbol, in its canonical spelling', () => {
  const symbols = readAll(index).flatMap((part) =>
    part.kind === 'document' ? part.document.occurrences.map(({ symbol }) => symbol) : [],
  );
  expect(symbols.length).toBeGreaterThan(100);
  for (const symbol of symbols) {
    const parsed = parseScipSymbol(symbol);
    expect([symbol, parsed && renderScipSymbol(parsed)]).toEqual([symbol, symbol]);
  }
});
