/** Bundlers by the packages a manifest depends on; the one its build script calls is the bundler. */

import type { JsonObject } from '../../kernel/base/json.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { namesIn } from './manifest-facts.ts';

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
