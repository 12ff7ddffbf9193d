/**
 * The signature of anything that can be called: where its parts lie, and what of it another file can observe. A body counts only
 * where the return type is not written, a default value only where the parameter's type is not (code-plane.md §3.3).
 * Every function here begins and ends with the cursor on the same node.
 */

import type { Piece } from './js-lexing.ts';
import { code, type Reader } from './js-reader.ts';

type Signature = {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly isPrivate: boolean;
  readonly accessor: 'get' | 'set' | null;
  /** -1 where there are none (`x => …` has the parameter itself). */
  readonly paramsStart: number;
  readonly paramsEnd: number;
  readonly hasReturnType: boolean;
  /** -1 for a signature without a body. */
  readonly bodyStart: number;
  /** Default values of parameters, as pairs: left out where a type is written beside them. */
  readonly typedDefaults: readonly number[];
  readonly hasUntypedDefault: boolean;
  readonly properties: readonly ParameterProperty[];
};

type ParameterProperty = {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
  readonly isPrivate: boolean;
};

type Parameters = Pick<Signature, 'typedDefaults' | 'hasUntypedDefault' | 'properties'>;

const plainParameters: Parameters = { typedDefaults: [], hasUntypedDefault: false, properties: [] };

/** The cursor is on a function, method, arrow function or the signature of one. */
export function readSignature(reader: Reader): Signature {
  const { cursor, codes, text } = reader;
  let nameStart = -1;
  let nameEnd = -1;
  let isPrivate = false;
  let accessor: Signature['accessor'] = null;
  let paramsStart = -1;
  let paramsEnd = -1;
  let hasReturnType = false;
  let bodyStart = -1;
  let parameters = plainParameters;
  let behindArrow = false;
  cursor.gotoFirstChild();
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (behindArrow) {
      if (kind !== code.comment && bodyStart < 0) bodyStart = cursor.startIndex;
      continue;
    }
    switch (kind) {
      case code.identifier:
      case code.propertyName:
      case code.stringName:
      case code.numberName:
      case code.computedName:
      case code.privateName:
        // Only a name stands before the parameters; behind them nothing has one of these kinds.
        if (nameStart < 0) {
          nameStart = cursor.startIndex;
          nameEnd = cursor.endIndex;
          if (kind === code.privateName) isPrivate = true;
        }
        break;
      case code.access:
        isPrivate = text.startsWith('private', cursor.startIndex);
        break;
      case code.get:
        accessor = 'get';
        break;
      case code.set:
        accessor = 'set';
        break;
      case code.parameters:
        paramsStart = cursor.startIndex;
        paramsEnd = cursor.endIndex;
        parameters = readParameters(reader, paramsStart, paramsEnd, text.startsWith('constructor', nameStart));
        break;
      case code.typeAnnotation:
        hasReturnType = true;
        break;
      case code.arrow:
        behindArrow = true;
        break;
      case code.block:
        bodyStart = cursor.startIndex;
        break;
    }
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return {
    nameStart,
    nameEnd,
    isPrivate,
    accessor,
    paramsStart,
    paramsEnd,
    hasReturnType,
    bodyStart,
    typedDefaults: parameters.typedDefaults,
    hasUntypedDefault: parameters.hasUntypedDefault,
    properties: parameters.properties,
  };
}

const parameterModifier = /\b(?:private|public|protected|readonly|override)\b/;

/** Most parameters have neither defaults nor modifiers, which their text tells without the tree. */
function readParameters(reader: Reader, start: number, end: number, mayHaveProperties: boolean): Parameters {
  const text = reader.text.slice(start, end);
  if (!/=(?!>)/.test(text) && !(mayHaveProperties && parameterModifier.test(text))) return plainParameters;
  const typedDefaults: number[] = [];
  const properties: ParameterProperty[] = [];
  let hasUntypedDefault = false;
  const { cursor, codes } = reader;
  cursor.gotoFirstChild();
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind === code.assignmentPattern) hasUntypedDefault = true;
    if (kind !== code.parameter) continue;
    const found = readParameter(reader);
    if (found.valueStart >= 0) {
      if (found.hasType) typedDefaults.push(found.valueStart, found.end);
      else hasUntypedDefault = true;
    }
    if (found.property !== null) properties.push(found.property);
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return { typedDefaults, hasUntypedDefault, properties };
}

function readParameter(reader: Reader): {
  readonly valueStart: number;
  readonly end: number;
  readonly hasType: boolean;
  readonly property: ParameterProperty | null;
} {
  const { cursor, codes, text } = reader;
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  let nameStart = -1;
  let nameEnd = -1;
  let hasType = false;
  let isProperty = false;
  let isPrivate = false;
  let valueStart = -1;
  cursor.gotoFirstChild();
  do {
    const kind = codes[cursor.nodeTypeId] ?? code.other;
    if (kind === code.access) {
      isProperty = true;
      isPrivate = text.startsWith('private', cursor.startIndex);
    } else if (kind === code.readonly || kind === code.override) isProperty = true;
    else if (kind === code.typeAnnotation) hasType = true;
    else if (kind === code.equals) {
      valueStart = cursor.endIndex;
      break;
    } else if (kind === code.identifier && nameStart < 0) {
      nameStart = cursor.startIndex;
      nameEnd = cursor.endIndex;
    }
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  const property = isProperty && nameStart >= 0 ? { nameStart, nameEnd, start, end, isPrivate } : null;
  return { valueStart, end, hasType, property };
}

export type Observed = { readonly pieces: Piece[]; readonly inferred: boolean };

/**
 * What is observable of a callable that reaches from `start` to `end`. Constructors and setters have no return type to infer;
 * `withBody` asks for the body nevertheless.
 */
export function observeSignature(
  signature: Signature,
  start: number,
  end: number,
  options: { readonly returns: boolean; readonly withBody: boolean },
): Observed {
  const { bodyStart, typedDefaults } = signature;
  const needsBody = options.withBody || (options.returns && !signature.hasReturnType);
  const stop = bodyStart >= 0 && !needsBody ? bodyStart : end;
  const pieces: Piece[] = [];
  let from = start;
  for (let at = 0; at < typedDefaults.length; at += 2) {
    pieces.push(from, typedDefaults[at] ?? from);
    from = typedDefaults[at + 1] ?? from;
  }
  pieces.push(from, stop);
  return { pieces, inferred: signature.hasUntypedDefault || (bodyStart >= 0 && needsBody) };
}

/** An arrow function or function expression that reaches to `end` and is written about from `start` on. */
export function observeFunctionValue(reader: Reader, start: number, end: number): Observed {
  return observeSignature(readSignature(reader), start, end, { returns: true, withBody: false });
}
