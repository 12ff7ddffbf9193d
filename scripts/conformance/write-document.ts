/** `docs/conformance.md`: one section per part of the corpus, each written by the run that measured it; the others stay as they are. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const head = `# Conformance

Written by \`npm run conformance -- <part> --write-docs\`; do not edit. The corpus is TypeScript's own tests as data, outside this
repository. A verdict is \`wrong\` where a plan would be committed that is not right; it must be 0. \`asked\` and \`refused\` cost
coverage and write nothing.
`;

export function writeSection(path: string, part: string, title: string, body: string): void {
  const known = new Map<string, string>();
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  for (const [, name = '', section = ''] of text.matchAll(/<!-- begin (\w+) -->\n([\s\S]*?)<!-- end \1 -->/g))
    known.set(name, section);
  known.set(part, `## ${title}\n\n${body.trimEnd()}\n`);
  const sections = [...known]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, section]) => `<!-- begin ${name} -->\n${section}<!-- end ${name} -->\n`);
  writeFileSync(path, [head, ...sections].join('\n'));
}
