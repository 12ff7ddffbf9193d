/**
 * The questions that indexing asks the compiler, in as few requests as there can be: symbols and types in batches, aliases and properties
 * once each. What makes the compiler fail is found by halving; the question that still fails is answered with `failed` and counted.
 */

import { askInBatches, describeFailure } from '../../../kernel/compiler/ask-in-batches.ts';
import {
  type Checker,
  type Expression,
  type Node,
  NodeBuilderFlags,
  type Symbol as TsSymbol,
  type Type,
} from '../../../kernel/compiler/typescript-api.ts';

export const failed = 'failed';

export type Questions = {
  /** In the order of the nodes. */
  symbolsAt(nodes: readonly Node[]): readonly (TsSymbol | undefined | typeof failed)[];
  typesAt(nodes: readonly Node[]): readonly (Type | undefined)[];
  /** What an alias stands for in the end; undefined if that is not found. */
  aliased(symbol: TsSymbol): TsSymbol | undefined;
  contextualType(holder: Node): Type | undefined;
  propertyOf(type: Type, name: string): TsSymbol | undefined;
  constituentsOf(type: Type): readonly Type[];
  shorthandValue(node: Node): TsSymbol | undefined;
  symbolOf(type: Type): TsSymbol | undefined;
  /** As it would be written, however long; asked once for a type. */
  textOf(type: Type): string | undefined;
  /** Requests and milliseconds so far. */
  readonly spent: { requests: number; ms: number };
};

const batchSize = 256;

/** Whole, and with aliases by their names wherever those are declared: the same type has the same text in every file. */
const textFlags =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  NodeBuilderFlags.AllowUniqueESSymbolType;

export function createQuestions(checker: Checker): Questions {
  const spent = { requests: 0, ms: 0 };
  const aliases = new Map<number, TsSymbol | undefined>();
  const properties = new Map<number, Map<string, TsSymbol | undefined>>();
  const parts = new Map<number, readonly Type[]>();
  const texts = new Map<number, string | undefined>();

  const timed = <T>(ask: () => T): T => {
    const from = performance.now();
    try {
      return ask();
    } finally {
      spent.requests += 1;
      spent.ms += performance.now() - from;
    }
  };
  /** A single question; one that fails has no answer. */
  const tryOne = <T>(ask: () => T): T | undefined => {
    try {
      return timed(ask);
    } catch (error) {
      describeFailure(error);
      return undefined;
    }
  };

  return {
    spent,
    symbolsAt: (nodes) =>
      askInBatches(nodes, (batch) => timed(() => checker.getSymbolAtLocation(batch)), batchSize).map((answer) =>
        answer.kind === 'failed' ? failed : answer.value,
      ),
    typesAt: (nodes) =>
      askInBatches(nodes, (batch) => timed(() => checker.getTypeAtLocation(batch)), batchSize).map((answer) =>
        answer.kind === 'failed' ? undefined : answer.value,
      ),
    aliased(symbol) {
      if (!aliases.has(symbol.id)) {
        const target = tryOne(() => checker.getAliasedSymbol(symbol));
        aliases.set(symbol.id, target === undefined || target.declarations.length === 0 ? undefined : target);
      }
      return aliases.get(symbol.id);
    },
    contextualType: (holder) => tryOne(() => checker.getContextualType(holder as Expression)),
    propertyOf(type, name) {
      const ofType = properties.get(type.id) ?? new Map<string, TsSymbol | undefined>();
      properties.set(type.id, ofType);
      if (!ofType.has(name))
        ofType.set(
          name,
          tryOne(() => checker.getPropertyOfType(type, name)),
        );
      return ofType.get(name);
    },
    constituentsOf(type) {
      let found = parts.get(type.id);
      if (found === undefined) {
        found = type.isUnionType() ? (tryOne(() => type.getTypes()) ?? []) : [type];
        parts.set(type.id, found);
      }
      return found;
    },
    shorthandValue: (node) => tryOne(() => checker.getShorthandAssignmentValueSymbol(node)),
    symbolOf: (type) => tryOne(() => type.getSymbol()),
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
