/** Which inputs lie below a path that configuration names, and how such a file is shown to people. */

import { isAbsolute, relative } from 'node:path';
import type { ConfigKey } from '../../gather/config.ts';
import type { ProbeRepo } from '../../gather/contract.ts';

/** `position` counts the entries of the key that have a path; 0 for a key that holds one path. */
export type ConfiguredPath = { readonly key: ConfigKey; readonly position: number; readonly path: string };

/** Inputs inside the root have root-relative ids, those outside `config:<key>:<position>/<rel>`. */
export function belowConfigured(root: string, id: string, configured: ConfiguredPath): boolean {
  return relativeToConfigured(root, id, configured) !== undefined;
}

/** The part of the id below the configured directory; undefined if the input is not below it. */
export function relativeToConfigured(root: string, id: string, configured: ConfiguredPath): string | undefined {
  const outside = `config:${configured.key}:${configured.position}/`;
  if (id.startsWith(outside)) return id.slice(outside.length);
  if (isForeign(id)) return undefined;
  const inside = isAbsolute(configured.path)
    ? relative(root, configured.path)
    : configured.path
        .split('/')
        .filter((segment) => segment !== '' && segment !== '.')
        .join('/');
  if (inside === '') return id;
  return id.startsWith(`${inside}/`) ? id.slice(inside.length + 1) : undefined;
}

/** Root-relative, or absolute for files outside the root; the sanitiser writes the home directory as `~`. */
export function shownPath(repo: ProbeRepo, id: string): string {
  return isForeign(id) ? (repo.inputs.fingerprint(id)?.path ?? id) : id;
}

function isForeign(id: string): boolean {
  return id.startsWith('config:') || id.startsWith('user:');
}
