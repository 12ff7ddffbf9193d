/** The bytes and the syntactic interface of every file, as one moment: what a refresh job compares before and after its run. */

import type { ReadSession } from '../facts-handle.ts';

export type FileInterface = { readonly hash: string; readonly synIface: string | null };

export const interfacesSql = `
  SELECT path, content_hash AS hash, syn_iface AS synIface FROM files WHERE content_hash IS NOT NULL
`;

export function loadInterfaces(session: ReadSession): ReadonlyMap<string, FileInterface> {
  const found = new Map<string, FileInterface>();
  for (const row of session.statement(interfacesSql).iterate()) {
    found.set(String(row['path']), { hash: String(row['hash']), synIface: row['synIface'] as string | null });
  }
  return found;
}
