/** Credentials in the clear, as a fact. */

import { factsOf, listed } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { gitleaksSection } from './gitleaks-section.ts';

export const gitleaksFacts = factsOf('gitleaks_findings', gitleaksSection, [
  {
    id: 'secrets.real',
    says: 'Places with what is probably a real credential; placeholders, fixtures, public keys and checksums are none.',
    of: 'the repository, or a directory',
    value: z.array(z.string().describe('path:line')),
    from: 'all files in scope',
    rollup: 'items',
    state: ({ findings, outcome, scanner }) => {
      if (outcome.kind !== 'ran') return [];
      const places = findings.filter(({ commit }) => commit === null);
      return [
        listed(
          '.',
          places.map(({ path, line }) => `${path}:${line}`),
          {
            because: 'looked',
            how: `searched by ${scanner}`,
            evidence: places.slice(0, 5).map(({ path, line }) => ({ path, line, shows: null })),
          },
        ),
      ];
    },
  },
]);
