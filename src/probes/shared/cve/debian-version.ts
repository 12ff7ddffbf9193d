/**
 * The order of versions of Debian and Ubuntu packages (deb-version(7)): `[epoch:]upstream[-revision]`, runs of digits by number,
 * other characters by code with letters before the rest and `~` before everything, even the end. A total order on all strings: what
 * is no version is compared by the same rules.
 */

export function compareDebianVersions(a: string, b: string): number {
  const [first, second] = [split(a), split(b)];
  return (
    compareNumbers(first.epoch, second.epoch) ||
    compareParts(first.upstream, second.upstream) ||
    compareParts(first.revision, second.revision)
  );
}

function split(version: string): { readonly epoch: string; readonly upstream: string; readonly revision: string } {
  const colon = version.indexOf(':');
  const stated = colon > 0 && /^\d+$/.test(version.slice(0, colon)) ? version.slice(0, colon) : null;
  const rest = stated === null ? version : version.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: stated ?? '0',
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    // None is the same as zero: `1.0` and `1.0-0` are equal.
    revision: dash < 0 ? '0' : rest.slice(dash + 1),
  };
}

/** Takes turns: characters that are no digits, then digits. */
function compareParts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = weightAt(a, i) - weightAt(b, j);
      if (difference !== 0) return Math.sign(difference);
      i += 1;
      j += 1;
    }
    const [x, y] = [digitsAt(a, i), digitsAt(b, j)];
    const difference = compareNumbers(x, y);
    if (difference !== 0) return difference;
    i += x.length;
    j += y.length;
  }
  return 0;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The end and a digit weigh nothing, `~` less than nothing, letters by themselves, all else more than any letter. */
function weightAt(text: string, at: number): number {
  if (at >= text.length || isDigit(text, at)) return 0;
  const character = text.charAt(at);
  if (character === '~') return -1;
  const code = text.charCodeAt(at);
  return /[A-Za-z]/.test(character) ? code : code + 65_536;
}

function digitsAt(text: string, from: number): string {
  let end = from;
  while (end < text.length && isDigit(text, end)) end += 1;
  return text.slice(from, end);
}

/** Of any length: dates make numbers that no double holds. */
export function compareNumbers(a: string, b: string): number {
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return Math.sign(x.length - y.length) || (x < y ? -1 : x > y ? 1 : 0);
}
