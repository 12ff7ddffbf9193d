/** Services and who calls whom, as facts. */

import { factsOf, known, type Statement } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { placeOf } from '../shared/place-of.ts';
import { type DeclaredEdge, topologySection } from './service-topology-section.ts';

const fileOf = ({ evidence }: DeclaredEdge): string => evidence.split('#')[0] ?? '';

export const topologyFacts = factsOf('service_topology', topologySection, [
  {
    id: 'services',
    says: 'Programs that run beside each other; `name@path` where the directory of their source is known.',
    of: 'the repository, or the file that declares them',
    value: z.array(z.string()),
    from: 'compose files, stacks of Swarm, Procfiles, skaffold, hosts of .NET Aspire, catalogs, manifests',
    state: ({ services }) => {
      const files = [...new Set(services.map(({ source }) => source))];
      const declared = files.map((file) => {
        const own = services.filter(({ source }) => source === file).map(({ name }) => name);
        const evidence = own.slice(0, 10).map((name) => ({ path: file, shows: name }));
        return known(file, [...new Set(own)], { because: 'declared', how: `declared in ${file}`, evidence });
      });
      // What is built from this repository is its own; a database beside it is not.
      // A file for development may say where a service of the product is built from.
      const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
      const isOfProduct = ({ name, source }: (typeof services)[number]) =>
        placeOf(source) === 'product' ||
        services.some(
          (one) => one.name === name && placeOf(one.source) === 'product' && folder(one.source) === folder(source),
        );
      const built = services.filter((service) => service.dir !== null && isOfProduct(service));
      const byName = new Map(built.map((service) => [`${service.name}@${service.dir}`, service]));
      if (byName.size === 0) return declared;
      const evidence = [...byName.values()].slice(0, 20).map(({ name, source }) => ({ path: source, shows: name }));
      return [
        ...declared,
        known('.', [...byName.keys()].sort(), {
          // Which of the files are for the product is told by their names.
          because: 'follows',
          how: 'what compose, skaffold and .NET Aspire build',
          evidence,
        }),
      ];
    },
  },
  {
    id: 'service.calls',
    says: 'Which service calls which, and by which protocol: `a -> b (http)`.',
    of: 'the repository, or the file that declares them',
    value: z.array(z.string()),
    from: 'addresses in the environment, configuration maps and arguments of compose services and Kubernetes workloads, and those that their code takes by default; stores that compose services wait for; service bindings; references of .NET Aspire',
    rollup: 'union',
    state: ({ edges }) => {
      // Without its protocol a call is half a statement.
      const told = edges.filter(
        (edge) => edge.via !== 'virtual_service' && edge.protocol !== null && placeOf(fileOf(edge)) === 'product',
      );
      return [...new Set(told.map(fileOf))].map((file): Statement => {
        const own = told.filter((edge) => fileOf(edge) === file);
        const evidence = own
          .slice(0, 10)
          .map(({ evidence: place, to, taken_at: at }) =>
            at === null || at === undefined
              ? { path: file, shows: place.split('.').at(-1) }
              : { path: at.path, line: at.line, shows: [place.split('.').at(-1) ?? to, to] },
          );
        const calls = [...new Set(own.map(({ from, to, protocol }) => `${from} -> ${to} (${protocol})`))];
        return known(file, calls, {
          because: 'follows',
          how: [
            'an address whose host is another service; a store that is waited for',
            ...(own.some(({ via }) => via === 'code_default')
              ? ['what the code takes where the environment is silent']
              : []),
          ].join('; '),
          evidence,
        });
      });
    },
  },
]);
