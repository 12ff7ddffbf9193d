/**
 * The words of a change: what a request can end in (mutation.md §1), kinds, reasons, forms and policies, each list closed and written
 * down once: docs and schemas are made from these. `blocked` means time or a refresh can settle it, `needs_decision` a reader of the code can, `refused` neither, `unsupported`
 * that the ability is not there.
 */

export const outcomeKinds = ['ok', 'ok_syntactic', 'blocked', 'needs_decision', 'refused', 'unsupported'] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export const blockedReasons = [
  'not_fresh',
  'refresh_failed',
  'proof_running',
  'files_changed',
  'recovery_conflict',
  'tree_busy',
  'truncated',
] as const;
export type BlockedReason = (typeof blockedReasons)[number];

export const refusedReasons = [
  'no_symbol',
  'not_renamable',
  'external_symbol',
  'external_family',
  'vendored',
  'divergence',
  'invalid_name',
  'reserved_name',
  'same_name',
  'collision',
  'capture',
  'export_clash',
  'case_clash',
  'file_name_coupled',
  'bindings_change',
  'new_diagnostics',
  'parse_breaks',
  'overlap',
  'read_only',
  'hard_linked',
  'odd_lines',
  'encoding',
  'conflicted',
  'plan_not_found',
  'plan_expired',
  'plan_used',
  'plan_cancelled',
  'plan_mismatch',
  'wrong_worktree',
  'selection_invalid',
  'proof_incomplete',
  'proof_mismatch',
  'undo_conflict',
  'no_space',
  'unsafe_volume',
  'lock_in_the_way',
] as const;
export type RefusedReason = (typeof refusedReasons)[number];

export const unsupportedReasons = ['language', 'operation', 'missing_tool', 'sandbox_missing'] as const;
export type UnsupportedReason = (typeof unsupportedReasons)[number];

export const provenances = ['proven', 'resolved', 'syntactic', 'text'] as const;
export type Provenance = (typeof provenances)[number];

export const planStatuses = [
  'proving',
  'open',
  'committing',
  'committed',
  'undone',
  'expired',
  'cancelled',
  'conflict',
] as const;
export type PlanStatus = (typeof planStatuses)[number];

/** Reasons to doubt (§2.6), with the options each gives. */
export const itemKinds = {
  unaccounted_token: ['rename', 'leave'],
  untyped_access: ['rename', 'leave'],
  string_reference: ['rename', 'leave'],
  dynamic_access: ['accept', 'stop'],
  untyped_boundary: ['accept', 'stop'],
  untyped_exit: ['accept', 'stop'],
  structural_tie: ['rename', 'leave', 'stop'],
  unresolved_reference: ['rename', 'leave'],
  multiple_definitions: [],
  uncovered_file: ['rename', 'leave'],
  unreadable_file: ['leave', 'stop'],
  parse_error: ['leave', 'stop'],
  generated_code: ['edit', 'leave'],
  public_api: ['rename', 'keep_alias'],
  dist_boundary: ['leave', 'stop'],
  indexer_gap: ['rename', 'leave'],
  unknown_inherited: ['accept', 'stop'],
  convention_name: ['accept', 'stop'],
  protocol_name: ['accept', 'stop'],
  ambient_name: ['accept', 'stop'],
  name_as_data: ['accept', 'stop'],
  text_reference: ['leave', 'stop'],
  proof_unavailable: ['accept', 'stop'],
  computed_path: ['accept', 'stop'],
  file_listing: ['accept', 'stop'],
  own_path: ['accept', 'stop'],
  module_system: ['accept', 'stop'],
  module_shadow: ['accept', 'stop'],
  companion_file: ['accept', 'stop'],
  file_convention: ['accept', 'stop'],
} as const satisfies Record<string, readonly string[]>;
export type ItemKind = keyof typeof itemKinds;

/**
 * Doubts that a user can decide once for a project (`rename.trust`): going on edits nothing more. What a tool can still find out, and what
 * has to be chosen each time, is not among them.
 */
export const trustableKinds: ReadonlySet<string> = new Set<ItemKind>([
  'dynamic_access',
  'untyped_boundary',
  'untyped_exit',
  'unknown_inherited',
  'convention_name',
  'protocol_name',
  'ambient_name',
  'name_as_data',
  'text_reference',
]);

/**
 * Doubts of which no tool notices a wrong answer, and which only the code at the place can settle: who goes on quotes its line, unless a whole
 * proof is sent (mutation.md §6.1).
 */
export const highRiskKinds: ReadonlySet<string> = new Set<ItemKind>([
  'dynamic_access',
  'unknown_inherited',
  'proof_unavailable',
]);

export const censusClasses = ['planned', 'other_symbol', 'string', 'comment', 'unaccounted'] as const;
export type CensusClass = (typeof censusClasses)[number];

/** How a token is written anew (§2.8). */
export const editForms = [
  'plain',
  /** `{ a }` → `{ a: b }`: the variable is renamed. */
  'shorthand_value',
  /** `{ a }` → `{ b: a }`: the property is renamed. */
  'shorthand_property',
  /** `const { a } = o` → `{ b: a }`. */
  'destructured_property',
  /** `const { a } = o` → `{ a: b }`. */
  'destructured_local',
  /** `import { a }` → `import { b as a }`. */
  'import_keeps_local',
  /** `import { a }` → `import { a as b }`. */
  'import_local',
  /** `export { a }` → `export { b as a }`. */
  'export_keeps_public',
  /** `export { a }` → `export { a as b }`: the public name alone. */
  'export_public',
  /** Inside quotes. */
  'string',
  'jsdoc',
  /** A specifier or path of a file that moves. */
  'specifier',
] as const;
export type EditForm = (typeof editForms)[number];

export const planKinds = ['rename', 'move_file', 'safe_delete', 'change_signature'] as const;
export type PlanKind = (typeof planKinds)[number];

export const renameModes = ['semantic', 'force_syntactic'] as const;
export type RenameMode = (typeof renameModes)[number];
export const publicNamePolicies = ['ask', 'rename', 'keep'] as const;
export type PublicNames = (typeof publicNamePolicies)[number];
export const aliasPolicies = ['through', 'keep_local'] as const;
export type AliasPolicy = (typeof aliasPolicies)[number];

/** A place as people see it: 1-based, the column in UTF-16 units. */
export type Loc = { readonly file: string; readonly line: number; readonly col: number };

/** An import or a re-export on the way from a use to what it means. */
export type ImportStep = Loc & { readonly specifier: string };

/** How a forced edit was found (§10), the surest first. */
export const tiers = ['lexical', 'import_linked', 'member_text', 'text'] as const;
export type Tier = (typeof tiers)[number];

/** Why a forced edit is doubtful. */
export const riskReasons = [
  'shadowing',
  'multiple_definitions',
  'dynamic_import',
  'metaprogramming',
  'member_without_type',
  'string',
  'comment',
  'prose',
  'other_language',
  'generated',
  'parse_error',
  'star_import',
  'stale_facts',
  'exported',
] as const;
export type RiskReason = (typeof riskReasons)[number];
