/**
 * Keys with at most one `*`, as `paths`, `exports`, `imports` and `typesVersions` have them: an exact key wins, else the longest
 * prefix. A lookup costs one step per distinct prefix length however many keys there are, so a table of 100,000 keys is harmless.
 */

export type PatternMatch<T> = {
  readonly value: T;
  /** What the `*` stands for, or what follows a key that ends with `/`; `''` for an exact key. */
  readonly star: string;
  readonly kind: 'exact' | 'pattern' | 'directory';
};

export type PatternTable<T> = {
  readonly exact: ReadonlyMap<string, T>;
  readonly byPrefix: ReadonlyMap<string, readonly Pattern<T>[]>;
  /** Distinct, longest first. */
  readonly prefixLengths: readonly number[];
};

type Pattern<T> = { readonly suffix: string; readonly value: T; readonly kind: 'pattern' | 'directory' };

/** Among equal prefixes `paths` takes the first listed, `exports` the longest key; only the latter knows `dir/` keys. */
type PatternRule = 'paths' | 'exports';

const patternsPerPrefixMax = 256;
const prefixLengthsMax = 512;

export function createPatternTable<T>(entries: Iterable<readonly [string, T]>, rule: PatternRule): PatternTable<T> {
  const exact = new Map<string, T>();
  const byPrefix = new Map<string, Pattern<T>[]>();
  for (const [key, value] of entries) {
    const star = key.indexOf('*');
    if (star === -1) exact.set(key, value);
    if (star !== key.lastIndexOf('*')) continue;
    if (star !== -1) addPattern(byPrefix, key.slice(0, star), { suffix: key.slice(star + 1), value, kind: 'pattern' });
    else if (rule === 'exports' && key.endsWith('/'))
      addPattern(byPrefix, key, { suffix: '', value, kind: 'directory' });
  }
  if (rule === 'exports') for (const patterns of byPrefix.values()) patterns.sort(byRank);
  const lengths = new Set<number>();
  for (const prefix of byPrefix.keys()) lengths.add(prefix.length);
  return { exact, byPrefix, prefixLengths: [...lengths].sort((a, b) => b - a).slice(0, prefixLengthsMax) };
}

export function matchPattern<T>(table: PatternTable<T>, name: string): PatternMatch<T> | undefined {
  const exact = table.exact.get(name);
  if (exact !== undefined && !name.endsWith('/')) return { value: exact, star: '', kind: 'exact' };
  for (const length of table.prefixLengths) {
    if (length > name.length) continue;
    for (const pattern of table.byPrefix.get(name.slice(0, length)) ?? []) {
      const end = name.length - pattern.suffix.length;
      if (end < length || !name.endsWith(pattern.suffix)) continue;
      return { value: pattern.value, star: name.slice(length, end), kind: pattern.kind };
    }
  }
  return undefined;
}

function addPattern<T>(byPrefix: Map<string, Pattern<T>[]>, prefix: string, pattern: Pattern<T>): void {
  const known = byPrefix.get(prefix);
  if (known === undefined) byPrefix.set(prefix, [pattern]);
  else if (known.length < patternsPerPrefixMax) known.push(pattern);
}

/** A key with `*` is longer than a `dir/` key of the same prefix. */
function byRank<T>(a: Pattern<T>, b: Pattern<T>): number {
  if (a.kind !== b.kind) return a.kind === 'pattern' ? -1 : 1;
  return b.suffix.length - a.suffix.length;
}
