/** What each outcome, reason, question, form and class means, in one place: answers for people and the reference are made of these. */

import type {
  AliasPolicy,
  BlockedReason,
  CensusClass,
  EditForm,
  ItemKind,
  OutcomeKind,
  PlanStatus,
  Provenance,
  PublicNames,
  RefusedReason,
  RenameMode,
  RiskReason,
  Tier,
  UnsupportedReason,
} from '../../mutate/vocabulary.ts';

export const outcomeWords: Readonly<Record<OutcomeKind, string>> = {
  ok: 'a plan without an open question, or a plan that was applied or undone',
  ok_syntactic:
    'the same by spelling and scope alone, because it was forced: what lies outside one file needs a selection',
  blocked: 'time or a refresh can settle it; nothing was written',
  needs_decision: 'a reader of the code can settle it: one option of every question, and what was read there as proof',
  refused: 'neither time nor a reader can settle it; nothing was written',
  unsupported: 'the ability is not there',
};

export const blockedWords: Readonly<Record<BlockedReason, string>> = {
  not_fresh: 'files that take part are not indexed as they are on disk',
  refresh_failed: 'the indexer that would bring files up to date failed',
  proof_running: 'the compiler still proves the plan',
  files_changed: 'a file changed after it was planned',
  recovery_conflict: 'an earlier change was interrupted and its files were edited since',
  tree_busy: 'another process, of another user or with another state directory, changes the tree',
  truncated: 'the search for the name reached its limits',
};

export const refusedWords: Readonly<Record<RefusedReason, string>> = {
  no_symbol: 'there is nothing at this place, or of this name, that could be changed',
  not_renamable: 'it cannot be called otherwise: a keyword, a literal, `this`, `default`, a link',
  external_symbol: 'it is defined outside the repository',
  external_family: 'it must keep the name of something defined outside the repository',
  vendored: 'it is defined in vendored code',
  divergence: 'two projects of the repository disagree about what this is',
  invalid_name: 'the new name is not an identifier here, or the new path not a possible one',
  reserved_name: 'the new name is a reserved word here',
  same_name: 'the new name is the old one',
  collision: 'the new name is already taken there',
  capture: 'a name would come to mean something else',
  export_clash: 'the module already exports the new name',
  case_clash: 'the names differ only in case, which does not tell them apart here',
  file_name_coupled: 'the language ties the name to the name of its file',
  bindings_change: 'the compiler would bind a name differently afterwards',
  new_diagnostics: 'the compiler would report other errors afterwards',
  parse_breaks: 'a file would not parse as before',
  overlap: 'two selected edits overlap',
  read_only: 'a file or its directory cannot be written',
  hard_linked: 'a file has another name in the repository',
  odd_lines: 'a file has line ends that cannot be told apart safely',
  encoding: 'a file is not UTF-8 text',
  conflicted: 'a file holds an unresolved merge conflict',
  plan_not_found: 'there is no such plan',
  plan_expired: 'the plan was not used in time',
  plan_used: 'the plan was committed already',
  plan_cancelled: 'the plan was cancelled',
  plan_mismatch: 'what was sent is not what the plan says',
  wrong_worktree: 'the plan is of another work tree',
  selection_invalid: 'the selection is not the main group and one option of every question',
  proof_incomplete: 'the proof leaves out a place that is required',
  proof_mismatch: 'the proof does not say what stands there',
  undo_conflict: 'a file changed after the plan was applied',
  no_space: 'there is not enough space to write safely',
  unsafe_volume: 'the volume does not keep what is written in order',
  lock_in_the_way: 'what has the name of the lock of the tree is no lock',
};

export const unsupportedWords: Readonly<Record<UnsupportedReason, string>> = {
  language: 'the language has no model of scopes here',
  operation: 'this kind of change is not made yet',
  missing_tool: 'a tool it needs is not there',
  sandbox_missing: 'the compiler cannot be kept from the rest of the machine',
};

export const provenanceWords: Readonly<Record<Provenance, string>> = {
  proven:
    'the compiler binds every name the same before and after, with no other error; the name was found nowhere as data',
  resolved: 'by what a compiler or an indexer binds; the whole is not proven',
  syntactic: 'by lexical scope and imports, without types',
  text: 'by spelling alone',
};

export const itemWords: Readonly<Record<ItemKind, string>> = {
  unaccounted_token: 'a token of this name that nothing binds, and no refresh could',
  untyped_access: 'a member of something whose type is not known',
  string_reference: 'a string that may name it',
  dynamic_access: 'a member reached by a computed name, or reflection, on something that may be its owner',
  untyped_boundary: 'its owner comes from untyped data, which may carry the old name',
  untyped_exit: 'a value that has it goes where the names of members may be read as data',
  structural_tie: 'two types that fit each other by names alone, of which one is renamed',
  unresolved_reference: 'a reference to something in the repository that no indexed file defines',
  multiple_definitions: 'several definitions that neither merging nor overloads explain',
  uncovered_file: 'a file that no project of its language covers',
  unreadable_file: 'a file too large, not UTF-8, or not parsed',
  parse_error: 'code that does not parse',
  generated_code: 'a file that a tool generates',
  public_api: 'a name that the package shows to its users',
  dist_boundary: 'a build output that cannot be traced to its source',
  indexer_gap: 'a name that the indexer failed on',
  unknown_inherited: 'its owner extends something outside the repository whose members cannot be listed',
  convention_name: 'a name that a framework or a tool finds by itself',
  protocol_name: 'the old or the new name is one that the language or the platform looks up',
  ambient_name: 'it is only declared here, and something else defines it',
  text_reference: 'configuration, scripts, templates or other text name it',
  name_as_data: 'the program reads the name itself as a value',
  proof_unavailable: 'the compiler could not finish the proof',
  computed_path: 'a path is made at run time, and can lead to what moves',
  file_listing: 'files are found by their directory or a pattern, which the move changes',
  own_path: 'what moves makes something of its own path',
  module_system: 'the packages on both sides read the file differently',
  module_shadow: 'an import of something else can come to mean what moves',
  companion_file: 'a file that belongs to what moves by its name stays behind',
  file_convention: 'a tool finds files by their path, and sees the two places differently',
};

/** `before → after`, with old `a` and new `b`. */
export const formWords: Readonly<Record<EditForm, string>> = {
  plain: '`a` → `b`',
  shorthand_value: '`{ a }` → `{ a: b }`: the variable is renamed, the property stays',
  shorthand_property: '`{ a }` → `{ b: a }`: the property is renamed, the variable stays',
  destructured_property: '`const { a } = o` → `const { b: a } = o`',
  destructured_local: '`const { a } = o` → `const { a: b } = o`',
  import_keeps_local: '`import { a }` → `import { b as a }`',
  import_local: '`import { a }` → `import { a as b }`',
  export_keeps_public: '`export { a }` → `export { b as a }`',
  export_public: '`export { a }` → `export { a as b }`',
  string: '`"a"` → `"b"`, where the compiler binds the string as a name',
  jsdoc: '`@param a`, `{@link a}` → `b`',
  specifier: 'a path in an import of a file that moves',
};

export const censusWords: Readonly<Record<CensusClass, string>> = {
  planned: 'changed by the plan',
  other_symbol: 'of other symbols',
  string: 'in strings and data',
  comment: 'in comments',
  unaccounted: 'not bound: each is a question',
};

export const statusWords: Readonly<Record<PlanStatus, string>> = {
  proving: 'the compiler still proves it',
  open: 'can be committed',
  committing: 'is being written',
  committed: 'was written; can be undone while its copies are kept',
  undone: 'was written and taken back',
  expired: 'was not used in time',
  cancelled: 'was cancelled',
  conflict: 'was interrupted while its files were edited',
};

export const tierWords: Readonly<Record<Tier, string>> = {
  lexical: 'same file, bound by scope; applied without a selection',
  import_linked: 'bound to a name that files share, here or by an import that leads to it; needs a selection',
  member_text: 'a member, key or attribute of that name; needs a selection',
  text: 'any other token of that name; needs a selection, one by one',
};

export const riskWords: Readonly<Record<RiskReason, string>> = {
  shadowing: 'another declaration of the name is near',
  multiple_definitions: 'the name has several definitions',
  dynamic_import: 'the file is imported by a computed path',
  metaprogramming: 'names are computed here',
  member_without_type: 'the type of the receiver is not known',
  string: 'it stands in a string',
  comment: 'it stands in a comment',
  prose: 'it stands in data or prose',
  other_language: 'it is code of another language',
  generated: 'the file is generated',
  parse_error: 'the code around it does not parse',
  star_import: 'names come in by `*`',
  stale_facts: 'the index is older than the file',
  exported: 'other files can see it',
};

export const modeWords: Readonly<Record<RenameMode, string>> = {
  semantic: 'by what the compiler or an indexer binds',
  force_syntactic: 'by scope and spelling, where there is no indexer or no time to wait',
};

export const publicNameWords: Readonly<Record<PublicNames, string>> = {
  ask: 'a name that the package shows to its users is a question',
  rename: 'renamed for them too',
  keep: 'kept for them by an alias at the outermost export',
};

export const aliasWords: Readonly<Record<AliasPolicy, string>> = {
  through: 'importers get the new name, and use it',
  keep_local: 'importers keep the old name by an alias',
};
