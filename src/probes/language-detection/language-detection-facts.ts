/** Frameworks of the product, as a fact. */

import { componentAround, factsOf, isProduct, known, listed } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { languageStackSection } from './language-detection-section.ts';

export const languageFacts = factsOf('language_stack', languageStackSection, [
  {
    id: 'framework.production',
    says: 'Frameworks that the product itself is built on; those of examples, benchmarks, tests and documentation are none.',
    of: 'the repository, or a component',
    value: z.array(z.string()),
    from: 'dependencies that manifests of the product declare',
    state: ({ framework_evidence: declared }, spine) => {
      const isOfProduct = (path: string) => isProduct(componentAround(spine, path) ?? { kind: 'package' });
      const found = declared.filter(({ path }) => isOfProduct(path));
      const names = [...new Set(found.map(({ framework }) => framework))];
      const evidence = found.slice(0, 20).map(({ path, dependency }) => ({ path, shows: dependency }));
      const whole = listed('.', names, {
        because: 'follows',
        how: 'dependencies that manifests of the product declare',
        evidence,
      });
      const directories = [...new Set(found.map(({ path }) => path.replace(/\/?[^/]*$/, '')))].filter(
        (dir) => dir !== '',
      );
      return [
        whole,
        ...directories.map((dir) => {
          const own = found.filter(
            ({ path }) => path.startsWith(`${dir}/`) && !path.slice(dir.length + 1).includes('/'),
          );
          return known(dir, [...new Set(own.map(({ framework }) => framework))], {
            because: 'follows',
            how: 'dependencies that its manifest declares',
            evidence: own.map(({ path, dependency }) => ({ path, shows: dependency })),
          });
        }),
      ];
    },
  },
]);
