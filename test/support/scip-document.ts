/** Index documents from sources with marks: `«name|symbol»` is an occurrence, `«name|=symbol»` a definition. */

import type { ScipDocument, ScipOccurrence, ScipPart, ScipSymbol } from '../../src/kernel/formats/scip.ts';

export type MarkedDocument = { readonly text: string; readonly document: ScipDocument };

/** `symbol` may leave out scheme and package: `src/`a.ts`/foo.` is then of the package given. */
export function documentOf(
  path: string,
  marked: string,
  options: {
    readonly owner?: string;
    readonly encoding?: 0 | 1 | 2 | 3;
    readonly signatures?: Readonly<Record<string, string>>;
  } = {},
): MarkedDocument {
  const { owner = 'scip-typescript npm fixture 1.0.0 ', encoding = 2 } = options;
  const full = (symbol: string): string =>
    /^(?:local |[\w-]+ [\w-]+ \S+ \S+ )/.test(symbol) ? symbol : owner + symbol;
  const occurrences: ScipOccurrence[] = [];
  const signatures = new Map(Object.entries(options.signatures ?? {}).map(([key, text]) => [full(key), text]));
  const symbols: ScipSymbol[] = [];
  let text = '';
  for (const part of marked.split(/(«[^«»]*»)/)) {
    const mark = /^«(.*)\|(=?)([^|]*)»$/s.exec(part);
    if (mark === null) {
      text += part;
      continue;
    }
    const [, written = '', defines = '', named = ''] = mark;
    const symbol = full(named);
    const start = positionOf(text, encoding || 2);
    text += written;
    const end = positionOf(text, encoding || 2);
    const range = start[0] === end[0] ? [...start, end[1]] : [...start, ...end];
    occurrences.push({ range, enclosingRange: [], symbol, roles: defines === '' ? 0 : 1 });
    if (defines !== '') symbols.push(symbolOf(symbol, signatures.get(symbol)));
  }
  return {
    text,
    document: {
      relativePath: path,
      language: '',
      positionEncoding: encoding,
      text: '',
      occurrences,
      symbols,
      hadBadText: false,
    },
  };
}

function symbolOf(symbol: string, signature = 'const x: number'): ScipSymbol {
  const documentation = [`\`\`\`ts\n${signature}\n\`\`\``];
  return { symbol, documentation, relationships: [], kind: 0, displayName: '', signature: '', enclosingSymbol: '' };
}

export function partsOf(...documents: readonly ScipDocument[]): readonly ScipPart[] {
  const metadata = { toolName: 'test', toolVersion: '1', projectRoot: 'file:///nowhere' };
  return [{ kind: 'metadata', metadata }, ...documents.map((document) => ({ kind: 'document' as const, document }))];
}

/** Line and column in UTF-8, UTF-16 or UTF-32 units; a BOM is none. */
function positionOf(text: string, encoding: number): [number, number] {
  const before = text.replace(/^\ufeff/, '');
  const line = before.split('\n').length - 1;
  const column = before.slice(before.lastIndexOf('\n') + 1);
  const units = encoding === 1 ? Buffer.byteLength(column) : encoding === 2 ? column.length : [...column].length;
  return [line, units];
}
