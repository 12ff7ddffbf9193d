/** The run of node_build_system: manager, workspaces, scripts, bundler, TypeScript options and Node versions put together. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { namesIn, shown, textMember } from '../shared/manifest-facts.ts';
import { listOutputArtifacts, readPackageManager, readWorkspaceMembers } from '../shared/node-packages.ts';
import { createFindings, evidenceOf, type Findings, readOrReport } from '../shared/probe-reading.ts';
import { type ResolvedTsconfig, resolvePrimaryTsconfig } from '../shared/tsconfig.ts';
import { askLocalNode, compareNodeVersions, readPinnedNode } from './node-version.ts';

const maxCommands = 500;

const maxCommandChars = 2_000;

const managerWarnings = {
  multi_lockfile: 'package_manager.multi_lockfile',
  declaration_lockfile_disagree: 'package_manager.declaration_lockfile_disagree',
  yarn_variant_inferred: 'node_build_system.yarn_variant_inferred',
  field_unparseable: 'node_build_system.package_manager_field_unparseable',
} as const;

export async function gatherNodeBuildSystem(repo: ProbeRepo, ctx: ProbeContext<never>): Promise<ProbeOutput> {
  const findings = createFindings();
  const rootManifest = await readOrReport(repo, ctx, 'package.json', 'package_json', findings);
  const manager = await readPackageManager(repo, rootManifest?.['packageManager']);
  for (const note of manager.notes) findings.warn(managerWarnings[note]);

  const isMonorepo = ctx.upstream['language_detection']?.value !== null;
  const members = isMonorepo ? await readWorkspaceMembers(repo, ctx, rootManifest, manager.manager, findings) : [];
  const tsconfig = await resolvePrimaryTsconfig(repo, ctx);
  const engines = rootManifest?.['engines'];
  const versions = {
    pinned: await readPinnedNode(repo, ctx, rootManifest, findings),
    constraint: isJsonObject(engines) ? textMember(engines, 'node') : null,
    resolved: await askLocalNode(repo, ctx, findings),
  };
  await compareNodeVersions(versions, findings);

  const packages = [{ directory: '.', manifest: rootManifest ?? {} }, ...members];
  return {
    kind: 'ran',
    slice: {
      build_system: {
        package_manager: manager.manager,
        package_manager_version: manager.version,
        lockfile: manager.lockfile,
        additional_lockfiles: manager.additionalLockfiles,
        workspaces: members
          .map((member) => ({ name: textMember(member.manifest, 'name'), path: member.directory }))
          .sort((a, b) => compareCodeUnits(a.name ?? '', b.name ?? '') || compareCodeUnits(a.path, b.path)),
        commands: listCommands(rootManifest),
        ...findBundlers(packages.map((each) => each.manifest)),
        typescript: tsconfig === null ? null : renderTypescript(tsconfig, findings),
        node_version_pinned: versions.pinned,
        node_version_constraint: versions.constraint,
        node_version_resolved_locally: versions.resolved,
        output_artifacts: listOutputArtifacts(packages, tsconfig?.options ?? {}),
      },
    },
    confidence: judge(findings),
    ...findings.report(),
    evidence: evidenceOf(repo, ['package.json', manager.lockfile, ...(tsconfig?.chain ?? [])]),
  };
}

function judge(findings: Findings): Confidence {
  if (findings.hasErrors() || findings.warned('package_manager.multi_lockfile')) return 'low';
  return findings.warned('package_manager.declaration_lockfile_disagree') ? 'medium' : 'high';
}

function listCommands(manifest: JsonObject | null): { name: string; command: string }[] {
  const scripts = manifest?.['scripts'];
  if (!isJsonObject(scripts)) return [];
  return Object.entries(scripts)
    .flatMap(([name, command]) =>
      typeof command === 'string'
        ? [{ name: shown(name), command: truncate(singleLine(command), maxCommandChars) }]
        : [],
    )
    .sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.command, b.command))
    .slice(0, maxCommands);
}

function renderTypescript(tsconfig: ResolvedTsconfig, findings: Findings): JsonObject {
  for (const problem of tsconfig.problems) {
    if (problem.kind === 'failed') findings.failed('tsconfig', problem.path, problem.failure);
    else findings.warn(`tsconfig.${problem.kind}`, { path: problem.path, detail: problem.detail });
  }
  const { shown: options, unknown } = renderCompilerOptions(tsconfig.options);
  if (unknown > 0) findings.warn('tsconfig.options_unknown', { path: tsconfig.path, detail: `${unknown} left out` });
  return {
    compiler_options_path: singleLine(tsconfig.path),
    resolved_compiler_options: options,
    extends_chain: tsconfig.chain.map(singleLine),
  };
}

/** Package → bundler, most specific first: a wrapper says more than the engine below it. */
const byPackage: readonly (readonly [name: string, bundler: string])[] = [
  ['tsup', 'tsup'],
  ['tsdown', 'tsdown'],
  ['unbuild', 'unbuild'],
  ['@vercel/ncc', 'ncc'],
  ['vite', 'vite'],
  ['@rspack/core', 'rspack'],
  ['@rspack/cli', 'rspack'],
  ['webpack', 'webpack'],
  ['parcel', 'parcel'],
  ['microbundle', 'microbundle'],
  ['rolldown', 'rolldown'],
  ['rollup', 'rollup'],
  ['esbuild', 'esbuild'],
  ['browserify', 'browserify'],
];

export function findBundlers(manifests: readonly JsonObject[]): {
  readonly bundler: string | null;
  readonly bundlers: readonly string[];
} {
  const dependencies = new Set(
    manifests.flatMap((manifest) => [...namesIn(manifest['dependencies']), ...namesIn(manifest['devDependencies'])]),
  );
  const inUse = [...new Set(byPackage.filter(([name]) => dependencies.has(name)).map(([, bundler]) => bundler))];
  const buildWords = new Set(manifests.flatMap(wordsOfBuildScript));
  const bundler = inUse.find((each) => buildWords.has(each)) ?? inUse[0] ?? null;
  return { bundler, bundlers: [...inUse].sort() };
}

function wordsOfBuildScript(manifest: JsonObject): readonly string[] {
  const scripts = manifest['scripts'];
  const build = isJsonObject(scripts) ? scripts['build'] : undefined;
  return typeof build === 'string' ? build.slice(0, 4096).split(/[\s;&|()'"]+/) : [];
}

// Compiler options as a slice may show them: the names are the compiler's own, a closed set, because a repository that invents
// one must not choose a key of the section. Aliases are names too, so `paths` becomes a list.

const maxItems = 500;
const maxChars = 300;

/** Known options in name order, and how many others were left out. */
export function renderCompilerOptions(options: JsonObject): { readonly shown: JsonObject; readonly unknown: number } {
  const names = Object.keys(options).sort(compareCodeUnits);
  const known = names.filter((name) => optionNames.has(name));
  const shown = known.map((name): [string, Json] => [name, renderOption(name, options[name] as Json)]);
  return { shown: Object.fromEntries(shown), unknown: names.length - known.length };
}

function renderOption(name: string, value: Json): Json {
  if (name === 'paths') return renderPaths(value);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).slice(0, maxItems);
    return items.map((item) => (isJsonObject(item) ? renderScalar(item['name'] ?? null) : renderScalar(item)));
  }
  return renderScalar(value);
}

function renderPaths(value: Json): Json {
  if (!isJsonObject(value)) return null;
  return Object.entries(value)
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .slice(0, maxItems)
    .map(([pattern, targets]) => ({
      pattern: clean(pattern),
      targets: Array.isArray(targets) ? (targets as readonly Json[]).slice(0, maxItems).map(renderScalar) : [],
    }));
}

/** No option of the compiler is an object, `paths` aside: whatever else is nested is not passed on. */
function renderScalar(value: Json): Json {
  if (typeof value === 'string') return clean(value);
  return typeof value === 'object' ? null : value;
}

function clean(text: string): string {
  return truncate(singleLine(text), maxChars);
}

const optionNames: ReadonlySet<string> = new Set(
  `allowArbitraryExtensions allowImportingTsExtensions allowJs allowSyntheticDefaultImports allowUmdGlobalAccess
  allowUnreachableCode allowUnusedLabels alwaysStrict assumeChangesOnlyAffectDirectDependencies baseUrl charset checkJs composite
  customConditions declaration declarationDir declarationMap diagnostics disableReferencedProjectLoad disableSizeLimit
  disableSolutionSearching disableSourceOfProjectReferenceRedirect downlevelIteration emitBOM emitDeclarationOnly
  emitDecoratorMetadata erasableSyntaxOnly esModuleInterop exactOptionalPropertyTypes experimentalDecorators explainFiles
  extendedDiagnostics forceConsistentCasingInFileNames generateCpuProfile generateTrace importHelpers importsNotUsedAsValues
  incremental inlineSourceMap inlineSources isolatedDeclarations isolatedModules jsx jsxFactory jsxFragmentFactory
  jsxImportSource keyofStringsOnly lib libReplacement listEmittedFiles listFiles mapRoot maxNodeModuleJsDepth module
  moduleDetection moduleResolution moduleSuffixes newLine noCheck noEmit noEmitHelpers noEmitOnError noErrorTruncation
  noFallthroughCasesInSwitch noImplicitAny noImplicitOverride noImplicitReturns noImplicitThis noImplicitUseStrict noLib
  noPropertyAccessFromIndexSignature noResolve noStrictGenericChecks noUncheckedIndexedAccess noUncheckedSideEffectImports
  noUnusedLocals noUnusedParameters out outDir outFile paths plugins preserveConstEnums preserveSymlinks preserveValueImports
  preserveWatchOutput pretty reactNamespace removeComments resolveJsonModule resolvePackageJsonExports resolvePackageJsonImports
  rewriteRelativeImportExtensions rootDir rootDirs skipDefaultLibCheck skipLibCheck sourceMap sourceRoot stableTypeOrdering
  strict strictBindCallApply strictBuiltinIteratorReturn strictFunctionTypes strictNullChecks strictPropertyInitialization
  stripInternal suppressExcessPropertyErrors suppressImplicitAnyIndexErrors target traceResolution tsBuildInfoFile typeRoots
  types useDefineForClassFields useUnknownInCatchVariables verbatimModuleSyntax`.split(/\s+/),
);
