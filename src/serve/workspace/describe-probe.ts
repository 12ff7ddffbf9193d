/** One probe in words: what it reads, tells, warns of and how sure it is. Made from its declaration alone. */

import type { Probe, Requirement } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';

/** The declaration as JSON; functions and zod schemas are named, not shown (`codegenie schema <section>` shows a schema). */
export function describeProbe(probe: Probe): JsonObject {
  return {
    name: probe.name,
    version: probe.version,
    layer: probe.layer,
    says: probe.says,
    tier: probe.tier,
    heaviness: probe.heaviness,
    sections: Object.keys(probe.sections).map((path) => ({ path, version: probe.sectionVersions[path] as string })),
    applies_to: { tasks: [...probe.appliesToTasks], languages: [...probe.appliesToLanguages] },
    requires: probe.requires.map(describeRequirement),
    declared_inputs: [...probe.declaredInputs],
    derives_inputs: probe.deriveInputs !== undefined,
    catalogs: [...probe.catalogs],
    config_keys: [...probe.configKeys],
    tools: [...probe.tools],
    timeout_s: probe.timeoutSeconds,
    cache: probe.cacheStrategy,
    deterministic: probe.deterministic,
    index: probe.index?.name ?? null,
    confidence_rule: probe.confidenceRule,
    warning_ids: [...probe.warningIds],
    error_ids: [...probe.errorIds],
    artifacts: [...probe.artifacts],
    examples: probe.examples.map((example) => example.shows),
  };
}

export function renderProbe(probe: Probe): string {
  const facts = probeFacts(probe).map(([title, values]) => renderFact(title, values));
  const examples = probe.examples.map((example) => `  · ${example.shows}\n`);
  const shown = examples.length === 0 ? '' : `\nExamples\n${examples.join('')}`;
  return `${probe.name} ${probe.version}\n${probe.says}\n\n${facts.join('')}${shown}`;
}

/** Title and values of every fact worth a line; facts that a probe does not have are left out. */
export function probeFacts(probe: Probe): readonly (readonly [title: string, values: readonly string[]])[] {
  const all: readonly (readonly [string, readonly string[]])[] = [
    ['Layer', [probe.layer]],
    ['Sections', Object.entries(probe.sectionVersions).map(([path, version]) => `${path} (${version})`)],
    ['Tasks', onlySome(probe.appliesToTasks)],
    ['Languages', onlySome(probe.appliesToLanguages)],
    ['Requires', probe.requires.map(renderRequirement)],
    ['Inputs', [...probe.declaredInputs, ...(probe.deriveInputs === undefined ? [] : ['and files that these name'])]],
    ['Catalogs', probe.catalogs],
    ['Configuration', probe.configKeys],
    ['Tools', probe.tools],
    ['Timeout', [`${probe.timeoutSeconds} s`]],
    ['Cache', [probe.cacheStrategy === 'content' ? 'by content' : 'never']],
    ['Index', probe.index === undefined ? [] : [probe.index.name]],
    ['Confidence', [probe.confidenceRule]],
    ['Warnings', probe.warningIds],
    ['Errors', probe.errorIds],
    ['Artifacts', probe.artifacts],
  ];
  return all.filter(([, values]) => values.length > 0);
}

const TITLE_WIDTH = 15;

function renderFact(title: string, values: readonly string[]): string {
  return values.map((value, index) => `${(index === 0 ? title : '').padEnd(TITLE_WIDTH)}${value}\n`).join('');
}

/** `*` means all, which needs no line. */
function onlySome(values: readonly string[]): readonly string[] {
  return values.includes('*') ? [] : values;
}

function describeRequirement(requirement: Requirement): JsonObject {
  if (typeof requirement === 'string') return { probe: requirement, optional: false, artifacts: [] };
  const { probe, optional = false, artifacts = [] } = requirement;
  return { probe, optional, artifacts: [...artifacts] };
}

function renderRequirement(requirement: Requirement): string {
  if (typeof requirement === 'string') return requirement;
  return `${requirement.probe}${requirement.optional === true ? ' (optional)' : ''}`;
}
