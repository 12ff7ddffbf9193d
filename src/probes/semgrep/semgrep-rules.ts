/** Which rules semgrep runs: our own pack, and the files that the user's configuration names. Never a pack of a registry. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, isJsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { languageOf } from '../../languages/file-language.ts';
import { type ConfiguredRule, copyRules, listConfiguredRules, writeScratch } from '../shared/scan-files.ts';
import type { RuleFile } from '../shared/scanners.ts';
import { semgrepRulesCatalog } from './semgrep-catalog.ts';

const key = 'semgrep.config';

/** `p/ci`, `r/…`, `auto` and addresses are fetched; a path is absolute by the time it arrives here, or lies in the repository. */
export function isRegistryPack(entry: string): boolean {
  return /^(?:[prs]\/|auto$|[a-z]+:\/\/|supply-chain$|policy$|code$|secrets$)/.test(entry);
}

const builtinLanguages: ReadonlySet<string> = new Set(['javascript', 'typescript', 'shell', 'dockerfile', 'yaml']);

/** May a built-in rule look at it? A file without an extension can be a script by its first line. */
export function isForBuiltin(path: string): boolean {
  const language = languageOf(path);
  return language === null ? !/[^/]\.[^./]+$/.test(path) : builtinLanguages.has(language);
}

/** Semgrep goes by the ending and, for scripts that may be executed, by the first line: `Dockerfile.prod` and `a.mts` it passes over. */
export function endingFor(path: string, text: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const language = languageOf(path);
  if (language === 'typescript') return /\.tsx?$/.test(name) ? '' : '.ts';
  if (language === 'dockerfile') return /(?:^|\.)[Dd]ockerfile$/.test(name) ? '' : '.dockerfile';
  if (language === 'shell') return /\.(?:ba)?sh$/.test(name) ? '' : '.sh';
  if (language !== null) return '';
  const program = /^#![^\n]{0,200}?\b(sh|bash|dash|ash|ksh|zsh|node)\b/.exec(text)?.[1];
  return program === undefined ? '' : program === 'node' ? '.js' : '.sh';
}

/** The rule files that there are now, by names that do not depend on the machine. */
export function listSemgrepRules(repo: ProbeRepo): RuleFile[] {
  const builtin = { name: 'builtin.yml', hash: `blake3:${blake3Hex(canonicalJson(semgrepRulesCatalog))}` };
  return [builtin, ...listUserRules(repo).map(({ name, hash }) => ({ name: `user/${name}`, hash }))];
}

function listUserRules(repo: ProbeRepo): ConfiguredRule[] {
  // What is refused keeps its place, so that the others keep theirs.
  const paths = repo.config[key].map((entry) => (isRegistryPack(entry) ? '\0' : entry));
  return listConfiguredRules(repo, key, paths).filter(({ name }) => paths[Number.parseInt(name, 10)] !== '\0');
}

type WrittenRules = {
  /** Directories to give to the tool. */
  readonly directories: readonly string[];
  readonly rules: number;
  readonly isBuiltinOnly: boolean;
  readonly refused: readonly string[];
  readonly unreadable: readonly string[];
};

export async function writeSemgrepRules(repo: ProbeRepo, workspace: string): Promise<WrittenRules> {
  // JSON is YAML.
  writeScratch(workspace, 'builtin/rules.yml', JSON.stringify({ rules: semgrepRulesCatalog.rules }));
  const { copied, unreadable } = await copyRules(repo, listUserRules(repo), { workspace, folder: 'user' });
  return {
    directories: [`${workspace}/builtin`, ...(copied.length === 0 ? [] : [`${workspace}/user`])],
    rules: semgrepRulesCatalog.rules.length + (await countRules(repo, copied)),
    isBuiltinOnly: copied.length === 0,
    refused: repo.config[key].filter(isRegistryPack),
    unreadable,
  };
}

async function countRules(repo: ProbeRepo, rules: readonly ConfiguredRule[]): Promise<number> {
  if (rules.length === 0) return 0;
  const { parseYaml } = await import('../../kernel/formats/yaml.ts');
  let count = 0;
  for (const { id } of rules) {
    const read = await repo.inputs.read(id, limits.yamlCatalogBytes);
    if (read.kind !== 'read') continue;
    const parsed = parseYaml(read.bytes, { maxBytes: limits.yamlCatalogBytes, maxDepth: limits.parseDepth });
    const listed = parsed.ok && isJsonObject(parsed.value) ? parsed.value['rules'] : undefined;
    if (Array.isArray(listed)) count += listed.length;
  }
  return count;
}
