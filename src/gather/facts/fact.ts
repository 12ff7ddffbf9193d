/**
 * A fact: one addressable statement about the repository, derived from a section (gather.md §15).
 * A probe declares which facts it states beside its section (`<probe>-facts.ts`); an id is declared once, by one probe. What is stated
 * here is not yet believed: the engine checks the evidence of every fact before it is published (`state-facts.ts`).
 */

import type { Json } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';

/** `none`: looked, and there is nothing. `unknown`: looked, and could not tell. `not_looked`: no probe looked. */
const factStates = ['known', 'none', 'unknown', 'not_looked'] as const;
type FactState = (typeof factStates)[number];

export const factSchema = z.strictObject({
  id: z.string(),
  /** `.` the repository, a directory, a file, `file#part`, or a word that the id declares. */
  scope: z.string(),
  state: z.enum(factStates),
  /** Null unless the state is `known`. */
  value: z.json(),
  /** Null where nothing is claimed: `unknown`, `not_looked`. */
  confidence: z.enum(['high', 'medium', 'low']).nullable(),
  /** `path:line`; the line holds the value, or the token that the rule declares. */
  evidence: z.array(z.string()),
  /** Why it is believed, and in what it could be wrong. */
  how: z.string(),
});
export type Fact = Readonly<z.output<typeof factSchema>>;

/** A report asks for them in several places; a document is not changed once it is made. */
const factsRead = new WeakMap<readonly unknown[], readonly Fact[]>();

/** Facts that were stated in this process, or that a schema has just let through, need no second look. */
export function trustFacts(facts: readonly Fact[]): readonly Fact[] {
  factsRead.set(facts, facts);
  return facts;
}

export function areTrusted(facts: readonly Fact[]): boolean {
  return factsRead.get(facts) === facts;
}

/** The facts of a document as it lies on disk, which may hold anything: what is no fact is left out. */
export function readFacts(envelope: unknown): readonly Fact[] {
  const held = (envelope as { readonly facts?: unknown } | null | undefined)?.facts;
  if (!Array.isArray(held)) return [];
  const before = factsRead.get(held);
  if (before !== undefined) return before;
  const facts = held.flatMap((one) => {
    const fact = factSchema.safeParse(one);
    return fact.success ? [fact.data] : [];
  });
  factsRead.set(held, facts);
  return facts;
}

/** Why a fact could be wrong: the only table from which confidences come. */
export const reasons = {
  declared: { confidence: 'high', says: 'the repository says so in a syntax made for it' },
  looked: { confidence: 'high', says: 'every place where it could stand was looked at' },
  counted: { confidence: 'high', says: 'every file in scope was counted' },
  follows: { confidence: 'medium', says: 'follows from several files taken together' },
  convention: { confidence: 'medium', says: 'what the toolchain does where nothing says otherwise' },
  incomplete: {
    confidence: 'low',
    says: 'some of what would be looked at could not be read, or is not understood yet',
  },
  resembles: { confidence: 'low', says: 'looks like it by name or by content' },
} as const satisfies Readonly<
  Record<string, { readonly confidence: NonNullable<Fact['confidence']>; readonly says: string }>
>;
type Reason = keyof typeof reasons;

/**
 * What a reader can look up. Without `line` the line that shows it best is taken: one that begins with it, else one that has it as a word.
 * `shows` is what the line must hold, one of several where there is a choice, the best first; without it, the value itself.
 * `shows: null`: that the file is there is the evidence; `null` as the last of several: it is where no line shows any of them.
 */
export type Claim = {
  readonly path: string;
  readonly line?: number | undefined;
  readonly shows?: string | readonly (string | null)[] | null | undefined;
};

export type Statement = {
  readonly scope: string;
  readonly state: Exclude<FactState, 'not_looked'>;
  readonly value: Json;
  readonly because: Reason;
  readonly evidence: readonly Claim[];
  /** One clause about this fact: where it was read, by which rule. */
  readonly how: string;
};

type About = { readonly because: Reason; readonly how: string; readonly evidence?: readonly Claim[] };

export function known(scope: string, value: Json, about: About): Statement {
  return { scope, state: 'known', value, ...about, evidence: about.evidence ?? [] };
}

export function none(scope: string, about: About): Statement {
  return { scope, state: 'none', value: null, ...about, evidence: about.evidence ?? [] };
}

export function unknown(scope: string, about: About): Statement {
  return { scope, state: 'unknown', value: null, ...about, evidence: about.evidence ?? [] };
}

/** A list is known where it has an item, and none where it was looked for and is empty. */
export function listed(scope: string, items: readonly Json[], about: About): Statement {
  return items.length === 0 ? none(scope, about) : known(scope, items, about);
}

export const componentKinds = [
  'app',
  'service',
  'library',
  'cli',
  'package',
  'example',
  'benchmark',
  'test',
  'docs',
  'infrastructure',
  'vendored',
  'generated',
] as const;
export type ComponentKind = (typeof componentKinds)[number];

/** A part of the tree that other facts belong to. What lies in no component belongs to `.`. */
export type Component = {
  readonly dir: string;
  readonly name: string | null;
  readonly kind: ComponentKind;
  readonly language: string | null;
  readonly manifests: readonly string[];
};

/** What the tree consists of, for rules that say whose fact it is. */
export type Spine = {
  /** By directory, in code-unit order; empty where no probe looked. */
  readonly components: readonly Component[];
};

/**
 * How a scope is answered that no probe stated, from what was stated of others: `items` takes what lies below it from the list of the
 * repository; `sum` and `union` put together what was stated below it; `only` takes the single fact below it; `above` takes the nearest
 * directory around it.
 */
type Rollup = 'items' | 'sum' | 'union' | 'only' | 'above';

export type FactRule = {
  readonly id: string;
  /** What it means, one sentence. */
  readonly says: string;
  /** Of what it is asked. */
  readonly of: string;
  /** The shape of a known value. */
  readonly value: z.ZodType;
  /** What is read for it. */
  readonly from: string;
  readonly rollup?: Rollup | undefined;
  /** A probe that finds nothing to look at has looked: `.` is `none` then. */
  readonly noneWithoutSection?: true | undefined;
  readonly section: string;
  readonly state: (slice: Readonly<Record<string, Json>>, spine: Spine) => readonly Statement[];
};

type SectionRule<S> = Omit<FactRule, 'section' | 'state'> & {
  readonly state: (section: S, spine: Spine) => readonly Statement[];
};

/** The facts of one section. A slice that is given here has passed the section's schema. */
export function factsOf<S extends z.ZodType>(
  section: string,
  _schema: S,
  rules: readonly SectionRule<z.output<S>>[],
): readonly FactRule[] {
  return rules.map(({ state, ...rule }) => ({
    ...rule,
    section,
    state: (slice, spine) => state(slice[section] as z.output<S>, spine),
  }));
}

/** The component that a path belongs to: the deepest around it; undefined for what lies in none. */
export function componentAround({ components }: Spine, path: string): Component | undefined {
  let deepest: Component | undefined;
  for (const component of components) {
    if (!isWithin(path, component.dir)) continue;
    if (deepest === undefined || component.dir.length >= deepest.dir.length) deepest = component;
  }
  return deepest;
}

/** What stands in an example, a benchmark, a test or the documentation is never a fact of the product. */
export function isProduct({ kind }: Pick<Component, 'kind'>): boolean {
  return kind === 'app' || kind === 'service' || kind === 'library' || kind === 'cli' || kind === 'package';
}

export function isWithin(path: string, directory: string): boolean {
  return directory === '.' || path === directory || path.startsWith(`${directory}/`);
}
