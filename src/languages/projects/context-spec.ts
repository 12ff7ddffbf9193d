/**
 * The words of indexer projects (code-plane.md §5–§7): families of languages, their indexers, one project as discovery finds it, and every
 * way in which indexing it can fail.
 */

import { posix } from 'node:path';
import type { JsonObject } from '../../kernel/base/json.ts';
import type { Language } from '../language.ts';
import { familyOf } from '../language-family.ts';
import { languages } from '../registry.gen.ts';
import typescript from '../typescript/typescript.ts';

type Indexed = Extract<(typeof languages)[number], { readonly indexers: readonly string[] }>;
/** A group of languages that one kind of indexer understands; the first word of every symbol key. */
export type Family = Indexed['name'];
export type IndexerId = Indexed['indexers'][number];

const indexed = languages.filter((language) => 'indexers' in language);
export const families: readonly Family[] = indexed.map(({ name }) => name);
export const indexerIds: readonly IndexerId[] = indexed.flatMap(({ indexers }) => indexers);

export const typeScriptIndexers = typescript.indexers;
export type TypeScriptIndexer = (typeof typeScriptIndexers)[number];

/** What a refresh scope is widened to. */
export type Granularity = 'project' | 'package' | 'file';

export const probeStates = [
  'ok',
  'missing_tool',
  'bad_version',
  'sandbox_missing',
  'config_error',
  'disabled',
] as const;
/** Can the indexer of a context run here? */
export type ProbeState = (typeof probeStates)[number];

/** One indexer project as discovery found it: a pure function of configuration files, paths and resolved imports. */
export type ContextSpec = {
  /** `ts:packages/api/tsconfig.json`, `ts-loose:packages/x`, `python:services/a`, `go:go.work`; unique. */
  readonly key: string;
  readonly family: Family;
  /** Directory, root-relative; `''` is the root. */
  readonly root: string;
  readonly configPath: string | null;
  readonly indexer: IndexerId;
  /** Files in scope, sorted by code unit. */
  readonly members: readonly string[];
  /** What the adapter needs to plan its run, and nothing else; stored as `config_json`. */
  readonly config: JsonObject;
  /** Everything that decides what the program means, besides its members' bytes; `config_hash` is an id over it. */
  readonly configInputs: JsonObject;
  /** Why the configuration cannot be used; the context then has probe `config_error`. */
  readonly problem: string | null;
  /** Why a compiler that is given the configuration as it is does not come to an end. */
  readonly endless?: string;
  readonly enabled: boolean;
};

export const failures = [
  'missing_tool',
  'bad_version',
  'sandbox_missing',
  'config_error',
  'tool_crashed',
  'tool_timeout',
  'out_of_memory',
  'no_output',
  'decode_error',
  'too_few_documents',
  'io_error',
  'internal_error',
] as const;
/** Every way a refresh job can fail. */
export type Failure = (typeof failures)[number];

/** What the indexers of a family understand. A file of any other language is `unsupported`, whatever context lists it (T8). */
const languagesOf: ReadonlyMap<Family, readonly string[]> = new Map(
  indexed.map((head: Indexed & Language) => [head.name, [...familyOf(head.name).code, ...(head.indexesToo ?? [])]]),
);

const everyLanguage: ReadonlySet<string> = new Set([...languagesOf.values()].flat());

/** Can an indexer read the projects of a family? */
export function understands(indexer: IndexerId, family: Family): boolean {
  return indexed.some(({ name, indexers }) => name === family && (indexers as readonly string[]).includes(indexer));
}

export function hasIndexer(language: string | null): boolean {
  return language !== null && everyLanguage.has(language);
}

export function isIndexedBy(family: Family, language: string | null): boolean {
  return language !== null && languagesOf.get(family)?.includes(language) === true;
}

/**
 * The configuration that an entry of `scip.extra_projects` names, root-relative; undefined for what is outside of the repository, or would
 * read as a pattern where inputs are declared.
 */
export function configPathOf(project: string): string | undefined {
  const path = posix.normalize(project.replaceAll('\\', '/')).replace(/\/+$/, '');
  if (path === '..' || path.startsWith('../') || path.startsWith('/') || /[*?[\]{}:!]/.test(path)) return undefined;
  return path.endsWith('.json') ? path : posix.join(path, 'tsconfig.json');
}
