/**
 * Which test framework a repository uses. Evidence has four strengths: a configuration file, a dependency, an import in a test
 * file, the text of a script; within a family of languages the strongest decides. `node:test` needs no installation, so only an
 * import shows that it is used.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import type { TestFamily } from '../shared/count-test-cases.ts';
import { readPyproject } from '../shared/manifest-facts.ts';
import { type Findings, type ManifestContext, readManifest, readOrReport } from '../shared/probe-reading.ts';
import { listInvocations } from '../shared/shell-commands.ts';
import { type E2eFramework, type TestFramework, testFrameworks } from './test-inventory-section.ts';

export const evidenceStrengths = ['config', 'dependency', 'import', 'script'] as const;
type EvidenceStrength = (typeof evidenceStrengths)[number];
/** Where it stands, and what the line holds (null: that the file is there). */
type Shown = { readonly path: string; readonly shows: string | null };
export type FrameworkEvidence = Shown & { readonly framework: TestFramework; readonly strength: EvidenceStrength };

const familyOf: Readonly<Record<TestFramework, TestFamily>> = {
  vitest: 'javascript',
  jest: 'javascript',
  mocha: 'javascript',
  tap: 'javascript',
  ava: 'javascript',
  node_test: 'javascript',
  pytest: 'python',
  django_test: 'python',
  unittest: 'python',
  go_test: 'go',
  cargo_test: 'rust',
  trybuild: 'rust',
  junit: 'java',
  rspec: 'ruby',
  minitest: 'ruby',
  phpunit: 'php',
  pest: 'php',
  xunit: 'dotnet',
  nunit: 'dotnet',
  mstest: 'dotnet',
  exunit: 'elixir',
};

type FrameworkDecision = {
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
  // It runs the cases that are written for the other two.
  const hasPytest = evidence.some(({ framework }) => framework === 'pytest');
  const usable = evidence.filter(
    ({ framework, strength }) =>
      (framework !== 'node_test' || strength === 'import') &&
      !(hasPytest && (framework === 'unittest' || framework === 'django_test')),
  );
  const leaders = new Map<TestFamily, readonly TestFramework[]>();
  for (const family of new Set(usable.map(({ framework }) => familyOf[framework]))) {
    const strongest = evidenceStrengths
      .map((strength) => usable.filter((item) => item.strength === strength && familyOf[item.framework] === family))
      .find((found) => found.length > 0);
    const names: ReadonlySet<TestFramework> = new Set(
      strongest?.map(({ framework }) => framework).filter((one) => one !== 'trybuild'),
    );
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

// Where evidence of a framework is found: names of configuration files, dependencies, imports, scripts. Tables, no decisions.

const configFiles: readonly (readonly [RegExp, TestFramework])[] = [
  [/^vitest\.(?:config|workspace)\./, 'vitest'],
  [/^jest\.config\./, 'jest'],
  [/^\.mocharc/, 'mocha'],
  [/^\.taprc$/, 'tap'],
  [/^ava\.config\./, 'ava'],
  [/^\.?pytest\.ini$|^conftest\.py$/, 'pytest'],
  [/^\.rspec$/, 'rspec'],
  [/^phpunit\.xml(?:\.dist)?$/, 'phpunit'],
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
  ['phpunit/phpunit', 'phpunit'],
  ['pestphp/pest', 'pest'],
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
  ['django.test', 'django_test'],
  ['unittest', 'unittest'],
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

export type E2eEvidence = Shown & { readonly framework: E2eFramework; readonly strength: EvidenceStrength };
type Evidence = { readonly unit: readonly FrameworkEvidence[]; readonly e2e: readonly E2eEvidence[] };

export function evidenceOfConfigFile(path: string): Evidence {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const matching = <T>(table: readonly (readonly [RegExp, T])[]) =>
    table.flatMap(([pattern, framework]) =>
      pattern.test(name) ? [{ framework, strength: 'config' as const, path, shows: null }] : [],
    );
  return { unit: matching(configFiles), e2e: matching(e2eConfigFiles) };
}

function evidenceOfDependencies(names: Iterable<string>, path: string): Evidence {
  const found = <T>(table: ReadonlyMap<string, T>) =>
    [...names].flatMap((name) => {
      const framework = table.get(name);
      return framework === undefined ? [] : [{ framework, strength: 'dependency' as const, path, shows: name }];
    });
  return { unit: found(dependencies), e2e: found(e2eDependencies) };
}

/** Modules that tests import, each with the file that does. */
export function evidenceOfModules(imports: ReadonlyMap<string, string>): FrameworkEvidence[] {
  return [...imports].flatMap(([name, path]) => {
    const framework = modules.get(name);
    return framework === undefined ? [] : [{ framework, strength: 'import' as const, path, shows: name }];
  });
}

/** Scripts of the root's package.json. */
export function evidenceOfScript(script: string): FrameworkEvidence[] {
  return listInvocations(script).flatMap(([program = '', ...rest]): FrameworkEvidence[] => {
    const say = (framework: TestFramework): FrameworkEvidence[] => [
      { framework, strength: 'script', path: 'package.json', shows: program },
    ];
    const named = programs.get(program);
    if (named !== undefined) return say(named);
    if (rest[0] !== 'test') return [];
    return program === 'go' ? say('go_test') : program === 'cargo' ? say('cargo_test') : [];
  });
}

// What package manifests say about testing: dependencies on frameworks, configuration kept in a manifest, scripts of the root.

type TestManifests = {
  readonly unit: FrameworkEvidence[];
  readonly e2e: E2eEvidence[];
  readonly rootScripts: { readonly name: string; readonly command: string }[];
};

/** Keys of package.json that are a framework's configuration. */
const configKeys: readonly TestFramework[] = ['jest', 'mocha', 'ava', 'tap', 'vitest'];

/** A broken package.json is reported; a broken manifest of another ecosystem is another probe's matter and says nothing here. */
export async function readTestManifests(
  repo: ProbeRepo,
  ctx: ManifestContext,
  findings: Findings,
): Promise<TestManifests> {
  const found: TestManifests = { unit: [], e2e: [], rootScripts: [] };
  for (const path of repo.inputs.list(['**/package.json'])) {
    const manifest = await readOrReport(repo, ctx, path, 'package_json', findings);
    if (manifest !== null) addPackageJson(path, manifest, found);
  }
  for (const path of repo.inputs.list(['**/pyproject.toml'])) await addPyproject(repo, ctx, path, found);
  for (const path of repo.inputs.list(['**/composer.json'])) {
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind !== 'read') continue;
    const names = ['require', 'require-dev'].flatMap((key) => Object.keys(objectAt(manifest.value, key)));
    found.unit.push(...evidenceOfDependencies(names, path).unit);
  }
  for (const [globs, framework, strength, pattern] of textualEvidence) {
    for (const path of repo.inputs.list(globs)) {
      const shows = await firstMatch(repo, path, pattern);
      if (shows !== null) found.unit.push({ framework, strength, path, shows });
    }
  }
  return found;
}

const ruby = ['**/Gemfile', '**/*.gemspec'];
const dotnet = ['**/*.{csproj,fsproj,vbproj}'];

/** Manifests whose text is enough: which files, what it shows, how. The group is what the line holds. */
const textualEvidence: readonly (readonly [readonly string[], TestFramework, EvidenceStrength, RegExp])[] = [
  // A compiled list says which package needs it: only what a list of the repository asks for (`via -r`) is meant.
  [
    ['**/requirements*.txt'],
    'pytest',
    'dependency',
    /^ {0,20}(pytest) {0,20}(?:[<>=!~[;#][^\n]*)?$(?!\n +# via (?! |-r)[^\n]*)(?!\n +# via\n(?: +# +(?! |-r)[^\n]*\n)+(?! +#))/im,
  ],
  [['tox.ini', 'setup.cfg'], 'pytest', 'config', /^\[((?:tool:)?pytest)\]/m],
  [['**/pom.xml', '**/build.gradle*'], 'junit', 'dependency', /\b(junit)/i],
  [['**/pom.xml', '**/build.gradle*'], 'junit', 'dependency', /(spring-boot-starter-test)\b/],
  // It is run by the built-in harness, beside other tests.
  [['**/Cargo.toml'], 'trybuild', 'import', /^(?:\[dev-dependencies\.)?(trybuild)\b/m],
  [ruby, 'rspec', 'dependency', /^[^#\n]{0,200}['"](rspec(?:-rails|-core)?)['"]/m],
  [ruby, 'minitest', 'dependency', /^[^#\n]{0,200}['"](minitest)['"]/m],
  [dotnet, 'xunit', 'dependency', /Include="(xunit(?:\.(?:v3|core)[\w.-]{0,40})?)"/i],
  [dotnet, 'nunit', 'dependency', /Include="(NUnit)"/i],
  [dotnet, 'mstest', 'dependency', /(?:Include|Sdk)="(MSTest(?:\.TestFramework|\.Sdk)?)["/]/i],
];

function addPackageJson(path: string, value: JsonObject, found: TestManifests): void {
  const names = ['dependencies', 'devDependencies'].flatMap((key) => Object.keys(objectAt(value, key)));
  const evidence = evidenceOfDependencies(names, path);
  found.unit.push(...evidence.unit);
  found.e2e.push(...evidence.e2e);
  for (const framework of configKeys) {
    if (isJsonObject(value[framework])) found.unit.push({ framework, strength: 'config', path, shows: framework });
  }
  if (path !== 'package.json') return;
  for (const [name, command] of Object.entries(objectAt(value, 'scripts'))) {
    if (typeof command === 'string') found.rootScripts.push({ name, command });
  }
}

async function addPyproject(repo: ProbeRepo, ctx: ManifestContext, path: string, found: TestManifests): Promise<void> {
  const manifest = await readManifest(repo, ctx, path);
  if (manifest.kind !== 'read') return;
  if (member(manifest.value, 'tool', 'pytest') !== undefined)
    found.unit.push({ framework: 'pytest', strength: 'config', path, shows: 'pytest' });
  const facts = readPyproject(manifest.value);
  found.unit.push(...evidenceOfDependencies([...facts.runtime, ...facts.dev], path).unit);
}

async function firstMatch(repo: ProbeRepo, path: string, pattern: RegExp): Promise<string | null> {
  const read = await repo.inputs.read(path, limits.textBytes);
  return read.kind === 'read' ? (pattern.exec(decodeLenient(read.bytes))?.[1] ?? null) : null;
}
