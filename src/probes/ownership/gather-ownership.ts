/** The run of the ownership probe: the first CODEOWNERS file wins, the others are named; the service catalog stands beside it. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { parseText } from '../../kernel/formats/parse-outcome.ts';
import { createFindings, evidenceOf, type Findings, readParsed } from '../shared/probe-reading.ts';
import { type Codeowners, type Forge, measureCoverage, parseCodeowners } from './codeowners.ts';
import { CATALOG_PATH, codeownersPaths } from './ownership-section.ts';

/** GitHub does not load larger files. */
const CODEOWNERS_BYTES = 3 * 1024 * 1024;
const nobody: Codeowners = { entries: [], problems: [] };

export async function gatherOwnership(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<'ownership.files'>, 'signal'>,
): Promise<ProbeOutput> {
  const present = listSources(repo);
  if (present.length === 0 && !repo.inputs.has(CATALOG_PATH)) {
    return { kind: 'skipped', reason: 'not_configured', detail: 'no CODEOWNERS and no catalog-info.yaml' };
  }
  const findings = createFindings();
  const [source = null, ...others] = present;
  if (others.length > 0) findings.warn('ownership.additional_codeowners_present');
  const { entries, problems } = source === null ? nobody : await readCodeowners(repo, source, findings);
  for (const { kind, line } of problems) findings.warn(`ownership.${kind}`, { path: source ?? '', line });
  for (const entry of entries) {
    if (entry.owners.length === 0 && !entry.excludes)
      findings.warn('ownership.empty_owners', { path: source ?? '', line: entry.line });
  }
  const files = repo.scope.files.map(({ path }) => path);
  const section = {
    source_path: source,
    entries: entries.map(({ pattern, owners, line, section: name }) => ({
      pattern: shortLine(pattern, 1_000),
      owners: owners.map((owner) => shortLine(owner, 200)),
      line_number: line,
      section: name === null ? null : shortLine(name, 200),
    })),
    coverage: await measureCoverage(entries, files, ctx.signal),
    catalog: await readCatalog(repo, findings),
    also_present: others,
  };
  const report = findings.report();
  const unclean = report.warnings.some(
    (id) => id !== 'ownership.empty_owners' && id !== 'ownership.additional_codeowners_present',
  );
  return {
    kind: 'ran',
    slice: { ownership: section },
    confidence: unclean ? 'medium' : 'high',
    ...report,
    evidence: evidenceOf(repo, [source, CATALOG_PATH]),
  };
}

function listSources(repo: ProbeRepo): string[] {
  const known = codeownersPaths.filter((path) => repo.inputs.has(path));
  const configured = repo.inputs
    .list()
    .filter(
      (id) => id !== CATALOG_PATH && !codeownersPaths.includes(id) && repo.inputs.fingerprint(id)?.kind !== 'name',
    );
  return [...known, ...configured];
}

async function readCodeowners(repo: ProbeRepo, path: string, findings: Findings): Promise<Codeowners> {
  const outcome = await readParsed(repo, path, CODEOWNERS_BYTES, (bytes) =>
    parseText(bytes, { maxBytes: CODEOWNERS_BYTES }),
  );
  if (outcome.ok) return parseCodeowners(outcome.value, forgeOf(path));
  if ('absent' in outcome) return nobody;
  const tooLarge = outcome.failure.kind === 'size_cap_exceeded';
  findings.warn(tooLarge ? 'ownership.size_cap_exceeded' : 'ownership.unreadable', {
    path,
    detail: outcome.failure.kind,
  });
  return nobody;
}

function forgeOf(path: string): Forge {
  return path.startsWith('.github/') ? 'github' : path.startsWith('.gitlab/') ? 'gitlab' : 'either';
}

/** Backstage's catalog: what it says of the component, or of the first entity that has an owner. */
async function readCatalog(repo: ProbeRepo, findings: Findings) {
  if (!repo.inputs.has(CATALOG_PATH)) return null;
  const { parseYamlDocuments } = await import('../../kernel/formats/yaml.ts');
  const outcome = await readParsed(repo, CATALOG_PATH, limits.yamlCatalogBytes, (bytes) =>
    parseYamlDocuments(bytes, { maxBytes: limits.yamlCatalogBytes, maxDepth: limits.parseDepth }),
  );
  if ('absent' in outcome) return null;
  if (!outcome.ok) {
    findings.warn('ownership.catalog_parse_error', { path: CATALOG_PATH, detail: outcome.failure.kind });
    return null;
  }
  const entity =
    outcome.value.find((document) => textAt(document, 'kind') === 'Component') ??
    outcome.value.find((document) => textAt(document, 'spec', 'owner') !== null);
  if (entity === undefined) return null;
  const text = (value: string | null) => (value === null ? null : shortLine(value, 200));
  const system =
    textAt(entity, 'kind') === 'System' ? textAt(entity, 'metadata', 'name') : textAt(entity, 'spec', 'system');
  return {
    system: text(system),
    owner: text(textAt(entity, 'spec', 'owner')),
    lifecycle: text(textAt(entity, 'spec', 'lifecycle')),
  };
}
