/** What continuous integration runs, as facts. */

import { factsOf, known, none } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { ciSection } from './ci-section.ts';

export const ciFacts = factsOf('ci', ciSection, [
  {
    id: 'ci.provider',
    says: 'The service that runs the checks of every change.',
    of: 'the repository',
    value: z.string(),
    from: 'the files that each provider reads',
    noneWithoutSection: true,
    state: ({ provider, workflow_files }) => {
      const [path] = workflow_files;
      if (provider === null || path === undefined) return [none('.', { because: 'looked', how: 'no provider’s file' })];
      const about = {
        because: 'declared',
        how: `${path} is what it reads`,
        evidence: [{ path, shows: null }],
      } as const;
      return [known('.', provider.replaceAll('_', '-'), about)];
    },
  },
]);
