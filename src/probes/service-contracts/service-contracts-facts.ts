/** What the product offers to others, as facts. */

import {
  type Claim,
  componentAround,
  factsOf,
  isProduct,
  known,
  type Spine,
  type Statement,
} from '../../gather/facts/fact.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { placeOf } from '../shared/place-of.ts';
import { interServiceSection } from './service-contracts-section.ts';

type Provides = z.output<typeof interServiceSection>['provides'];

export const contractFacts = factsOf('inter_service', interServiceSection, [
  {
    id: 'contract.surface',
    says: 'What others can call or import: routes, methods, commands, exports.',
    of: 'a contract file, `http`, `grpc`, `openapi`, `bin`, `<directory>#http`, or a key of a manifest (`package.json#exports`)',
    value: z.union([z.array(z.string()), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]),
    from: 'OpenAPI documents, .proto files, manifests, routes that the code registers',
    state: ({ provides }, spine) => [
      ...stateProtos(provides.proto, spine),
      ...stateDocuments(provides.openapi, spine),
      ...stateManifests(provides.manifests, spine),
      ...stateRoutes(provides.routes, spine),
    ],
  },
]);

/** What lies in no component is the repository’s own. */
function isOffered(spine: Spine, path: string): boolean {
  const component = componentAround(spine, path);
  return component === undefined || isProduct(component);
}

/** Everybody offers these; they are no contract of this product. */
const standard = /^(?:google|grpc|envoy|opentelemetry|buf|validate|cncf|xds|k8s\.io)(?:\.|$)/;

function stateProtos(proto: Provides['proto'], spine: Spine): readonly Statement[] {
  const rpcs = proto.filter(({ services }) => services.length > 0);
  const stated = rpcs.map(({ path, services }) => {
    const methods = services.reduce((sum, { rpcs: own }) => sum + own.length, 0);
    const value = { services: services.length, methods };
    const evidence = [{ path, shows: 'service ' }];
    return known(path, value, { because: 'declared', how: 'services and rpcs of the file', evidence });
  });
  // Copies of one contract are one: a service is its package and its name.
  const own = new Map<string, Set<string>>();
  const files = rpcs.filter(
    ({ path, package: of }) =>
      // The directory tells what it is for: a product may be called a demo, and its contract `demo.proto`.
      isOffered(spine, path) &&
      !/^(?:test|example)$/.test(placeOf(path.replace(/[^/]*$/, 'x.proto'))) &&
      !standard.test(of ?? ''),
  );
  for (const { package: of, services } of files) {
    for (const { name, rpcs: methods } of services) {
      const key = `${of ?? ''}.${name}`;
      own.set(key, new Set([...(own.get(key) ?? []), ...methods.map((method) => method.name)]));
    }
  }
  if (own.size === 0) return stated;
  const value = { services: own.size, methods: [...own.values()].reduce((sum, methods) => sum + methods.size, 0) };
  const evidence = files.slice(0, 5).map(({ path }) => ({ path, shows: 'service ' }));
  const how = 'all .proto files together, copies of a service once, without those that everybody offers';
  return [...stated, known('grpc', value, { because: 'follows', how, evidence })];
}

function stateDocuments(openapi: Provides['openapi'], spine: Spine): readonly Statement[] {
  const paths = openapi.map(({ path }) => path).filter((path) => isOffered(spine, path));
  if (paths.length === 0) return [];
  const claimOf = (path: string) => ({ path, shows: ['openapi', 'swagger'] });
  const evidence = paths.slice(0, 5).map(claimOf);
  return [
    known('openapi', paths, { because: 'declared', how: 'documents of that format', evidence }),
    ...openapi
      .filter(({ path, operations }) => paths.includes(path) && operations.length > 0)
      .map(({ path, operations }) =>
        known(
          path,
          { paths: new Set(operations.map((one) => one.path)).size, operations: operations.length },
          { because: 'declared', how: 'what the document lists', evidence: [claimOf(path)] },
        ),
      ),
  ];
}

function stateManifests(manifests: Provides['manifests'], spine: Spine): readonly Statement[] {
  const claimsOf = ({ file, key, entries }: Provides['manifests'][number]): readonly Claim[] => {
    if (file.endsWith('.go')) return [{ path: file, shows: 'package main' }];
    if (!file.endsWith('Cargo.toml')) return [{ path: file, shows: key === 'scripts' ? 'scripts' : `"${key}"` }];
    const directory = file.slice(0, file.length - 'Cargo.toml'.length);
    return entries.map(({ name, target }) =>
      target?.startsWith('src/bin/') === true
        ? { path: `${directory}${target}`, shows: null }
        : { path: file, shows: [`"${name}"`, `'${name}'`] },
    );
  };
  const stated = manifests.map((row) => {
    const { file, key, entries } = row;
    const names = entries.map(({ name }) => name);
    const value =
      key === 'scripts' ? Object.fromEntries(entries.map(({ name, target }) => [name, target ?? ''])) : names;
    const how = `keys of ${key}`;
    return known(`${file}#${key}`, value, { because: 'declared', how, evidence: claimsOf(row) });
  });
  const commands = manifests.filter(({ file, key }) => key !== 'exports' && isOffered(spine, file));
  if (commands.length === 0) return stated;
  const names = new Set(commands.flatMap(({ entries }) => entries.map(({ name }) => name)));
  const evidence = commands.flatMap(claimsOf);
  const about = { because: 'follows', how: 'commands that manifests of the product name', evidence } as const;
  return [...stated, known('bin', [...names].sort(compareCodeUnits), about)];
}

function stateRoutes(routes: Provides['routes'], spine: Spine): readonly Statement[] {
  const groups = new Map<string, (typeof routes)[number][]>();
  for (const route of routes.filter(({ file }) => isOffered(spine, file))) {
    const dir = componentAround(spine, route.file)?.dir ?? '.';
    for (const scope of ['http', `${dir}#http`]) {
      const group = groups.get(scope);
      if (group === undefined) groups.set(scope, [route]);
      else group.push(route);
    }
  }
  return [...groups].map(([scope, found]) => {
    const all = found.flatMap(({ method, path }) => method.split(',').map((one) => `${one} ${path}`));
    const names = [...new Set(all)].sort(compareCodeUnits);
    // Where a prefix may stand before a path, the paths are not known, and how many there are is.
    const isWhole = found.every(({ whole }) => whole);
    const evidence = found.slice(0, 20).map(({ file, line, path }) => ({
      path: file,
      line,
      shows: ['Mapping', '.', '#[', '@', 'Http', path],
    }));
    const how = isWhole ? 'routes that the code registers' : 'routes that the code registers, mounted below others';
    // Frameworks of other languages have more ways to register than are read here.
    const isCounted = found.every(({ file, whole }) => whole || /\.(?:py|java|kt|go|cs|php)$/.test(file));
    const because = isCounted ? 'follows' : 'incomplete';
    return known(scope, isWhole ? names : found.length, { because, how, evidence });
  });
}
