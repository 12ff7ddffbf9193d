/** `docs/conformance.md`: one section per part of the corpus, each written by the run that measured it; the others stay as they are. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const head = `# Conformance

Does codegenie do what a compiler's own tests expect? The corpus is TypeScript's tests for rename and find-references as data; it lies outside
this repository, and the authors of the program did not write it. Each case runs through the real program. Behaviour is another corpus: small
programs that run, where a name is also a key, a string, a path or a convention, beside programs where it is not. Real projects are changed at
random places and judged by their own tests.

| part | what is asked | the answer must be |
|---|---|---|
| Behaviour | rename or move in a program that runs | applied only where the program prints the same afterwards; asked or refused otherwise |
| Capture | rename to a name that would, or would not, capture another | refused where it captures; done where it does not |
| Rename | rename to a free name | exactly the edits of the test |
| Real projects | rename or move at random places of a real project | applied only where the project's own tests pass as before |
| References | every place that means the symbol | nothing wrong among what is called resolved; what is missing is admitted by \`gte\` |
| References on real projects | the same at random names of real projects | TypeScript 5.9's sets; \`eq\` never differs, what is called resolved is one |
| Facts | what is true of real repositories, by id and scope | the hand-checked truth; what is not known is said to be unknown |
| TypeScript indexers | what our indexer says beside scip-typescript, on real projects | the same, or a difference with a reason |

**wrong** means that a plan would be committed that is not right, and must be 0. *exact*: the expected edits. *different*: other edits, explained by
class. *asked* and *refused*: nothing is written; they cost coverage. *eq* and *gte*: a count that is complete, or a lower bound that says so. *asked in
vain*: a question or a refusal where the change is right.

**Facts outside the corpus.** Sets of public repositories that no rule was made from, checked by hand before the program was asked.

| set | repositories | facts | right when first asked | wrong | after its classes were mended |
|---|---|---|---|---|---|
| A | six: Go, JavaScript, PHP, Python, Rust, a monorepo of a dozen languages | 156 | 126 (80.8 %) | 8 | 152 |
| B | eight: .NET, Go, JavaScript, Kotlin, Python, Ruby, a demo in three languages | 208 | 160 (76.9 %) | 19 | 208 |
| C | seven: .NET, Go with a web interface, Kotlin, PHP, Python, Rust, a monorepo of TypeScript, Dart and Python | 185 | 168 (90.8 %) | 6 | 172 |
| D | four, easier than the others | 91 | 87 (95.6 %) | 2 | not scored again |
| E | three: a Python service with a Vue interface (mealie), a monorepo of TypeScript (actual), a Java server (traccar) | 77 | **72 (93.5 %)** | 3 | 76 |

The column *right when first asked* is the honest one, and E the newest. Wrong of E: one of several partial builds of CI told as the build, a container to develop in
counted as an image of the product, compose files that only their directory names as such (and so two missing). The last two classes are mended.

Written by \`npm run conformance -- <part> --write-docs\`; do not edit below this line.
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
  // What was written by hand above the sections stays.
  const begin = text.indexOf('<!-- begin ');
  const above = begin < 0 ? head : `${text.slice(0, begin).trimEnd()}\n`;
  writeFileSync(path, [above, ...sections].join('\n'));
}
