/** `convention_name`: the renamed export or method is one that a framework of the package calls by that name. */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { placeKey, type RenameWorld } from '../job/job-types.ts';
import type { ItemDraft } from '../session/messages.ts';
import { site } from './doubted-family.ts';
import { dependenciesOf, findManifest } from './public-names.ts';

export function findConventionNames(world: RenameWorld): readonly ItemDraft[] {
  const { oldName, programs } = world;
  const rules = conventions.filter(({ names }) => names.has(oldName));
  if (rules.length === 0) return [];
  return world.occurrences.flatMap(({ token }) => {
    if (!world.familyKeys.has(placeKey({ path: token.path, start: token.start, outside: false }))) return [];
    const kind = kindOf(world, token.node);
    const manifest = kind === undefined ? undefined : findManifest(programs.root, token.path);
    if (manifest === undefined) return [];
    const wanted = dependenciesOf(manifest);
    const rule = rules.find(
      ({ packages, kind: its, where }) =>
        its === kind && (where === null || where.test(token.path)) && packages.some((name) => wanted.has(name)),
    );
    if (rule === undefined) return [];
    const framework = rule.packages.find((name) => wanted.has(name));
    return [site('convention_name', token.path, token.node, `\`${framework}\` calls \`${oldName}\` by its name.`)];
  });
}

/** A member of a class, or something a module may show. */
function kindOf({ isMember, reach }: RenameWorld, node: ts.Node): 'export' | 'member' | undefined {
  if (isMember) return ts.isClassLikeDeclaration(node.parent.parent) ? 'member' : undefined;
  return reach === 'repo' ? 'export' : undefined;
}

// Names that a framework calls (mutation.md §2.6, `convention_name`): a closed table. A package takes part when the nearest
// `package.json` depends on it; `where` narrows common words to the files in which the framework looks for them.

type Convention = {
  readonly packages: readonly string[];
  /** `export`: of a module. `member`: of a class. */
  readonly kind: 'export' | 'member';
  readonly where: RegExp | null;
  readonly names: ReadonlySet<string>;
};

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

const requestMethods = 'GET POST PUT PATCH DELETE HEAD OPTIONS';

const conventions: readonly Convention[] = [
  {
    packages: ['next'],
    kind: 'export',
    where: /(?:^|\/)pages\/|(?:^|\/)(?:middleware|proxy|instrumentation)\.[jt]s$/,
    names: names('getServerSideProps getStaticProps getStaticPaths config reportWebVitals middleware proxy register'),
  },
  {
    packages: ['next'],
    kind: 'export',
    where:
      /(?:^|\/)app\/(?:.*\/)?(?:page|layout|route|template|default|sitemap|robots|manifest|icon|opengraph-image)\.[jt]sx?$/,
    names:
      names(`generateMetadata generateStaticParams generateViewport generateImageMetadata generateSitemaps metadata viewport
      revalidate dynamic dynamicParams fetchCache runtime preferredRegion maxDuration ${requestMethods}`),
  },
  {
    packages: ['@remix-run/react', '@remix-run/node', '@remix-run/server-runtime', '@react-router/dev'],
    kind: 'export',
    where: /(?:^|\/)(?:routes\/|root\.[jt]sx?$|routes\.[jt]s$)|(?:^|\/)app\//,
    names:
      names(`loader action meta links headers clientLoader clientAction ErrorBoundary HydrateFallback Layout shouldRevalidate
      handle middleware clientMiddleware`),
  },
  {
    packages: ['@sveltejs/kit'],
    kind: 'export',
    where: /(?:^|\/)\+(?:page|layout|server)[^/]*\.[jt]s$|(?:^|\/)hooks\.[^/]*[jt]s$/,
    names:
      names(`load actions prerender ssr csr trailingSlash entries config handle handleError handleFetch reroute transport init
      ${requestMethods} fallback`),
  },
  {
    packages: ['astro'],
    kind: 'export',
    where: /(?:^|\/)(?:pages|middleware|actions)(?:\/|\.)/,
    names: names(`getStaticPaths prerender partial onRequest server ALL ${requestMethods}`),
  },
  {
    packages: ['gatsby'],
    kind: 'export',
    where: /(?:^|\/)gatsby-(?:node|ssr|browser)\.[cm]?[jt]sx?$|(?:^|\/)pages\//,
    names: names(`createPages createPagesStatefully createResolvers createSchemaCustomization onCreateNode onCreatePage
      onCreateWebpackConfig onPreBuild onPostBuild sourceNodes wrapPageElement wrapRootElement onClientEntry onRouteUpdate
      shouldUpdateScroll query Head getServerData config`),
  },
  {
    packages: ['@angular/core'],
    kind: 'member',
    where: null,
    names:
      names(`ngOnInit ngOnChanges ngDoCheck ngAfterContentInit ngAfterContentChecked ngAfterViewInit ngAfterViewChecked
      ngOnDestroy ngDoBootstrap ngTemplateContextGuard writeValue registerOnChange registerOnTouched setDisabledState`),
  },
  {
    packages: ['@nestjs/common', '@nestjs/core'],
    kind: 'member',
    where: null,
    names: names(
      'onModuleInit onModuleDestroy onApplicationBootstrap beforeApplicationShutdown onApplicationShutdown configure',
    ),
  },
  {
    packages: ['react', 'preact'],
    kind: 'member',
    where: null,
    names: names(`componentDidMount componentDidUpdate componentWillUnmount componentDidCatch componentWillMount
      componentWillReceiveProps componentWillUpdate UNSAFE_componentWillMount UNSAFE_componentWillReceiveProps
      UNSAFE_componentWillUpdate shouldComponentUpdate getSnapshotBeforeUpdate getDerivedStateFromProps getDerivedStateFromError
      getChildContext render defaultProps propTypes contextType contextTypes childContextTypes displayName`),
  },
];
