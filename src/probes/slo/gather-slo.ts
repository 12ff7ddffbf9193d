/** The run of the slo probe. Files that are named as objectives must be some; rule files need not. */

import type { Confidence, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseYamlDocuments } from '../../kernel/formats/yaml.ts';
import { createFindings, evidenceOf } from '../shared/probe-reading.ts';
import { readBurnRateRules, readOpenSlo, readSloth } from './slo-formats.ts';
import { type Objective, ruleFileGlobs, sloFileGlobs } from './slo-section.ts';

const readers = [readOpenSlo, readSloth, readBurnRateRules];
/** A rule file without these has no burn-rate alert. */
const ruleHint = /burn|budget/i;
const objectivesMax = 2_000;

export async function gatherSlo(repo: ProbeRepo): Promise<ProbeOutput> {
  const ruleFiles = new Set(repo.inputs.list(ruleFileGlobs));
  const named = new Set(repo.inputs.list(sloFileGlobs));
  const findings = createFindings();
  const objectives: Objective[] = [];
  let usable = 0;
  let unusable = 0;
  for (const path of repo.inputs.list()) {
    // A rule file need not hold an objective, even one that configuration names.
    const mustBe = named.has(path) || !ruleFiles.has(path);
    const read = await repo.inputs.read(path, limits.yamlBytes);
    if (read.kind === 'absent') continue;
    if (read.kind === 'read' && !mustBe && !ruleHint.test(Buffer.from(read.bytes).toString('latin1'))) continue;
    const outcome =
      read.kind === 'failed'
        ? { ok: false as const, failure: read.failure }
        : parseYamlDocuments(read.bytes, { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth });
    if (!outcome.ok) {
      if (!mustBe) continue;
      unusable += 1;
      findings.warn('slo.parse_error', { path, detail: outcome.failure.kind });
      continue;
    }
    const found = outcome.value.flatMap((document) => {
      const read = readers.map((reader) => reader(document)).find((result) => result !== undefined);
      return read === undefined ? [] : [read];
    });
    if (found.length === 0 && mustBe) {
      unusable += 1;
      findings.warn('slo.unrecognized_format', { path });
    } else if (found.length > 0) usable += 1;
    objectives.push(...found.flat().map((objective) => ({ ...objective, path })));
  }
  if (objectives.length === 0 && unusable === 0) {
    return { kind: 'skipped', reason: 'not_configured', detail: 'no objective in any file' };
  }
  if (objectives.length > objectivesMax) findings.warn('slo.truncated', { detail: `${objectives.length} objectives` });
  objectives.sort(
    (a, b) =>
      compareCodeUnits(a.service ?? '', b.service ?? '') ||
      compareCodeUnits(a.name, b.name) ||
      compareCodeUnits(a.path, b.path),
  );
  const confidence: Confidence = unusable === 0 ? 'high' : usable > 0 ? 'medium' : 'low';
  return {
    kind: 'ran',
    slice: { slo: { objectives: objectives.slice(0, objectivesMax) } },
    confidence,
    ...findings.report(),
    evidence: evidenceOf(
      repo,
      objectives.map(({ path }) => path),
    ),
  };
}
