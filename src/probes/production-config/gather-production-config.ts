/** The run of the production_config probe: every configured file by its format, names and digests only. */

import type { ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, isJsonObject, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseJson } from '../../kernel/formats/parse-json.ts';
import { malformed, type ParseOutcome, parsed, parseText } from '../../kernel/formats/parse-outcome.ts';
import { parseYamlDocuments } from '../../kernel/formats/yaml.ts';
import { isSecretAssignment } from '../../kernel/secrets/assignment.ts';
import { secretNamePart } from '../../kernel/secrets/patterns.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { createFindings, evidenceOf, readParsed } from '../shared/probe-reading.ts';
import { parseDotenv } from './dotenv.ts';
import type { ConfigValue, Drift, Environment } from './production-config-section.ts';

type Settings = {
  readonly keys: ConfigValue[];
  readonly badLines: readonly number[];
  readonly complete: boolean;
};

const caps = { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth };

export async function gatherProductionConfig(repo: ProbeRepo): Promise<ProbeOutput> {
  const paths = repo.inputs.list();
  if (paths.length === 0) {
    return { kind: 'skipped', reason: 'not_configured', detail: 'production_config.files names no file that exists' };
  }
  const names = nameEnvironments(paths);
  const findings = createFindings();
  const environments: Environment[] = [];
  for (const path of paths) {
    const outcome = await readParsed(repo, path, caps.maxBytes, (bytes) => readSettings(path, bytes));
    if ('absent' in outcome) continue;
    if (!outcome.ok) {
      findings.warn('production_config.parse_error', { path, detail: outcome.failure.kind });
      continue;
    }
    const { keys, badLines, complete } = outcome.value;
    for (const line of badLines) findings.warn('production_config.parse_error', { path, line });
    if (!complete)
      findings.warn('production_config.parse_error', { path, detail: `more than ${settingsMax} settings` });
    environments.push({ name: shortLine(names.get(path) ?? path, 200), path, keys });
  }
  environments.sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.path, b.path));
  const clean = !findings.warned('production_config.parse_error');
  return {
    kind: 'ran',
    slice: { production_config: { environments, drift: findDrift(environments) } },
    confidence: clean ? 'high' : environments.length > 0 ? 'medium' : 'low',
    ...findings.report(),
    evidence: evidenceOf(repo, paths),
  };
}

function readSettings(path: string, bytes: Uint8Array): ParseOutcome<Settings> {
  if (/\.json$/i.test(path)) {
    const outcome = parseJson(bytes, caps);
    return outcome.ok ? parsed(fromDocuments([outcome.value])) : outcome;
  }
  if (/\.ya?ml$/i.test(path)) {
    const outcome = parseYamlDocuments(bytes, caps);
    return outcome.ok ? parsed(fromDocuments(outcome.value)) : outcome;
  }
  const text = parseText(bytes, caps);
  if (!text.ok) return text;
  const { entries, badLines } = parseDotenv(text.value);
  if (entries.length === 0 && badLines.length > 0) return malformed('no assignment', badLines[0]);
  const keys = entries
    .slice(0, settingsMax)
    .map(({ name, value, raw }) => describeValue(shortLine(name, 200), value, raw));
  return parsed({ keys: sortKeys(keys), badLines, complete: entries.length <= settingsMax });
}

function fromDocuments(documents: readonly Parameters<typeof flattenSettings>[0][]): Settings {
  const byName = new Map<string, ConfigValue>();
  let complete = true;
  for (const document of documents) {
    const flat = flattenSettings(document);
    complete &&= flat.complete;
    for (const { name, value } of flat.settings) {
      const shown = shortLine(name, 300);
      byName.set(shown, describeValue(shown, value));
    }
  }
  return { keys: sortKeys([...byName.values()]), badLines: [], complete };
}

function sortKeys(keys: readonly ConfigValue[]): ConfigValue[] {
  return [...keys].sort((a, b) => compareCodeUnits(a.name, b.name));
}

// Which environment a configuration file is for, by its name: `.env.production`, `values-prod.yaml`, `config/staging.json`.

const generic = new Set([
  '',
  'env',
  'config',
  'configuration',
  'values',
  'settings',
  'application',
  'appsettings',
  'default',
]);

export function environmentOf(path: string): string {
  const names = path.split('/');
  const base = (names.at(-1) ?? '').replace(/^\.+/, '');
  const stem = base.replace(/\.(?:ya?ml|json|env|properties|conf)$/i, '');
  const own = stem.replace(/^(?:env|config|configuration|values|settings|application|appsettings)[-_.]/i, '');
  if (!generic.has(own.toLowerCase())) return own;
  return names.at(-2) ?? 'default';
}

/** Two files for one environment keep their paths as names: otherwise they could not be told apart. */
export function nameEnvironments(paths: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(environmentOf(path), (counts.get(environmentOf(path)) ?? 0) + 1);
  return new Map(paths.map((path) => [path, counts.get(environmentOf(path)) === 1 ? environmentOf(path) : path]));
}

// One setting of an environment without its value: where the value comes from, and a digest by which two environments can be
// compared. A digest of a short secret can be guessed by trying, so whatever might be one has none.

const secretName = new RegExp(
  `${secretNamePart}|passphrase|pwd|credential|auth|dsn|connection[_-]?string|salt|signing|session[_-]?key|access[_-]?key|cert|cookie|pepper|seed`,
  'i',
);

/** The value is elsewhere: all of it. */
const wholeReference =
  /^(?:\$\{[^{}]*\}|\$[A-Za-z_][A-Za-z0-9_]*|\$\([^()]*\)|\$?\{\{[^{}]*\}\}|<%[^%]*%>|%[A-Za-z_][A-Za-z0-9_]*%|@[A-Za-z_][A-Za-z0-9_.]*@)$/;
const storeReference =
  /^(?:(?:vault|op|ssm|secretsmanager|gcp-?sm|sm|akv|azurekeyvault|sops|ref\+[a-z0-9]+|awssm|doppler|infisical|keyvault|secretref):?(?:\/\/|:)|arn:aws[a-z-]*:(?:secretsmanager|ssm):|projects\/[^/]{1,100}\/secrets\/)/i;
/** Part of it is. */
const placeholder = /\$\{|\$\(|\{\{|<%|\$[A-Za-z_]/;

/** Longer values are judged by their beginning. */
const judgedChars = 4_096;

export function describeValue(name: string, value: string, raw = false): ConfigValue {
  const judged = value.slice(0, judgedChars);
  if (!raw && (wholeReference.test(judged) || storeReference.test(judged))) {
    return { name, kind: 'reference', value_digest: null };
  }
  if (!raw && placeholder.test(judged)) return { name, kind: 'templated', value_digest: null };
  return { name, kind: 'literal', value_digest: maybeSecret(name, value) ? null : blake3Hex(value) };
}

function maybeSecret(name: string, value: string): boolean {
  if (value === '') return false;
  if (secretName.test(name) || isSecretAssignment(name, value)) return true;
  return redactString(value, { entropy: true }).findings.length > 0;
}

// A nested document as settings with dotted names; positions in lists are numbers.

type Setting = { readonly name: string; readonly value: string };

/** Above any real configuration; the rest is left out, which a warning says. */
const settingsMax = 5_000;

function flattenSettings(document: Json): { readonly settings: readonly Setting[]; readonly complete: boolean } {
  const settings: Setting[] = [];
  let complete = true;
  const visit = (value: Json, name: string): void => {
    if (settings.length >= settingsMax) {
      complete = false;
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).entries()) visit(item, join(name, String(index)));
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) visit(value[key] as Json, join(name, shortLine(key, 100)));
    } else if (name !== '') settings.push({ name, value: value === null ? '' : String(value) });
  };
  visit(document, '');
  return { settings, complete };
}

function join(name: string, key: string): string {
  return name === '' ? key : `${name}.${key}`;
}

// Settings in which environments differ: missing in some, with another literal, or from another kind of source. Secrets and
// references count as equal: their values are not known. `environments` are those that have the setting.

export function findDrift(environments: readonly Environment[]): Drift[] {
  if (environments.length < 2) return [];
  const seen = new Map<string, { readonly environments: string[]; readonly forms: Set<string> }>();
  for (const environment of environments) {
    for (const { name, kind, value_digest } of environment.keys) {
      const known = seen.get(name) ?? { environments: [], forms: new Set<string>() };
      known.environments.push(environment.name);
      known.forms.add(`${kind} ${value_digest}`);
      seen.set(name, known);
    }
  }
  return [...seen]
    .filter(([, { environments: having, forms }]) => having.length < environments.length || forms.size > 1)
    .map(([key, { environments: having }]) => ({ key, environments: having.sort(compareCodeUnits) }))
    .sort((a, b) => compareCodeUnits(a.key, b.key));
}
