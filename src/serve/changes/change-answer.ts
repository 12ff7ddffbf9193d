/**
 * The wire form of an answer about a change (mutation.md §1, §4), made of the closed lists of `mutate/vocabulary.ts`. The types are
 * `mutate/answer.ts`'s; that both say the same is checked by the compiler at the end of this file.
 */

import { z } from '../../kernel/base/schema.ts';
import { type Answer, capsuleTypes, type Proof } from '../../mutate/answer.ts';
import {
  blockedReasons,
  censusClasses,
  editForms,
  type ItemKind,
  itemKinds,
  planKinds,
  planStatuses,
  provenances,
  refusedReasons,
  riskReasons,
  tiers,
  unsupportedReasons,
} from '../../mutate/vocabulary.ts';

const Count = z.number().int();
const Provenance = z.enum(provenances);
const Risk = z.enum(['low', 'medium', 'high']);
const kindsOfItems = Object.keys(itemKinds) as [ItemKind, ...ItemKind[]];

/** 1-based, the column in UTF-16 units. */
const Loc = z.object({ file: z.string(), line: Count, col: Count });

const Anchor = z.object({
  before: z.string(),
  text: z.string(),
  after: z.string(),
  line_hash: z.string(),
  ordinal: Count,
});

const EditView = Loc.extend({ before: z.string(), after: z.string(), form: z.enum(editForms), anchor: Anchor });

const GroupView = z.object({
  id: z.string(),
  title: z.string(),
  provenance: Provenance,
  item: z.string().exactOptional(),
  option: z.string().exactOptional(),
  edits: z.array(EditView),
  more: Count,
});

const ItemView = z.object({
  id: z.string(),
  number: Count,
  kind: z.enum(kindsOfItems),
  at: Loc,
  text: z.string(),
  detail: z.string(),
  options: z.array(z.object({ id: z.string(), means: z.string(), group: z.string().exactOptional() })),
});

const PlanView = z.object({
  id: z.string(),
  hash: z.string(),
  kind: z.enum(planKinds),
  status: z.enum(planStatuses),
  provenance: Provenance,
  expires_at: z.string(),
  symbol: z.object({ key: z.string(), name: z.string(), kind: z.string(), defined_at: Loc }),
  new_name: z.string(),
  groups: z.array(GroupView),
  items: z.array(ItemView),
  questions: z.number().int(),
  questions_from: z.number().int(),
  to_quote: z.array(Loc.extend({ key: z.string() })),
  files: z.array(z.object({ path: z.string(), hash: z.string(), edits: Count, moved_to: z.string().exactOptional() })),
  census: z.record(z.enum(censusClasses), Count),
  notes: z.array(z.string()),
});

const WitnessFact = z.object({
  type: z.enum(['definition', 'reference', 'import', 'scope', 'relation', 'token', 'diagnostic', 'job']),
  at: Loc,
  text: z.string(),
  provenance: Provenance,
});

const WitnessPacket = z.object({
  bounds: z.object({
    files_scanned: Count,
    files_not_scanned: z.array(z.object({ path: z.string(), why: z.string() })),
    contexts: z.array(z.string()),
    budget_ms: z.number(),
    spent_ms: z.number(),
    truncated: z.boolean(),
  }),
  facts: z.array(WitnessFact),
  invariants_failed: z.array(z.string()),
  checklist: z.array(z.object({ question: z.string(), fact_needed: z.string(), how: z.string() })),
});

const CandidateSet = z.object({
  name: z.string(),
  rule: z.string(),
  item: z.string(),
  members: z.array(
    z.object({
      id: z.string(),
      means: z.string(),
      group: z.string().exactOptional(),
      evidence: z.array(WitnessFact),
      risk: Risk,
      reasons: z.array(z.string()),
    }),
  ),
  truncated: z.boolean(),
});

const Capsule = z.object({
  type: z.enum(capsuleTypes),
  item: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  outputs: z.array(z.object({ id: z.string(), value: z.string(), evidence: z.array(Loc) })),
  verify_by: z.string(),
  stop_rule: z.string(),
  truncated: z.boolean(),
});

const ApplyResult = z.object({
  files: z.array(z.object({ path: z.string(), hash: z.string().nullable() })),
  late_writes: z.array(z.object({ path: z.string(), kept: z.string() })),
  notes: z.array(z.string()),
  undo: z.string().nullable(),
});

const RiskyEdit = z.object({
  edit: EditView,
  group: z.string(),
  tier: z.enum(tiers),
  risk: Risk,
  reasons: z.array(z.enum(riskReasons)),
  checklist: z.array(z.string()),
  import_chain: z.array(Loc.extend({ specifier: z.string() })),
});

const Outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ok'),
    state: z.enum(['planned', 'applied', 'undone']),
    plan: PlanView,
    result: ApplyResult.exactOptional(),
  }),
  z.object({
    kind: z.literal('ok_syntactic'),
    state: z.enum(['planned', 'applied']),
    plan: PlanView,
    result: ApplyResult.exactOptional(),
    review: z.array(RiskyEdit),
    auto_applied: z.array(Loc),
    pending_review: z.array(z.string()),
    review_checklist: z.array(z.object({ check: z.string(), groups: z.array(z.string()) })),
    binding: z.enum(['proven', 'scope_proven', 'not_proven']),
  }),
  z.object({
    kind: z.literal('blocked'),
    reason: z.enum(blockedReasons),
    detail: z.string(),
    files: z.array(z.object({ path: z.string(), state: z.string(), why: z.string() })),
    jobs: z.array(z.object({ context: z.string(), status: z.string(), detail: z.string() })),
    retry_after_ms: z.number().nullable(),
    suggested_refresh_scope: z.array(z.object({ context: z.string(), files: z.array(z.string()) })),
    witness: WitnessPacket,
    plan_id: z.string().exactOptional(),
    current: z.array(z.object({ path: z.string(), line: Count, text: z.string() })).exactOptional(),
    can_force_syntactic: z.boolean(),
  }),
  z.object({
    kind: z.literal('needs_decision'),
    plan: PlanView.nullable(),
    candidate_sets: z.array(CandidateSet),
    capsules: z.array(Capsule),
    witness: WitnessPacket,
    required_proof: z.object({ identity: z.boolean(), anchors: z.array(Loc), lines: z.array(Loc) }),
    remembered: z
      .array(
        z.object({
          item: z.string(),
          chosen: z.string(),
          option: z.string(),
          symbol: z.string(),
          when: z.string(),
          plan_id: z.string(),
          same_files: z.boolean(),
        }),
      )
      .exactOptional(),
  }),
  z.object({
    kind: z.literal('refused'),
    reason: z.enum(refusedReasons),
    detail: z.string(),
    evidence: z.array(WitnessFact),
    alternatives: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('unsupported'),
    reason: z.enum(unsupportedReasons),
    detail: z.string(),
    install: z.string().exactOptional(),
    can_force_syntactic: z.boolean(),
  }),
]);

export const ChangeAnswer = z.object({ outcome: Outcome, next: z.string() });

/** What a caller read at the places a plan names (§6). */
export const ProofInput = z.strictObject({
  identity: z.string(),
  lines: z.array(
    z.strictObject({
      file: z.string(),
      line: Count,
      text: z.string().exactOptional(),
      hash: z.string().exactOptional(),
      context: z.array(z.string()).max(20).exactOptional(),
    }),
  ),
  anchors: z.array(
    z.strictObject({
      file: z.string(),
      line: Count,
      col: Count,
      before: z.string(),
      text: z.string(),
      after: z.string(),
    }),
  ),
  reasoning: z.string().exactOptional(),
});

type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<z.infer<typeof ChangeAnswer>, Mutable<Answer>>;
true satisfies Same<z.infer<typeof ProofInput>, Mutable<Proof>>;
