/** An explanation as plain text for a terminal: one labelled line per fact, nothing that could steer the terminal. */

import { singleLine, truncate } from '../../kernel/base/text.ts';
import type { Explanation, ProbeProvenance, UnknownField, UpstreamUse } from './explain.ts';
import { renderData } from './render-data.ts';

const WIDTH = 14;
const VALUE_CHARS = 4_000;

export function renderExplanation(explanation: Explanation | UnknownField): string {
  if (explanation.kind === 'unknown') {
    const nearest = explanation.nearest.map((path) => `  ${singleLine(path)}`);
    return [`There is no field ${singleLine(explanation.path)}. Nearest:`, ...nearest].join('\n');
  }
  const lines = [explanation.path, ''];
  const put = (label: string, ...values: readonly string[]) => {
    values.forEach((value, position) => {
      lines.push(`${(position === 0 ? label : '').padEnd(WIDTH)}${value}`);
    });
  };
  put('value', ...describeValue(explanation.value));
  put('produced by', explanation.producedBy);
  if (explanation.says !== null) put('', explanation.says);
  const { provenance } = explanation;
  if (provenance !== null) putProvenance(put, provenance);
  return lines.map(singleLine).join('\n');
}

type Put = (label: string, ...values: readonly string[]) => void;

function putProvenance(put: Put, of: ProbeProvenance): void {
  put(
    'version',
    of.version ?? 'unknown',
    ...of.tools.map((tool) => `${tool.name} ${tool.version}${tool.path === null ? '' : ` at ${tool.path}`}`),
  );
  put(
    'status',
    of.reason === null ? of.status : `${of.status}: ${of.reason}`,
    ...(of.enable === null ? [] : [of.enable]),
  );
  put('confidence', of.confidence ?? 'none', ...(of.confidenceRule === null ? [] : [`rule: ${of.confidenceRule}`]));
  put('said', ...of.warnings, ...of.diagnostics.slice(0, 10));
  putInputs(put, of.inputs);
  put('evidence', ...(of.evidence.length === 0 ? ['none named'] : of.evidence));
  put('upstream', ...(of.upstream.length === 0 ? ['none'] : of.upstream.flatMap(describeUpstream)));
  const made = of.cache.producedAt === null ? '' : `, produced at ${of.cache.producedAt}`;
  put('cache', `${of.cache.state}${made}`, ...(of.cache.key === null ? [] : [`key ${of.cache.key}`]));
  put(
    '',
    ...of.keyParts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name} = ${truncate(singleLine(value), 160)}`),
  );
  put('freshness', of.freshness === null ? 'no index behind it' : of.freshness.line.replace(/^- /, ''));
}

function putInputs(put: Put, inputs: ProbeProvenance['inputs']): void {
  const declared = inputs.declared.length === 0 ? 'none declared' : inputs.declared.join(', ');
  put('inputs', truncate(singleLine(declared), 300), `${inputs.count ?? '?'} files, digest ${inputs.digest ?? 'none'}`);
  put('', ...inputs.files.map((file) => `${file.id} ${file.hash}`));
  if (inputs.recorded === null) put('', 'the list of files is not in the cache');
  else if (inputs.recorded > inputs.files.length) put('', `… and ${inputs.recorded - inputs.files.length} more`);
}

function describeUpstream(use: UpstreamUse): readonly string[] {
  const seen = use.whole
    ? 'its whole slice'
    : use.projection === undefined
      ? 'a selection'
      : `selects ${compact(use.projection)}`;
  const parts = [`${use.probe} (${use.status}${use.optional ? ', optional' : ''}): ${seen}`];
  return use.artifacts.length === 0 ? parts : [...parts, `  artifacts ${use.artifacts.join(', ')}`];
}

function compact(value: unknown): string {
  return truncate(singleLine(renderData(value, { maxChars: 400, volatile: 'kept' })).replace(/ {2,}/g, ' '), 200);
}

function describeValue(value: unknown): readonly string[] {
  if (value === undefined) return ['absent: the section was not delivered'];
  return renderData(value, { maxChars: VALUE_CHARS, volatile: 'kept' }).split('\n');
}
