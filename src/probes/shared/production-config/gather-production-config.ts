/** The run of the production_config probe: every configured file by its format, names and digests only. */

import type { ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJson } from '../../../kernel/formats/parse-json.ts';
import { malformed, type ParseOutcome, parsed, parseText } from '../../../kernel/formats/parse-outcome.ts';
import { parseYamlDocuments } from '../../../kernel/formats/yaml.ts';
import { createFindings, evidenceOf } from '../findings.ts';
import { shortLine } from '../json-access.ts';
import { readParsed } from '../read.ts';
import { type ConfigValue, describeValue } from './config-value.ts';
import { nameEnvironments } from './environment-name.ts';
import { type Environment, findDrift } from './find-drift.ts';
import { flattenSettings, settingsMax } from './flatten-settings.ts';
import { parseDotenv } from './parse-dotenv.ts';

type Settings = {
  readonly keys: readonly ConfigValue[];
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
