/** Files whose only purpose is to say which version of a runtime is used: version files, `.tool-versions`, mise, `rust-toolchain`, `global.json`, Gradle's daemon. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { objectAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { shown } from '../shared/manifest-facts.ts';
import { manifestLimits, readParsed } from '../shared/probe-reading.ts';

/** `name` is as the file writes it where the file names tools, else the name of the runtime. */
export type RuntimePin = { readonly path: string; readonly name: string; readonly version: string };

type Pinned = readonly { readonly name: string; readonly version: string }[];

/** Files of one line, by the runtime that reads them. */
const versionFiles: ReadonlyMap<string, string> = new Map([
  ['.nvmrc', 'node'],
  ['.node-version', 'node'],
  ['.bun-version', 'bun'],
  ['.dvmrc', 'deno'],
  ['.deno-version', 'deno'],
  ['.python-version', 'python'],
  ['.ruby-version', 'ruby'],
  ['.java-version', 'java'],
  ['.go-version', 'go'],
  ['.php-version', 'php'],
  ['.swift-version', 'swift'],
  ['runtime.txt', 'python'],
]);

const toolFiles = [
  '.tool-versions',
  'mise.toml',
  '.mise.toml',
  '.sdkmanrc',
  'rust-toolchain',
  'rust-toolchain.toml',
  'global.json',
  'gradle-daemon-jvm.properties',
];

export const pinGlobs: readonly string[] = [...versionFiles.keys(), ...toolFiles].map((name) => `**/${name}`);

/** Languages and runtimes; linters, package managers and other tools pin no runtime. */
const runtimeOf: ReadonlyMap<string, string> = new Map([
  ['nodejs', 'node'],
  ['golang', 'go'],
  ['dotnet-core', 'dotnet'],
  ...`node bun deno python ruby go rust java php dotnet erlang elixir kotlin scala groovy clojure swift dart flutter zig crystal nim perl lua
    julia haskell ghc ocaml r`
    .split(/\s+/)
    .map((name): [string, string] => [name, name]),
]);

/** The runtime that a tool's name stands for; undefined for what is none. */
export function runtimeNamed(tool: string): string | undefined {
  return runtimeOf.get(tool.toLowerCase());
}

/** A file that cannot be read pins nothing that could be told. */
export async function readRuntimePins(repo: ProbeRepo): Promise<readonly RuntimePin[]> {
  const pins: RuntimePin[] = [];
  for (const path of repo.inputs.list(pinGlobs).filter((id) => !isForeignManifest(id))) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const pin of await readPins(repo, path, name)) pins.push({ path, ...pin });
  }
  return pins;
}

async function readPins(repo: ProbeRepo, path: string, name: string): Promise<Pinned> {
  if (name.endsWith('.toml')) {
    const { parseToml } = await import('../../kernel/formats/toml.ts');
    const outcome = await readParsed(repo, path, limits.manifestBytes, (bytes) => parseToml(bytes, manifestLimits));
    if (!outcome.ok) return [];
    return name === 'rust-toolchain.toml' ? pinnedByRustup(outcome.value) : pinnedByMise(outcome.value);
  }
  if (name === 'global.json') {
    const { parseJsonc } = await import('../../kernel/formats/parse-json.ts');
    const outcome = await readParsed(repo, path, limits.manifestBytes, (bytes) => parseJsonc(bytes, manifestLimits));
    const version = outcome.ok ? textAt(outcome.value, 'sdk', 'version') : null;
    return version === null ? [] : [{ name: 'dotnet', version: shown(version) }];
  }
  const outcome = await repo.inputs.read(path, limits.textBytes);
  if (outcome.kind !== 'read') return [];
  const text = decodeLenient(outcome.bytes);
  if (name === '.tool-versions') return pinnedByTools(text, /\s+/);
  if (name === '.sdkmanrc') return pinnedByTools(text, /\s*=\s*/);
  if (name === 'gradle-daemon-jvm.properties') {
    const version = /^toolchainVersion[ \t]*[=:][ \t]*(\S{1,40})/m.exec(text)?.[1];
    return version === undefined ? [] : [{ name: 'java', version: shown(version) }];
  }
  if (name === 'rust-toolchain') return pinnedInRustToolchain(text);
  const runtime = versionFiles.get(name);
  const [version] = linesIn(text);
  if (runtime === undefined || version === undefined || version.length > 100) return [];
  // Heroku's file holds other languages, too, and its name says nothing.
  if (name === 'runtime.txt' && !version.startsWith('python-')) return [];
  return [{ name: runtime, version: shown(version) }];
}

function linesIn(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** One tool a line; the first version of several. */
function pinnedByTools(text: string, between: RegExp): Pinned {
  return linesIn(text).flatMap((line) => {
    const [tool = '', version = ''] = line.split(between);
    return runtimeNamed(tool) === undefined || version === '' ? [] : [{ name: tool, version: shown(version) }];
  });
}

/** `node = "20"`, `node = ["20", "18"]`, `node = { version = "20" }`. */
function pinnedByMise(document: JsonObject): Pinned {
  return Object.entries(objectAt(document, 'tools')).flatMap(([tool, value]) => {
    const version = versionIn(value);
    return runtimeNamed(tool) === undefined || version === null ? [] : [{ name: tool, version: shown(version) }];
  });
}

function versionIn(value: Json | undefined): string | null {
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim() || null;
  if (Array.isArray(value)) return versionIn((value as readonly Json[])[0]);
  return isJsonObject(value) ? versionIn(value['version']) : null;
}

function pinnedByRustup(document: JsonObject): Pinned {
  const channel = textAt(document, 'toolchain', 'channel');
  return channel === null ? [] : [{ name: 'rust', version: shown(channel) }];
}

/** The old form is the bare channel, the new one is TOML under the same name. */
function pinnedInRustToolchain(text: string): Pinned {
  const channel = /^\s*channel\s*=\s*['"]([^'"]+)['"]/m.exec(text)?.[1] ?? linesIn(text)[0];
  return channel === undefined || channel.startsWith('[') ? [] : [{ name: 'rust', version: shown(channel) }];
}
