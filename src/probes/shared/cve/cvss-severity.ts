/** From a CVSS 3 vector to a word: the base score by the formula of the standard, and the band it falls in. */

export const cveSeverities = ['critical', 'high', 'medium', 'low', 'negligible', 'unknown'] as const;
export type CveSeverity = (typeof cveSeverities)[number];

/** Words that databases use, GitHub's `MODERATE` and Debian's urgencies among them. */
export function severityOfWord(word: string | null): CveSeverity {
  const words: Readonly<Record<string, CveSeverity>> = {
    critical: 'critical',
    high: 'high',
    important: 'high',
    medium: 'medium',
    moderate: 'medium',
    low: 'low',
    negligible: 'negligible',
    unimportant: 'negligible',
    none: 'negligible',
  };
  const key = (word ?? '').toLowerCase();
  return Object.hasOwn(words, key) ? (words[key] ?? 'unknown') : 'unknown';
}

export function severityOfVector(vector: string): CveSeverity {
  const score = baseScore(vector);
  if (score === null) return 'unknown';
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'negligible';
}

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const privileges: Readonly<Record<string, readonly [number, number]>> = {
  N: [0.85, 0.85],
  L: [0.62, 0.68],
  H: [0.27, 0.5],
};

/** Null for a vector of another version, or one that lacks a metric. */
export function baseScore(vector: string): number | null {
  if (!/^CVSS:3\.[01]\//.test(vector)) return null;
  const metrics = new Map(
    vector.split('/').map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]),
  );
  const scope = metrics.get('S');
  if (scope !== 'U' && scope !== 'C') return null;
  const changed = scope === 'C';
  const weight = (name: string) => weights[name]?.[metrics.get(name) ?? ''];
  const needed = privileges[metrics.get('PR') ?? '']?.[changed ? 1 : 0];
  const [vectorWeight, complexity, interaction] = [weight('AV'), weight('AC'), weight('UI')];
  const [confidentiality, integrity, availability] = [weight('C'), weight('I'), weight('A')];
  if (needed === undefined || vectorWeight === undefined || complexity === undefined || interaction === undefined)
    return null;
  if (confidentiality === undefined || integrity === undefined || availability === undefined) return null;
  const loss = 1 - (1 - confidentiality) * (1 - integrity) * (1 - availability);
  const impact = changed ? 7.52 * (loss - 0.029) - 3.25 * (loss - 0.02) ** 15 : 6.42 * loss;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * vectorWeight * complexity * needed * interaction;
  return roundUp(Math.min((changed ? 1.08 : 1) * (impact + exploitability), 10));
}

/** To one decimal, upwards, by the integers of the standard's appendix: 4.02 is 4.1, and 4.000000001 is 4.0. */
function roundUp(score: number): number {
  const scaled = Math.round(score * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
}
