/**
 * Configuration files: which files feed import resolution or a context (code-plane.md §2, "Config epoch"), and how their values
 * are read. A change of any of them, or its coming or going, asks every import again; resolvers may therefore use them without
 * naming them as candidates. A value of the wrong shape counts as no value.
 */

import { limits } from '../../kernel/base/limits.ts';
import type { ParseLimits, ParseOutcome } from '../../kernel/formats/parse-outcome.ts';
import type { ResolveWorld } from './resolution.ts';
import { baseNameOf } from './root-paths.ts';

export function isConfigFile(path: string): boolean {
  const name = baseNameOf(path);
  if (names.has(name) || patterns.test(name) || sharedTsconfig.test(path)) return true;
  return path === '.codegenie/contexts.json' || /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path);
}

const names: ReadonlySet<string> = new Set([
  // JavaScript and TypeScript; tsconfig, jsconfig and declaration maps are patterns
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.json',
  'deno.jsonc',
  'deno.lock',
  'lerna.json',
  // Python
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'Pipfile',
  'Pipfile.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pyrightconfig.json',
  // Go
  'go.mod',
  'go.sum',
  'go.work',
  'go.work.sum',
  // Rust
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain',
  'rust-toolchain.toml',
  // Java, Kotlin, Scala; *.gradle* is a pattern
  'pom.xml',
  'gradle.properties',
  'gradle.lockfile',
  'build.sbt',
  // C#; projects and solutions are patterns
  'Directory.Build.props',
  'Directory.Build.targets',
  'Directory.Packages.props',
  'packages.lock.json',
  'global.json',
  // C and C++
  'compile_commands.json',
  'compile_flags.txt',
  // PHP
  'composer.json',
  'composer.lock',
  // Ruby; *.gemspec is a pattern
  'Gemfile',
  'Gemfile.lock',
  'gems.rb',
  'gems.locked',
]);

const patterns =
  /(?:^|\.|-)(?:ts|js)config(?:[.\-_][^/]*)?\.json$|\.d\.[cm]?ts\.map$|\.gradle(?:\.[^/]*)?$|\.(?:cs|fs|vb)proj$|\.slnx?$|\.gemspec$/;

/** Packages that hold bases for others to extend, under any name: `packages/typescript-config/base.json`. */
const sharedTsconfig = /(?:^|\/)[^/]*(?:tsconfig|typescript-config)[^/]*\/[^/]+\.json$/;

/** `null` where there is no such file or it cannot be parsed. */
export function readConfigWith<T>(
  world: ResolveWorld,
  path: string,
  parse: (bytes: Uint8Array, limits: ParseLimits) => ParseOutcome<T>,
  maxBytes: number = limits.manifestBytes,
): T | null {
  const bytes = world.readConfig(path);
  if (bytes === undefined) return null;
  const outcome = parse(bytes, { maxBytes, maxDepth: limits.parseDepth });
  return outcome.ok ? outcome.value : null;
}
