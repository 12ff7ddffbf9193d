/**
 * Files that are found by their path or name alone: tests by a runner, pages by a framework, configuration by its tool, a source map by
 * the name of its file. Nothing in the repository names such a file, so a move of it is a question wherever the convention would see it
 * differently. Knowledge is data: each entry says whose convention it is, where that is written, and an example.
 */

import type { Question } from '../../index/navigate/question.ts';
import { quotedPath } from '../../kernel/base/text.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import type { ResolveWorld } from '../../languages/resolving/resolution.ts';
import { baseNameOf, directoryOf } from '../../languages/resolving/root-paths.ts';
import type { Found, Moving } from './moved-tree.ts';
import { mentionsPackage, type PackagesAround } from './packages-around.ts';
import { stemOf } from './path-style.ts';

type Convention = {
  readonly by: string;
  /** Of these, a package around the file declares one, or its scripts run it. Absent: whatever is installed. */
  readonly packages?: readonly string[];
  /** Relative to the package. */
  readonly globs: readonly string[];
  /** `member`: being matched is what counts; `path`: the path below is a meaning too, such as a route. */
  readonly meaning: 'member' | 'path';
  readonly source: string;
  readonly example: string;
};

const code = '{js,cjs,mjs,jsx,ts,cts,mts,tsx}';

/** Test runners: where none of them is told, the one that comes with Node may be used. */
const runners: readonly Convention[] = [
  {
    by: 'node --test',
    packages: ['node --test', 'node:test', 'c8', 'borp'],
    globs: [
      `**/*.test.${code}`,
      `**/*{-,_}test.${code}`,
      `**/test-*.${code}`,
      `**/test.${code}`,
      `**/test/**/*.${code}`,
    ],
    meaning: 'member',
    source: 'https://nodejs.org/api/test.html#running-tests-from-the-command-line',
    example: 'a.test.js',
  },
  {
    by: 'Vitest',
    packages: ['vitest'],
    globs: [`**/*.{test,spec}.${code}`],
    meaning: 'member',
    source: 'https://vitest.dev/config/#include',
    example: 'a.spec.ts',
  },
  {
    by: 'Jest',
    packages: ['jest', 'react-scripts', 'ts-jest', '@jest/globals'],
    globs: [`**/__tests__/**/*.${code}`, `**/{*.,}{test,spec}.${code}`],
    meaning: 'member',
    source: 'https://jestjs.io/docs/configuration#testmatch-arraystring',
    example: '__tests__/a.js',
  },
  {
    by: 'Mocha',
    packages: ['mocha'],
    globs: ['test/*.{js,cjs,mjs,ts,cts,mts}'],
    meaning: 'member',
    source: 'https://mochajs.org/#the-test-directory',
    example: 'test/a.js',
  },
  {
    by: 'AVA',
    packages: ['ava'],
    globs: [
      `{,src/,source/}test.${code}`,
      `**/test-*.${code}`,
      `**/*.{spec,test}.${code}`,
      `**/{test,tests,__tests__}/**/*.${code}`,
    ],
    meaning: 'member',
    source: 'https://github.com/avajs/ava/blob/main/docs/05-command-line.md',
    example: 'tests/a.js',
  },
  {
    by: 'tap',
    packages: ['tap'],
    globs: [`{test,tests,__tests__}/**/*.${code}`, `**/*.{test,tests,spec}.${code}`, `**/{test,tests,spec}.${code}`],
    meaning: 'member',
    source: 'https://node-tap.org/config/#include',
    example: 'test/a.js',
  },
  {
    by: 'Playwright',
    packages: ['@playwright/test', 'playwright'],
    globs: [`**/*.{test,spec}.${code}`],
    meaning: 'member',
    source: 'https://playwright.dev/docs/api/class-testconfig#test-config-test-match',
    example: 'e2e/a.spec.ts',
  },
];

const conventions: readonly Convention[] = [
  {
    by: 'Vitest benchmarks',
    packages: ['vitest'],
    globs: [`**/*.{bench,benchmark}.${code}`],
    meaning: 'member',
    source: 'https://vitest.dev/config/#benchmark-include',
    example: 'a.bench.ts',
  },
  {
    by: 'Storybook',
    packages: ['storybook', '@storybook/react', '@storybook/vue3', 'start-storybook'],
    globs: ['**/*.stories.*', '**/.storybook/**'],
    meaning: 'member',
    source: 'https://storybook.js.org/docs/configure',
    example: 'Button.stories.tsx',
  },
  {
    by: 'manual mocks',
    globs: ['**/__mocks__/**'],
    meaning: 'path',
    source: 'https://jestjs.io/docs/manual-mocks',
    example: '__mocks__/fs.js',
  },
  {
    by: 'Next.js',
    packages: ['next'],
    globs: [
      '{,src/}pages/**',
      '{,src/}app/**/{page,route,layout,template,loading,error,not-found,default,global-error,sitemap,robots,manifest,icon,opengraph-image}.*',
      '{,src/}{middleware,instrumentation,proxy}.*',
      'public/**',
    ],
    meaning: 'path',
    source: 'https://nextjs.org/docs/app/getting-started/project-structure',
    example: 'pages/index.tsx',
  },
  {
    by: 'Remix and React Router',
    packages: ['@remix-run/dev', '@remix-run/react', '@react-router/dev', '@react-router/fs-routes'],
    globs: ['app/routes/**', 'app/{root,entry.client,entry.server,routes}.*', 'public/**'],
    meaning: 'path',
    source: 'https://reactrouter.com/how-to/file-route-conventions',
    example: 'app/routes/about.tsx',
  },
  {
    by: 'SvelteKit',
    packages: ['@sveltejs/kit'],
    globs: ['src/routes/**', 'src/{hooks,hooks.server,hooks.client,app}.*', 'src/params/**', 'static/**'],
    meaning: 'path',
    source: 'https://svelte.dev/docs/kit/project-structure',
    example: 'src/routes/+page.svelte',
  },
  {
    by: 'Nuxt and Nitro',
    packages: ['nuxt', 'nitropack', 'nitro', 'h3-cli'],
    globs: ['**/{pages,layouts,middleware,plugins,composables,components,utils,server,routes,api,tasks,public}/**'],
    meaning: 'path',
    source: 'https://nuxt.com/docs/guide/directory-structure/app',
    example: 'server/api/hello.ts',
  },
  {
    by: 'Astro',
    packages: ['astro'],
    globs: [
      'src/pages/**',
      'src/content/**',
      'src/{middleware,actions,env.d,content.config,live.config}{.*,/**}',
      'public/**',
    ],
    meaning: 'path',
    source: 'https://docs.astro.build/en/basics/project-structure/',
    example: 'src/pages/index.astro',
  },
  {
    by: 'Gatsby',
    packages: ['gatsby'],
    globs: ['src/{pages,templates,api}/**', 'gatsby-*.*', 'static/**'],
    meaning: 'path',
    source: 'https://www.gatsbyjs.com/docs/reference/gatsby-project-structure/',
    example: 'src/pages/about.js',
  },
  {
    by: 'Expo Router',
    packages: ['expo-router'],
    globs: ['{,src/}app/**'],
    meaning: 'path',
    source: 'https://docs.expo.dev/router/basics/core-concepts/',
    example: 'app/index.tsx',
  },
  {
    by: 'HonoX',
    packages: ['honox'],
    globs: ['app/{routes,islands}/**', 'app/{server,client}.*'],
    meaning: 'path',
    source: 'https://github.com/honojs/honox#file-based-routing',
    example: 'app/routes/index.tsx',
  },
  {
    by: 'Vercel and Netlify functions',
    packages: ['vercel', '@vercel/node', 'netlify', 'netlify-cli', '@netlify/functions', 'wrangler'],
    globs: ['api/**', 'netlify/{functions,edge-functions}/**', 'functions/**'],
    meaning: 'path',
    source: 'https://vercel.com/docs/functions',
    example: 'api/hello.ts',
  },
  {
    by: 'oclif',
    packages: ['oclif', '@oclif/core'],
    globs: ['{,src/}{commands,hooks}/**'],
    meaning: 'path',
    source: 'https://oclif.io/docs/commands',
    example: 'src/commands/login.ts',
  },
  {
    by: 'Fastify autoload',
    packages: ['@fastify/autoload', 'fastify-autoload', 'fastify-cli'],
    globs: ['**/{routes,plugins}/**'],
    meaning: 'path',
    source: 'https://github.com/fastify/fastify-autoload',
    example: 'routes/root.js',
  },
  {
    by: 'migrations and seeds',
    packages: [
      'knex',
      'sequelize-cli',
      'typeorm',
      'umzug',
      'node-pg-migrate',
      'db-migrate',
      'mikro-orm',
      '@mikro-orm/cli',
      'kysely-ctl',
      'drizzle-kit',
      'prisma',
    ],
    globs: ['**/{migrations,seeds,seeders,drizzle}/**', '**/prisma/{schema.prisma,seed.*}'],
    meaning: 'path',
    source: 'https://knexjs.org/guide/migrations.html',
    example: 'migrations/001_init.js',
  },
  {
    by: 'the tool that it configures',
    globs: [
      `**/*.{config,conf}.${code}`,
      '**/*.config.json',
      '**/.*rc',
      '**/.*rc.{js,cjs,mjs,ts,json,yml,yaml}',
      '**/{package,tsconfig,jsconfig,composer,turbo,nx,lerna,vercel,deno,biome,wrangler}.{json,jsonc}',
      '**/{Dockerfile,Makefile,Procfile,Gruntfile.js,gulpfile.js,karma.conf.js,webpack.mix.js}',
      '**/.github/**',
      '**/.husky/**',
    ],
    meaning: 'path',
    source: 'https://github.com/cosmiconfig/cosmiconfig#usage-for-tooling-developers',
    example: 'vite.config.ts',
  },
];

/** What people start by hand, or read. */
const startedByHand = /(?:^|\/)(?:examples?|docs?|bench|benchmarks?|scripts?|demos?|playgrounds?)\//;

export function lookAtConventions(
  question: Question,
  { moves, directory }: Moving,
  around: PackagesAround,
  found: Found,
): void {
  for (const [from, to] of moves) {
    const packages = [...around.of(from), ...around.of(to)];
    const told = runners.filter(({ packages: names = [] }) => mentionsPackage(packages, names));
    const others = conventions.filter(({ packages: names }) => names === undefined || mentionsPackage(packages, names));
    const active = [...(told.length === 0 ? runners.slice(0, 1) : told), ...others];
    const met = active.find((one) => isSeenOtherwise(one, from, to, around));
    const isRun = active.slice(0, active.length - others.length).some((one) => sees(one, from, around));
    const why =
      met !== undefined
        ? `${met.by} finds files by their path, as in \`${met.example}\``
        : directory !== null || isRun || isNamed(question, from, found)
          ? undefined
          : `nothing in the repository names ${quotedPath(from)}, so what finds it is not known`;
    if (why !== undefined)
      found.items.push({ path: from, start: 0, end: 0, kind: 'file_convention', detail: why, edits: {} });
  }
}

function isSeenOtherwise(one: Convention, from: string, to: string, around: PackagesAround): boolean {
  const [was, is] = [sees(one, from, around), sees(one, to, around)];
  return was !== is || (was && one.meaning === 'path');
}

function sees({ globs }: Convention, path: string, around: PackagesAround): boolean {
  const matches = compileGlobs(globs);
  return [...around.of(path).map(({ directory }) => directory), ''].some((directory) =>
    matches(directory === '' ? path : path.slice(directory.length + 1)),
  );
}

/** Code that nothing imports and no text names is found by a path that is made somewhere, or by a rule that is not told here. */
function isNamed(question: Question, path: string, { edits, items }: Found): boolean {
  const { language = null } = question.file(path) ?? {};
  const isFound = language !== null && (isJavaScript(language) || language === 'json') && !/\.d\.[cm]?ts$/.test(path);
  if (!isFound || startedByHand.test(path) || question.importers(path).length > 0) return true;
  return edits.some((edit) => edit.path !== path) || items.some((item) => item.path !== path);
}

// ---- files that are found by the name of the one that moves

/** Their names begin with its whole name, or are it with a platform in it; they stay behind. */
export function lookAtCompanions(world: ResolveWorld, { moves }: Moving, found: Found): void {
  for (const from of moves.keys()) {
    const companion = findCompanion(world, from, (path) => moves.has(path));
    if (companion === undefined) continue;
    const detail = `${companion} belongs to ${baseNameOf(from)} by its name, and stays where it is`;
    found.items.push({ path: from, start: 0, end: 0, kind: 'companion_file', detail, edits: {} });
  }
}

const platforms = 'ios|android|native|web|windows|macos|node|browser|server|client|edge|worker|deno|bun|electron';

function findCompanion(world: ResolveWorld, path: string, moves: (path: string) => boolean): string | undefined {
  const name = baseNameOf(path);
  const stem = baseNameOf(stemOf(path));
  const ending = name.slice(stem.length);
  const isOwn = (other: string) =>
    other !== name &&
    (other.startsWith(`${name}.`) ||
      (ending !== '' && other.endsWith(ending) && isPlatform(stem, other.slice(0, -ending.length))));
  const beside = world.listDirectory(directoryOf(path)).filter((other) => isOwn(baseNameOf(other)));
  const mocks = `${directoryOf(path)}/__mocks__/${name}`.replace(/^\//, '');
  return [...beside, ...(world.hasFile(mocks) ? [mocks] : [])].find((other) => !moves(other));
}

/** `a` and `a.ios`, or `a.ios` and `a.android`, or `a.ios` and `a`. */
function isPlatform(stem: string, other: string): boolean {
  const [one, two] = [stem, other].map((text) => new RegExp(`^(.+?)(?:\\.(?:${platforms}))?$`).exec(text)?.[1]);
  return one === two && stem !== other;
}
