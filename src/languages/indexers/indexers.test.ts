import { expect, test } from 'vitest';
import { findTool } from '../../kernel/exec/tools.ts';
import { families, indexerIds } from '../projects/context-spec.ts';
import type { IndexerContext, PlanWorld } from './indexer-adapter.ts';
import { indexers } from './indexers.gen.ts';

const world: PlanWorld = { repoRoot: '/r', jobDir: '/job', maxFileMb: 4, environment: {}, scope: null, roots: null };

function contextOf(partial: Partial<IndexerContext>): IndexerContext {
  return { key: 'k', family: 'typescript', root: '', configPath: null, config: {}, members: [], ...partial };
}

test('every indexer has an adapter under its id, a tool of the allow-list, and a family of its own', () => {
  expect(Object.keys(indexers).sort()).toEqual([...indexerIds].sort());
  for (const id of indexerIds) {
    expect(indexers[id].id).toBe(id);
    expect(findTool(indexers[id].tool)?.lane).toBe('external');
  }
  expect(new Set(indexerIds.map((id) => indexers[id].family))).toEqual(new Set(families));
});

test('what runs code of the repository is said to', () => {
  const running = indexerIds.filter((id) => indexers[id].executesRepoCode);
  expect(running).toEqual(['scip-clang', 'scip-dotnet', 'scip-java']);
});

test.each(indexerIds)('R18 %s writes below the job dir alone, and plans the same for the same context', (id) => {
  const context = contextOf({ root: 'a', configPath: 'a/config', members: ['a/x', 'a/y'] });
  const environment = {
    GOROOT: '/go',
    RUST_TOOLCHAIN: '/rust',
    JAVA_HOME: '/jdk',
    DOTNET_ROOT: '/dotnet',
    PATH: '/usr/bin',
  };
  const plan = indexers[id].plan(context, { ...world, environment });
  expect(plan.output).toBe('/job/out.scip');
  // Ours is told in a file.
  expect([...plan.args, ...Object.values(plan.files)].join('\n')).toContain('/job/out.scip');
  expect(
    Object.keys({ ...plan.files, ...plan.links }).filter((name) => name.startsWith('/') || name.includes('..')),
  ).toEqual([]);
  expect(indexers[id].plan(context, { ...world, environment })).toEqual(plan);
});

test('scip-typescript: a project is named through a config in the job dir that extends it and names its members', () => {
  const plan = indexers['scip-typescript'].plan(
    contextOf({ root: 'packages/b', configPath: 'packages/b/tsconfig.test.json', members: ['packages/b/t.ts'] }),
    world,
  );
  expect(plan.args.join(' ')).toBe(
    'index --cwd /r --output /job/out.scip --no-progress-bar --max-file-byte-size 4.194304mb -- /job/tsconfig.json',
  );
  expect(plan).toMatchObject({ cwd: '/r/packages/b', env: { PATH: '/job/bin' }, documentBase: '', readable: [] });
  expect(JSON.parse(plan.files['tsconfig.json'] ?? '')).toEqual({
    extends: '/r/packages/b/tsconfig.test.json',
    compilerOptions: {},
    files: ['/r/packages/b/t.ts'],
    references: [],
  });
});

test('scip-typescript: loose files get absolute files and the type roots above them', () => {
  const plan = indexers['scip-typescript'].plan(contextOf({ root: 'a/b', members: ['a/b/x.js'] }), world);
  expect(JSON.parse(plan.files['tsconfig.json'] ?? '')).toMatchObject({
    files: ['/r/a/b/x.js'],
    compilerOptions: {
      allowJs: true,
      noEmit: true,
      typeRoots: ['/r/a/b/node_modules/@types', '/r/a/node_modules/@types', '/r/node_modules/@types'],
    },
  });
});

test('scip-typescript: a jsconfig.json keeps its meaning under another name', () => {
  const plan = indexers['scip-typescript'].plan(contextOf({ configPath: 'jsconfig.json', members: ['x.js'] }), world);
  expect(JSON.parse(plan.files['tsconfig.json'] ?? '')).toMatchObject({
    extends: '/r/jsconfig.json',
    compilerOptions: { allowJs: true, maxNodeModuleJsDepth: 2 },
  });
});

test('scip-typescript: a config that speaks of its own directory is named itself', () => {
  const plan = indexers['scip-typescript'].plan(
    contextOf({ configPath: 'tsconfig.json', config: { usesConfigDir: true } }),
    world,
  );
  expect(plan.args.at(-1)).toBe('/r/tsconfig.json');
  expect(plan.files).toEqual({});
});

test('scip-typescript: a root that is no regular expression is reached through a link', () => {
  const plan = indexers['scip-typescript'].plan(contextOf({ members: ['x.ts'] }), { ...world, repoRoot: '/w/c++ (x' });
  expect(plan.args.slice(0, 3)).toEqual(['index', '--cwd', '/job/tree']);
  expect(plan).toMatchObject({ cwd: '/w/c++ (x', links: { tree: '/w/c++ (x' } });
  expect(JSON.parse(plan.files['tsconfig.json'] ?? '')).toMatchObject({ files: ['/job/tree/x.ts'] });
});

test('scip-typescript: a run that came near its memory is followed by one without caches', () => {
  const plan = indexers['scip-typescript'].plan(contextOf({}), { ...world, thrifty: true });
  expect(plan.args).toContain('--no-global-caches');
});

test.each([
  ['tsgo', [{ path: '/r/core/tsconfig.json' }]],
  ['scip-typescript', []],
] as const)('%s: projects that are referenced', (id, references) => {
  const project = contextOf({ configPath: 'app/tsconfig.json', config: { references: ['core/tsconfig.json'] } });
  expect(JSON.parse(indexers[id].plan(project, world).files['tsconfig.json'] ?? '')).toMatchObject({ references });
});

test('tsgo: a run about few files collects garbage seldom, unless memory is short', () => {
  const collecting = (scope: readonly string[] | null, thrifty = false) =>
    indexers.tsgo.plan(contextOf({}), { ...world, scope, thrifty }).env['GOGC'];
  const many = Array.from({ length: 100 }, (_, at) => `${at}.ts`);
  expect([['a.ts'], many, null].map((scope) => collecting(scope))).toEqual(['800', undefined, undefined]);
  expect(collecting(['a.ts'], true)).toBeUndefined();
});

test('scip-python: the members are named one by one, through the link, with what they import from', () => {
  const plan = indexers['scip-python'].plan(
    contextOf({
      family: 'python',
      root: 'services/a',
      members: ['services/a/src/lib/x.py', 'services/a/tests/t.py'],
      config: { name: 'lib-a', extraPaths: ['services/a/gen', 'shared'] },
    }),
    { ...world, environment: { PYTHON_VERSION: '3.11', PYTHON_SITE_PACKAGES: '/p/site-packages' } },
  );
  expect(plan.args.join(' ')).toBe(
    'index --cwd /job --target-only /job/tree --project-name lib-a --project-version 0 ' +
      '--environment /job/environment.json --output /job/out.scip --quiet',
  );
  expect(plan).toMatchObject({
    cwd: '/job',
    env: { PATH: '/job/bin' },
    links: { tree: '/r/services/a' },
    readable: ['/p/site-packages'],
    documentBase: 'services/a',
  });
  expect(JSON.parse(plan.files['scip-pyrightconfig.json'] ?? '')).toEqual({
    include: ['tree/src/lib/x.py', 'tree/tests/t.py'],
    exclude: ['**/.codegenie-excludes-nothing'],
    pythonVersion: '3.11',
    pythonPlatform: 'Linux',
    extraPaths: ['tree', 'tree/src', 'tree/gen', '/r/shared', '/p/site-packages'],
    useLibraryCodeForTypes: true,
    typeCheckingMode: 'off',
  });
});

test('scip-python: a project without a name is named after its directory, so that git is not asked', () => {
  const named = (root: string) => {
    const { args } = indexers['scip-python'].plan(contextOf({ family: 'python', root }), world);
    return args[args.indexOf('--project-name') + 1];
  };
  expect([named(''), named('a/b')]).toEqual(['.', 'a/b']);
});

test('scip-go: a module, offline, with nothing but go on PATH', () => {
  const environment = { GOROOT: '/go', GOMODCACHE: '/cache', GOVERSION: 'go1.26.8', GOOS: 'darwin' };
  const plan = indexers['scip-go'].plan(
    contextOf({ family: 'go', root: 'svc', configPath: 'svc/go.mod', config: { module: 'ex.com/svc' } }),
    { ...world, environment },
  );
  expect(plan.args.join(' ')).toBe(
    'index --quiet --module-root /r/svc --module-version v0 --go-version go1.26.8 --output /job/out.scip --module-path ex.com/svc -- ./...',
  );
  expect(plan).toMatchObject({
    cwd: '/r/svc',
    links: { 'bin/go': '/go/bin/go' },
    readable: ['/go', '/cache'],
    documentBase: 'svc',
    env: {
      PATH: '/job/bin',
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      GOFLAGS: '-buildvcs=false',
      GOENV: 'off',
      GOCACHE: '/job/go-build',
      CGO_ENABLED: '0',
      GOOS: 'darwin',
    },
  });
});

test('scip-go: a workspace is its modules', () => {
  const modules = [
    { dir: 'w', path: 'ex.com/w' },
    { dir: 'w/b', path: 'ex.com/b' },
    { dir: 'c', path: 'ex.com/c' },
  ];
  const plan = indexers['scip-go'].plan(
    contextOf({ family: 'go', root: 'w', configPath: 'w/go.work', config: { modules } }),
    world,
  );
  expect(plan.args.slice(plan.args.indexOf('--module-path'))).toEqual(
    '--module-path ex.com/w -- ./... ./b/... ./../c/...'.split(' '),
  );
});

test('rust-analyzer: build scripts are built by nothing outside the sandbox, and no wrapper of the repository runs', () => {
  const environment = {
    RUST_TOOLCHAIN: '/rust',
    CARGO_REGISTRY: '/h/.cargo/registry',
    CARGO_GIT: '',
    PATH: '/usr/bin',
  };
  const planIn = (sandbox: string) =>
    indexers['rust-analyzer'].plan(contextOf({ family: 'rust', root: 'x' }), {
      ...world,
      environment: { ...environment, CODEGENIE_SANDBOX: sandbox },
    });
  const outside = planIn('none');
  expect(outside.args.join(' ')).toBe('scip /r/x --output /job/out.scip --config-path /job/rust-analyzer.json');
  expect(JSON.parse(outside.files['rust-analyzer.json'] ?? '')).toMatchObject({
    cargo: { buildScripts: { enable: false, overrideCommand: ['/bin/true'] } },
    procMacro: { enable: false },
  });
  expect(outside.env).toMatchObject({
    PATH: '/rust/bin',
    RUSTC: '/rust/bin/rustc',
    RUSTC_WRAPPER: '',
    CARGO_NET_OFFLINE: 'true',
    CARGO_TARGET_DIR: '/job/target',
    CARGO_HOME: '/job/cargo',
    RUSTUP_HOME: '/job/rustup',
  });
  expect(outside.readable).toEqual(['/rust', '/h/.cargo/registry']);
  expect(outside.links).toEqual({ 'cargo/registry': '/h/.cargo/registry' });
  const inside = planIn('bwrap');
  expect(JSON.parse(inside.files['rust-analyzer.json'] ?? '')).toMatchObject({ procMacro: { enable: true } });
  expect(inside.env['PATH']).toBe('/rust/bin:/usr/bin');
  // Planned for a sandbox, it must not come to run without one.
  expect([outside.mustBeSandboxed, inside.mustBeSandboxed]).toEqual([false, true]);
});

test('scip-java: the build of the project, offline', () => {
  const planFor = (buildTool: string) =>
    indexers['scip-java'].plan(contextOf({ family: 'java', root: 'app', config: { buildTool } }), {
      ...world,
      environment: {
        JAVA_HOME: '/jdk',
        PATH: '/usr/bin',
        GRADLE_USER_HOME: '/h/.gradle',
        MAVEN_REPOSITORY: '/h/.m2/repository',
      },
    });
  const common = 'index --output /job/out.scip --targetroot /job/targetroot --temporary-directory /job/tmp';
  expect(planFor('gradle').args.join(' ')).toBe(
    `${common} --build-tool gradle -- --offline --no-daemon --project-cache-dir /job/gradle-project clean scipPrintDependencies scipCompileAll`,
  );
  expect(planFor('maven').args.join(' ')).toBe(
    `${common} --build-tool maven -- --batch-mode --offline clean verify -DskipTests -Dmaven.repo.local=/h/.m2/repository`,
  );
  expect(planFor('gradle')).toMatchObject({
    cwd: '/r/app',
    documentBase: 'app',
    readable: ['/jdk', '/h/.gradle/caches', '/h/.m2/repository'],
    env: {
      JAVA_HOME: '/jdk',
      PATH: '/jdk/bin:/usr/bin',
      GRADLE_USER_HOME: '/job/gradle',
      GRADLE_RO_DEP_CACHE: '/h/.gradle/caches',
    },
  });
});

test('scip-clang: the compilation database, from the root', () => {
  const plan = indexers['scip-clang'].plan(
    contextOf({ family: 'c', configPath: 'build/compile_commands.json' }),
    world,
  );
  expect(plan.args).toEqual([
    '--compdb-path=/r/build/compile_commands.json',
    '--index-output-path=/job/out.scip',
    '--temporary-output-dir=/job/tmp',
    '--supplementary-output-dir=/job/supplementary',
    '--deterministic',
    '--log-level=warning',
  ]);
  expect(plan).toMatchObject({ cwd: '/r', documentBase: '' });
});

test('scip-dotnet: the solution, without a restore', () => {
  const plan = indexers['scip-dotnet'].plan(contextOf({ family: 'csharp', root: 'src', configPath: 'src/App.sln' }), {
    ...world,
    environment: { DOTNET_ROOT: '/dotnet', NUGET_PACKAGES: '/h/.nuget/packages', PATH: '/usr/bin' },
  });
  expect(plan.args.join(' ')).toBe(
    'index --output /job/out.scip --working-directory /r --skip-dotnet-restore -- /r/src/App.sln',
  );
  expect(plan).toMatchObject({
    cwd: '/r/src',
    documentBase: '',
    env: { DOTNET_ROOT: '/dotnet', NUGET_PACKAGES: '/h/.nuget/packages', DOTNET_GCHeapHardLimit: '0x180000000' },
  });
});
