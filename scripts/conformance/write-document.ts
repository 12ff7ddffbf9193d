/** `docs/conformance.md`: one section per part of the corpus, each written by the run that measured it; the others stay as they are. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Of a document that is new; what people write above the first section stays as it is. */
const head = '# Conformance\n';

export function writeSection(path: string, part: string, title: string, body: string): void {
  const known = new Map<string, string>();
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  for (const [, name = '', section = ''] of text.matchAll(/<!-- begin (\w+) -->\n([\s\S]*?)<!-- end \1 -->/g))
    known.set(name, section);
  known.set(part, `## ${title}\n\n${body.trimEnd()}\n`);
  const sections = [...known]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, section]) => `<!-- begin ${name} -->\n${section}<!-- end ${name} -->\n`);
  const first = text.indexOf('<!-- begin ');
  const above = first < 0 ? text : text.slice(0, first).trimEnd();
  writeFileSync(path, [above === '' ? head : `${above}\n`, ...sections].join('\n'));
}
