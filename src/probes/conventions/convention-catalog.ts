/**
 * One convention file (gather.md §14) as rules that are ready to run. A bad rule rejects its file, and only its file:
 * half a catalog would report the other half as kept.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine } from '../../kernel/base/text.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { type PerFileError, shownPath } from '../shared/authored-files.ts';
import { cutText } from '../shared/probe-reading.ts';
import { type catalogErrorReasons, catalogIds, conventionKeys, isCatalogOf } from './conventions-section.ts';
import { compileUserRegex, type UserRegex } from './user-regex.ts';

const maxGlobChars = 1000;

const conventionKinds = ['dockerfile_pattern', 'dockerfile_pattern_inverted', 'file_pattern', 'missing_file'] as const;
export type ConventionKind = (typeof conventionKinds)[number];

export type CatalogError = Omit<PerFileError<(typeof catalogErrorReasons)[number]>, 'path'>;

export type ConventionRule = {
  readonly id: string;
  readonly description: string;
  readonly kind: ConventionKind;
  /** Null for `missing_file` by name alone. */
  readonly regex: UserRegex | null;
  /** Null for the Dockerfile kinds. Anchored at the root. */
  readonly glob: string | null;
};

export type CatalogOutcome =
  | { readonly kind: 'loaded'; readonly rules: readonly ConventionRule[] }
  | { readonly kind: 'failed'; readonly error: CatalogError };

const rule = z.looseObject({
  id: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  kind: z.string().optional(),
  pattern: z.string().min(1).max(10_000).optional(),
  file_glob: z.string().min(1).max(1000).optional(),
  detect: z
    .looseObject({
      type: z.string().optional(),
      pattern: z.string().min(1).max(10_000).optional(),
      file_glob: z.string().min(1).max(1000).optional(),
    })
    .optional(),
});

export function parseConventionCatalog(bytes: Uint8Array): CatalogOutcome {
  const yaml = parseYaml(bytes, { maxBytes: limits.yamlCatalogBytes, maxDepth: limits.parseDepth });
  if (!yaml.ok) return failed(catalogReadError(yaml.failure));
  const entries = listOfRules(yaml.value);
  if (entries === undefined)
    return failed({ reason: 'schema', details: 'neither a list of rules nor a mapping with rules' });
  const rules: ConventionRule[] = [];
  for (const [index, entry] of entries.entries()) {
    const outcome = readRule(entry, index);
    if ('reason' in outcome) return failed(outcome);
    rules.push(outcome);
  }
  return { kind: 'loaded', rules };
}

/** Also for the failures of reading the file in the first place. */
export function catalogReadError(failure: ParseFailure): CatalogError {
  switch (failure.kind) {
    case 'symlink_refused':
    case 'size_cap_exceeded':
    case 'depth_cap_exceeded':
      return { reason: failure.kind };
    case 'malformed':
    case 'expansion_cap_exceeded':
      return { reason: 'unsafe_yaml' };
    case 'not_regular':
      return { reason: 'catalog_file_unreadable', errno_name: 'EINVAL' };
    case 'io':
      return { reason: 'catalog_file_unreadable', errno_name: failure.errno };
  }
}

function listOfRules(document: Json): readonly Json[] | undefined {
  const list = isJsonObject(document) ? document['rules'] : document;
  return Array.isArray(list) ? list : undefined;
}

function readRule(entry: Json, index: number): ConventionRule | CatalogError {
  const outcome = rule.safeParse(entry);
  if (!outcome.success) return schemaError(index, outcome.error.issues[0]?.message ?? 'malformed');
  const given = outcome.data;
  const id = given.id ?? given.name;
  if (id === undefined) return schemaError(index, 'neither id nor name');
  const kind = given.kind ?? given.detect?.type;
  if (kind === undefined) return schemaError(index, 'neither kind nor detect.type');
  if (!isConventionKind(kind))
    return { reason: 'unknown_pattern_type', offending_kind: cutText(singleLine(kind), 100) };
  const described = {
    id: cutText(singleLine(id), 200),
    description: cutText(singleLine(given.description ?? ''), 500),
    kind,
  };
  const pattern = given.pattern ?? given.detect?.pattern;
  const glob = given.file_glob ?? given.detect?.file_glob;
  const target = kind === 'missing_file' && glob === undefined ? { glob: pattern } : { glob, pattern };
  const usesGlob = kind === 'file_pattern' || kind === 'missing_file';
  if (usesGlob && target.glob === undefined) return schemaError(index, `${kind} names no files`);
  if (usesGlob && target.glob !== undefined && !isRepositoryGlob(target.glob)) {
    return schemaError(index, 'file_glob must stay inside the repository');
  }
  if (kind !== 'missing_file' && target.pattern === undefined) return schemaError(index, `${kind} has no pattern`);
  const regex = target.pattern === undefined ? null : compileUserRegex(target.pattern);
  if (regex === undefined) return { reason: 'invalid_regex', details: described.id };
  return { ...described, regex, glob: usesGlob ? withoutDot(target.glob ?? '') : null };
}

function isConventionKind(kind: string): kind is ConventionKind {
  return (conventionKinds as readonly string[]).includes(kind);
}

/** A glob of a catalog becomes a declared input: it must not be able to name the user's files, our data or git's. */
function isRepositoryGlob(glob: string): boolean {
  const path = withoutDot(glob);
  return (
    path !== '' &&
    path.length <= maxGlobChars &&
    !path.startsWith('/') &&
    !/^[A-Za-z0-9_-]+:/.test(path) &&
    !path.includes('\0') &&
    !path.includes('\\') &&
    !path.split('/').some((segment) => segment === '..' || segment === '.git' || segment === '.codegenie')
  );
}

function withoutDot(glob: string): string {
  return glob.startsWith('./') ? glob.slice(2) : glob;
}

function schemaError(index: number, details: string): CatalogError {
  return { reason: 'schema', details: cutText(singleLine(`rule ${index + 1}: ${details}`), 300) };
}

function failed(error: CatalogError): CatalogOutcome {
  return { kind: 'failed', error };
}

/** Rules by id; those of the user come before those of the repository where ids are equal. */
export async function readCatalogs(repo: ProbeRepo) {
  const rules: ConventionRule[] = [];
  const resolved: string[] = [];
  const errors: PerFileError[] = [];
  for (const key of conventionKeys) {
    for (const id of catalogIds(repo).filter((candidate) => isCatalogOf(repo, candidate, key))) {
      const path = shownPath(repo, id);
      const read = await repo.inputs.read(id, limits.yamlCatalogBytes);
      if (read.kind === 'absent' || resolved.includes(path)) continue;
      if (read.kind === 'failed') {
        errors.push({ path, ...catalogReadError(read.failure) });
        continue;
      }
      const outcome = parseConventionCatalog(read.bytes);
      if (outcome.kind === 'failed') errors.push({ path, ...outcome.error });
      else {
        rules.push(...outcome.rules);
        resolved.push(path);
      }
    }
  }
  return { rules: rules.sort((a, b) => compareCodeUnits(a.id, b.id)), resolved: resolved.sort(), errors };
}
