/**
 * The only file that names `typescript/unstable/*` (mutation.md §3.1, code-plane.md §6.1): version 7 is pinned exactly, and what its
 * unstable interface is called is decided here. Loaded in jobs alone (the compiler job, the `tsgo` indexer), never in the process that
 * answers.
 */

export * from 'typescript/unstable/ast';
export {
  API,
  type Checker,
  type Diagnostic,
  NodeBuilderFlags,
  NodeHandle,
  type Program,
  type Project,
  type Signature,
  type Snapshot,
  type Symbol,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';
