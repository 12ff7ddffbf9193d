/** The bytes and the syntactic interface of every file, as one moment: what a refresh job compares before and after its run. */

import type { ReadSession } from '../facts-handle.ts';
import { listAugmentingFiles } from './list-augmenting-files.ts';

export type FileInterface = {
  readonly hash: string;
  readonly synIface: string | null;
  /** It may add to the declarations of files that do not import it. */
  readonly augments?: boolean;
};

export const interfacesSql = `
  SELECT path, content_hash AS hash, syn_iface AS synIface FROM files WHERE content_hash IS NOT NULL
`;

// Of what is not parsed nothing but the bytes can be observed.
export const interfaceClosedSql = 'SELECT parse IS NULL OR iface_closed AS closed FROM files WHERE path = ?';

/** True also where there is no such file: nothing leads on from there. */
export function isInterfaceClosed(session: ReadSession, path: string): boolean {
  return session.statement(interfaceClosedSql).get(path)?.['closed'] !== 0;
}

/** By path, of those files that have one. */
export function loadSyntacticInterfaces(session: ReadSession): ReadonlyMap<string, string> {
  const rows = session.statement(interfacesSql).all();
  return new Map(
    rows.flatMap((row) => (row['synIface'] === null ? [] : [[String(row['path']), String(row['synIface'])]])),
  );
}

export function loadInterfaces(session: ReadSession): ReadonlyMap<string, FileInterface> {
  const found = new Map<string, FileInterface>();
  for (const row of session.statement(interfacesSql).iterate()) {
    found.set(String(row['path']), { hash: String(row['hash']), synIface: row['synIface'] as string | null });
  }
  for (const path of listAugmentingFiles(session)) {
    const known = found.get(path);
    if (known !== undefined) found.set(path, { ...known, augments: true });
  }
  return found;
}
