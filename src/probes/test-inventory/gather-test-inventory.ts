/** The run of the test_inventory probe: count, find the framework, read coverage, judge. */

import { posix } from 'node:path';
import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import type { z } from '../../kernel/base/schema.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { type CountedFile, countCases } from '../shared/count-test-cases.ts';
import { createFindings, evidenceOf } from '../shared/probe-reading.ts';
import { findSmokeFile, isSmokeTest, isUnitTest, smokeFileGlobs, smokePathIn } from '../shared/shell-commands.ts';
import { readCoverage } from './coverage-totals.ts';
import {
  decideFramework,
  type E2eEvidence,
  evidenceOfConfigFile,
  evidenceOfModules,
  evidenceOfScript,
  evidenceStrengths,
  type FrameworkEvidence,
  readTestManifests,
} from './test-frameworks.ts';
import {
  configNameGlobs,
  type E2eFramework,
  e2eFrameworks,
  type TestFramework,
  type testInventorySection,
} from './test-inventory-section.ts';

type Command = { readonly name: string; readonly command: string };

export async function gatherTestInventory(repo: ProbeRepo, ctx: ProbeContext<'coverage.paths'>): Promise<ProbeOutput> {
  const findings = createFindings();
  const manifests = await readTestManifests(repo, ctx, findings);
  const commands = listTestCommands(ctx.upstream['node_build_system']?.value ?? null, manifests.rootScripts);
  const counted = await countCases(repo, ctx.signal, { byLine: true });
  if (counted.files.length === 0 && commands.length === 0) return { kind: 'skipped', reason: 'not_applicable' };

  const configFiles = repo.inputs.list(configNameGlobs);
  const configs = configFiles.map(evidenceOfConfigFile);
  const unit: FrameworkEvidence[] = [
    ...configs.flatMap((evidence) => evidence.unit),
    ...manifests.unit,
    ...evidenceOfModules(counted.libraries),
    ...commands.flatMap(({ command }) => evidenceOfScript(command)),
    ...evidenceOfFiles(counted.files),
  ];
  const [manage] = repo.inputs.list(['**/manage.py']);
  // Bases of cases come from the applications as well; what runs them is Django's own command.
  const isPython = ({ framework }: FrameworkEvidence) => /^(?:pytest|django_test|unittest)$/.test(framework);
  if (manage !== undefined && counted.filesByFamily.has('python') && !unit.some(isPython))
    unit.push({ framework: 'django_test', strength: 'import', path: manage, shows: null });
  const decision = decideFramework(unit, counted.filesByFamily);
  const e2eEvidence = [...configs.flatMap((evidence) => evidence.e2e), ...manifests.e2e];
  const e2e = decideE2e(e2eEvidence);
  const coverage = await readCoverage(repo, ctx.config['coverage.paths']);

  for (const { id, path, detail } of coverage.warnings) findings.warn(id, { path, detail });
  if (decision.ambiguous) findings.warn('test_framework.ambiguous');
  if (e2e.ambiguous) findings.warn('e2e_framework.ambiguous');
  if (counted.files.length === 0) findings.warn('test_inventory.no_tests_found');
  return {
    kind: 'ran',
    slice: {
      test_inventory: {
        framework: decision.framework,
        frameworks: decision.frameworks,
        e2e_framework: e2e.framework,
        framework_evidence: listEvidence([
          ...unit.filter(({ framework }) => decision.frameworks.includes(framework)),
          ...e2eEvidence,
        ]),
        unit_test_file_count: counted.files.length,
        directories: byDirectory(counted.files),
        test_case_count: counted.cases,
        commands,
        smoke_test_path: smokePath(repo, commands),
        coverage_data: coverage.data as unknown as Json,
      },
    },
    confidence: judge(findings.hasErrors(), counted, decision),
    ...findings.report(),
    evidence: evidenceOf(repo, [...configFiles, coverage.data.path]),
  };
}

/** These come with their compiler or interpreter: a test file is all the evidence there is. */
const bundled: readonly (readonly [RegExp, TestFramework])[] = [
  [/_test\.go$/, 'go_test'],
  [/\.rs$/, 'cargo_test'],
  [/_test\.exs$/, 'exunit'],
  // Ruby brings it along, and Rails is built on it.
  [/(?:^|\/)test\/.*_test\.rb$/, 'minitest'],
];

function evidenceOfFiles(files: readonly CountedFile[]): FrameworkEvidence[] {
  // Specs beside them run what is called a test, too.
  const hasSpecs = files.some(({ path }) => path.endsWith('_spec.rb'));
  return bundled
    .filter(([, framework]) => framework !== 'minitest' || !hasSpecs)
    .flatMap(([pattern, framework]) => {
      // One for each part of the tree: what a component is tested with is asked, too.
      const parts = new Map(
        files
          .filter((file) => pattern.test(file.path))
          .map(({ path }) => [path.split('/').slice(0, -1).slice(0, 2).join('/'), path] as const)
          .reverse(),
      );
      return [...parts.values()]
        .reverse()
        .map((path) => ({ framework, strength: 'import' as const, path, shows: null }));
    });
}

/** Once for each framework and directory. */
function listEvidence(evidence: readonly (FrameworkEvidence | E2eEvidence)[]) {
  const found = new Map<string, { framework: TestFramework | E2eFramework; path: string; shows: string | null }>();
  for (const { framework, path, shows } of evidence) {
    const key = `${framework} ${posix.dirname(path)}`;
    if (!found.has(key)) found.set(key, { framework, path, shows });
  }
  return [...found.values()].sort(
    (a, b) => compareCodeUnits(a.path, b.path) || compareCodeUnits(a.framework, b.framework),
  );
}

function byDirectory(files: readonly CountedFile[]): z.output<typeof testInventorySection>['directories'] {
  const directories = new Map<string, CountedFile[]>();
  for (const file of files) {
    const path = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '.';
    directories.set(path, [...(directories.get(path) ?? []), file]);
  }
  return [...directories]
    .map(([path, held]) => ({
      path,
      files: held.length,
      inline: held.filter(({ inline }) => inline).length,
      sample: held[0]?.path ?? path,
      cases: {
        value: held.reduce((sum, { cases }) => sum + cases, 0),
        relation: held.every(({ exact }) => exact) ? ('eq' as const) : ('gte' as const),
      },
    }))
    .sort((a, b) => compareCodeUnits(a.path, b.path));
}

function judge(
  hasErrors: boolean,
  counted: { readonly files: readonly CountedFile[]; readonly cases: { readonly value: number } },
  decision: { readonly framework: string | null; readonly ambiguous: boolean },
): Confidence {
  if (hasErrors || counted.files.length === 0) return 'low';
  return decision.framework === null || decision.ambiguous || counted.cases.value === 0 ? 'medium' : 'high';
}

/** Scripts that test: by name, or by what they start. */
function listTestCommands(upstream: Json, rootScripts: readonly Command[]): Command[] {
  const given = listAt({ commands: upstream }, 'commands').flatMap((entry) => {
    const name = textAt(entry, 'name');
    const command = textAt(entry, 'command');
    return name === null || command === null ? [] : [{ name, command }];
  });
  return (given.length > 0 ? given : rootScripts)
    .filter(({ name, command }) => testScriptName.test(name) || isUnitTest(command) || isSmokeTest(command))
    .map(({ name, command }) => ({ name: shortLine(name, 200), command: shortLine(command) }))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

const testScriptName = /(?:^|[:_.-])(?:tests?|spec|e2e|smoke|coverage|vitest|jest)(?:[:_.-]|$)/;

function decideE2e(evidence: readonly E2eEvidence[]): {
  readonly framework: E2eFramework | null;
  readonly ambiguous: boolean;
} {
  for (const strength of evidenceStrengths) {
    const found = new Set(evidence.filter((item) => item.strength === strength).map(({ framework }) => framework));
    const [first] = e2eFrameworks.filter((framework) => found.has(framework));
    if (first !== undefined) return { framework: first, ambiguous: found.size > 1 };
  }
  return { framework: null, ambiguous: false };
}

function smokePath(repo: ProbeRepo, commands: readonly Command[]): string | null {
  for (const { name, command } of commands) {
    const path = name.includes('smoke') || isSmokeTest(command) ? smokePathIn(command, '') : null;
    if (path !== null) return shortLine(path);
  }
  return findSmokeFile(repo.inputs.list(smokeFileGlobs));
}
