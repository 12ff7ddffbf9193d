/** What the product offers to others, as facts. */

import {
  type Claim,
  componentAround,
  factsOf,
  isProduct,
  isWithin,
  known,
  type Spine,
  type Statement,
  unknown,
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
    of: 'a contract file, `http`, `grpc`, `graphql`, `trpc`, `openapi`, `asyncapi`, `bin`, `<directory>#http`, or a key of a manifest (`package.json#exports`)',
    value: z.union([z.array(z.string()), z.number(), z.record(z.string(), z.union([z.string(), z.number()]))]),
    from: 'OpenAPI and AsyncAPI documents, .proto files, GraphQL schemas, tRPC routers, manifests, routes that the code registers',
    state: ({ provides }, spine) => [
      ...stateProtos(provides.proto, spine),
      ...stateDocuments(provides, spine),
      ...stateGraphs(provides, spine),
      ...stateManifests(provides.manifests, spine),
      ...stateRoutes(provides, spine),
    ],
  },
]);

/** What lies in no component is the repository’s own. */
function isOffered(spine: Spine, path: string): boolean {
  const component = componentAround(spine, path);
  return component === undefined || isProduct(component);
}

/** Every server offers these; they are no contract of this product. */
const standard = /^(?:google|grpc|envoy|opentelemetry|buf|validate|cncf|xds|k8s\.io)(?:\.|$)/;

function stateProtos(proto: Provides['proto'], spine: Spine): readonly Statement[] {
  const rpcs = proto.filter(({ services }) => services.length > 0);
  const stated = rpcs.map(({ path, services }) => {
    const methods = services.reduce((sum, { rpcs: own }) => sum + own.length, 0);
    const value = { services: services.length, methods };
    const evidence = [claimOfService(path, services)];
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
  const evidence = files.slice(0, 5).map(({ path, services }) => claimOfService(path, services));
  const how = 'all .proto files together, copies of a service once, without those that every server offers';
  return [...stated, known('grpc', value, { because: 'follows', how, evidence })];
}

function claimOfService(path: string, services: Provides['proto'][number]['services']): Claim {
  return { path, shows: services.slice(0, 1).map(({ name }) => `service ${name}`) };
}

/** A document that is there as JSON and as YAML, or lies in two places, is one: the first is named. */
function withoutCopies(openapi: Provides['openapi']): Provides['openapi'] {
  const keyOf = ({ title, version, operations }: Provides['openapi'][number]) =>
    JSON.stringify([title, version, operations.map(({ method, path }) => `${method} ${path}`).sort(compareCodeUnits)]);
  const seen = new Set<string>();
  return openapi.filter((one) => {
    // Without operations, nothing says that two are the same.
    const key = one.operations.length === 0 ? one.path : keyOf(one);
    return !seen.has(key) && seen.add(key);
  });
}

function stateDocuments({ openapi: all, asyncapi }: Provides, spine: Spine): readonly Statement[] {
  const openapi = all.filter(({ path }) => isOffered(spine, path));
  const paths = withoutCopies(openapi).map(({ path }) => path);
  const claimOf = (path: string) => ({ path, shows: ['openapi', 'swagger'] });
  const events = asyncapi.map(({ path }) => path).filter((path) => isOffered(spine, path));
  const how = paths.length === openapi.length ? 'documents of that format' : 'documents of that format, copies once';
  return [
    ...(paths.length === 0
      ? []
      : [known('openapi', paths, { because: 'declared', how, evidence: paths.slice(0, 5).map(claimOf) })]),
    ...openapi
      .filter(({ operations }) => operations.length > 0)
      .map(({ path, operations }) =>
        known(
          path,
          { paths: new Set(operations.map((one) => one.path)).size, operations: operations.length },
          { because: 'declared', how: 'what the document lists', evidence: [claimOf(path)] },
        ),
      ),
    ...(events.length === 0
      ? []
      : [
          known('asyncapi', events, {
            because: 'declared',
            how: 'documents of that format',
            evidence: events.slice(0, 5).map((path) => ({ path, shows: 'asyncapi' })),
          }),
        ]),
  ];
}

/** Schemas over several files are one; so are routers. */
function stateGraphs({ graphql, trpc }: Provides, spine: Spine): readonly Statement[] {
  const schemas = graphql.filter(({ path }) => isOffered(spine, path) && placeOf(path) === 'product');
  const count = (key: 'queries' | 'mutations' | 'subscriptions') => new Set(schemas.flatMap((one) => one[key])).size;
  const fields = { queries: count('queries'), mutations: count('mutations'), subscriptions: count('subscriptions') };
  const roots = schemas.filter((one) => one.queries.length + one.mutations.length + one.subscriptions.length > 0);
  const routers = trpc.filter(
    ({ path }) =>
      isOffered(spine, path) && placeOf(path) === 'product' && componentAround(spine, path)?.kind !== 'library',
  );
  const procedures = routers.reduce((sum, one) => sum + one.procedures.length, 0);
  const claimsOf = (rows: readonly { readonly path: string }[], shows: readonly string[]) =>
    rows.slice(0, 5).map(({ path }) => ({ path, shows }));
  return [
    ...(roots.length === 0
      ? []
      : [
          known('graphql', fields, {
            because: 'follows',
            how: 'fields of the roots of the schema files',
            evidence: claimsOf(roots, ['type ', 'extend ']),
          }),
        ]),
    ...(procedures === 0
      ? []
      : [
          known('trpc', procedures, {
            because: 'follows',
            how: 'procedures of routers that the code makes',
            evidence: claimsOf(routers, ['outer(', 'rocedure']),
          }),
        ]),
  ];
}

function stateManifests(manifests: Provides['manifests'], spine: Spine): readonly Statement[] {
  const claimsOf = ({ file, key, entries }: Provides['manifests'][number]): readonly Claim[] => {
    if (file.endsWith('.go')) return [{ path: file, shows: 'package main' }];
    if (key === 'scripts')
      return entries.slice(0, 10).map(({ name }) => ({ path: file, shows: [`${name} =`, `"${name}" =`, name] }));
    if (!file.endsWith('Cargo.toml')) return [{ path: file, shows: `"${key}"` }];
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

type Route = Provides['routes'][number];

function stateRoutes(provides: Provides, spine: Spine): readonly Statement[] {
  const { routes, route_gaps: gaps, web_frameworks: frameworks } = provides;
  const dirOf = (path: string) => componentAround(spine, path)?.dir ?? '.';
  const isOwn = (path: string) => isOffered(spine, path);
  // A library is built to be mounted by others: what it uses of a framework are no routes of its own.
  const serves = frameworks.filter(
    ({ directory }) => isOwn(directory) && componentAround(spine, directory)?.kind !== 'library',
  );
  const offered = routes.filter(({ file }) => isOwn(file));
  const open = gaps.filter(({ file }) => isOwn(file));
  const dirs = new Set([...offered.map(({ file }) => dirOf(file)), ...serves.map(({ directory }) => dirOf(directory))]);
  const scopes = [
    { scope: 'http', isIn: () => true },
    ...[...dirs].map((dir) => ({ scope: `${dir}#http`, isIn: (path: string) => dirOf(path) === dir })),
  ];
  return scopes.flatMap(({ scope, isIn }) => {
    const found = offered.filter(({ file }) => isIn(file));
    // One that is not read, or none of whose routes was seen where it is used.
    const unread = serves.filter(
      ({ directory, read }) => isIn(directory) && !(read && found.some(({ file }) => isWithin(file, directory))),
    );
    if (found.length > 0)
      return [
        routesOf(
          scope,
          found,
          unread.map((one) => one.framework),
          open.filter(({ file }) => isIn(file)),
          dirOf,
        ),
      ];
    if (unread.length === 0) return [];
    const evidence = unread.slice(0, 5).map(({ manifest, shows }) => ({ path: manifest, shows: spellings(shows) }));
    return [unknown(scope, { because: 'incomplete', how: `routes of ${namesOf(unread)} are not read`, evidence })];
  });
}

function namesOf(unread: readonly { readonly framework: string }[]): string {
  return [...new Set(unread.map(({ framework }) => framework))].sort(compareCodeUnits).join(', ');
}

/** Python folds the three into one; a manifest may write any. */
function spellings(name: string): readonly string[] {
  return [name, name.replaceAll('-', '_'), name.replaceAll('-', '.')];
}

function routesOf(
  scope: string,
  found: readonly Route[],
  unread: readonly string[],
  gaps: Provides['route_gaps'],
  dirOf: (path: string) => string,
): Statement {
  const namesIn = (routes: readonly Route[], before: string) =>
    routes.flatMap(({ method, path }) => method.split(',').map((one) => `${one} ${before}${path}`));
  // Where a prefix may stand before a path, the path is not known, and that there is one is: two that end alike are two.
  const isWhole = found.every(({ whole }) => whole);
  const exact = found.filter(({ whole }) => whole);
  const partial = found.filter(({ whole }) => !whole);
  // Two services that offer the same path offer two routes.
  const byPart = [...Map.groupBy(exact, ({ file }) => dirOf(file)).values()];
  const names = [...byPart.flatMap((own) => [...new Set(namesIn(own, ''))]), ...namesIn(partial, '…')].sort(
    compareCodeUnits,
  );
  const evidence = found.slice(0, 20).map(({ file, line, path }) => ({
    path: file,
    line,
    shows: file.endsWith('.rb') ? railsWords : ['Mapping', '.', '#[', '@', 'Http', 'export', 'path', 'url', path],
  }));
  const isMount = ({ what }: Provides['route_gaps'][number]) => what.startsWith('mount ');
  const words = [...new Set(gaps.filter((gap) => !isMount(gap)).map(({ what }) => what))];
  const lacking = [
    ...(unread.length === 0 ? [] : [`those of ${[...new Set(unread)].sort(compareCodeUnits).join(', ')} are not read`]),
    ...(words.length === 0 ? [] : [`what ${words.slice(0, 3).join(', ')} makes is not read`]),
  ];
  const how = [
    `${lacking.length === 0 ? '' : 'at least: '}routes that the code registers${isWhole ? '' : ', mounted below others (`…`)'}`,
    ...lacking,
    ...(gaps.some(isMount) ? ['what is mounted is not followed'] : []),
  ].join('; ');
  // Frameworks of other languages have more ways to register than are read here.
  const isCounted = found.every(({ file, whole }) => whole || /\.(?:py|java|kt|go|cs|php|rb)$/.test(file));
  const because = isCounted && lacking.length === 0 ? 'follows' : 'incomplete';
  return known(scope, exact.length > 0 ? names : found.length, { because, how, evidence });
}

const railsWords = [
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'options',
  'head',
  'match',
  'root',
  'resource',
  'concerns',
];
