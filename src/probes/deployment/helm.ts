/** Helm charts: metadata, default values, values per environment, and what is static in the templates. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { type ParseOutcome, parsed } from '../../kernel/formats/parse-outcome.ts';
import { parseYamlDocuments, parseYamlObject, parseYamlStrings } from '../../kernel/formats/yaml.ts';
import { stripTemplate, TEMPLATED } from '../shared/helm-template.ts';
import { readParsed } from '../shared/probe-reading.ts';
import { baseName, chartGlobs, directoryOf, isBelow, templateGlobs, valuesGlobs } from './deployment-section.ts';
import {
  addFacts,
  append,
  type DeploymentFacts,
  envNames,
  type ImageSite,
  mergeSecurityContexts,
  noFacts,
  portNumber,
  quantity,
  readHealthProbes,
  readManifests,
} from './workloads.ts';

/** `path` is the chart's directory, `.` at the root. */
type Chart = { readonly path: string; readonly name: string; readonly version: string };
type HelmFacts = { readonly charts: readonly Chart[]; readonly facts: DeploymentFacts };

const yamlLimits = { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth };

export async function readHelm(repo: ProbeRepo): Promise<HelmFacts> {
  const facts = noFacts();
  const charts: Chart[] = [];
  for (const path of repo.inputs.list(chartGlobs)) {
    const directory = directoryOf(path);
    const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes) => parseYamlStrings(bytes, yamlLimits));
    if ('absent' in outcome) continue;
    if (!outcome.ok) facts.warnings.push({ id: 'helm.chart_parse_error', path, detail: outcome.failure.kind });
    const chart: JsonObject = outcome.ok ? outcome.value : {};
    const name = textAt(chart, 'name') ?? baseName(directory);
    charts.push({
      path: directory === '' ? '.' : directory,
      name: shortLine(name, 200),
      version: shortLine(textAt(chart, 'version') ?? '', 200),
    });
  }
  charts.sort((a, b) => depthOf(a.path) - depthOf(b.path) || compareCodeUnits(a.path, b.path));
  for (const chart of charts) await addChart(repo, chart, charts, facts);
  return { charts, facts };
}

async function addChart(
  repo: ProbeRepo,
  chart: Chart,
  charts: readonly Chart[],
  facts: DeploymentFacts,
): Promise<void> {
  const owns = (path: string) => owner(path, charts) === chart;
  const valuesFiles = repo.inputs.list(valuesGlobs).filter((path) => owns(path) && !path.includes('/templates/'));
  if (valuesFiles.length === 0) facts.warnings.push({ id: 'helm.no_values_files', path: chart.path });

  const fromTemplates = noFacts();
  for (const path of repo.inputs.list(templateGlobs)) {
    if (path.endsWith('.yaml') && owns(path)) await addTemplate(repo, path, fromTemplates);
  }
  let defaultImage: ImageSite | null = null;
  for (const path of valuesFiles) {
    const outcome = await readParsed(repo, path, limits.yamlBytes, parseValues);
    if ('absent' in outcome) continue;
    if (!outcome.ok) {
      facts.warnings.push({ id: 'helm.values_file_parse_error', path, detail: outcome.failure.kind });
      continue;
    }
    const environment = environmentOf(baseName(path));
    const image = findValuesImage(path, outcome.value);
    if (environment === 'unrecognized') facts.warnings.push({ id: 'helm.values_filename_unrecognized', path });
    else if (environment === 'default') {
      if (image !== null) {
        defaultImage = image;
        facts.images.push(image);
      }
      addFacts(facts, completeWith(readValues(chart.name, outcome.value), fromTemplates));
    } else facts.environments.push({ name: environment, file: path, image_reference: image?.value ?? null });
  }
  if (defaultImage === null && fromTemplates.images.some(({ value }) => value.includes(TEMPLATED))) {
    facts.warnings.push({ id: 'helm.templated_values', path: chart.path });
  }
  addFacts(facts, fromTemplates);
}

async function addTemplate(repo: ProbeRepo, path: string, facts: DeploymentFacts): Promise<void> {
  let isStatic = true;
  const outcome = await readParsed(repo, path, limits.yamlBytes, (bytes): ParseOutcome<readonly Json[]> => {
    const { yaml, hadActions } = stripTemplate(decodeLenient(bytes));
    isStatic = !hadActions;
    return parseYamlDocuments(new TextEncoder().encode(yaml), yamlLimits);
  });
  if ('absent' in outcome) return;
  if (outcome.ok) addFacts(facts, readManifests(path, outcome.value));
  // What is not YAML without its actions is computed through and through.
  else facts.warnings.push({ id: isStatic ? 'deployment.manifest_parse_error' : 'helm.templated_values', path });
}

function parseValues(bytes: Uint8Array): ParseOutcome<JsonObject> {
  const outcome = parseYamlDocuments(bytes, yamlLimits);
  // A values file that holds nothing but comments is valid and empty.
  return outcome.ok && outcome.value.length === 0 ? parsed({}) : parseYamlObject(bytes, yamlLimits);
}

/** The chart whose directory is nearest above the file; subcharts own their files. */
function owner(path: string, charts: readonly Chart[]): Chart | undefined {
  return charts.filter((chart) => isBelow(path, chart.path)).sort((a, b) => depthOf(b.path) - depthOf(a.path))[0];
}

function depthOf(directory: string): number {
  return directory === '.' ? 0 : directory.split('/').length;
}

/** `values.yaml` is the default, `values-prod.yaml`, `values.prod.yaml` and `values_prod.yaml` are `prod`. */
function environmentOf(name: string): string {
  if (name === 'values.yaml') return 'default';
  return /^values[-._]([\w.-]{1,100})\.yaml$/.exec(name)?.[1] ?? 'unrecognized';
}

/** Values stand in for what the templates leave open, not for what they say; `templates` loses what the values answer. */
function completeWith(values: DeploymentFacts, templates: DeploymentFacts): DeploymentFacts {
  const isOpen = (entry: { readonly port?: unknown; readonly memory?: unknown }) =>
    (entry.port ?? entry.memory) === TEMPLATED;
  const complete = <T extends object>(fromTemplates: T[], fromValues: readonly T[]): T[] => {
    if (fromValues.length === 0 || fromTemplates.some((entry) => !isOpen(entry))) return [];
    fromTemplates.length = 0;
    return [...fromValues];
  };
  return {
    ...values,
    healthProbes: complete(templates.healthProbes, values.healthProbes),
    resourceLimits: complete(templates.resourceLimits, values.resourceLimits),
    securityContexts: templates.securityContexts.length > 0 ? [] : values.securityContexts,
    ports: templates.ports.length > 0 ? [] : values.ports,
  };
}

// Helm's default values, where charts by convention keep image, probes, limits and ports.

const maxDepth = 5;

/** The first `image` in the document, breadth first: `image: {repository, tag}` or `image: name:tag`. */
function findValuesImage(file: string, values: JsonObject): ImageSite | null {
  let level: (readonly [path: string, value: JsonObject])[] = [['', values]];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    for (const [path, holder] of level) {
      const reference = imageReference(member(holder, 'image'));
      if (reference !== null) return { file, path: path === '' ? 'image' : `${path}.image`, value: reference };
    }
    level = level.flatMap(([path, holder]) =>
      Object.entries(holder).flatMap(([key, value]) =>
        isJsonObject(value)
          ? [[path === '' ? shortLine(key, 100) : `${path}.${shortLine(key, 100)}`, value] as const]
          : [],
      ),
    );
  }
  return null;
}

function imageReference(image: Json | undefined): string | null {
  if (typeof image === 'string') return image === '' ? null : shortLine(image);
  const repository = textAt(image, 'repository') ?? textAt(image, 'name');
  if (repository === null) return null;
  const registry = textAt(image, 'registry');
  const digest = textAt(image, 'digest');
  const [tag] = textsOf(member(image, 'tag'));
  const suffix = digest !== null && digest !== '' ? `@${digest}` : tag === undefined || tag === '' ? '' : `:${tag}`;
  return shortLine(`${registry === null || registry === '' ? '' : `${registry}/`}${repository}${suffix}`);
}

function readValues(workload: string, values: JsonObject): DeploymentFacts {
  const facts = noFacts();
  // Values switch a probe off with `null` or `{}`.
  append(
    facts.healthProbes,
    readHealthProbes(workload, values).filter(({ path, port }) => port !== TEMPLATED && (path ?? port) !== null),
  );
  const limits = objectAt(values, 'resources', 'limits');
  if (Object.keys(limits).length > 0) {
    facts.resourceLimits.push({ workload, memory: quantity(limits['memory']), cpu: quantity(limits['cpu']) });
  }
  const context = mergeSecurityContexts(objectAt(values, 'podSecurityContext'), objectAt(values, 'securityContext'));
  if (context !== null) facts.securityContexts.push(context);
  const container = portNumber(member(values, 'containerPort'));
  const service = [member(values, 'service', 'targetPort'), member(values, 'service', 'port')].flatMap(portNumber);
  append(facts.ports, container.length > 0 ? container : service.slice(0, 1));
  append(facts.envVars, envNames(member(values, 'env')));
  return facts;
}
