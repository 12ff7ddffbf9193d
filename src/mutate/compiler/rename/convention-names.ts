/**
 * `convention_name`: a framework or a tool finds the export, the member or the key by its name, in files that it finds by theirs. The
 * tables below are closed; each entry says where it is written down and shows one name that is asked about. Where the path alone is a
 * convention, the dependency need not be listed: many tools are run without one.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { RenameWorld } from '../job/job-types.ts';
import type { ItemDraft } from '../session/messages.ts';
import { listDeclared } from './declared-elsewhere.ts';
import { site } from './doubted-family.ts';
import { hasModifier, memberDeclaration } from './member-types.ts';
import { dependenciesOf, findManifest } from './public-names.ts';

const K = ts.SyntaxKind;

export function findConventionNames(world: RenameWorld): readonly ItemDraft[] {
  for (const { token } of listDeclared(world)) {
    const who = findReader(world, token.path, token.node);
    if (who !== undefined)
      return [site('convention_name', token.path, token.node, `${who} finds \`${world.oldName}\` by its name.`)];
  }
  return [];
}

/** Undefined: no convention is known. */
function findReader(world: RenameWorld, path: string, node: ts.Node): string | undefined {
  const places = listPlaces(world, node);
  if (places.length === 0) return undefined;
  const manifest = findManifest(world.programs.root, path);
  const wanted = manifest === undefined ? new Set<string>() : dependenciesOf(manifest);
  const { text } = node.getSourceFile();
  for (const { kind, name } of places) {
    const rule = conventions.find(
      (one) =>
        one.kinds.includes(kind) &&
        (one.names === null || one.names.has(name)) &&
        (one.where === null || one.where.test(path)) &&
        (one.packages === null || one.packages.some((each) => wanted.has(each))) &&
        (one.says === undefined || one.says.test(text)),
    );
    if (rule !== undefined) return rule.reader;
  }
  return undefined;
}

type Kind = 'export' | 'member' | 'key';
type Place = { readonly kind: Kind; readonly name: string };

/**
 * What a convention can be about: an export of that name, a member of a class, or a key in what the module exports: at any depth of the
 * exported object (its name is then the export's), and the key itself in an object that is the default export.
 */
function listPlaces({ isMember, reach, oldName }: RenameWorld, node: ts.Node): readonly Place[] {
  if (!isMember) return reach === 'repo' && isExported(node) ? [{ kind: 'export', name: oldName }] : [];
  const declaration = memberDeclaration(node);
  if (declaration === undefined) return [];
  if (ts.isClassLikeDeclaration(declaration.parent)) return [{ kind: 'member', name: oldName }];
  if (!ts.isObjectLiteralExpression(declaration.parent)) return [];
  const holder = findHolder(declaration.parent);
  return holder === undefined ? [] : [{ kind: 'key', name: holder }];
}

function isExported(node: ts.Node): boolean {
  const statement = ts.isVariableDeclaration(node.parent) ? node.parent.parent.parent : node.parent;
  if (hasModifier(statement, K.ExportKeyword) || ts.isExportSpecifier(node.parent)) return true;
  // `exports.a = …`, `module.exports = { a }`
  return ts.isPropertyAccessExpression(node.parent) || ts.isShorthandPropertyAssignment(node.parent) || isListed(node);
}

/** `function a() {} export { a };` */
function isListed(node: ts.Node): boolean {
  return new RegExp(`\\bexport\\s*\\{[^}]*\\b${node.getText().replaceAll('$', '\\$')}\\b`).test(
    node.getSourceFile().text,
  );
}

/** By which name a module shows what this literal is part of; `default` also for `module.exports`. */
function findHolder(literal: ts.Node): string | undefined {
  for (let at = literal; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isExportAssignment(parent)) return 'default';
    if (ts.isBinaryExpression(parent) && parent.right === at) {
      const target = parent.left.getText();
      if (target === 'module.exports' || target === 'exports.default') return 'default';
      const [, name] = /^(?:module\.)?exports\.(\w+)$/.exec(target) ?? [];
      if (name !== undefined) return name;
    }
    if (ts.isVariableDeclaration(parent) && parent.parent.parent.parent.kind === K.SourceFile) return shownAs(parent);
    if (ts.isClassLikeDeclaration(parent)) return undefined;
    if (ts.isFunctionDeclaration(parent)) return hasModifier(parent, K.DefaultKeyword) ? 'default' : undefined;
  }
  return undefined;
}

function shownAs(variable: ts.Node): string | undefined {
  const name = (variable as { readonly name?: ts.Node }).name?.getText() ?? '';
  if (hasModifier(variable.parent.parent, K.ExportKeyword)) return name;
  const { text } = variable.getSourceFile();
  const word = name.replaceAll('$', '\\$');
  const passesOn = new RegExp(
    `\\bexport\\s+default\\b[^;\\n]*\\b${word}\\b|\\bmodule\\.exports\\s*=[^;\\n]*\\b${word}\\b|\\b${word}\\s+as\\s+default\\b`,
  );
  if (passesOn.test(text)) return 'default';
  return new RegExp(`\\bexport\\s*\\{[^}]*\\b${word}\\b`).test(text) ? name : undefined;
}

export type Convention = {
  /** Who finds the name. */
  readonly reader: string;
  readonly kinds: readonly Kind[];
  /** Of exports and members, their own; of keys, those of the exports they lie in. Null: all. */
  readonly names: ReadonlySet<string> | null;
  /** The files in which the names are looked for. */
  readonly where: RegExp | null;
  /** Needed in the nearest `package.json`, one of them, where neither name nor path says enough. */
  readonly packages: readonly string[] | null;
  /** Needed in the text of the file. */
  readonly says?: RegExp;
  readonly source: string;
  /** A file in which the marked name is asked about. */
  readonly example: readonly [path: string, text: string];
};

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

const requestMethods = 'GET POST PUT PATCH DELETE HEAD OPTIONS';
const script = String.raw`\.[cm]?[jt]sx?$`;
const named = (base: string) => new RegExp(`(?:^|/)(?:${base})${script}`);

export const conventions: readonly Convention[] = [
  {
    reader: 'The tool of this configuration file',
    kinds: ['key'],
    names: names('default'),
    where: named(
      String.raw`\.?[\w-]+(?:[.-][\w-]+)*\.(?:config|conf)(?:\.[\w-]+)*|\.[\w-]+rc|webpack(?:\.[\w-]+)+|(?:knex|gulp|Grunt|rake|dev)file|serverless|truffle-config|\.dependency-cruiser|\.pnpmfile`,
    ),
    packages: null,
    source:
      'the configuration references of eslint, jest, vite, vitest, webpack, rollup, babel, postcss, tailwind, prettier, playwright, cypress, metro, electron-forge, commitlint, pm2',
    example: ['jest.config.js', 'module.exports = { «testEnvironment»: "node" };'],
  },
  {
    reader: 'The tool of this configuration file',
    kinds: ['export', 'key'],
    names: null,
    where: /(?:^|\/)\.storybook\/[^/]+\.[cm]?[jt]sx?$|(?:^|\/)(?:gulpfile|knexfile)\.[cm]?[jt]s$/,
    packages: null,
    source: 'storybook.js.org/docs/configure; gulpjs.com, exporting tasks',
    example: ['.storybook/preview.ts', 'export const «parameters» = { a: 1 };'],
  },
  {
    reader: 'Storybook',
    kinds: ['export', 'key'],
    names: null,
    where: /\.(?:stories|story)\.[cm]?[jt]sx?$/,
    packages: null,
    source: 'storybook.js.org/docs/api/csf',
    example: ['a.stories.ts', 'export default { title: "A" }; export const «Primary» = { args: {} };'],
  },
  {
    reader: 'Next.js',
    kinds: ['export', 'key'],
    names: names('getServerSideProps getStaticProps getStaticPaths getInitialProps config reportWebVitals'),
    where: /(?:^|\/)pages\//,
    packages: ['next'],
    source: 'nextjs.org/docs/pages/api-reference/functions',
    example: ['pages/i.ts', 'export function «getServerSideProps»() {}'],
  },
  {
    reader: 'Next.js',
    kinds: ['export', 'key'],
    names: names('getServerSideProps getStaticProps getStaticPaths'),
    where: /(?:^|\/)pages\/.*\.[jt]sx?$/,
    packages: null,
    source: 'nextjs.org/docs/pages/api-reference/functions',
    example: ['pages/index.tsx', 'export async function «getStaticProps»() { return { props: {} }; }'],
  },
  {
    reader: 'Next.js',
    kinds: ['export', 'key'],
    names: names('middleware proxy register onRequestError config'),
    where: /(?:^|\/)(?:middleware|proxy|instrumentation(?:-client)?)\.[jt]s$/,
    packages: null,
    source: 'nextjs.org/docs/app/api-reference/file-conventions',
    example: ['middleware.ts', 'export function «middleware»() {}'],
  },
  {
    reader: 'Next.js',
    kinds: ['export', 'key'],
    names:
      names(`generateMetadata generateStaticParams generateViewport generateImageMetadata generateSitemaps metadata viewport
      revalidate dynamic dynamicParams fetchCache runtime preferredRegion maxDuration alt size contentType ${requestMethods}`),
    where:
      /(?:^|\/)app\/(?:.*\/)?(?:page|layout|route|template|default|sitemap|robots|manifest|icon|apple-icon|opengraph-image|twitter-image|not-found|error|loading)\.[jt]sx?$/,
    packages: null,
    source: 'nextjs.org/docs/app/api-reference/file-conventions',
    example: ['app/page.tsx', 'export const metadata = { «title»: "x" };'],
  },
  {
    reader: 'The router',
    kinds: ['export', 'key'],
    names:
      names(`loader action meta links headers clientLoader clientAction ErrorBoundary HydrateFallback Layout shouldRevalidate
      handle middleware clientMiddleware unstable_settings`),
    where: /(?:^|\/)app\/(?:routes\/.*|root)\.[jt]sx?$|(?:^|\/)routes\/.*\.[jt]sx$/,
    packages: null,
    source: 'reactrouter.com, route modules; v2.remix.run/docs/route',
    example: ['app/routes/_index.tsx', 'export async function «loader»() { return 1; }'],
  },
  {
    reader: 'The router',
    kinds: ['export', 'key'],
    names:
      names(`loader action meta links headers clientLoader clientAction ErrorBoundary HydrateFallback Layout shouldRevalidate
      handle middleware clientMiddleware`),
    where: /(?:^|\/)(?:routes\/|routes\.[jt]s$|app\/)/,
    packages: ['@remix-run/react', '@remix-run/node', '@remix-run/server-runtime', '@react-router/dev'],
    source: 'reactrouter.com, route modules',
    example: ['app/x/users.tsx', 'export async function «action»() { return 1; }'],
  },
  {
    reader: 'SvelteKit',
    kinds: ['export', 'key'],
    names:
      names(`load actions prerender ssr csr trailingSlash entries config handle handleError handleFetch handleValidationError reroute
      transport init match ${requestMethods} fallback`),
    where: /(?:^|\/)\+(?:page|layout|server)[^/]*\.[jt]s$|(?:^|\/)hooks\.(?:[^/]*\.)?[jt]s$|(?:^|\/)src\/params\//,
    packages: null,
    source: 'svelte.dev/docs/kit/routing, /hooks, /page-options',
    example: ['src/routes/+page.ts', 'export const «load» = () => ({});'],
  },
  {
    reader: 'Astro',
    kinds: ['export', 'key'],
    names: names(`getStaticPaths prerender partial onRequest server collections ALL ${requestMethods}`),
    where: /(?:^|\/)src\/(?:pages\/|middleware|actions|content)/,
    packages: null,
    source: 'docs.astro.build, endpoints and middleware',
    example: ['src/pages/[id].ts', 'export function «getStaticPaths»() { return []; }'],
  },
  {
    reader: 'Gatsby',
    kinds: ['export'],
    names: names(`createPages createPagesStatefully createResolvers createSchemaCustomization onCreateNode onCreatePage
      onCreateWebpackConfig onPreInit onPreBootstrap onPostBootstrap onPreBuild onPostBuild sourceNodes pluginOptionsSchema
      wrapPageElement wrapRootElement onClientEntry onInitialClientRender onRouteUpdate onRenderBody shouldUpdateScroll
      replaceRenderer`),
    where: /(?:^|\/)gatsby-(?:node|ssr|browser|config)\.[cm]?[jt]sx?$/,
    packages: null,
    source: 'gatsbyjs.com/docs/reference/config-files',
    example: ['gatsby-node.js', 'exports.«createPages» = () => {};'],
  },
  {
    reader: 'Gatsby',
    kinds: ['export'],
    names: names('query Head getServerData config'),
    where: /(?:^|\/)(?:pages|templates)\//,
    packages: ['gatsby'],
    source: 'gatsbyjs.com/docs/reference',
    example: ['src/pages/a.tsx', 'export const «query» = "";'],
  },
  {
    reader: 'Expo',
    kinds: ['export', 'key'],
    names: names('unstable_settings ErrorBoundary'),
    where: /(?:^|\/)app\//,
    packages: ['expo', 'expo-router'],
    source: 'docs.expo.dev/router',
    example: ['app/_layout.tsx', 'export const «unstable_settings» = {};'],
  },
  {
    reader: 'A serverless platform',
    kinds: ['export'],
    names: names('handler lambdaHandler main config onRequest onRequestGet onRequestPost'),
    where:
      /(?:^|\/)(?:lambdas?|functions|handlers|edge-functions|netlify|api)\/|(?:^|\/)(?:lambda|handler|_worker)\.[cm]?[jt]s$/,
    packages: null,
    source:
      'docs.aws.amazon.com/lambda, handler in Node; docs.netlify.com/functions; developers.cloudflare.com/pages/functions',
    example: ['functions/hello.ts', 'export const «handler» = async () => ({ statusCode: 200 });'],
  },
  {
    reader: 'The runtime that serves the module',
    kinds: ['key'],
    names: names('default'),
    where: null,
    packages: null,
    says: /\bexport\s+default\s*(?:\{|[^;]*\bsatisfies\b|[\w.]+\s*;?\s*$)[\s\S]*\b(?:async\s+)?(?:fetch|scheduled|queue)\s*[(:]/,
    source: 'developers.cloudflare.com/workers/runtime-apis/handlers; bun.sh/docs/api/http; docs.deno.com, deno serve',
    example: ['worker.ts', 'export default { async «fetch»(r: Request) { return new Response(r.url); } };'],
  },
  {
    reader: 'The runner of migrations',
    kinds: ['export', 'member', 'key'],
    names: names('up down config default seed'),
    where: /(?:^|\/)(?:migrations?|seeds|seeders)\//,
    packages: null,
    source: 'knexjs.org/guide/migrations; sequelize.org/docs, migrations; typeorm.io/migrations; umzug',
    example: ['migrations/001_init.js', 'export async function «up»(db) { await db.x(); }'],
  },
  {
    reader: 'k6',
    kinds: ['export', 'key'],
    names: names('options setup teardown handleSummary'),
    where: null,
    packages: null,
    says: /\bfrom\s*['"]k6(?:\/[\w-]+)?['"]/,
    source: 'grafana.com/docs/k6, test lifecycle and options',
    example: ['load.js', 'import http from "k6/http"; export const «options» = { vus: 1 }; http.get("x");'],
  },
  {
    reader: 'The GraphQL schema',
    kinds: ['key'],
    names: names('resolvers default Query Mutation Subscription'),
    where: null,
    packages: null,
    says: /\b(?:Query|Mutation|Subscription)\s*:\s*\{/,
    source: 'the-guild.dev/graphql/tools/docs/resolvers; apollographql.com/docs/apollo-server/data/resolvers',
    example: ['r.ts', 'export const resolvers = { Query: { «user»: () => 1 } };'],
  },
  {
    reader: 'ESLint',
    kinds: ['key'],
    names: names('default meta create rules configs'),
    where: /(?:^|\/)(?:eslint[\w-]*|rules)\//,
    packages: ['eslint', '@typescript-eslint/utils'],
    source: 'eslint.org/docs/latest/extend/custom-rules',
    example: ['rules/a.js', 'module.exports = { «create»() { return {}; } };'],
  },
  {
    reader: 'Vue',
    kinds: ['key'],
    names: names('default'),
    where: null,
    packages: ['vue', 'nuxt'],
    source: 'vuejs.org/api/#options-api',
    example: ['c.js', 'export default { «methods»: {} };'],
  },
  {
    reader: 'Angular',
    kinds: ['member'],
    packages: ['@angular/core'],
    where: null,
    names:
      names(`ngOnInit ngOnChanges ngDoCheck ngAfterContentInit ngAfterContentChecked ngAfterViewInit ngAfterViewChecked
      ngOnDestroy ngDoBootstrap ngTemplateContextGuard writeValue registerOnChange registerOnTouched setDisabledState`),
    source: 'angular.dev/guide/components/lifecycle',
    example: ['a.ts', 'export class A { «ngOnInit»() {} }'],
  },
  {
    reader: 'Nest',
    kinds: ['member'],
    packages: ['@nestjs/common', '@nestjs/core'],
    where: null,
    names: names(
      'onModuleInit onModuleDestroy onApplicationBootstrap beforeApplicationShutdown onApplicationShutdown configure',
    ),
    source: 'docs.nestjs.com/fundamentals/lifecycle-events',
    example: ['a.ts', 'export class A { «onModuleInit»() {} }'],
  },
  {
    reader: 'React',
    kinds: ['member'],
    packages: ['react', 'preact'],
    where: null,
    names: names(`componentDidMount componentDidUpdate componentWillUnmount componentDidCatch componentWillMount
      componentWillReceiveProps componentWillUpdate UNSAFE_componentWillMount UNSAFE_componentWillReceiveProps
      UNSAFE_componentWillUpdate shouldComponentUpdate getSnapshotBeforeUpdate getDerivedStateFromProps getDerivedStateFromError
      getChildContext render defaultProps propTypes contextType contextTypes childContextTypes displayName`),
    source: 'react.dev/reference/react/Component',
    example: ['a.ts', 'export class A { «componentDidMount»() {} }'],
  },
];
