/**
 * What a symbol's spelling says about the texts it can have: its name, and whether it is a module or a constructor. A function of the
 * raw symbol alone, so that the same symbol has the same name whichever documents an import happens to see.
 *
 * Peculiar spellings, each seen in the tool's output:
 *   scip-typescript  `<constructor>`, `<get>x`, `<set>x`; names as written, so quoted or computed (`'a-b'`, `["x"]`); object literal keys
 *                    as `x0:`, `x1:`, … (the digits only tell them apart); a file is a namespace with an extension
 *   tsgo             as that; and `<static>x`, `<get><static>x`
 *   scip-python      a module is `pkg.mod`/__init__: — the namespace alone (`pkg.mod`/) is what it says where it does not know better;
 *                    some locals have a tail: `local 3(q)`
 *   scip-go          a package is one namespace with the whole import path
 */

import {
  type Descriptor,
  type DescriptorSuffix,
  parseScipSymbol,
  renderScipSymbol,
} from '../../kernel/formats/scip.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import { unquote } from './source-text.ts';

/** Small, because an import holds one for every symbol it has seen; a reader of the descriptors takes them from the symbol again. */
export type SymbolShape = {
  readonly raw: string;
  readonly isLocal: boolean;
  /** Of the last descriptor. `null` for locals and for what is no symbol as SCIP spells them. */
  readonly suffix: DescriptorSuffix | null;
  /** A descriptor of it is a `meta` one: something that its tool numbers. */
  readonly isNumbered: boolean;
  /** As the tool calls it; `''` where it has no name. */
  readonly packageName: string;
  /** `null`: only its texts can tell (locals, unreadable symbols). Of a constructor: its class. */
  readonly name: string | null;
  /** `x10` for the key `x` or `x1` of an object literal: the name is a part of it, and the text says which. */
  readonly numbered: string | null;
  readonly role: 'plain' | 'constructor' | 'module' | 'scope';
  /** Other spellings of a module in an import: `pkg.core`, `example.com/x/inner`. */
  readonly modulePath: string | null;
};

export type ShapeOf = (raw: string) => SymbolShape;

/** Equal answers are the same object. */
export function createShapes(family: Family): ShapeOf {
  const shapes = new Map<string, SymbolShape>();
  return (raw) => {
    let shape = shapes.get(raw);
    if (shape === undefined) {
      shape = makeShape(raw, family);
      shapes.set(raw, shape);
    }
    return shape;
  };
}

export function isLocalSymbol(raw: string): boolean {
  return raw.startsWith('local ');
}

const unnamed = {
  suffix: null,
  isNumbered: false,
  packageName: '',
  name: null,
  numbered: null,
  role: 'plain',
  modulePath: null,
} as const;

export function localShape(raw: string): SymbolShape {
  return { raw, isLocal: true, ...unnamed };
}

function makeShape(raw: string, family: Family): SymbolShape {
  const symbol = parseScipSymbol(raw);
  const descriptors = symbol?.kind === 'global' ? symbol.descriptors : [];
  const last = descriptors.at(-1);
  if (symbol?.kind !== 'global' || last === undefined) return { raw, isLocal: isLocalSymbol(raw), ...unnamed };
  const { name, numbered, role, modulePath } = nameShape(descriptors, last, family);
  const isNumbered = descriptors.some(({ suffix }) => suffix === 'meta');
  const packageName = symbol.package.name;
  return { raw, isLocal: false, suffix: last.suffix, isNumbered, packageName, name, numbered, role, modulePath };
}

type NameShape = Pick<SymbolShape, 'name' | 'numbered' | 'role' | 'modulePath'>;

const constructors: ReadonlySet<string> = new Set(['<constructor>', '<init>', '.ctor', '.cctor', '<clinit>']);

function nameShape(descriptors: readonly Descriptor[], last: Descriptor, family: Family): NameShape {
  const plain = (name: string): NameShape => ({ name, numbered: null, role: 'plain', modulePath: null });
  if (constructors.has(last.name)) {
    const name = descriptors.at(-2)?.name ?? last.name;
    return { ...plain(name), name: isUnknown(name) ? null : name, role: 'constructor' };
  }
  // A lone surrogate in the index, or a secret that was taken out of it: what the name was cannot be known.
  if (isUnknown(last.name)) return { name: null, numbered: null, role: 'plain', modulePath: null };
  switch (family) {
    case 'typescript':
      return typescriptShape(last, plain);
    case 'python':
      return pythonShape(descriptors, last, plain);
    case 'go':
      if (last.suffix !== 'namespace') return plain(last.name);
      return { name: packageNameOf(last.name), numbered: null, role: 'module', modulePath: last.name };
    default:
      return plain(last.name);
  }
}

function isUnknown(name: string): boolean {
  return name.includes('\ufffd') || name.includes('<REDACTED:');
}

function typescriptShape(last: Descriptor, plain: (name: string) => NameShape): NameShape {
  const name = propertyName(last.name.replace(/^(?:<[gs]et>)?(?:<static>)?/, ''));
  if (last.suffix === 'namespace') {
    const isFile = name === last.name && /\.(?:[cm]?[jt]sx?|json|vue|svelte)$/i.test(name);
    return { ...plain(name), role: isFile || name !== last.name ? 'module' : 'plain' };
  }
  if (last.suffix !== 'meta' || !/\d$/.test(last.name)) return plain(name);
  const [, written = '', digits = ''] = /^(.*?)(\d+)$/s.exec(last.name) ?? [];
  const numbered = propertyName(written);
  return { ...plain(numbered), numbered: numbered + digits };
}

/** `'a-b'` and `["a-b"]` are the property `a-b`. */
function propertyName(written: string): string {
  const computed = /^\[\s*(.*?)\s*\]$/s.exec(written)?.[1];
  return unquote(computed ?? written) ?? written;
}

function pythonShape(
  descriptors: readonly Descriptor[],
  last: Descriptor,
  plain: (name: string) => NameShape,
): NameShape {
  const module = descriptors.length === 2 && last.suffix === 'meta' && last.name === '__init__' ? descriptors[0] : last;
  if (module === undefined || module.suffix !== 'namespace') return plain(last.name);
  const name = module.name.slice(module.name.lastIndexOf('.') + 1);
  return { name, numbered: null, role: module === last ? 'scope' : 'module', modulePath: module.name };
}

/** As a Go program most likely says it: `yaml` for `gopkg.in/yaml.v3`, `chi` for `github.com/go-chi/chi/v5`. */
function packageNameOf(path: string): string {
  const segments = path.split('/');
  const last = segments.at(-1) ?? path;
  const named = /^v\d+$/.test(last) ? (segments.at(-2) ?? last) : last;
  return named.replace(/\.v\d+$/, '');
}

// ---- scip-python spells the module of a relative import as if it were absolute: `from ..core import x` names `core`/__init__: whatever
// `..` is. The dots are in the text and the document says which module it is, so the right one can be said.

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
