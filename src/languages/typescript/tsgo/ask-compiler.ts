/**
 * The questions that indexing asks the compiler, in as few requests as there can be: symbols and types in batches, aliases and properties
 * once each. What makes the compiler fail is found by halving; the question that still fails is answered with `failed` and counted.
 */

import { askInBatches, describeFailure } from '../compiler/compiler-process.ts';
import {
  type Checker,
  type Expression,
  type Node,
  NodeBuilderFlags,
  type Symbol as TsSymbol,
  type Type,
} from '../compiler/typescript-api.ts';

export const failed = 'failed';

export type Questions = {
  /** In the order of the nodes. */
  symbolsAt(nodes: readonly Node[]): readonly (TsSymbol | undefined | typeof failed)[];
  typesAt(nodes: readonly Node[]): readonly (Type | undefined)[];
  /**
   * What an alias stands for in the end; undefined if that is not found. Aliases of one key (a module and a name that it exports) stand for
   * the same thing.
   */
  aliased(symbol: TsSymbol, key?: string): TsSymbol | undefined;
  /** What an alias stands for next. */
  nextAliased(symbol: TsSymbol): TsSymbol | undefined;
  contextualType(holder: Node): Type | undefined;
  propertyOf(type: Type, name: string): TsSymbol | undefined;
  /** Several properties of a type will be asked for: one request instead of one each. */
  expectProperties(type: Type): void;
  constituentsOf(type: Type): readonly Type[];
  /** `undefined` where it cannot be told. */
  isAssignable(source: Type, target: Type): boolean | undefined;
  shorthandValue(node: Node): TsSymbol | undefined;
  symbolOf(type: Type): TsSymbol | undefined;
  typeOf(symbol: TsSymbol): Type | undefined;
  /** Of a class, what its instances are. */
  declaredType(symbol: TsSymbol): Type | undefined;
  /** Of an array or a tuple, what stands at a place. */
  elementOf(type: Type, at: number): Type | undefined;
  /** How many single questions have failed: who asked for something meanwhile does not have all of it. */
  failures(): number;
  /** How many types the checker has made, as far as its answers tell: what it holds grows with them. */
  typesMade(): number;
  /** As it would be written, a long one cut as the compiler cuts it; asked once for a type. */
  textOf(type: Type): string | undefined;
};

const batchSize = 256;

/** With aliases by their names wherever those are declared: the same type has the same text in every file. */
const textFlags = NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope | NodeBuilderFlags.AllowUniqueESSymbolType;

export function createQuestions(checker: Checker, spent: { requests: number; ms: number }): Questions {
  const aliases = new Map<number | string, TsSymbol | undefined>();
  const nextAliases = new Map<number, TsSymbol | undefined>();
  const listed = new Set<number>();
  const properties = new Map<number, Map<string, TsSymbol | undefined>>();
  const parts = new Map<number, readonly Type[] | undefined>();
  const texts = new Map<number, string | undefined>();
  let largestId = 0;
  /** Types are numbered as they are made. */
  const note = (type: Type | undefined): Type | undefined => {
    if (type !== undefined && type.id > largestId) largestId = type.id;
    return type;
  };

  const timed = <T>(ask: () => T): T => {
    const from = performance.now();
    try {
      return ask();
    } finally {
      spent.requests += 1;
      spent.ms += performance.now() - from;
    }
  };
  let failures = 0;
  /** A single question; one that fails has no answer. */
  const tryOne = <T>(ask: () => T): T | undefined => {
    try {
      return timed(ask);
    } catch (error) {
      describeFailure(error);
      failures += 1;
      return undefined;
    }
  };
  /** Asked once for a key; one that fails is asked again, so that each caller learns of the failure. */
  const once = <K, V>(known: Map<K, V | undefined>, key: K, ask: () => V | undefined): V | undefined => {
    if (known.has(key)) return known.get(key);
    const before = failures;
    const found = tryOne(ask);
    if (failures === before) known.set(key, found);
    return found;
  };

  return {
    symbolsAt: (nodes) =>
      askInBatches(nodes, (batch) => timed(() => checker.getSymbolAtLocation(batch)), batchSize).map((answer) =>
        answer.kind === 'failed' ? failed : answer.value,
      ),
    typesAt: (nodes) =>
      askInBatches(nodes, (batch) => timed(() => checker.getTypeAtLocation(batch)), batchSize).map((answer) => {
        if (answer.kind === 'failed') failures += 1;
        return answer.kind === 'failed' ? undefined : note(answer.value);
      }),
    aliased(symbol, key) {
      return once(aliases, key ?? symbol.id, () => {
        const target = checker.getAliasedSymbol(symbol);
        return target === undefined || target.declarations.length === 0 ? undefined : target;
      });
    },
    nextAliased: (symbol) => once(nextAliases, symbol.id, () => checker.getImmediateAliasedSymbol(symbol)),
    contextualType: (holder) => note(tryOne(() => checker.getContextualType(holder as Expression))),
    typesMade: () => largestId,
    failures: () => failures,
    propertyOf(type, name) {
      const ofType = properties.get(type.id) ?? new Map<string, TsSymbol | undefined>();
      properties.set(type.id, ofType);
      // Also where all were listed: what every object has, and what a constraint brings, is not in the list.
      return once(ofType, name, () => checker.getPropertyOfType(type, name));
    },
    expectProperties(type) {
      if (listed.has(type.id)) return;
      listed.add(type.id);
      const all = tryOne(() => checker.getPropertiesOfType(type));
      if (all === undefined) return;
      const ofType = properties.get(type.id) ?? new Map<string, TsSymbol | undefined>();
      properties.set(type.id, ofType);
      for (const property of all) ofType.set(property.name, property);
    },
    constituentsOf(type) {
      return once(parts, type.id, () => (type.isUnionType() ? type.getTypes() : [type])) ?? [];
    },
    isAssignable: (source, target) => tryOne(() => checker.isTypeAssignableTo(source, target)),
    shorthandValue: (node) => tryOne(() => checker.getShorthandAssignmentValueSymbol(node)),
    symbolOf: (type) => tryOne(() => type.getSymbol()),
    elementOf(type, at) {
      const given = tryOne(() =>
        type.isTypeReference() && checker.isArrayLikeType(type) ? checker.getTypeArguments(type) : [],
      );
      return note(given?.[at] ?? given?.[0]);
    },
    typeOf: (symbol) => note(tryOne(() => checker.getTypeOfSymbol(symbol))),
    declaredType: (symbol) => note(tryOne(() => checker.getDeclaredTypeOfSymbol(symbol))),
    textOf(type) {
      if (!texts.has(type.id))
        texts.set(
          type.id,
          tryOne(() => checker.typeToString(type, undefined, textFlags)),
        );
      return texts.get(type.id);
    },
  };
}
