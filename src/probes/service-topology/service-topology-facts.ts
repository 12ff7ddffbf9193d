/** Services and who calls whom, as facts. */

import { factsOf, known, type Statement } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type DeclaredEdge, topologySection } from './service-topology-section.ts';

const fileOf = ({ evidence }: DeclaredEdge): string => evidence.split('#')[0] ?? '';

export const topologyFacts = factsOf('service_topology', topologySection, [
  {
    id: 'services',
    says: 'Programs that run beside each other; `name@path` where the directory of their source is known.',
    of: 'the repository, or the file that declares them',
    value: z.array(z.string()),
    from: 'compose files, catalogs, manifests',
    state: ({ services }) => {
      const files = [...new Set(services.map(({ source }) => source))];
      return files.map((file) => {
        const own = services.filter(({ source }) => source === file).map(({ name }) => name);
        const evidence = own.slice(0, 10).map((name) => ({ path: file, shows: name }));
        return known(file, own, { because: 'declared', how: `declared in ${file}`, evidence });
      });
    },
  },
  {
    id: 'service.calls',
    says: 'Which service calls which, and by which protocol: `a -> b (http)`.',
    of: 'the repository, or the file that declares them',
    value: z.array(z.string()),
    from: 'addresses in the environment of compose services',
    rollup: 'union',
    state: ({ edges }) => {
      const told = edges.filter(({ via }) => via === 'env_url');
      return [...new Set(told.map(fileOf))].flatMap((file): Statement[] => {
        const own = told.filter((edge) => fileOf(edge) === file);
        const evidence = own
          .slice(0, 10)
          .map(({ evidence: place }) => ({ path: file, shows: place.split('.').at(-1) }));
        const calls = [...new Set(own.map(({ from, to }) => `${from} -> ${to}`))];
        return [
          known(file, calls, {
            because: 'incomplete',
            how: 'addresses in the environment; protocols are not read',
            evidence,
          }),
        ];
      });
    },
  },
]);
