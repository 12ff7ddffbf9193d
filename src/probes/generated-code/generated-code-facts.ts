/** Generated code, as facts. */

import { factsOf, listed } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { generatedCodeSection } from './generated-code-section.ts';

export const generatedCodeFacts = factsOf('generated_code', generatedCodeSection, [
  {
    id: 'generated_code',
    says: 'Files in the repository that a program wrote, and that people do not edit.',
    of: 'the repository, or a directory',
    value: z.array(z.string()),
    from: 'headers of sources and documents, .gitattributes, names that generators give, targets of Makefiles',
    rollup: 'items',
    state: ({ files, linguist_generated }) => {
      const paths = [...new Set([...files.map(({ path }) => path), ...linguist_generated])].sort();
      const evidence = paths.slice(0, 5).map((path) => ({ path, shows: null }));
      return [
        listed('.', paths, {
          // A program need not sign what it writes.
          because: 'follows',
          how: 'files with a generator’s header, name or attribute, or that a generator in a Makefile writes',
          evidence,
        }),
      ];
    },
  },
]);
