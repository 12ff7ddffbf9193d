/**
 * The records of a pax extended header that decide what an entry is: `<length> <key>=<value>\n`, the length counting itself. Total; null
 * for anything else. Other records are checked and dropped, so that what is remembered does not grow with the archive.
 */

import { decodeLenient } from '../base/text.ts';

const understood: ReadonlySet<string> = new Set([
  'path',
  'linkpath',
  'size',
  'GNU.sparse.major',
  'GNU.sparse.size',
  'GNU.sparse.name',
]);

export function parsePaxRecords(bytes: Uint8Array): ReadonlyMap<string, string> | null {
  const records = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    // Twenty digits are more than any header may be long.
    if (space < 0 || space - at > 20) return null;
    const digits = Buffer.from(bytes.subarray(at, space)).toString('latin1');
    if (!/^[1-9][0-9]*$/.test(digits)) return null;
    const end = at + Number(digits);
    if (end > bytes.length || end <= space + 1 || bytes[end - 1] !== 0x0a) return null;
    const equals = bytes.indexOf(0x3d, space + 1);
    if (equals < 0 || equals >= end - 1) return null;
    const key = decodeLenient(bytes.subarray(space + 1, equals));
    if (understood.has(key)) records.set(key, decodeLenient(bytes.subarray(equals + 1, end - 1)));
    at = end;
  }
  return records;
}
