/**
 * scip-python spells the module of a relative import as if it were absolute: `from ..core import x` names `core`/__init__: whatever `..` is.
 * The dots are in the text and the document says which module it is, so the right one can be said.
 */

import { parseScipSymbol, renderScipSymbol } from '../../../kernel/formats/scip.ts';
import type { SymbolShape } from './symbol-shape.ts';

/** Where a document stands: its own module, and whether it is the package itself (`__init__.py`). */
export type PythonModule = { readonly name: string; readonly isPackage: boolean };

const relative = /^(\.+)([\p{L}\p{N}_.]*)$/u;
const fromDots = /\bfrom\s+(\.+[\p{L}\p{N}_.]*)\s+import\s*\(?[\p{L}\p{N}_\s,]*$/u;
const lookBackChars = 2_000;

/** The raw symbol that is meant, or `undefined` if the one given is right as far as this can tell. */
export function findRelativeModule(
  shape: SymbolShape,
  text: string,
  start: number,
  end: number,
  own: PythonModule,
): string | undefined {
  if (shape.role !== 'module') return undefined;
  const written = text.slice(start, end);
  const name = relative.test(written) ? resolve(written, own) : resolveMember(shape, text, start, written, own);
  return name === undefined || name === shape.modulePath ? undefined : renderModule(shape.raw, name);
}

/** `from . import core`: the dots stand before. */
function resolveMember(
  shape: SymbolShape,
  text: string,
  start: number,
  written: string,
  own: PythonModule,
): string | undefined {
  if (shape.modulePath !== shape.name || !written.startsWith(shape.name ?? '\0')) return undefined;
  const dots = fromDots.exec(text.slice(Math.max(0, start - lookBackChars), start))?.[1];
  const base = dots === undefined ? undefined : resolve(dots, own);
  return base === undefined ? undefined : base === '' ? (shape.name ?? undefined) : `${base}.${shape.name}`;
}

function resolve(written: string, own: PythonModule): string | undefined {
  const [, dots = '', rest = ''] = relative.exec(written) ?? [];
  const segments = own.name.split('.');
  const up = dots.length - (own.isPackage ? 1 : 0);
  if (up > segments.length) return undefined;
  const base = segments.slice(0, segments.length - up);
  return [...base, ...(rest === '' ? [] : [rest])].join('.');
}

function renderModule(raw: string, name: string): string | undefined {
  const symbol = parseScipSymbol(raw);
  if (symbol?.kind !== 'global') return undefined;
  return renderScipSymbol({
    ...symbol,
    descriptors: [
      { name, suffix: 'namespace', disambiguator: '' },
      { name: '__init__', suffix: 'meta', disambiguator: '' },
    ],
  });
}
