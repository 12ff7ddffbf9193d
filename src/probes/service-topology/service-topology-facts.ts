/** Services and who calls whom, as facts. */

import { type Claim, factsOf, known, type Statement, unknown } from '../../gather/facts/fact.ts';
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
        const evidence = own.slice(0, 10).map((name) => claimOfName(file, name));
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
      const evidence = [...byName.values()].slice(0, 20).map(({ name, source }) => claimOfName(source, name));
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
      const told = edges.filter((edge) => edge.via !== 'virtual_service' && edge.protocol !== null);
      const files = [...new Set(told.map(fileOf))];
      const isOwn = (file: string) => placeOf(file) === 'product';
      const how = 'only files for development, tests or examples say who calls whom';
      // What such a file says is told of it, and not of the repository.
      const whole =
        files.length === 0 || files.every(isOwn)
          ? []
          : files.some(isOwn)
            ? [
                statementOf(
                  '.',
                  told.filter((edge) => isOwn(fileOf(edge))),
                ),
              ]
            : [unknown('.', { because: 'resembles', how })];
      const inFile = (file: string) => told.filter((edge) => fileOf(edge) === file);
      return [...whole, ...files.map((file) => statementOf(file, inFile(file)))];
    },
  },
]);

/** Where it is declared, not where another calls it. */
function claimOfName(path: string, name: string): Claim {
  const keys = [`name: ${name}`, `image: ${name}`];
  return { path, shows: /compose|procfile/i.test(path) ? [`${name}:`, ...keys, name] : [...keys, `${name}:`, name] };
}

function statementOf(scope: string, own: readonly DeclaredEdge[]): Statement {
  const evidence = own.slice(0, 10).map((edge) => {
    const { evidence: place, to, taken_at: at } = edge;
    const last = place.split('.').at(-1) ?? to;
    return at === null || at === undefined
      ? { path: fileOf(edge), shows: [`name: ${last}`, `${last}:`, `${last}=`, last] }
      : { path: at.path, line: at.line, shows: [last, to] };
  });
  const byCode = own.some(({ via }) => via === 'code_default');
  const how = [
    'an address whose host is another service; a store that is waited for',
    ...(byCode ? ['what the code takes where the environment is silent'] : []),
  ].join('; ');
  const calls = [...new Set(own.map(({ from, to, protocol }) => `${from} -> ${to} (${protocol})`))];
  return known(scope, calls, { because: 'follows', how, evidence });
}
