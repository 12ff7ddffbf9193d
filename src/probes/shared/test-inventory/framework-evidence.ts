/** Where evidence of a framework is found: names of configuration files, dependencies, imports, scripts. Tables, no decisions. */

import { listInvocations } from '../shell-commands.ts';
import type { EvidenceStrength, FrameworkEvidence, TestFramework } from './test-frameworks.ts';

export const e2eFrameworks = ['playwright', 'cypress'] as const;
export type E2eFramework = (typeof e2eFrameworks)[number];

const configFiles: readonly (readonly [RegExp, TestFramework])[] = [
  [/^vitest\.(?:config|workspace)\./, 'vitest'],
  [/^jest\.config\./, 'jest'],
  [/^\.mocharc/, 'mocha'],
  [/^\.taprc$/, 'tap'],
  [/^ava\.config\./, 'ava'],
  [/^\.?pytest\.ini$|^conftest\.py$/, 'pytest'],
];
const e2eConfigFiles: readonly (readonly [RegExp, E2eFramework])[] = [
  [/^playwright\.config\./, 'playwright'],
  [/^cypress\.(?:config\..*|json)$/, 'cypress'],
];
const dependencies: ReadonlyMap<string, TestFramework> = new Map([
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['jest-cli', 'jest'],
  ['ts-jest', 'jest'],
  ['mocha', 'mocha'],
  ['tap', 'tap'],
  ['ava', 'ava'],
  ['pytest', 'pytest'],
]);
const e2eDependencies: ReadonlyMap<string, E2eFramework> = new Map([
  ['@playwright/test', 'playwright'],
  ['cypress', 'cypress'],
]);
const modules: ReadonlyMap<string, TestFramework> = new Map([
  ['vitest', 'vitest'],
  ['@jest/globals', 'jest'],
  ['mocha', 'mocha'],
  ['tap', 'tap'],
  ['ava', 'ava'],
  ['node:test', 'node_test'],
  ['pytest', 'pytest'],
  ['org.junit', 'junit'],
]);
const programs: ReadonlyMap<string, TestFramework> = new Map([
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['tap', 'tap'],
  ['ava', 'ava'],
  ['pytest', 'pytest'],
]);

export type E2eEvidence = { readonly framework: E2eFramework; readonly strength: EvidenceStrength };
export type Evidence = { readonly unit: readonly FrameworkEvidence[]; readonly e2e: readonly E2eEvidence[] };

export function evidenceOfConfigFile(path: string): Evidence {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const matching = <T>(table: readonly (readonly [RegExp, T])[]) =>
    table.flatMap(([pattern, framework]) => (pattern.test(name) ? [{ framework, strength: 'config' as const }] : []));
  return { unit: matching(configFiles), e2e: matching(e2eConfigFiles) };
}

export function evidenceOfDependencies(names: Iterable<string>): Evidence {
  const found = <T>(table: ReadonlyMap<string, T>) =>
    [...names].flatMap((name) => {
      const framework = table.get(name);
      return framework === undefined ? [] : [{ framework, strength: 'dependency' as const }];
    });
  return { unit: found(dependencies), e2e: found(e2eDependencies) };
}

export function evidenceOfModules(names: Iterable<string>): FrameworkEvidence[] {
  return [...names].flatMap((name) => {
    const framework = modules.get(name);
    return framework === undefined ? [] : [{ framework, strength: 'import' as const }];
  });
}

export function evidenceOfScript(script: string): FrameworkEvidence[] {
  return listInvocations(script).flatMap(([program = '', ...rest]): FrameworkEvidence[] => {
    const named = programs.get(program);
    if (named !== undefined) return [{ framework: named, strength: 'script' }];
    if (program === 'go' && rest[0] === 'test') return [{ framework: 'go_test', strength: 'script' }];
    return program === 'cargo' && rest[0] === 'test' ? [{ framework: 'cargo_test', strength: 'script' }] : [];
  });
}
