/** What the product offers to others, as facts. */

import { factsOf, known, type Statement } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { interServiceSection } from './service-contracts-section.ts';

export const contractFacts = factsOf('inter_service', interServiceSection, [
  {
    id: 'contract.surface',
    says: 'What others can call or import: routes, methods, commands, exports.',
    of: 'a contract file, `http`, `grpc`, `openapi`, `bin`, `<directory>#http`, or a key of a manifest (`package.json#exports`)',
    value: z.union([z.array(z.string()), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]),
    from: 'OpenAPI documents, .proto files',
    state: ({ provides: { openapi, proto } }) => {
      const stated: Statement[] = [];
      const rpcs = proto.filter(({ services }) => services.length > 0);
      const count = (files: typeof proto) => ({
        services: files.reduce((sum, { services }) => sum + services.length, 0),
        methods: files.flatMap(({ services }) => services).reduce((sum, { rpcs: own }) => sum + own.length, 0),
      });
      for (const file of rpcs) {
        const evidence = [{ path: file.path, shows: 'service ' }];
        stated.push(
          known(file.path, count([file]), { because: 'declared', how: 'services and rpcs of the file', evidence }),
        );
      }
      if (rpcs.length > 0) {
        const evidence = rpcs.slice(0, 5).map(({ path }) => ({ path, shows: 'service ' }));
        stated.push(known('grpc', count(rpcs), { because: 'follows', how: 'all .proto files together', evidence }));
      }
      if (openapi.length > 0) {
        const evidence = openapi.slice(0, 5).map(({ path }) => ({ path, shows: ['openapi', 'swagger'] }));
        const paths = openapi.map(({ path }) => path);
        stated.push(known('openapi', paths, { because: 'declared', how: 'documents of that format', evidence }));
      }
      return stated;
    },
  },
]);
