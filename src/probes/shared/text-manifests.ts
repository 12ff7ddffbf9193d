/** Manifests that are programs or plain lines, read by line: Gemfile and its lock, go.sum. Counts only; nothing is evaluated. */

import { type ManifestFacts, noFacts, shown } from './manifest-facts.ts';

const maxLineChars = 500;

/** `gem 'x'` lines; inside `group :development, :test do … end`, or with such a `group:` option, they count as development. */
export function readGemfile(text: string): ManifestFacts {
  const runtime = new Set<string>();
  const dev = new Set<string>();
  const engines: { name: string; range: string }[] = [];
  const blocks: boolean[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.slice(0, maxLineChars).trim();
    const gem = /^gem\s*\(?\s*['"]([^'"]+)['"](.*)$/.exec(line);
    if (gem?.[1] !== undefined) {
      const isDev = blocks.includes(true) || /\bgroups?(:|\s*=>).*:(development|test)\b/.test(gem[2] ?? '');
      (isDev ? dev : runtime).add(gem[1]);
    }
    const ruby = /^ruby\s*\(?\s*['"]([^'"]+)['"]/.exec(line)?.[1];
    if (ruby !== undefined) engines.push({ name: 'ruby', range: shown(ruby) });
    if (/\bdo(\s*\|[^|]*\|)?$/.test(line)) blocks.push(/^group\b.*:(development|test)\b/.test(line));
    else if (line === 'end') blocks.pop();
  }
  return { ...noFacts, runtime, dev, engines };
}

/** Entries at the first level below `specs:`; what they depend on is indented further. */
export function countGemfileLock(text: string): number {
  let inSpecs = false;
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^\S/.test(line)) inSpecs = false;
    else if (line === '  specs:') inSpecs = true;
    else if (inSpecs && /^ {4}\S/.test(line)) found.add(line.trim());
  }
  return found.size;
}

/** Modules whose content has a hash; `/go.mod` lines vouch for a requirement, not for a package. */
export function countGoSum(text: string): number {
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const [module, version] = line.split(' ');
    if (module !== undefined && version !== undefined && !version.endsWith('/go.mod'))
      found.add(`${module} ${version}`);
  }
  return found.size;
}
