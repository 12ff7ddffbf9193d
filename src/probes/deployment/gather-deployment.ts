/** The run of the deployment probe: each kind read by its own reader, then one section. */

import type { Confidence, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { parseText } from '../../kernel/formats/parse-outcome.ts';
import { parseYamlDocuments } from '../../kernel/formats/yaml.ts';
import { protocolOfImage } from '../service-topology/protocols.ts';
import { TEMPLATED } from '../shared/helm-template.ts';
import { placeOf } from '../shared/place-of.ts';
import { createFindings, evidenceOf, readParsed } from '../shared/probe-reading.ts';
import {
  chartGlobs,
  composeGlobs,
  type DeploymentType,
  deploymentTypes,
  directoryOf,
  isBelow,
  kustomizationGlobs,
  platformFiles,
  rawGlobs,
  terraformGlobs,
} from './deployment-section.ts';
import { readHelm } from './helm.ts';
import { readKustomize } from './kustomize.ts';
import {
  addFacts,
  type DeploymentFacts,
  type ImageSite,
  isManifest,
  noFacts,
  readCompose,
  readManifests,
  tagStrategyOf,
} from './workloads.ts';

const mediumWarnings = new Set(['helm.templated_values', 'deployment.multi_type']);

export async function gatherDeployment(repo: ProbeRepo): Promise<ProbeOutput> {
  const terraformFiles = repo.inputs.list(terraformGlobs);
  const helm = await readHelm(repo);
  const kustomize = await readKustomize(repo);
  const raw = await readRaw(repo);
  const terraform: DeploymentFacts = { ...noFacts(), images: await readTerraformImages(repo, terraformFiles) };
  const byType: Record<DeploymentType, { present: boolean; facts: DeploymentFacts }> = {
    helm: { present: helm.charts.length > 0, facts: helm.facts },
    kustomize: { present: repo.inputs.list(kustomizationGlobs).length > 0, facts: kustomize.facts },
    raw: { present: raw.present, facts: raw.facts },
    terraform: { present: terraformFiles.length > 0, facts: terraform },
    compose: { present: repo.inputs.list(composeGlobs).length > 0, facts: await readCompose(repo) },
  };
  const types = deploymentTypes.filter((type) => byType[type].present);
  const all = noFacts();
  for (const type of deploymentTypes) addFacts(all, byType[type].facts);
  if (types.length > 1) all.warnings.push({ id: 'deployment.multi_type' });
  if (types[0] === 'terraform') all.warnings.push({ id: 'terraform.paths_only' });

  const [chart] = helm.charts;
  const section = {
    type: types[0] ?? 'none',
    types: [...types].sort(compareCodeUnits),
    charts: [...helm.charts].sort((a, b) => compareCodeUnits(a.path, b.path)),
    chart_path: chart?.path ?? null,
    image_reference: chooseImage(all.images),
    environments: all.environments.sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.file, b.file)),
    workloads: all.workloads.sort(
      (a, b) =>
        compareCodeUnits(a.kind, b.kind) || compareCodeUnits(a.name, b.name) || compareCodeUnits(a.file, b.file),
    ),
    terraform_files: [...terraformFiles],
    platforms: await readPlatforms(repo),
    compose_deploys: listComposeDeploys(byType.compose.facts),
    kustomization_resource_path_outside_repo: kustomize.outside,
    health_probes: all.healthProbes.sort(
      (a, b) => compareCodeUnits(a.workload, b.workload) || compareCodeUnits(a.kind, b.kind),
    ),
    resource_limits: all.resourceLimits.sort((a, b) => compareCodeUnits(a.workload, b.workload)),
    security_context: all.securityContexts[0] ?? null,
    exposed_ports: [...new Set(all.ports)].sort((a, b) => a - b),
    required_env_vars: [...new Set(all.envVars)].sort(compareCodeUnits),
  };
  const findings = createFindings();
  for (const { id, ...place } of all.warnings) findings.warn(id, place.path === undefined ? undefined : place);
  const report = findings.report();
  return {
    kind: 'ran',
    slice: { deployment: section as unknown as Json },
    rawArtifacts: [{ name: 'deployment.json', kind: 'json', from: renderRaw(byType, kustomize.files) }],
    confidence: judge(report.warnings),
    ...report,
    evidence: evidenceOf(repo, [...all.workloads.map(({ file }) => file), section.image_reference?.file ?? null]),
  };
}

/** Files of that name which say what they are for. */
async function readPlatforms(repo: ProbeRepo): Promise<{ kind: string; file: string }[]> {
  const found = [];
  for (const { kind, glob, shows } of platformFiles) {
    for (const file of repo.inputs.list([glob])) {
      const read = shows === null ? undefined : await repo.inputs.read(file, limits.textBytes);
      const says = read === undefined || (read.kind === 'read' && shows?.test(decodeLenient(read.bytes)) === true);
      if (says) found.push({ kind, file });
    }
  }
  return found;
}

/** Databases and tools that run beside a program: a compose file with nothing else helps to develop it and deploys nothing. */
const besideImage =
  /(?:^|\/)(?:adminer|pgadmin4?|phpmyadmin|mailhog|mailpit|maildev|mailcatcher|minio|localstack|zookeeper|cp-zookeeper|cp-kafka|jaeger|all-in-one|selenium[a-z-]*|opensearch[a-z-]*|kibana|azurite|mssql|dynamodb-local)(?:[:@]|$)/i;

function listComposeDeploys({ workloads, images, ofDevelopment }: DeploymentFacts): string[] {
  const files = [...new Set(workloads.map(({ file }) => file))].filter((file) => placeOf(file) === 'product');
  return files.filter((file) =>
    workloads.some(({ file: own, name }) => {
      if (own !== file || ofDevelopment.some((one) => one.file === file && one.name === name)) return false;
      const image = images.find((site) => site.file === file && site.path === `services.${name}.image`)?.value;
      return image === undefined || (protocolOfImage(image) === null && !besideImage.test(image));
    }),
  );
}

/** Manifests that neither a chart nor a kustomization owns. */
async function readRaw(repo: ProbeRepo): Promise<{ present: boolean; facts: DeploymentFacts }> {
  const facts = noFacts();
  const owned = repo.inputs.list([...chartGlobs, ...kustomizationGlobs]).map(directoryOf);
  const candidates = repo.inputs.list(rawGlobs).filter((path) => !owned.some((directory) => isBelow(path, directory)));
  let present = false;
  for (const path of candidates) {
    const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes) =>
      parseYamlDocuments(bytes, { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth }),
    );
    if ('absent' in outcome) continue;
    if (!outcome.ok) {
      facts.warnings.push({ id: 'deployment.manifest_parse_error', path, detail: outcome.failure.kind });
      continue;
    }
    const manifests = outcome.value.filter(isManifest);
    if (manifests.length > 0) present = true;
    addFacts(facts, readManifests(path, manifests));
  }
  if (candidates.length > 0 && facts.workloads.length === 0) facts.warnings.push({ id: 'deployment.raw_no_workloads' });
  return { present, facts };
}

/** The first image in order of types that is written out, else the first that is computed. */
function chooseImage(images: readonly ImageSite[]) {
  const isComputed = ({ value }: ImageSite) => value.includes(TEMPLATED);
  const site = images.find((image) => !isComputed(image)) ?? images[0];
  if (site === undefined) return null;
  const strategy = tagStrategyOf(site.value);
  return { file: site.file, path: site.path, value: isComputed(site) ? TEMPLATED : site.value, tag_strategy: strategy };
}

function judge(warnings: readonly string[]): Confidence {
  if (warnings.some((id) => !mediumWarnings.has(id))) return 'low';
  return warnings.length > 0 ? 'medium' : 'high';
}

/** All images and workloads by kind of deployment, and the files the kustomize walk opened. */
function renderRaw(
  byType: Record<DeploymentType, { facts: DeploymentFacts }>,
  kustomizeFiles: readonly string[],
): Uint8Array {
  const types = deploymentTypes.map((type) => ({
    type,
    images: byType[type].facts.images.map((site) => ({ ...site, tag_strategy: tagStrategyOf(site.value) })),
    workloads: byType[type].facts.workloads,
  }));
  return new TextEncoder().encode(canonicalJson({ types, kustomize_files: [...kustomizeFiles] } as unknown as Json));
}

// Terraform: where its files are, and images that are written as literals. The language itself is not evaluated.

/** `image = "…"` in HCL, `"image": "…"` in an inline JSON document. */
const imageLine = /^\s{0,200}"?image"?\s{0,100}[=:]\s{0,100}"([^"]{1,500})"/;

async function readTerraformImages(repo: ProbeRepo, files: readonly string[]): Promise<ImageSite[]> {
  const images: ImageSite[] = [];
  for (const file of files) {
    const outcome = await readParsed(repo, file, limits.textBytes, (bytes) =>
      parseText(bytes, { maxBytes: limits.textBytes }),
    );
    if ('absent' in outcome || !outcome.ok) continue;
    for (const [index, line] of outcome.value.split('\n').entries()) {
      const value = imageLine.exec(line)?.[1];
      if (value !== undefined) images.push({ file, path: `line ${index + 1}`, value: shortLine(value) });
    }
  }
  return images;
}
