/** The gathered context by section, and further down by dotted path; judged by what is on disk now where an index is behind it (P1). */

import type { Since } from '../../gather/freshness/since.ts';
import { envelopeHeadSchema } from '../../gather/publish/envelope.ts';
import { compareCodeUnits, isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { listNearest } from '../../kernel/base/text.ts';
import { sizeOf } from '../mcp/answer-pages.ts';
import type { ReportAnswer, Workspace } from './workspace.ts';

type ContextSection = { readonly name: string; readonly bytes: number };

export type ReadContext = {
  readonly kind: 'context';
  readonly envelope: JsonObject;
  readonly markdown: string;
  readonly sections: readonly ContextSection[];
  readonly freshness: JsonObject;
  readonly since: Since | null;
};

export async function readContext(
  workspace: Workspace,
): Promise<ReadContext | Exclude<ReportAnswer, { kind: 'report' }>> {
  const report = await workspace.report();
  if (report.kind !== 'report') return report;
  const envelope = isJsonObject(report.envelope) ? report.envelope : {};
  const freshness = isJsonObject(report.freshnessNow) ? report.freshnessNow : {};
  const { markdown, since } = report;
  return { kind: 'context', envelope, markdown, sections: listSections(envelope), freshness, since };
}

/** As the probes name them: what is nested one level has a dot. */
function listSections(envelope: JsonObject): readonly ContextSection[] {
  const heads = Object.keys(envelopeHeadSchema.shape);
  const probes = isJsonObject(envelope['probes']) ? Object.values(envelope['probes']) : [];
  const named = probes.flatMap((probe) =>
    isJsonObject(probe) && Array.isArray(probe['sections']) ? probe['sections'].map(String) : [],
  );
  const tops = Object.keys(envelope).filter(
    (key) => !heads.includes(key) && !named.some((name) => name === key || name.startsWith(`${key}.`)),
  );
  return [...new Set([...named, ...tops])]
    .map((name) => ({ name, value: findInContext(envelope, name) }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ name, value }) => ({ name, bytes: sizeOf(value) }))
    .sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** Names may hold dots themselves: the longest that is there is taken. */
export function findInContext(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const steps = path.split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const key = steps.slice(0, length).join('.');
    if (!Object.hasOwn(value, key)) continue;
    const found = findInContext((value as Readonly<Record<string, unknown>>)[key], steps.slice(length).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

export function nearestSections({ sections, envelope }: ReadContext, given: string): readonly string[] {
  const names = sections.map(({ name }) => name);
  const [top = ''] = given.split('.');
  const below = isJsonObject(envelope[top]) ? Object.keys(envelope[top]).map((key) => `${top}.${key}`) : [];
  return listNearest(given, [...new Set([...names, ...below])], 5);
}

/** The probe that a section is of, how it went, and how its index compares with the disk. */
export function probeOf({ envelope, freshness }: ReadContext, path: string): JsonObject | null {
  const probes = isJsonObject(envelope['probes']) ? envelope['probes'] : {};
  for (const [name, probe] of Object.entries(probes)) {
    if (!isJsonObject(probe) || !Array.isArray(probe['sections'])) continue;
    if (!probe['sections'].some((section) => path === section || path.startsWith(`${String(section)}.`))) continue;
    const { status = null, confidence = null } = probe;
    return {
      probe: name,
      status,
      confidence,
      ...(freshness[name] === undefined ? {} : { freshness: freshness[name] }),
    };
  }
  return null;
}
