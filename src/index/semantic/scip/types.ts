/** What an index file holds, as its decoder gives it: one part at a time, strings decoded leniently, ranges as written. */

export type ScipMetadata = {
  readonly toolName: string;
  readonly toolVersion: string;
  readonly projectRoot: string;
};

export type ScipOccurrence = {
  /** 3 ints `[line, start, end]` or 4 `[line, start, end line, end]`, in the document's units; anything else rejects the document. */
  readonly range: readonly number[];
  readonly enclosingRange: readonly number[];
  /** Empty for a range that only carries highlighting. */
  readonly symbol: string;
  readonly roles: number;
};

export type ScipRelationship = {
  readonly symbol: string;
  readonly isReference: boolean;
  readonly isImplementation: boolean;
  readonly isTypeDefinition: boolean;
  readonly isDefinition: boolean;
};

export type ScipSymbol = {
  readonly symbol: string;
  readonly documentation: readonly string[];
  readonly relationships: readonly ScipRelationship[];
  /** SCIP's number; 0 is unspecified. */
  readonly kind: number;
  readonly displayName: string;
  /** `signature_documentation.text`, `''` without one. */
  readonly signature: string;
  readonly enclosingSymbol: string;
};

export type ScipDocument = {
  readonly relativePath: string;
  readonly language: string;
  /** 0 unspecified, 1 UTF-8, 2 UTF-16, 3 UTF-32 code units. */
  readonly positionEncoding: number;
  readonly text: string;
  readonly occurrences: readonly ScipOccurrence[];
  readonly symbols: readonly ScipSymbol[];
  /** A string was not UTF-8: what was not is U+FFFD now. */
  readonly hadBadText: boolean;
};

export type ScipPart =
  | { readonly kind: 'metadata'; readonly metadata: ScipMetadata }
  | { readonly kind: 'document'; readonly document: ScipDocument }
  | { readonly kind: 'external'; readonly symbol: ScipSymbol };

export type ScipReadOutcome =
  | { readonly kind: 'read'; readonly documents: number; readonly externals: number; readonly bytes: number }
  | {
      readonly kind: 'failed';
      readonly reason: 'absent' | 'empty' | 'truncated' | 'undecodable' | 'too_large';
      readonly detail: string;
    };

/** SCIP's own bits. */
export const roleBits = { definition: 1, import: 2, write: 4, read: 8, generated: 16, test: 32, forward: 64 } as const;
