/** The run of licence: reads texts, manifests and the README's section; what follows from them is said in `licence-facts.ts`. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt, objectsAt, textAt, textsAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { parseXml, type XmlElement } from '../../kernel/formats/xml.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { createFindings, type Findings, manifestLimits, readManifest } from '../shared/probe-reading.ts';
import { type LicenceSection, licenceManifestGlobs, licenceReadmes, licenceTextGlobs } from './licence-section.ts';
import { readExpression, recogniseLicence } from './licence-text.ts';

type Context = Pick<ProbeContext<never>, 'parsedManifest'>;

export async function gatherLicence(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const read = async (path: string): Promise<string | undefined> => {
    const outcome = await repo.inputs.read(path, limits.textBytes);
    if (outcome.kind === 'read') return decodeLenient(outcome.bytes);
    if (outcome.kind === 'failed') findings.warn('licence.unreadable', { path });
    return undefined;
  };
  const texts: LicenceSection['texts'][number][] = [];
  for (const path of repo.inputs.list(licenceTextGlobs)) {
    if (isForeignManifest(path) || besides.test(nameOf(path)) || !isProse(nameOf(path))) continue;
    const text = await read(path);
    if (text === undefined) continue;
    const known = recogniseLicence(text);
    texts.push({
      path,
      spdx: known?.spdx ?? null,
      line: known?.line ?? null,
      shows: known?.shows ?? null,
      alone: known?.alone ?? false,
    });
  }
  const declared: LicenceSection['declared'][number][] = [];
  for (const path of repo.inputs.list(licenceManifestGlobs)) {
    if (isForeignManifest(path)) continue;
    const written = await readDeclared(repo, ctx, path, findings);
    // A choice in a list is a choice in an expression.
    const spdx = written.map(readExpression);
    const [first] = written;
    if (first === undefined) continue;
    declared.push({
      path,
      written: shortLine(first, 200),
      spdx: spdx.includes(undefined) ? null : [...new Set(spdx)].join(' OR '),
    });
  }
  let readme: LicenceSection['readme'] = null;
  for (const path of repo.inputs.list(licenceReadmes)) {
    const text = await read(path);
    readme ??= text === undefined ? null : readReadme(path, text);
  }
  const section: LicenceSection = { texts, declared, readme };
  return {
    kind: 'ran',
    slice: { licence: section },
    confidence: findings.warned('licence.unreadable') ? 'medium' : 'high',
    ...findings.report(),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Of others, or of something else than the code. */
const besides = /3rd|third|docs?\b|documentation|dependenc|logo|font|assets|bundled|header/i;

function isProse(name: string): boolean {
  const extension = /\.([A-Za-z]{1,5})$/.exec(name)?.[1]?.toLowerCase();
  return extension === undefined || /^(?:txt|md|rst|adoc|markdown|mit|apache|bsd|gpl|lib)$|^lesse/.test(extension);
}

async function readDeclared(
  repo: ProbeRepo,
  ctx: Context,
  path: string,
  findings: Findings,
): Promise<readonly string[]> {
  if (path.endsWith('.gemspec') || path.endsWith('.cfg') || path.endsWith('.xml')) {
    const outcome = await repo.inputs.read(path, limits.manifestBytes);
    if (outcome.kind === 'failed') findings.warn('licence.unreadable', { path });
    if (outcome.kind !== 'read') return [];
    if (path.endsWith('.xml')) {
      const pom = parseXml(outcome.bytes, manifestLimits);
      return pom.ok ? namesOfPom(pom.value) : [];
    }
    const text = decodeLenient(outcome.bytes);
    if (path.endsWith('.cfg')) return [...(/^license\s{0,8}=\s{0,8}(\S.{0,100})$/m.exec(text)?.slice(1) ?? [])];
    const list = /\.licenses?\s{0,8}=\s{0,8}(\[[^\]]{0,200}\]|['"][^'"\n]{1,100}['"])/.exec(text)?.[1] ?? '';
    return [...list.matchAll(/['"]([^'"]{1,100})['"]/g)].flatMap(([, one]) => one ?? []);
  }
  const manifest = await readManifest(repo, ctx, path);
  if (manifest.kind === 'failed') findings.warn('licence.unreadable', { path });
  return manifest.kind === 'read' ? namesOfManifest(manifest.value, path) : [];
}

function namesOfPom(project: XmlElement): readonly string[] {
  const child = (of: XmlElement | undefined, name: string) => of?.children.find((one) => one.name === name);
  const licences = child(project, 'licenses')?.children ?? [];
  return licences.flatMap((one) => child(one, 'name')?.text ?? []);
}

function namesOfManifest(manifest: JsonObject, path: string): readonly string[] {
  if (path.endsWith('Cargo.toml')) {
    return [textAt(manifest, 'package', 'license') ?? textAt(manifest, 'workspace', 'package', 'license') ?? []].flat();
  }
  if (path.endsWith('pyproject.toml')) {
    const project = objectAt(manifest, 'project');
    const said =
      textAt(project, 'license') ?? textAt(project, 'license', 'text') ?? textAt(manifest, 'tool', 'poetry', 'license');
    if (said !== null) return [said.trim().split('\n')[0] ?? ''].filter((one) => one !== '');
    return textsAt(project, 'classifiers').flatMap((one) => /^License :: (?:.* :: )?(.+)$/.exec(one)?.[1] ?? []);
  }
  const said = member(manifest, 'license');
  if (typeof said === 'string') return [said];
  if (Array.isArray(said)) return textsAt(manifest, 'license');
  const type = textAt(said, 'type');
  return type === null ? objectsAt(manifest, 'licenses').flatMap((one) => textAt(one, 'type') ?? []) : [type];
}

const heading = /^\s{0,3}(?:#{1,4}|={1,4})?\s{0,4}(?:\d+\.\s)?(?:.{0,4}\s)?licen[cs](?:e|ing)\s{0,4}:?\s{0,4}#{0,4}$/i;
/** A name within a sentence. */
const mention =
  /\b(MIT|ISC|Unlicense|(?:GNU )?[AL]?GPL(?:[ -]?v?(?:ersion )?[23](?:\.[01])?(?:-(?:only|or-later))?)|Apache(?: Licen[cs]e)?,?[ -](?:Version |v)?2(?:\.0)?|BSD[ -][23][ -]Clause|MPL[ -]2\.0)\b/gi;

/** Undefined names count, too: a licence is spoken of that we do not know. */
function readReadme(path: string, text: string): LicenceSection['readme'] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => heading.test(line));
  if (start < 0) return null;
  for (let at = start + 1; at < Math.min(lines.length, start + 12); at += 1) {
    const line = lines[at] ?? '';
    if (/^#{1,4}\s/.test(line)) break;
    const found = [...line.slice(0, 1_000).matchAll(mention)].map(([one]) => one);
    const [written] = found;
    if (written === undefined) continue;
    const read = new Set(found.map(readExpression));
    const [spdx] = read;
    return { path, written, spdx: read.size === 1 ? (spdx ?? null) : null, line: at + 1 };
  }
  return { path, written: (lines[start] ?? '').trim().slice(0, 100), spdx: null, line: start + 1 };
}
