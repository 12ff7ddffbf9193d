/**
 * The SDK behind an indexer: where it lies, which version it is, where its package cache is. Found by looking at files that every
 * installation has; nothing is started. Undefined: the indexer cannot work without it and it is not there.
 */

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findDefaultToolchain, isRustup } from '../../../kernel/exec/resolve-tool.ts';
import { findOnPath, type Machine, safePath } from './machine.ts';

type Found = Readonly<Record<string, string>>;

/** `VERSION` of a Go root begins with `go1.26.8`. */
export function findGo(machine: Machine): Found | undefined {
  const go = findOnPath('go', machine);
  if (go === undefined) return undefined;
  const root = dirname(dirname(realpathSync(go)));
  const version = /^go[0-9][A-Za-z0-9.]*/.exec(readText(join(root, 'VERSION')))?.[0];
  if (version === undefined) return undefined;
  const settings = readGoSettings(machine);
  const path = machine.environment['GOPATH'] ?? settings.get('GOPATH') ?? below(machine, 'go');
  const cache =
    machine.environment['GOMODCACHE'] ?? settings.get('GOMODCACHE') ?? joinIf(path?.split(':')[0], 'pkg/mod');
  return { GOROOT: root, GOVERSION: version, GOMODCACHE: cache !== undefined && existsSync(cache) ? cache : '' };
}

/** What `go env -w` has written. */
function readGoSettings(machine: Machine): ReadonlyMap<string, string> {
  const file = machine.environment['GOENV'] ?? below(machine, '.config/go/env');
  const lines = file === undefined ? [] : readText(file).split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, key, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()]];
    }),
  );
}

/** The toolchain itself, never rustup's proxies: they choose by directory, and download. */
export function findRust(machine: Machine): Found | undefined {
  const cargo = findOnPath('cargo', machine);
  if (cargo === undefined) return undefined;
  const toolchain = isRustup(cargo) ? findDefaultToolchain(cargo) : dirname(dirname(realpathSync(cargo)));
  if (toolchain === undefined || !existsSync(join(toolchain, 'bin/rustc'))) return undefined;
  const home = machine.environment['CARGO_HOME'] ?? below(machine, '.cargo');
  return {
    RUST_TOOLCHAIN: toolchain,
    RUST_VERSION: readRustVersion(toolchain),
    CARGO_REGISTRY: existing(joinIf(home, 'registry')),
    CARGO_GIT: existing(joinIf(home, 'git')),
    PATH: safePath(machine),
  };
}

/** The library that the compiler is has its build in its name. */
function readRustVersion(toolchain: string): string {
  const manifest = readText(join(toolchain, 'lib/rustlib/multirust-channel-manifest.toml')).slice(0, 65_536);
  const version =
    /\[pkg\.rustc\]\s*version = "([^"]+)"/.exec(manifest)?.[1] ?? /^date = "([^"]+)"/m.exec(manifest)?.[1];
  return version ?? 'unknown';
}

/** `release` of a JDK has `JAVA_VERSION="17.0.9"`. */
export function findJava(machine: Machine): Found | undefined {
  const java = findOnPath('java', machine);
  const home =
    machine.environment['JAVA_HOME'] ?? (java === undefined ? undefined : dirname(dirname(realpathSync(java))));
  if (home === undefined || !existsSync(join(home, 'bin/java'))) return undefined;
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(readText(join(home, 'release')))?.[1] ?? 'unknown';
  return {
    JAVA_HOME: home,
    JAVA_VERSION: version,
    GRADLE_USER_HOME: existing(machine.environment['GRADLE_USER_HOME'] ?? below(machine, '.gradle')),
    MAVEN_REPOSITORY: existing(below(machine, '.m2/repository')),
    PATH: safePath(machine),
  };
}

export function findDotnet(machine: Machine): Found | undefined {
  const dotnet = findOnPath('dotnet', machine);
  if (dotnet === undefined) return undefined;
  return {
    DOTNET_ROOT: dirname(realpathSync(dotnet)),
    NUGET_PACKAGES: existing(machine.environment['NUGET_PACKAGES'] ?? below(machine, '.nuget/packages')),
    PATH: safePath(machine),
  };
}

function below(machine: Machine, path: string): string | undefined {
  return joinIf(machine.environment['HOME'], path);
}

function joinIf(directory: string | undefined, path: string): string | undefined {
  return directory === undefined || directory === '' ? undefined : join(directory, path);
}

function existing(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? path : '';
}

/** Empty for what cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
