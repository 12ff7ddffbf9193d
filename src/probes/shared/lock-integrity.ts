/** Whether every package a lockfile takes from a registry carries a checksum that could be one. Nothing is downloaded or compared. */

import type { Lockfile } from '../../kernel/formats/lockfiles/lockfile.ts';

/** Null when the format has no checksums or nothing comes from a registry. */
export function hasValidIntegrity(lock: Lockfile): boolean | null {
  const fetched = lock.packages.filter((each) => each.fromRegistry);
  if (!lock.hasIntegrity || fetched.length === 0) return null;
  return fetched.every((each) => each.integrity !== null && isWellFormedIntegrity(each.integrity));
}

/** Subresource integrity (`sha512-…`, several by spaces) or yarn berry's `10c0/<hex>`. */
export function isWellFormedIntegrity(text: string): boolean {
  const hashes = text.split(' ').filter((each) => each !== '');
  return hashes.length > 0 && hashes.every((each) => isSubresourceHash(each) || isYarnChecksum(each));
}

const digestBytes: ReadonlyMap<string, number> = new Map([
  ['sha1', 20],
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
]);

function isSubresourceHash(text: string): boolean {
  const match = /^(sha\d+)-([A-Za-z0-9+/]+={0,2})(\?.*)?$/.exec(text);
  const bytes = match?.[1] === undefined ? undefined : digestBytes.get(match[1]);
  return bytes !== undefined && match?.[2]?.length === Math.ceil(bytes / 3) * 4;
}

function isYarnChecksum(text: string): boolean {
  return /^(\d+(c\d+)?\/)?[0-9a-f]{128}$/.test(text);
}
