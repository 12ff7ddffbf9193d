/**
 * Which rules are run: our own, and those of the project that `ast_grep.config` names, a `sgconfig.yml` or a directory of rules.
 * Those are copied beside a configuration that we write: the repository's own one is never read.
 */

import { dirname, posix } from 'node:path';
import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { languageOf } from '../../languages/file-language.ts';
import { type ConfiguredRule, copyRules, writeScratch } from '../shared/scan-files.ts';
import type { RuleFile } from '../shared/scanners.ts';
import { astGrepRulesCatalog, builtInVersion } from './ast-grep-catalog.ts';

const key = 'ast_grep.config';
const configName = 'sgconfig.yml';

/** The rule files that there are now, by names that do not depend on the machine, and the version of what runs them. */
export async function listAstGrepRules(
  repo: ProbeRepo,
  exec: ProbeContext<never>['exec'],
): Promise<{ readonly engine: string; readonly rules: readonly RuleFile[] }> {
  const catalog = canonicalJson(astGrepRulesCatalog as unknown as Json);
  const builtin = { name: `builtin ${builtInVersion}`, hash: `blake3:${blake3Hex(catalog)}` };
  const user = listUserFiles(repo).map(({ name, hash }) => ({ name: `user/${name}`, hash }));
  const engine = user.length === 0 ? 'built-in' : (await exec.toolVersion('ast-grep')).version;
  return { engine, rules: [builtin, ...user] };
}

/** Every YAML file in or below the directory of the named configuration, that file included. */
function listUserFiles(repo: ProbeRepo): ConfiguredRule[] {
  const named = repo.inputs.fingerprint(`config:${key}:0`);
  const isFile = named !== undefined && named.kind === 'file';
  const directory = isFile ? dirname(named.path) : repo.config[key].replace(/\/$/, '');
  if (directory === repo.root || directory === '') return [];
  const files = new Map<string, ConfiguredRule>();
  for (const id of repo.inputs.list()) {
    const fingerprint = repo.inputs.fingerprint(id);
    const below = /^config:ast_grep\.config:0\/(.+)$/.exec(id)?.[1];
    const path = fingerprint?.path ?? '';
    const name = below ?? (path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined);
    if (name === undefined || fingerprint?.kind !== 'file' || !/\.ya?ml$/.test(name)) continue;
    files.set(name, { id, name, hash: fingerprint.contentHash });
  }
  return [...files.values()];
}

type UserRules = {
  /** For the program; undefined where there is no rule that it could run. */
  readonly config: string | undefined;
  /** A configuration is there of which no rule can be seen. */
  readonly withoutRules: boolean;
  readonly unreadable: readonly string[];
};

const builtinLanguages: ReadonlySet<string> = new Set(['javascript', 'typescript', 'python', 'go']);

/** May a built-in rule look at it? */
export function isForBuiltin(path: string): boolean {
  const language = languageOf(path);
  return language !== null && builtinLanguages.has(language);
}

export async function writeUserRules(repo: ProbeRepo, workspace: string): Promise<UserRules> {
  const files = listUserFiles(repo);
  const settings = await readSettings(repo, files);
  const rules = files.filter(
    ({ name }) => name !== configName && isBelow(name, [...settings.ruleDirs, ...settings.utilDirs]),
  );
  const { copied, unreadable } = await copyRules(repo, rules, { workspace, folder: 'user' });
  const has = (folder: string) => copied.some(({ name }) => isBelow(name, [folder]));
  const place = (folder: string) => posix.join('user', folder);
  const config: JsonObject = {
    ruleDirs: settings.ruleDirs.filter(has).map(place),
    ...(settings.utilDirs.some(has) ? { utilDirs: settings.utilDirs.filter(has).map(place) } : {}),
    ...(settings.languageGlobs === undefined ? {} : { languageGlobs: settings.languageGlobs }),
  };
  return {
    config: copied.length === 0 ? undefined : writeScratch(workspace, configName, JSON.stringify(config)),
    withoutRules: files.length > 0 && copied.length === 0,
    unreadable,
  };
}

type Settings = {
  readonly ruleDirs: readonly string[];
  readonly utilDirs: readonly string[];
  readonly languageGlobs: JsonObject | undefined;
};

/** Of the user's configuration what says where rules are and what they are for; nothing that loads native code. */
async function readSettings(repo: ProbeRepo, files: readonly ConfiguredRule[]): Promise<Settings> {
  const everything: Settings = { ruleDirs: ['.'], utilDirs: [], languageGlobs: undefined };
  const config = files.find(({ name }) => name === configName);
  if (config === undefined) return everything;
  const read = await repo.inputs.read(config.id, limits.yamlCatalogBytes);
  if (read.kind !== 'read') return everything;
  const { parseYaml } = await import('../../kernel/formats/yaml.ts');
  const parsed = parseYaml(read.bytes, { maxBytes: limits.yamlCatalogBytes, maxDepth: limits.parseDepth });
  if (!parsed.ok || !isJsonObject(parsed.value)) return everything;
  const { ruleDirs, utilDirs, languageGlobs } = parsed.value;
  return {
    ruleDirs: folders(ruleDirs) ?? ['.'],
    utilDirs: folders(utilDirs) ?? [],
    languageGlobs: isJsonObject(languageGlobs) ? languageGlobs : undefined,
  };
}

/** Folders below the configuration; a path that leads out of it names nothing that we know the bytes of. */
function folders(value: Json | undefined): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as readonly Json[])
    .filter((item) => typeof item === 'string')
    .map((item) => posix.normalize(item).replace(/\/$/, ''))
    .filter((item) => !item.startsWith('..') && !item.startsWith('/'));
}

function isBelow(name: string, directories: readonly string[]): boolean {
  return directories.some((directory) => directory === '.' || name.startsWith(`${directory}/`));
}
