/** Runs grype on a bill of materials, in the sandbox, with its database readable and no network. */

import type { Json, JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { writeAtomically } from '../../kernel/base/write-file.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import type { ImagePackage, PackageType, Reach } from '../sbom/sbom-section.ts';
import { failedWith, outcomeOfProcess, type ScannerOutcome, skippedFor } from '../shared/scanners.ts';
import type { CveContext } from './cve-databases.ts';
import { type CveFinding, severityOfWord } from './cve-findings.ts';
import { type FixState, fixStates } from './cve-section.ts';

export type GrypeRun =
  | { readonly kind: 'read'; readonly findings: readonly CveFinding[]; readonly document: JsonObject }
  | { readonly kind: 'failed'; readonly outcome: ScannerOutcome };

const outputBytes = 64 * 1024 * 1024;

export async function runGrype(
  ctx: CveContext,
  request: { readonly bill: Uint8Array; readonly packages: readonly ImagePackage[]; readonly timeoutS: number },
): Promise<GrypeRun> {
  const file = `${ctx.workspace}/sbom.json`;
  writeAtomically(file, request.bill, { durable: false });
  const database = ctx.config['cve.grype_db_dir'];
  // Not `--quiet`: with it a failure has no words, and a missing database looks like any other.
  const outcome = await ctx.exec.runExternalCli(['grype', `sbom:${file}`, '-o', 'json'], {
    cwd: ctx.workspace,
    timeoutS: request.timeoutS,
    maxStdoutBytes: outputBytes,
    readable: [file, database],
    envExtra: { GRYPE_DB_CACHE_DIR: database },
  });
  const unusual = outcomeOfProcess(outcome);
  if (unusual !== null) return { kind: 'failed', outcome: unusual };
  if (outcome.kind !== 'exited' || outcome.code !== 0) {
    const [code, stderr] = outcome.kind === 'exited' ? [outcome.code, outcome.stderr] : [-1, Buffer.alloc(0)];
    const lacksDatabase = /vulnerability (?:db|database)|database does not exist|unable to (?:load|open) db/i.test(
      stderr.toString('latin1'),
    );
    return { kind: 'failed', outcome: lacksDatabase ? skippedFor('db_unavailable') : failedWith(code, stderr) };
  }
  const parsed = parseJsonObject(outcome.stdout, { maxBytes: outputBytes, maxDepth: 64 });
  const findings = parsed.ok ? convertGrype(parsed.value, request.packages) : null;
  if (!parsed.ok || findings === null)
    return { kind: 'failed', outcome: failedWith(0, outcome.stderr, 'invalid_json') };
  return { kind: 'read', findings, document: withoutGrypeRun(parsed.value) };
}

/** Null for a document that is not grype's. */
export function convertGrype(document: JsonObject, packages: readonly ImagePackage[]): CveFinding[] | null {
  if (!Array.isArray(document['matches'])) return null;
  const reach = new Map<string, { readonly type: PackageType; readonly reach: Reach }>();
  for (const each of packages) {
    const key = `${each.name}\0${each.version}`;
    if (reach.get(key)?.reach !== 'loaded') reach.set(key, { type: each.type, reach: each.reach });
  }
  return listAt(document, 'matches').flatMap((match) => {
    const id = cveIdOf(match);
    const name = textAt(match, 'artifact', 'name');
    const version = textAt(match, 'artifact', 'version') ?? '';
    if (id === null || name === null) return [];
    const known = reach.get(`${name}\0${version}`);
    const fixes = textsOf(listAt(match, 'vulnerability', 'fix', 'versions'));
    return [
      {
        cve_id: shortLine(id, 100),
        package_name: shortLine(name),
        package_version: shortLine(version),
        package_type: known?.type ?? 'other',
        severity: severityOfWord(textAt(match, 'vulnerability', 'severity')),
        fix_state: fixStateOf(textAt(match, 'vulnerability', 'fix', 'state')),
        fixed_in: fixes[0] === undefined ? null : shortLine(fixes[0]),
        reachable: known?.reach ?? 'unknown',
      },
    ];
  });
}

/** GitHub's ids have the CVE beside them. */
function cveIdOf(match: Json): string | null {
  const id = textAt(match, 'vulnerability', 'id');
  if (id === null || id.startsWith('CVE-')) return id;
  const related = listAt(match, 'relatedVulnerabilities').map((each) => textAt(each, 'id'));
  return related.find((each) => each?.startsWith('CVE-') === true) ?? id;
}

function fixStateOf(state: string | null): FixState {
  return fixStates.find((known) => known === state) ?? 'unknown';
}

/** Without the settings, paths and times of the machine it was made on. */
function withoutGrypeRun(document: JsonObject): JsonObject {
  const { configuration: _configuration, timestamp: _timestamp, ...descriptor } = objectAt(document, 'descriptor');
  const { source: _source, ...rest } = document;
  return { ...rest, descriptor };
}
