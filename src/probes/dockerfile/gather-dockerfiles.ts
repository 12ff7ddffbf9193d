/** The run of dockerfile: every Dockerfile of the repository, read and reported. */

import type { ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { Json } from '../../kernel/base/json.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { dockerfileLimits } from '../../kernel/formats/dockerfile-instructions.ts';
import { parsed } from '../../kernel/formats/parse-outcome.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { type Place, placeOf } from '../shared/place-of.ts';
import { createFindings, evidenceOf, type Findings, jsonBytes, readParsed } from '../shared/probe-reading.ts';
import { type DockerfileRow, dockerfileGlobs, isDockerfile } from './dockerfile-section.ts';
import { type DockerfileDetail, type DockerfileReading, parseDockerfile } from './dockerfile-stages.ts';

export async function gatherDockerfiles(repo: ProbeRepo): Promise<ProbeOutput> {
  const findings = createFindings();
  const rows: (DockerfileRow & { readonly place: Place })[] = [];
  const details: ({ readonly path: string } & DockerfileDetail)[] = [];
  for (const path of repo.inputs.list(dockerfileGlobs).filter(isDockerfile)) {
    const outcome = await readParsed(repo, path, dockerfileLimits.bytes, (bytes) => parsed(decodeLenient(bytes)));
    if ('absent' in outcome) continue;
    if (!outcome.ok) {
      findings.failed('dockerfile', path, outcome.failure);
      continue;
    }
    const reading = parseDockerfile(withoutSecrets(outcome.value));
    if (isOnlyNamedSo(path, reading)) continue;
    warnAbout(findings, path, reading);
    rows.push({ path, place: placeOfImage(path, reading), ...reading.facts });
    details.push({ path, ...reading.detail });
  }
  const isDoubtful =
    findings.warned('dockerfile.parse_problem') || findings.warned('dockerfile.stage_reference_unresolved');
  const artifact = { dockerfiles: rows, details, dockerignore: await readIgnore(repo) };
  return {
    kind: 'ran',
    slice: { containerization: { dockerfiles: rows } as unknown as Json },
    rawArtifacts: [
      {
        name: 'dockerfile.json',
        kind: 'json',
        from: jsonBytes(artifact),
      },
    ],
    confidence: findings.hasErrors() ? 'low' : isDoubtful ? 'medium' : 'high',
    evidence: evidenceOf(
      repo,
      rows.map(({ path }) => path),
    ),
    ...findings.report(),
  };
}

/**
 * A value is known for a secret by what stands around it, quotes above all, and reading takes them away (`ENV A "secret": "…",`). Line
 * by line, so that lines keep their numbers; what is longer than a line is found in the values.
 */
function withoutSecrets(text: string): string {
  return text
    .split('\n')
    .map((line) => redactString(line, { entropy: false }).text)
    .join('\n');
}

/**
 * What a service is called says little of what it is: `usage-docs/` beside other services is one of them. A file that starts nothing, in a
 * directory for generated code, holds the tools that write it.
 */
function placeOfImage(path: string, { facts }: DockerfileReading): Place {
  const place = placeOf(path);
  const isOfDocuments =
    /(?:^|\/)(?:docs?|documentation|website)\//i.test(path) || /[._-]docs?(?:[._-][^/]*)?$/i.test(path);
  if (place === 'documentation') return isOfDocuments ? place : 'product';
  const shipped = facts.final_stage === null ? undefined : facts.stages[facts.final_stage];
  const startsNothing = shipped?.entrypoint.form === 'absent' && shipped.cmd.form === 'absent';
  const isForCode = /(?:^|\/)(?:gen|genproto|codegen|protogen|protoc?|generat(?:e|ed|or))\/[^/]+$/.test(path);
  // `FROM node AS dev` at the end: what is built by default is a container to develop in.
  const isToDevelop = /^(?:dev|devel|development|devcontainer)$/i.test(shipped?.name ?? '');
  return place === 'product' && ((isForCode && startsNothing) || isToDevelop) ? 'development' : place;
}

/** `Dockerfile.tmLanguage`: the patterns are wide, and a file without a single instruction is something else. */
function isOnlyNamedSo(path: string, { facts }: DockerfileReading): boolean {
  if (/(?:^|\/)(?:Dockerfile|Containerfile)$/i.test(path) || facts.stages.length > 0 || facts.global_args.length > 0)
    return false;
  return facts.parse_problems.every(({ message }) =>
    /^unknown instruction|^there is no FROM|^unterminated/.test(message),
  );
}

function warnAbout(findings: Findings, path: string, reading: DockerfileReading): void {
  for (const { line, message } of reading.facts.parse_problems) {
    findings.warn('dockerfile.parse_problem', { path, line, detail: message });
  }
  for (const { line, name } of reading.unresolvedArgs) {
    findings.warn('dockerfile.arg_unresolved', { path, line, detail: shortLine(name, 100) });
  }
  for (const { line, name } of reading.unresolvedStages) {
    findings.warn('dockerfile.stage_reference_unresolved', { path, line, detail: shortLine(name, 100) });
  }
}

/** What the build context leaves out, as written; null without the file. */
async function readIgnore(repo: ProbeRepo): Promise<readonly string[] | null> {
  const outcome = await repo.inputs.read('.dockerignore', dockerfileLimits.bytes);
  if (outcome.kind !== 'read') return null;
  return decodeLenient(outcome.bytes)
    .split('\n', 5_000)
    .map((line) => shortLine(line))
    .filter((line) => line !== '' && !line.startsWith('#'));
}
