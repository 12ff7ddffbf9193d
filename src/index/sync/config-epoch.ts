/**
 * One value that changes when a configuration file, or what `.gitattributes` says, changes (code-plane.md §2). It is stored last:
 * `pending` in its first part means that a process died between writing files and resolving imports.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { FileTable } from './file-table.ts';

export type ConfigEpoch = { readonly configs: string; readonly attributes: string };

export const pendingConfigs = 'pending';

export function parseEpoch(stored: string | undefined): ConfigEpoch | undefined {
  const [configs, attributes] = stored?.split('.') ?? [];
  return configs === undefined ? undefined : { configs, attributes: attributes ?? '' };
}

/** A writer is, or died, between writing files and resolving the imports of others. */
export function isPending(stored: string | undefined): boolean {
  return parseEpoch(stored)?.configs === pendingConfigs;
}

export function renderEpoch(epoch: ConfigEpoch): string {
  return `${epoch.configs}.${epoch.attributes}`;
}

export function hashConfigs(table: FileTable, isConfig: (path: string) => boolean): string {
  const files: string[] = [];
  for (const [path, state] of table) if (isConfig(path)) files.push(`${path}\0${state.contentHash ?? ''}`);
  return sha256Hex(files.sort(compareCodeUnits).join('\0')).slice(0, 32);
}
