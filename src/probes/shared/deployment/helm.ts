/** Helm charts: metadata, default values, values per environment, and what is static in the templates. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { compareCodeUnits, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { type ParseOutcome, parsed } from '../../../kernel/formats/parse-outcome.ts';
import { parseYamlDocuments, parseYamlObject, parseYamlStrings } from '../../../kernel/formats/yaml.ts';
import { shortLine, textAt } from '../json-access.ts';
import { readParsed } from '../read.ts';
import { addFacts, type DeploymentFacts, type ImageSite, noFacts } from './deployment-facts.ts';
import { baseName, chartGlobs, directoryOf, isBelow, templateGlobs, valuesGlobs } from './deployment-inputs.ts';
import { findValuesImage, readValues } from './helm-values.ts';
import { TEMPLATED } from './image-tag.ts';
import { readManifests } from './kubernetes.ts';
import { stripTemplate } from './strip-template.ts';

/** `path` is the chart's directory, `.` at the root. */
export type Chart = { readonly path: string; readonly name: string; readonly version: string };
export type HelmFacts = { readonly charts: readonly Chart[]; readonly facts: DeploymentFacts };

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
