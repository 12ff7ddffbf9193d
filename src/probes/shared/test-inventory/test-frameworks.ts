/**
 * Which test framework a repository uses. Evidence has four strengths: a configuration file, a dependency, an import in a test
 * file, the text of a script; within a family of languages the strongest decides. `node:test` needs no installation, so only an
 * import shows that it is used.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';

export const testFrameworks = [
  'vitest',
  'jest',
  'mocha',
  'tap',
  'ava',
  'node_test',
  'pytest',
  'go_test',
  'cargo_test',
  'junit',
] as const;
export type TestFramework = (typeof testFrameworks)[number];
export type TestFamily = 'javascript' | 'python' | 'go' | 'rust' | 'java';

export const evidenceStrengths = ['config', 'dependency', 'import', 'script'] as const;
export type EvidenceStrength = (typeof evidenceStrengths)[number];
export type FrameworkEvidence = { readonly framework: TestFramework; readonly strength: EvidenceStrength };

const familyOf: Readonly<Record<TestFramework, TestFamily>> = {
  vitest: 'javascript',
  jest: 'javascript',
  mocha: 'javascript',
  tap: 'javascript',
  ava: 'javascript',
  node_test: 'javascript',
  pytest: 'python',
  go_test: 'go',
  cargo_test: 'rust',
  junit: 'java',
};

export type FrameworkDecision = {
  readonly framework: TestFramework | null;
  readonly frameworks: readonly TestFramework[];
  /** Two frameworks of one family with equal evidence. */
  readonly ambiguous: boolean;
};

/** Of several families the one with most test files speaks for the repository. */
export function decideFramework(
  evidence: readonly FrameworkEvidence[],
  filesByFamily: ReadonlyMap<TestFamily, number>,
): FrameworkDecision {
  const usable = evidence.filter(({ framework, strength }) => framework !== 'node_test' || strength === 'import');
  const leaders = new Map<TestFamily, readonly TestFramework[]>();
  for (const family of new Set(usable.map(({ framework }) => familyOf[framework]))) {
    const strongest = evidenceStrengths
      .map((strength) => usable.filter((item) => item.strength === strength && familyOf[item.framework] === family))
      .find((found) => found.length > 0);
    const names = new Set(strongest?.map(({ framework }) => framework));
    leaders.set(
      family,
      testFrameworks.filter((framework) => names.has(framework)),
    );
  }
  const [first] = [...leaders].sort(
    ([a, [leaderOfA]], [b, [leaderOfB]]) =>
      (filesByFamily.get(b) ?? 0) - (filesByFamily.get(a) ?? 0) || rank(leaderOfA) - rank(leaderOfB),
  );
  const firm = usable.filter(({ strength }) => strength !== 'script');
  return {
    framework: first?.[1][0] ?? null,
    frameworks: [...new Set((firm.length > 0 ? firm : usable).map(({ framework }) => framework))].sort(
      compareCodeUnits,
    ),
    ambiguous: (first?.[1].length ?? 0) > 1,
  };
}

function rank(framework: TestFramework | undefined): number {
  return framework === undefined ? testFrameworks.length : testFrameworks.indexOf(framework);
}
