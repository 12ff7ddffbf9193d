/**
 * A source with carets under everything an extractor found in it, so that a change of the index reads as a change of text.
 * Source lines are indented by two; a line that begins with `>` speaks of the source line above it. What has no place in the
 * source (exports, names provided, interface records) follows after it.
 */

import type { InterfaceRecord, RawFacts, RawImport, RawSymbol } from '../../src/languages/facts.ts';

type Mark = { readonly start: number; readonly end: number; readonly label: string };

export function annotateSyntax(text: string, facts: RawFacts): string {
  const lines = splitLines(text);
  const marks = listMarks(facts, lines).sort((a, b) => a.start - b.start || b.end - a.end);
  const out: string[] = [];
  let next = 0;
  for (const [index, line] of lines.entries()) {
    out.push(line.text === '' ? '' : `  ${line.text}`);
    const limit = lines[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    for (let mark = marks[next]; mark !== undefined && mark.start < limit; mark = marks[++next]) {
      out.push(`> ${renderMark(line, mark)}`);
    }
  }
  return `${[...out, ...renderTail(facts)].join('\n')}\n`;
}

type Line = { readonly start: number; readonly text: string };

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ start, text: line.replace(/\r$/, '') });
    start += line.length + 1;
  }
  if (lines.length > 1 && lines.at(-1)?.text === '') lines.pop();
  return lines;
}

function listMarks(facts: RawFacts, lines: readonly Line[]): Mark[] {
  return [
    ...facts.symbols.map((symbol) => ({
      start: symbol.nameStart,
      end: symbol.nameEnd,
      label: `def ${symbol.kind} ${pathOf(symbol, facts.symbols)}${symbol.exported ? ' exported' : ''} (${spanOf(symbol, lines)})`,
    })),
    ...facts.imports.map((found) => ({ start: found.start, end: found.end, label: importLabel(found, lines) })),
    ...facts.dynamicSites.map((site) => ({
      start: site.start,
      end: site.end,
      label: `dynamic ${site.kind}${site.name === null ? '' : ` ${JSON.stringify(site.name)}`}`,
    })),
  ];
}

function pathOf(symbol: RawSymbol, symbols: readonly RawSymbol[]): string {
  const names: string[] = [];
  for (let at: RawSymbol | undefined = symbol; at !== undefined; at = symbols[at.parent]) names.unshift(at.name);
  return names.join('/');
}

function importLabel(found: RawImport, lines: readonly Line[]): string {
  const names = found.names.map(
    ({ name, alias, start }) => `${alias === null ? name : `${name} as ${alias}`}@${placeOf(start, lines)}`,
  );
  return [
    `import ${found.kind} ${found.literal ? JSON.stringify(found.specifier) : `<${found.specifier}>`}`,
    ...(found.typeOnly ? ['type-only'] : []),
    ...(names.length > 0 ? [`{ ${names.join(', ')} }`] : []),
  ].join(' ');
}

/** Tabs are repeated before the carets so that they stand below what they mean at any tab width. */
function renderMark(line: Line, mark: Mark): string {
  const column = mark.start - line.start;
  const room = Math.max(0, line.text.length - column);
  const width = Math.min(mark.end - mark.start, room);
  const carets = width === 0 ? '|' : '^'.repeat(width);
  const more = mark.end - mark.start > room ? '…' : '';
  return `${line.text.slice(0, column).replace(/[^\t]/g, ' ')}${carets}${more} ${mark.label}`;
}

function spanOf(span: { readonly start: number; readonly end: number }, lines: readonly Line[]): string {
  return `${placeOf(span.start, lines)}-${placeOf(span.end, lines)}`;
}

/** `line:column`, both from 1. */
function placeOf(offset: number, lines: readonly Line[]): string {
  const index = lines.findLastIndex((line) => line.start <= offset);
  return `${index + 1}:${offset - (lines[index]?.start ?? 0) + 1}`;
}

function renderTail(facts: RawFacts): string[] {
  const exports = facts.exports.map((found) =>
    [
      found.star && found.publicName !== '*' ? `* as ${found.publicName}` : found.publicName,
      ...(found.localName === null ? [] : [`= ${found.localName}`]),
      ...(found.specifier === null ? [] : [`from ${JSON.stringify(found.specifier)}`]),
      ...(found.typeOnly ? ['type-only'] : []),
      ...(found.star ? ['star'] : []),
    ].join(' '),
  );
  return [
    ...section('exports', exports),
    ...section('provides', facts.provides),
    ...(facts.interfaceRecords === null
      ? ['', '=== interface: unknown']
      : [
          ...section(
            'interface',
            facts.interfaceRecords.filter((record) => record.isPublic).map(renderRecord),
            facts.canClose ? '' : ' (never closed)',
          ),
          ...section(
            'interface if mentioned',
            facts.interfaceRecords.filter((record) => !record.isPublic).map(renderRecord),
          ),
        ]),
  ];
}

function section(title: string, rows: readonly string[], note = ''): string[] {
  return rows.length === 0 && note === '' ? [] : ['', `=== ${title}${note}`, ...rows];
}

function renderRecord(record: InterfaceRecord): string {
  return `[${record.names.join(', ')}]${record.inferred ? ' inferred' : ''} ${record.text()}`;
}
