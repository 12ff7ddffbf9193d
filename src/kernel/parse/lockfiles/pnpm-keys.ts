/**
 * The names pnpm gives to packages, which changed with every major version of its lockfile:
 * 5 `/name/1.0.0_peers`, 6 `/name@1.0.0(peers)`, 9 `name@1.0.0(peers)`. A dependency is recorded as what follows the name, or as
 * the whole key when it is an alias or does not come from the registry.
 */

export type PnpmMajor = 5 | 6 | 9;

export type PnpmKey = {
  readonly name: string;
  /** A version, or the address of what has none: `file:vendor/thing`. */
  readonly version: string;
};

/** Null when the key has no name in it, as `file:vendor/thing` and `github.com/user/repository/commit` before version 9. */
export function readPnpmKey(key: string, major: PnpmMajor): PnpmKey | null {
  if (major !== 9 && !key.startsWith('/')) return null;
  const plain = withoutPeers(major === 9 ? key : key.slice(1), major);
  // A scope begins with `@`, so a name has at least one character before the one that ends it.
  const end = major === 5 ? plain.lastIndexOf('/') : plain.indexOf('@', 1);
  return end < 1 ? null : { name: plain.slice(0, end), version: plain.slice(end + 1) };
}

/** The keys that a dependency on `name`, recorded as `reference`, may stand for; the first that exists is meant. */
export function candidateKeys(name: string, reference: string, major: PnpmMajor): readonly string[] {
  if (major === 9) return [`${name}@${reference}`, reference];
  return [major === 6 ? `/${name}@${reference}` : `/${name}/${reference}`, reference];
}

/** `1.0.0(react@18.2.0)` and `1.0.0_react@18.2.0` → `1.0.0`. */
export function withoutPeers(reference: string, major: PnpmMajor): string {
  if (major !== 5) {
    const open = reference.indexOf('(');
    return open === -1 ? reference : reference.slice(0, open);
  }
  // Versions hold no underscore, names and paths may; peers hold no slash.
  const peers = reference.includes(':') ? -1 : reference.indexOf('_', reference.lastIndexOf('/') + 1);
  return peers === -1 ? reference : reference.slice(0, peers);
}
