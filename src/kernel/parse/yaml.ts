/**
 * YAML 1.2 within caps, for CI files, manifests and everything authored by hand.
 *
 * Promises: never throws; plain JSON values only (yaml-values.ts says how each scalar is read); unknown tags have no effect and
 * are noted as `unknown_tag`; duplicate keys are malformed; aliases are bounded; depth is bounded before anything recurses.
 * Templates that merely look like YAML (helm) are not YAML: their caller cuts them apart first.
 */

import type { Json, JsonObject } from '../base/json.ts';
import { limits as programLimits } from '../base/limits.ts';
import { singleLine, truncate } from '../base/text.ts';
import { requireObject } from './json.ts';
import { malformed, type ParseLimits, type ParseNote, type ParseOutcome, parsed } from './outcome.ts';
import { lineAt, parseText } from './text.ts';
import { eachYamlDocument, type ScalarReading, type YamlDocument } from './yaml-documents.ts';
import { toJsonValue } from './yaml-values.ts';

/** The only document; null when the text has none. A second one is malformed unless it is empty. */
export function parseYaml(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<Json> {
  return readOnlyDocument(bytes, limits, 'core');
}

/** As `parseYaml`, and the top level must be a mapping: empty text is malformed. */
export function parseYamlObject(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  return requireObject(parseYaml(bytes, limits));
}

/** Every document that is not empty, in order. */
export function parseYamlDocuments(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<readonly Json[]> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const outcome = readDocuments(text.value, limits, 'core');
  if (!outcome.ok) return outcome;
  const values = outcome.value.map(({ value }) => value);
  return parsed(values, outcome.notes);
}

/** As `parseYamlObject`, every scalar as the string that was written: `version: 1.10` must not become 1.1. */
export function parseYamlStrings(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  return requireObject(readOnlyDocument(bytes, limits, 'text'));
}

type Document = { readonly value: Json; readonly offset: number };

function readOnlyDocument(bytes: Uint8Array, limits: ParseLimits, scalars: ScalarReading): ParseOutcome<Json> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const outcome = readDocuments(text.value, limits, scalars);
  if (!outcome.ok) return outcome;
  const [only, second] = outcome.value;
  if (second !== undefined) return malformed('yaml: more than one document', lineAt(text.value, second.offset));
  return parsed(only?.value ?? null, outcome.notes);
}

function readDocuments(text: string, limits: ParseLimits, scalars: ScalarReading): ParseOutcome<Document[]> {
  const documents: Document[] = [];
  const notes: ParseNote[] = [];
  const nothing = scalars === 'core' ? null : '';
  const failed = eachYamlDocument(text, { maxDepth: limits.maxDepth, scalars }, (document) => {
    const outcome = toJsonValue(document, text, limits.maxDepth);
    if (!outcome.ok) return outcome;
    noteTags(document, text, notes);
    if (outcome.value !== nothing) documents.push({ value: outcome.value, offset: document.contents?.range[0] ?? 0 });
    return null;
  });
  return failed ?? parsed(documents, notes);
}

function noteTags(document: YamlDocument, text: string, notes: ParseNote[]): void {
  for (const warning of document.warnings) {
    if (notes.length >= programLimits.diagnosticsPerProbe) return;
    if (warning.code !== 'TAG_RESOLVE_FAILED' && warning.code !== 'BAD_COLLECTION_TYPE') continue;
    const [start, end] = warning.pos;
    const tag = truncate(singleLine(text.slice(start, end)), programLimits.diagnosticDetailChars);
    notes.push({ id: 'unknown_tag', line: lineAt(text, start), detail: tag });
  }
}
