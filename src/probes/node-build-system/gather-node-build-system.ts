/** Bundlers by the packages a manifest depends on; the one its build script calls is the bundler. */

import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { namesIn } from '../shared/manifest-facts.ts';

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
// one must not choose a key of ours. Aliases are names too, so `paths` becomes a list.

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
