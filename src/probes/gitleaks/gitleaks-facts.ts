/** Credentials in the clear, as a fact. */

import { factsOf, listed } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { gitleaksSection } from './gitleaks-section.ts';

const surrounded: ReadonlySet<string> = new Set([
  'assignment',
  'connection_string',
  'url_credentials',
  'jwt',
  'telegram_token',
]);
const isNamedKind = ({ rule_id }: { readonly rule_id: string }): boolean =>
  !surrounded.has(rule_id) && !rule_id.startsWith('gitleaks.');

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
      const places = findings.filter(({ commit, standing }) => commit === null && standing === 'probable');
      return [
        listed(
          '.',
          places.map(({ path, line }) => `${path}:${line}`),
          {
            // A value known by its surroundings may be anything; one known by its own letters seldom is.
            because: places.length === 0 ? 'looked' : places.every(isNamedKind) ? 'follows' : 'resembles',
            how: `searched by ${scanner === 'builtin' ? 'our own rules' : scanner}; what stands in tests, examples and documentation, or is a placeholder, is left out`,
            evidence: places.slice(0, 5).map(({ path, line }) => ({ path, line, shows: null })),
          },
        ),
      ];
    },
  },
]);
