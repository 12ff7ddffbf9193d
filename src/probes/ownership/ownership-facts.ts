/** Who owns what, as facts. */

import { factsOf, known } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { ownershipSection } from './ownership-section.ts';

export const ownershipFacts = factsOf('ownership', ownershipSection, [
  {
    id: 'owners',
    says: 'Who owns which paths: the rules in the order of the file, the last that fits a path counts.',
    of: 'the repository, and the file that declares them',
    value: z.array(z.strictObject({ pattern: z.string(), owners: z.array(z.string()) })),
    from: 'CODEOWNERS where the forge looks for it',
    noneWithoutSection: true,
    state: ({ source_path, entries }) => {
      const [first] = entries;
      if (source_path === null || first === undefined) return [];
      const rules = entries.map(({ pattern, owners }) => ({ pattern, owners }));
      const evidence = [{ path: source_path, line: first.line_number, shows: first.pattern }];
      const about = { because: 'declared', how: `rules of ${source_path}`, evidence } as const;
      return [known('.', rules, about), known(source_path, rules, about)];
    },
  },
]);
