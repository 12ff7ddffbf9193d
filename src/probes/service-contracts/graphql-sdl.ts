/** GraphQL schemas by the reference parser. A file that holds only operations is a client's and says nothing about a schema. */

import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { malformed, type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';

export type RootNames = { readonly query: string; readonly mutation: string; readonly subscription: string };
export type GraphqlSchema = {
  /** Root types that a `schema { … }` of this file names; null without one. */
  readonly roots: RootNames | null;
  /** Fields by type, for the types that a root may be. */
  readonly fieldsByType: ReadonlyMap<string, readonly string[]>;
  readonly types: number;
};

export const defaultRoots: RootNames = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };

const maxTokens = 1_000_000;

/** Null for a document without type definitions. */
export function parseSchema(text: string): ParseOutcome<GraphqlSchema | null> {
  let document: DocumentNode;
  try {
    document = parse(text, { noLocation: true, maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) return malformed('not GraphQL', error.locations?.[0]?.line);
    // The parser recurses; text that nests too deeply exhausts the stack.
    if (error instanceof RangeError) return malformed('nested too deeply');
    throw error;
  }
  const fieldsByType = new Map<string, string[]>();
  let roots: { query: string; mutation: string; subscription: string } | null = null;
  let types = 0;
  let isSchema = false;
  for (const definition of document.definitions) {
    switch (definition.kind) {
      case Kind.OPERATION_DEFINITION:
      case Kind.FRAGMENT_DEFINITION:
        continue;
      case Kind.SCHEMA_DEFINITION:
      case Kind.SCHEMA_EXTENSION:
        for (const { operation, type } of definition.operationTypes ?? []) {
          roots ??= { query: '', mutation: '', subscription: '' };
          roots[operation] = type.name.value;
        }
        break;
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION: {
        const name = definition.name.value;
        const fields = fieldsByType.get(name) ?? [];
        for (const field of definition.fields ?? []) fields.push(field.name.value);
        fieldsByType.set(name, fields);
        break;
      }
    }
    isSchema = true;
    if (definition.kind.endsWith('TypeDefinition')) types += 1;
  }
  return parsed(isSchema ? { roots, fieldsByType, types } : null);
}

export function fieldsOf(schema: GraphqlSchema, type: string): string[] {
  return [...new Set(schema.fieldsByType.get(type))].sort(compareCodeUnits);
}
