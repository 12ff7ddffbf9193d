/** The grammar of `declaredInputs` (gather.md §4.2): what kind of thing a pattern names, decided from its text alone. */

import { assert } from '../../kernel/base/assert.ts';
import { isGlob } from '../../kernel/tree/path-patterns.ts';
import { type ConfigKey, configKeys } from '../config.ts';
import { isAuthoredPath } from '../data-dir.ts';

export type DeclaredInput =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'names'; readonly glob: string }
  | { readonly kind: 'user'; readonly glob: string }
  | { readonly kind: 'config'; readonly key: ConfigKey; readonly glob: string | null }
  | { readonly kind: 'authored'; readonly glob: string }
  | { readonly kind: 'literal'; readonly path: string }
  | { readonly kind: 'glob'; readonly glob: string };

export class CacheKeyError extends Error {
  override readonly name = 'CacheKeyError';
  readonly reason: 'unknown_special_token';
  readonly token: string;
  constructor(token: string) {
    super(`unknown_special_token: ${token}`);
    this.reason = 'unknown_special_token';
    this.token = token;
  }
}

export const specialTokens = ['image-digest', 'utc-date', 'git-head', 'repo-id'] as const;

/** Throws for a pattern no probe may declare: that is a bug in the probe. */
export function parseDeclaredInput(pattern: string): DeclaredInput {
  const token = /^([a-z0-9_-]+):<resolved>$/.exec(pattern)?.[1];
  if (token !== undefined) {
    if (!(specialTokens as readonly string[]).includes(token)) throw new CacheKeyError(token);
    return { kind: 'token', token };
  }
  if (pattern.startsWith('names:')) return { kind: 'names', glob: pattern.slice(6) };
  if (pattern.startsWith('user:')) return { kind: 'user', glob: pattern.slice(5) };
  if (pattern.startsWith('config:')) return parseConfigInput(pattern.slice(7));
  assert(!pattern.startsWith('/') && !pattern.split('/').includes('..'), `declared input leaves the root: ${pattern}`);
  assert(pattern !== '.git' && !pattern.startsWith('.git/'), `declared input inside .git: ${pattern}`);
  if (pattern.startsWith('.codegenie/')) {
    assert(isAuthoredPath(pattern), `declared input is derived data: ${pattern}`);
    return { kind: 'authored', glob: pattern };
  }
  return isGlob(pattern) ? { kind: 'glob', glob: pattern } : { kind: 'literal', path: pattern };
}

function parseConfigInput(text: string): DeclaredInput {
  const colon = text.indexOf(':');
  const key = colon < 0 ? text : text.slice(0, colon);
  assert(Object.hasOwn(configKeys, key), `declared input names an unknown config key: ${key}`);
  return { kind: 'config', key: key as ConfigKey, glob: colon < 0 ? null : text.slice(colon + 1) };
}
