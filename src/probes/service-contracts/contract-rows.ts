/** The rows of the section, and the bound on how many of them one repository may bring. */

export type Operation = { readonly method: string; readonly path: string; readonly operation_id: string | null };
export type OpenApiRow = {
  readonly path: string;
  readonly title: string | null;
  readonly version: string | null;
  readonly operations: readonly Operation[];
};

export type AsyncOperation = {
  readonly action: string;
  readonly channel: string;
  readonly operation_id: string | null;
};
export type AsyncApiRow = {
  readonly path: string;
  readonly title: string | null;
  readonly version: string | null;
  readonly operations: readonly AsyncOperation[];
};

export type Rpc = {
  readonly name: string;
  readonly request: string;
  readonly response: string;
  readonly streaming: 'none' | 'client' | 'server' | 'bidi';
};
export type ProtoService = { readonly name: string; readonly rpcs: readonly Rpc[] };
export type ProtoRow = {
  readonly path: string;
  readonly package: string | null;
  readonly services: readonly ProtoService[];
};

export type GraphqlRow = {
  readonly path: string;
  readonly queries: readonly string[];
  readonly mutations: readonly string[];
  readonly subscriptions: readonly string[];
  readonly types: number;
};

export type TrpcRow = { readonly path: string; readonly procedures: readonly string[] };
export type ClientRow = {
  readonly path: string;
  readonly line: number;
  readonly base_url: string | null;
  readonly library: string;
};
export type GeneratedRow = { readonly path: string; readonly generator: string };

/** Takes rows while there is room, so that no file can make the section too large to read. */
export interface RowBudget {
  take<T>(rows: readonly T[]): readonly T[];
  readonly exceeded: boolean;
}

const rowsPerList = 2_000;
const rowsInAll = 20_000;

export function createRowBudget(): RowBudget {
  let left = rowsInAll;
  let exceeded = false;
  return {
    take(rows) {
      const taken = rows.slice(0, Math.min(rowsPerList, left));
      left -= taken.length;
      if (taken.length < rows.length) exceeded = true;
      return taken;
    },
    get exceeded() {
      return exceeded;
    },
  };
}
