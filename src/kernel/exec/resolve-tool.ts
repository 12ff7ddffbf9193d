/**
 * Name of a tool → the absolute path that is spawned (gather.md §5, rule 3).
 * Order: `tools.<name>.path` of the user's config → a binary of this package's dependencies → PATH without the entries that the
 * analysed repository, or any user of the machine, could have filled.
 *
 * `node` means the user's Node, whose version is a fact about the environment: PATH is asked first, our own pinned binary
 * (which npm puts on PATH too) is only the fallback.
 */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { packageDirectory } from '../base/package-files.ts';
import { compilerVersion, readCompilerVersion } from './compiler-packages.ts';
import type { Tool } from './tools.ts';

export type FoundTool = {
  /** Where it was found: what is shown and compared. */
  readonly path: string;
  /** What is spawned, with the arguments that come before the caller's own. */
  readonly file: string;
  readonly prefix: readonly string[];
};
export type ToolResolution =
  | { readonly kind: 'found'; readonly tool: FoundTool }
  /** `detail` is set where more can be said than that there is none: no other binary replaces one that cannot be used silently. */
  | { readonly kind: 'missing'; readonly detail: string | null };

export type ToolPlaces = {
  readonly root: string;
  /** Filtered PATH entries, in order. */
  readonly pathEntries: readonly string[];
  readonly toolPaths: Readonly<Record<string, string>>;
};

export function resolveTool(name: string, tool: Tool, places: ToolPlaces): ToolResolution {
  const configured = places.toolPaths[name];
  if (configured !== undefined) {
    if (tool.own !== undefined) {
      return { kind: 'missing', detail: `tools.${name}.path cannot be set: ${name} is a part of codegenie.` };
    }
    if (!isAbsolute(configured) || !isExecutableFile(configured)) {
      return { kind: 'missing', detail: `tools.${name}.path is not an executable file.` };
    }
    if (isInside(places.root, configured) || isInside(places.root, realpathSync(configured))) {
      return { kind: 'missing', detail: `tools.${name}.path lies inside the analysed repository.` };
    }
    return found(configured);
  }
  if (tool.own !== undefined) return findOwn(tool.own);
  const shipped = tool.npmPackage === undefined ? undefined : findShipped(tool.npmPackage, tool.binary);
  if (shipped !== undefined) return found(shipped);
  const onPath = listOnPath(tool.binary, places);
  if (name !== 'node')
    return onPath[0] === undefined ? { kind: 'missing', detail: null } : foundOnPath(name, onPath[0]);
  const pinned = realpathSync(process.execPath);
  return found(onPath.find((path) => realpathSync(path) !== pinned) ?? process.execPath);
}

function foundOnPath(name: string, path: string): ToolResolution {
  const behind = findBehindRustup(path);
  if (behind.kind === 'absent') return { kind: 'missing', detail: `rustup's default toolchain has no ${name}.` };
  return found(behind.kind === 'program' ? behind.path : path);
}

/** PATH entries that are absolute, exist, are not writable by every user, and are not inside the analysed repository. */
export function filterPath(path: string | undefined, root: string): readonly string[] {
  const kept: string[] = [];
  for (const entry of (path ?? '').split(delimiter)) {
    if (!isAbsolute(entry) || kept.includes(entry)) continue;
    try {
      const real = realpathSync(entry);
      const stats = statSync(real);
      const writableByAll = process.platform !== 'win32' && (stats.mode & 0o002) !== 0;
      if (stats.isDirectory() && !writableByAll && !isInside(root, real) && !isInside(root, entry)) kept.push(entry);
    } catch {
      // It does not exist or cannot be looked into: nothing can be started from it.
    }
  }
  return kept;
}

export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

function listOnPath(binary: string, places: ToolPlaces): string[] {
  const fileName = process.platform === 'win32' ? `${binary}.exe` : binary;
  return places.pathEntries
    .map((entry) => join(entry, fileName))
    .filter((path) => isExecutableFile(path) && !isInside(places.root, realpathSync(path)));
}

/**
 * A text file without `#!` does not count: the system's own way of starting programs hands such a file to a shell.
 */
function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && programStart.test(readFirstLine(path));
  } catch {
    return false;
  }
}

/** A script with its interpreter, ELF, PE, Mach-O (either byte order, or universal). */
const programStart = /^(?:#!|\x7fELF|MZ|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\xca\xfe\xba\xbe)/;

/**
 * A script for Node runs with the Node that runs us: its own `#!/usr/bin/env node` would depend on PATH, and inside the
 * sandbox that Node may not be visible.
 */
function found(path: string): ToolResolution {
  const script = /^#!\s*(?:\/usr\/bin\/env\s+|\/\S*\/)node\s*$/.test(readFirstLine(path));
  return {
    kind: 'found',
    tool: script ? { path, file: process.execPath, prefix: [path] } : { path, file: path, prefix: [] },
  };
}

/** The same tool with a limit on its heap, where it is a script that we start Node for. */
export function limitHeap(tool: FoundTool, memoryMb: number | undefined): FoundTool {
  const script = tool.file === process.execPath && tool.prefix[0] === tool.path;
  if (memoryMb === undefined || !script) return tool;
  return { ...tool, prefix: [`--max-old-space-size=${Math.floor(memoryMb)}`, ...tool.prefix] };
}

/** At most 256 bytes of the first line; empty if the file cannot be read. */
export function readFirstLine(path: string): string {
  const head = Buffer.alloc(256);
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const length = readSync(file, head, 0, head.length, 0);
      return head.toString('latin1', 0, length).split('\n', 1)[0] ?? '';
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** A clone has the source, the published package what was built of it. Without the compiler it is written for it can do nothing. */
function findOwn({ source, built }: NonNullable<Tool['own']>): ToolResolution {
  const version = readCompilerVersion();
  if (version === undefined)
    return { kind: 'missing', detail: 'The package typescript is not installed for this machine.' };
  if (version !== compilerVersion)
    return { kind: 'missing', detail: `The package typescript is ${version}, and has to be ${compilerVersion}.` };
  const path = [source, built].map((file) => join(packageDirectory, file)).find((file) => existsSync(file));
  return path === undefined
    ? { kind: 'missing', detail: null }
    : { kind: 'found', tool: { path, file: process.execPath, prefix: [path] } };
}

/** Only packages that our own manifest names: what merely lies in a `node_modules` above us may be anything. */
function findShipped(packageName: string, binary: string): string | undefined {
  if (!listOwnDependencies().has(packageName)) return undefined;
  for (let directory = packageDirectory; ; directory = dirname(directory)) {
    const home = join(directory, 'node_modules', packageName);
    if (existsSync(join(home, 'package.json'))) {
      const { bin } = readManifest(join(home, 'package.json')) as { bin?: string | Record<string, string> };
      const file = typeof bin === 'string' ? bin : bin?.[binary];
      const path = file === undefined ? undefined : join(home, file);
      return path !== undefined && isExecutableFile(path) ? path : undefined;
    }
    if (dirname(directory) === directory) return undefined;
  }
}

let ownDependencies: ReadonlySet<string> | undefined;

function listOwnDependencies(): ReadonlySet<string> {
  if (ownDependencies === undefined) {
    const manifest = readManifest(join(packageDirectory, 'package.json')) as Record<string, object | undefined>;
    const kinds = ['dependencies', 'optionalDependencies', 'devDependencies'];
    ownDependencies = new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
  }
  return ownDependencies;
}

function readManifest(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

type RustupProxy =
  | { readonly kind: 'none' }
  | { readonly kind: 'program'; readonly path: string }
  /** The toolchain lacks the component. */
  | { readonly kind: 'absent' };

/**
 * `~/.cargo/bin/rust-analyzer` is rustup under another name: it picks a toolchain by the directory it is started in, and may download one.
 * What is meant is the program of the user's default toolchain, which is found here without starting anything.
 */
function findBehindRustup(path: string): RustupProxy {
  try {
    if (!isRustup(path)) return { kind: 'none' };
    const toolchain = findDefaultToolchain(path);
    if (toolchain === undefined) return { kind: 'absent' };
    const program = join(toolchain, 'bin', basename(path));
    return existsSync(program) ? { kind: 'program', path: program } : { kind: 'absent' };
  } catch {
    return { kind: 'none' };
  }
}

/** `~/.cargo/bin/<any proxy>` → `~/.rustup/toolchains/<default>`. */
export function findDefaultToolchain(proxy: string): string | undefined {
  const home = join(dirname(dirname(dirname(proxy))), '.rustup');
  try {
    const settings = readFileSync(join(home, 'settings.toml'), 'utf8');
    const name = /^default_toolchain\s*=\s*"([A-Za-z0-9._-]+)"/m.exec(settings)?.[1];
    const toolchain = name === undefined ? undefined : join(home, 'toolchains', name);
    return toolchain !== undefined && existsSync(toolchain) ? toolchain : undefined;
  } catch {
    return undefined;
  }
}

/** Proxies are links to rustup, hard or symbolic. */
export function isRustup(path: string): boolean {
  if (basename(realpathSync(path)) === 'rustup') return true;
  const rustup = join(dirname(path), 'rustup');
  if (!existsSync(rustup)) return false;
  const [one, other] = [statSync(path), statSync(rustup)];
  return one.ino === other.ino && one.dev === other.dev;
}
