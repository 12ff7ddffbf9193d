/** One answer of every outcome, made by hand: what surfaces are tested with, whatever a planner says today. */

import type { Answer, EditView, Outcome, PlanView, WitnessPacket } from '../../src/mutate/answer.ts';
import type { OutcomeKind } from '../../src/mutate/vocabulary.ts';

export const sampleSource: Readonly<Record<string, string>> = {
  'src/order.ts':
    'export type Order = { lines: number[] };\n\nexport function total(order: Order): number {\n  return order.lines.length === 0 ? 0 : total({ lines: order.lines.slice(1) });\n}\n',
  'src/cart.ts': "import { total } from './order.ts';\n\n    console.log(total({ lines: [] }), pick(cart, 'total'));\n",
};

export const sampleLook = {
  line: (path: string, line: number) => sampleSource[path]?.split('\n')[line - 1],
};

export function sampleEdit(file: string, line: number, col: number): EditView {
  const text = sampleSource[file]?.split('\n')[line - 1] ?? '';
  const anchor = {
    before: text.slice(Math.max(0, col - 17), col - 1),
    text: 'total',
    after: text.slice(col + 4, col + 20),
    line_hash: '0123456789abcdef',
    ordinal: 0,
  };
  return { file, line, col, before: 'total', after: 'amount', form: 'plain', anchor };
}

export const samplePlan: PlanView = {
  id: 'p-1f',
  hash: 'h-1f',
  kind: 'rename',
  status: 'open',
  provenance: 'proven',
  expires_at: '2026-01-01T00:05:00.000Z',
  symbol: { key: 'k', name: 'total', kind: 'function', defined_at: { file: 'src/order.ts', line: 3, col: 17 } },
  new_name: 'amount',
  groups: [
    {
      id: 'g-main',
      title: 'rename total to amount',
      provenance: 'proven',
      edits: [
        sampleEdit('src/order.ts', 3, 17),
        sampleEdit('src/order.ts', 4, 41),
        sampleEdit('src/cart.ts', 1, 10),
        sampleEdit('src/cart.ts', 3, 17),
      ],
      more: 0,
    },
  ],
  items: [],
  questions: 0,
  questions_from: 1,
  to_quote: [],
  files: [
    { path: 'src/cart.ts', hash: 'c', edits: 2 },
    { path: 'src/order.ts', hash: 'o', edits: 2 },
  ],
  census: { planned: 4, other_symbol: 2, string: 1, comment: 0, unaccounted: 0 },
  notes: ['the file `total.test.ts` is named after it'],
};

const asking: PlanView = {
  ...samplePlan,
  provenance: 'resolved',
  groups: [
    ...samplePlan.groups,
    {
      id: 'g-string',
      title: 'rename it here too',
      provenance: 'text',
      item: 'i-1',
      option: 'rename',
      edits: [{ ...sampleEdit('src/cart.ts', 3, 49), form: 'string' }],
      more: 0,
    },
  ],
  questions: 1,
  items: [
    {
      id: 'i-1',
      number: 1,
      kind: 'string_reference',
      at: { file: 'src/cart.ts', line: 3, col: 49 },
      text: 'total',
      detail: 'an argument where `keyof Cart` is expected',
      options: [
        { id: 'rename', means: 'rename it here too', group: 'g-string' },
        { id: 'leave', means: 'leave it as it is' },
      ],
    },
  ],
  notes: [],
};

const witness: WitnessPacket = {
  bounds: { files_scanned: 2, files_not_scanned: [], contexts: [], budget_ms: 2_000, spent_ms: 10, truncated: false },
  facts: [],
  invariants_failed: [],
  checklist: [],
};

const result = {
  files: [
    { path: 'src/cart.ts', hash: 'c2' },
    { path: 'src/order.ts', hash: 'o2' },
  ],
  late_writes: [],
  notes: [],
  undo: 'codegenie plan undo p-1f',
};

const outcomes: { readonly [K in OutcomeKind]: Extract<Outcome, { kind: K }> } = {
  ok: { kind: 'ok', state: 'planned', plan: samplePlan },
  ok_syntactic: {
    kind: 'ok_syntactic',
    state: 'planned',
    plan: {
      ...samplePlan,
      provenance: 'syntactic',
      groups: [
        { ...(samplePlan.groups[0] as PlanView['groups'][number]), edits: [sampleEdit('src/order.ts', 3, 17)] },
        {
          id: 'g-cart',
          title: 'cart',
          provenance: 'text',
          edits: [sampleEdit('src/cart.ts', 3, 17)],
          more: 0,
        },
      ],
    },
    auto_applied: [],
    pending_review: ['g-cart'],
    review_checklist: [{ check: 'the name can be used from elsewhere', groups: ['g-cart'] }],
    review: [
      {
        edit: sampleEdit('src/cart.ts', 3, 17),
        group: 'g-cart',
        tier: 'import_linked',
        risk: 'medium',
        reasons: ['exported'],
        checklist: ['does the import lead to it?'],
        import_chain: [{ file: 'src/cart.ts', line: 1, col: 10, specifier: './order.ts' }],
      },
    ],
    binding: 'not_proven',
  },
  blocked: {
    kind: 'blocked',
    reason: 'not_fresh',
    detail: 'one file is not indexed as it is',
    files: [{ path: 'src/cart.ts', state: 'dirty', why: 'edited a moment ago' }],
    jobs: [{ context: 'typescript:tsconfig.json', status: 'running', detail: '' }],
    retry_after_ms: 2_000,
    suggested_refresh_scope: [{ context: 'typescript:tsconfig.json', files: ['src/cart.ts'] }],
    witness,
    can_force_syntactic: true,
  },
  needs_decision: {
    kind: 'needs_decision',
    plan: asking,
    candidate_sets: [
      {
        name: 'string_reference',
        rule: 'a string',
        item: 'i-1',
        members: [
          {
            id: 'c-rename',
            means: 'rename: rename it here too',
            group: 'g-string',
            evidence: [],
            risk: 'medium',
            reasons: [],
          },
          { id: 'c-leave', means: 'leave: leave it as it is', evidence: [], risk: 'low', reasons: [] },
        ],
        truncated: false,
      },
    ],
    capsules: [],
    witness,
    required_proof: {
      identity: true,
      anchors: [{ file: 'src/order.ts', line: 3, col: 17 }],
      lines: [{ file: 'src/cart.ts', line: 3, col: 49 }],
    },
  },
  refused: {
    kind: 'refused',
    reason: 'capture',
    detail: '`amount` in src/cart.ts would mean the parameter',
    evidence: [
      {
        type: 'scope',
        at: { file: 'src/cart.ts', line: 3, col: 17 },
        text: 'bound to a parameter',
        provenance: 'resolved',
      },
    ],
    alternatives: ['another name'],
  },
  unsupported: {
    kind: 'unsupported',
    reason: 'missing_tool',
    detail: 'gopls is not there',
    install: 'go install golang.org/x/tools/gopls@latest',
    can_force_syntactic: false,
  },
};

export function sampleAnswer(kind: OutcomeKind): Answer {
  return { outcome: outcomes[kind], next: 'do what comes next' };
}

export function sampleApplied(state: 'applied' | 'undone'): Answer {
  return { outcome: { kind: 'ok', state, plan: samplePlan, result }, next: 'reload the files' };
}
