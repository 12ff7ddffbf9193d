/**
 * What a command does: the part it plays in development (build, test, lint …) and what it does to the world (writes, publishes, deploys …).
 * One table of programs. What is not in it plays no part, so it is never proposed; what runs behind a script or a target is followed by the caller.
 */

import { commandInContainer, listInvocations, type ScriptLookup, scriptNameOf } from './shell-commands.ts';

export const commandRoles = [
  'install',
  'build',
  'test.unit',
  'test.e2e',
  'lint',
  'typecheck',
  'format_check',
  'start',
] as const;
export type CommandRole = (typeof commandRoles)[number];

/** `writes`: tracked files, history or lock files; the loss of build output and caches does no harm. */
export const commandEffects = ['writes', 'network', 'service', 'publishes', 'pushes', 'deploys', 'deletes'] as const;
type CommandEffect = (typeof commandEffects)[number];

export type Deed = { readonly roles: readonly CommandRole[]; readonly effects: readonly CommandEffect[] };

const nothing: Deed = { roles: [], effects: [] };

const maxFollowed = 40;

/** As `deedOfLine`, with package scripts followed; a target, a task or a shell script that is not opened is what its name says. */
export function deedOfCommand(line: string, lookup: ScriptLookup): Deed {
  const deeds: Deed[] = [];
  const opened = new Set<string>();
  const pending = [line];
  for (let text = pending.pop(); text !== undefined && deeds.length < maxFollowed; text = pending.pop()) {
    for (const words of listInvocations(text)) {
      const script = scriptNameOf(words);
      const meant = script === null ? undefined : lookup(script);
      if (script !== null && meant !== undefined) {
        if (!opened.has(script)) pending.push(meant);
        opened.add(script);
        continue;
      }
      const inside = commandInContainer(words);
      if (inside !== null) pending.push(inside);
      const deed = deedOf(words);
      const name = isNothing(deed) ? (script ?? taskNameOf(words)) : null;
      deeds.push(name === null ? deed : deedOfTaskName(name));
    }
  }
  return joinDeeds(deeds);
}

export function isNothing({ roles, effects }: Deed): boolean {
  return roles.length === 0 && effects.length === 0;
}

const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'pwsh']);
const taskTools = new Set([
  'composer',
  'make',
  'gmake',
  'just',
  'task',
  'rake',
  'invoke',
  'inv',
  'poe',
  'mage',
  'mise',
]);

/** `make test` → `test`, `bash scripts/test.sh` → `test`: the name by which something of the repository is called. */
export function taskNameOf(words: readonly string[]): string | null {
  const [program = '', ...rest] = words;
  const plain = rest.filter((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  if (taskTools.has(program)) return (plain[0] === 'run' ? plain[1] : plain[0]) ?? null;
  const script = shells.has(program)
    ? plain[0]
    : /\.(?:sh|bash|ps1)$|^[\w.-]+\/[\w./-]+$/.test(program)
      ? program
      : undefined;
  return script === undefined ? null : script.slice(script.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

export function joinDeeds(deeds: readonly Deed[]): Deed {
  return {
    roles: commandRoles.filter((role) => deeds.some(({ roles }) => roles.includes(role))),
    effects: commandEffects.filter((effect) => deeds.some(({ effects }) => effects.includes(effect))),
  };
}

/** A change can be validated with it: nothing outlives the run but output, caches and what an installation brings. */
export function isHarmless({ effects }: Pick<Deed, 'effects'>): boolean {
  return effects.every((effect) => effect === 'network');
}

type Rule = (args: readonly string[]) => Deed | undefined;

const does = (...roles: readonly CommandRole[]): Deed => ({ roles, effects: [] });
const harms = (...effects: readonly CommandEffect[]): Deed => ({ roles: [], effects });
const always =
  (deed: Deed): Rule =>
  () =>
    deed;
const has = (args: readonly string[], ...flags: readonly string[]) =>
  args.some((arg) => flags.some((flag) => arg === flag || (flag.startsWith('-') && arg.startsWith(`${flag}=`))));
/** The first word that is no option. */
const verbOf = (args: readonly string[]) => args.find((arg) => !arg.startsWith('-')) ?? '';
const verbs =
  (table: Readonly<Record<string, Deed>>, otherwise?: Deed): Rule =>
  (args) => {
    const verb = verbOf(args);
    return Object.hasOwn(table, verb) ? table[verb] : otherwise;
  };

const installs: Deed = { roles: ['install'], effects: ['network'] };
/** What is named beside it is a tool or one package, not what the repository needs. */
const installer: Rule = (args) => {
  const named = args.filter(
    (arg, at) =>
      !arg.startsWith('-') &&
      !/^-[rec]$|^--(?:requirement|editable|constraint|extra|group|python|with|directory)$/.test(args[at - 1] ?? ''),
  );
  const isOwn =
    has(args, '-r', '--requirement', '-e', '--editable') || args.some((arg) => /^-r\S|^\.(?:\[|$)/.test(arg));
  return (named.length <= 1 || isOwn) && !has(args, '-g', '--global') ? installs : harms('network');
};
const publishes = harms('publishes');
const deploys = harms('deploys');
const rewrites = harms('writes');

const fixes = [
  '--fix',
  '--write',
  '--fix-unsafely',
  '--fix-dangerously',
  '--apply',
  '--apply-unsafe',
  '-w',
  '-a',
  '-A',
  '-i',
];
const isFixing = (args: readonly string[]) =>
  args.some(
    (arg) => fixes.includes(arg) || /^--(?:auto-?correct|fix|unsafe-fixes|write|update)\b(?!=false$)/.test(arg),
  );
const publisher: Rule = (args) => (has(args, '--help', '--version') ? nothing : publishes);
/** A linter that mends is no check. */
const linter: Rule = (args) => (isFixing(args) ? rewrites : does('lint'));
/** A formatter writes unless it is told to look only. */
const formatter =
  (...looks: readonly string[]): Rule =>
  (args) =>
    has(args, ...looks) ? does('format_check') : rewrites;
/** Tests of the running system, by the path, the tag or the configuration that is chosen. */
const chosenSystem =
  /(?:^|[/._=:,-])(?:e2e|end-to-end|integration|acceptance)(?:[-_]?tests?)?(?:$|[/.:,])|(?:^|\/)spec\/(?:system|features?)(?:$|\/)/i;
const isOfSystem = (args: readonly string[]) =>
  args.some(
    (arg, at) =>
      chosenSystem.test(arg) &&
      /[/.]|^-{1,2}tags=|^--group=/.test(arg) &&
      !/^--?(?:ignore|exclude|skip|deselect|cov|coverprofile|out)|^!/.test(arg) &&
      !/^--?(?:ignore|exclude|skip|deselect|x|not)\b/.test(args[at - 1] ?? ''),
  ) ||
  args.some(
    (arg, at) => /^-?-tags$|^--group$/.test(args[at - 1] ?? '') && /^(?:e2e|integration|acceptance)$/.test(arg),
  );
/** `mocha test/ test/acceptance/`: what lies around the chosen ones is run as well. */
const isWider = (args: readonly string[]) => {
  const paths = args
    .filter((arg) => /^[\w./-]+$/.test(arg) && !arg.startsWith('-'))
    .map((arg) => arg.replace(/\/*$/, '/'));
  return paths.some(
    (path) =>
      path.startsWith('test') && !chosenSystem.test(path) && paths.some((one) => one !== path && one.startsWith(path)),
  );
};
/** `go test ./pkg/... ./test/e2e/utils/...`: among packages that are no tests of the system, its helpers are tested as well. */
const isAmongOthers = (args: readonly string[]) => {
  const packages = args.filter((arg) => /^\.\/[\w./-]+$/.test(arg));
  return packages.some((one) => chosenSystem.test(one)) && packages.some((one) => !chosenSystem.test(one));
};
const tester: Rule = (args) => {
  const role = isOfSystem(args) && !isWider(args) && !isAmongOthers(args) ? 'test.e2e' : 'test.unit';
  return has(args, '-u', '--update', '--updateSnapshot', '--update-snapshots', '--snapshot-update')
    ? { roles: [role], effects: ['writes'] }
    : does(role);
};
const browserTester: Rule = always(does('test.e2e'));

const compiler: Rule = (args) => {
  if (has(args, '--noEmit')) return has(args, '--noEmit=false') ? does('build') : does('typecheck');
  if (has(args, '--init', '--version', '-v', '--help')) return nothing;
  if (has(args, '--emitDeclarationOnly')) return does('build');
  return { roles: ['build'], effects: has(args, '--outDir', '-b', '--build') ? [] : ['writes'] };
};

const mavenRule: Rule = (args) => {
  // Where an expression decides, some of the runs have them.
  const skipsTests = args.some((arg) => /^-D(?:skipTests|maven\.test\.skip)(?!=(?:false|[^\w]))/.test(arg));
  const roles: CommandRole[] = [];
  const goals = args.filter((arg) => !arg.startsWith('-'));
  if (goals.some((goal) => /^(?:package|verify|install|compile|test-compile)$/.test(goal))) roles.push('build');
  if (!skipsTests && goals.some((goal) => /^(?:test|verify|package|install)$/.test(goal))) roles.push('test.unit');
  if (
    goals.some((goal) =>
      /(?:checkstyle|spotbugs|pmd|spotless|spring-javaformat|ktlint|detekt)\S*:(?:check|validate)$/.test(goal),
    )
  )
    roles.push('lint');
  if (goals.some((goal) => /spring-boot:run$|quarkus:dev$|jetty:run$/.test(goal))) roles.push('start');
  const effects: CommandEffect[] = [];
  if (goals.some((goal) => /^(?:deploy|release:\S+|site-deploy)$|jib:build$|docker:push$/.test(goal)))
    effects.push('publishes');
  if (goals.some((goal) => /:apply$|versions:|build-image$/.test(goal))) effects.push('writes');
  return { roles, effects };
};

const gradleRule: Rule = (args) => {
  const excluded = new Set(args.flatMap((arg, at) => (arg === '-x' ? [args[at + 1] ?? ''] : [])));
  const tasks = args
    .filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-x')
    .map((task) => task.slice(task.lastIndexOf(':') + 1));
  const named = (pattern: RegExp) => tasks.some((task) => pattern.test(task));
  const roles: CommandRole[] = [];
  if (
    named(
      /^(?:build|assemble\w*|jar|bootJar|shadowJar|classes|\w+Classes|installDist|compile(?:Test)?(?:Java|Kotlin)\w*)$/,
    )
  )
    roles.push('build');
  const isSystem = /^(?:connected\w*|integration\w*|functional\w*|e2e\w*|acceptance\w*|\w*(?:E2e|Integration)Tests?)$/;
  const runsTests = tasks.some(
    (task) =>
      /^(?:test|check|build|allTests|[a-z]\w*Tests?|testDebug\w*|testRelease\w*)$/.test(task) && !isSystem.test(task),
  );
  if (runsTests && !excluded.has('test')) roles.push('test.unit');
  if (named(isSystem)) roles.push('test.e2e');
  if (
    named(/^(?:lint\w*|ktlint\w*|detekt|checkstyle\w*|spotlessCheck|pmd\w*|spotbugs\w*)$/) &&
    !named(/Format$|Apply$/)
  )
    roles.push('lint');
  if (named(/^(?:bootRun|run)$/)) roles.push('start');
  const effects: CommandEffect[] = [];
  if (named(/^(?:publish\w*|release|upload\w*|jib|dockerPush\w*|closeAndRelease\w*)$/)) effects.push('publishes');
  if (named(/^(?:spotlessApply|ktlintFormat|wrapper|apiDump)$/)) effects.push('writes');
  return { roles, effects };
};

/** `turbo build`, `nx run-many -t lint`, `lerna run test`: the task's name is all that is said. */
const taskRunner: Rule = (args) => {
  if (has(args, 'publish', 'version', 'release')) return publishes;
  const plain = args
    .slice(0, args.includes('--') ? args.indexOf('--') : undefined)
    .filter((arg) => !arg.startsWith('-'));
  const deeds = plain.map(deedOfTaskName).filter((deed) => deed !== nothing);
  const found = deeds.length === 0 ? nothing : joinDeeds(deeds);
  return isFixing(args) ? rewrites : found;
};

const toxEnvironment = (args: readonly string[], ...flags: readonly string[]): string | null => {
  for (const [at, arg] of args.entries()) {
    if (flags.includes(arg)) return args[at + 1] ?? '';
    const joined = flags.find((flag) => flag.startsWith('--') && arg.startsWith(`${flag}=`));
    if (joined !== undefined) return arg.slice(joined.length + 1);
  }
  return null;
};
const environments =
  (...flags: readonly string[]): Rule =>
  (args) => {
    if (has(args, 'list', '-l', '--list', '--version')) return nothing;
    const name = toxEnvironment(args, ...flags);
    if (name === null || /^(?:py|pypy)[\d.{}-]*|^\$/.test(name)) return does('test.unit');
    return deedOfTaskName(name);
  };

/** Output that a build or a test leaves behind: deleting it costs nothing. */
const outputs =
  /^(?:\.\/)?(?:[\w@*./-]+\/)?(?:dist|build|out|output|lib|es|esm|cjs|coverage|target|bin|obj|tmp|temp|node_modules|\.cache|\.next|\.nuxt|\.turbo|\.nyc_output|htmlcov|\.mypy_cache|\.pytest_cache|test-results|playwright-report|storybook-static|site|_site|public\/build|[\w.*-]*\.(?:tsbuildinfo|log|tgz|pyc|out|egg-info))(?:\/[\w@*.-]*)*\/?$/;
const remover: Rule = (args) =>
  args.filter((arg) => !arg.startsWith('-')).every((path) => outputs.test(path)) ? nothing : harms('deletes');

const composeVerbs = verbs({
  up: harms('service'),
  run: harms('service'),
  start: harms('service'),
  exec: harms('service'),
  restart: harms('service'),
  down: harms('deletes'),
  rm: harms('deletes'),
  push: publishes,
  pull: harms('network'),
});

const docker: Rule = (args) => {
  const verb = verbOf(args);
  if (verb === 'compose')
    return composeVerbs(
      args
        .slice(args.indexOf('compose') + 1)
        .filter((_, at, all) => !['-f', '--file', '-p'].includes(all[at - 1] ?? '')),
    );
  if (verb === 'push' || has(args, '--push') || /\btype=registry\b|push=true/.test(args.join(' '))) return publishes;
  if (verb === 'build' || verb === 'buildx' || verb === 'bake') return harms('network', 'service');
  if (verb === 'run' || verb === 'exec' || verb === 'start') return harms('service');
  if (verb === 'rm' || verb === 'rmi' || has(args, 'prune', 'rm')) return harms('deletes');
  return harms('service');
};

/** Several tasks may stand in one line: `rails db:test:prepare test`. */
const railsTasks: Readonly<Record<string, Deed>> = {
  test: does('test.unit'),
  spec: does('test.unit'),
  'test:system': does('test.e2e'),
  'test:all': does('test.unit'),
  'spec:system': does('test.e2e'),
  rubocop: does('lint'),
  standard: does('lint'),
  server: does('start'),
  s: does('start'),
  release: publishes,
  'db:drop': harms('deletes'),
  'db:reset': harms('deletes'),
  'db:migrate': harms('service', 'writes'),
  'assets:precompile': does('build'),
};
const railsRule: Rule = (args) =>
  joinDeeds(
    args
      .filter((arg, at) => !arg.startsWith('-') && !/^-[ef]$/.test(args[at - 1] ?? ''))
      .flatMap((task) => {
        const [name = ''] = task.split('[');
        return Object.hasOwn(railsTasks, name) ? [railsTasks[name] ?? nothing] : [];
      }),
  );

const djangoVerbs = verbs({
  test: does('test.unit'),
  runserver: does('start'),
  migrate: harms('service'),
  flush: harms('deletes'),
});

const rules: Readonly<Record<string, Rule>> = {
  // JavaScript and TypeScript.
  tsc: compiler,
  tsgo: compiler,
  'vue-tsc': always(does('typecheck')),
  'svelte-check': always(does('typecheck')),
  astro: verbs({ check: does('typecheck'), build: does('build'), dev: does('start') }),
  tstyche: always(does('typecheck')),
  tsd: always(does('typecheck')),
  flow: always(does('typecheck')),
  eslint: linter,
  oxlint: linter,
  standard: linter,
  xo: linter,
  tslint: linter,
  stylelint: linter,
  neostandard: linter,
  next: verbs({ build: does('build'), lint: does('lint'), start: does('start'), dev: does('start') }),
  biome: (args) => {
    if (isFixing(args)) return rewrites;
    return verbs({ check: does('lint'), lint: does('lint'), ci: does('lint'), format: does('format_check') })(args);
  },
  prettier: formatter('--check', '-c', '--list-different', '-l'),
  dprint: verbs({ check: does('format_check'), fmt: rewrites }),
  vitest: (args) => (has(args, 'bench') ? nothing : tester(args)),
  jest: tester,
  mocha: tester,
  ava: tester,
  tap: tester,
  tape: tester,
  borp: tester,
  uvu: tester,
  japa: tester,
  jasmine: tester,
  karma: tester,
  playwright: verbs({ test: does('test.e2e'), install: harms('network'), 'install-deps': harms('network') }),
  cypress: verbs({ run: does('test.e2e') }),
  wdio: browserTester,
  nightwatch: browserTester,
  testcafe: browserTester,
  // A preview shows what was built before; developers do not start it to work, nor servers to serve.
  vite: verbs({ build: does('build'), preview: nothing, optimize: nothing, dev: does('start') }, does('start')),
  webpack: (args) => (has(args, 'serve') ? does('start') : does('build')),
  rollup: always(does('build')),
  rolldown: always(does('build')),
  esbuild: always(does('build')),
  tsup: always(does('build')),
  tsdown: always(does('build')),
  unbuild: always(does('build')),
  parcel: verbs({ build: does('build') }, does('start')),
  nuxt: verbs({ build: does('build'), generate: does('build'), dev: does('start'), typecheck: does('typecheck') }),
  ng: verbs({
    build: does('build'),
    test: does('test.unit'),
    lint: does('lint'),
    e2e: does('test.e2e'),
    serve: does('start'),
    deploy: deploys,
  }),
  'react-scripts': verbs({
    build: does('build'),
    test: does('test.unit'),
    start: does('start'),
    eject: harms('writes'),
  }),
  vp: verbs({
    test: does('test.unit'),
    check: does('lint'),
    lint: does('lint'),
    build: does('build'),
    dev: does('start'),
  }),
  turbo: taskRunner,
  nx: taskRunner,
  lerna: taskRunner,
  nodemon: always(does('start')),
  node: (args) => (has(args, '--test') ? does('test.unit') : nothing),
  tsx: (args) => (has(args, '--test') ? does('test.unit') : nothing),
  deno: verbs({
    test: does('test.unit'),
    lint: does('lint'),
    check: does('typecheck'),
    compile: does('build'),
    publish: publishes,
    deploy: deploys,
    install: installs,
  }),
  np: publisher,
  'release-it': publisher,
  'semantic-release': publisher,
  'pkg-pr-new': publisher,
  changeset: verbs({ publish: publishes, version: rewrites, tag: harms('pushes') }),
  'standard-version': always(harms('writes', 'pushes')),
  vsce: verbs({ publish: publishes }),
  rimraf: remover,
  del: remover,
  'del-cli': remover,
  // Python.
  pytest: tester,
  'py.test': tester,
  unittest: always(does('test.unit')),
  nose2: always(does('test.unit')),
  tox: environments('-e', '--env', '-m'),
  nox: environments('-s', '--session', '--sessions', '-e', '-t'),
  mypy: always(does('typecheck')),
  pyright: always(does('typecheck')),
  basedpyright: always(does('typecheck')),
  ty: verbs({ check: does('typecheck') }),
  pyrefly: verbs({ check: does('typecheck') }),
  pyre: always(does('typecheck')),
  pytype: always(does('typecheck')),
  ruff: (args) =>
    verbOf(args) === 'format'
      ? formatter('--check', '--diff')(args)
      : has(args, 'check', '.')
        ? has(args, '--fix', '--unsafe-fixes', '--fix-only')
          ? rewrites
          : does('lint')
        : nothing,
  flake8: linter,
  pylint: always(does('lint')),
  black: formatter('--check', '--diff'),
  isort: formatter('--check', '--check-only', '-c', '--diff'),
  autopep8: (args) => (has(args, '--diff') ? does('format_check') : rewrites),
  'pre-commit': verbs({ run: does('lint'), autoupdate: rewrites, install: nothing }, nothing),
  prek: verbs({ run: does('lint'), autoupdate: rewrites }, nothing),
  uv: verbs({
    sync: installs,
    pip: installs,
    build: does('build'),
    publish: publishes,
    lock: rewrites,
    add: rewrites,
    remove: rewrites,
  }),
  poetry: verbs({ install: installs, build: does('build'), publish: publishes, lock: rewrites, update: rewrites }),
  pdm: verbs({
    install: installs,
    sync: installs,
    build: does('build'),
    publish: publishes,
    lock: rewrites,
    update: rewrites,
  }),
  hatch: verbs({ build: does('build'), publish: publishes, test: does('test.unit'), fmt: rewrites, version: rewrites }),
  flit: verbs({ build: does('build'), install: installs, publish: publishes }),
  maturin: verbs({ build: does('build'), develop: does('build'), publish: publishes }),
  build: always(does('build')),
  pip: (args) =>
    verbOf(args) === 'install' && has(args, '-r', '--requirement', '-e', '--editable', '.')
      ? installs
      : harms('network'),
  pip3: (args) =>
    verbOf(args) === 'install' && has(args, '-r', '--requirement', '-e', '--editable', '.')
      ? installs
      : harms('network'),
  pipenv: verbs({ install: installs, sync: installs }),
  twine: verbs({ upload: publishes }),
  'pip-compile': always(rewrites),
  'django-admin': verbs({ test: does('test.unit') }),
  djlint: formatter('--check', '--lint'),
  curlylint: always(does('lint')),
  bandit: always(does('lint')),
  behave: always(does('test.e2e')),
  robot: always(does('test.e2e')),
  'manage.py': djangoVerbs,
  // `python -m manage`
  manage: djangoVerbs,
  uvicorn: always(does('start')),
  gunicorn: always(does('start')),
  flask: verbs({ run: does('start') }),
  fastapi: verbs({ dev: does('start'), run: does('start'), deploy: deploys }),
  alembic: always(harms('service')),
  // Go.
  go: (args) => {
    const verb = verbOf(args);
    // Only benchmarks are left where no case has the name.
    if (
      verb === 'test' &&
      args.some(
        (arg, at) =>
          /^(?:--?run=)?['"]?(?:\^\$|NONE|XXX)['"]?$/.test(arg) &&
          (arg.includes('=') || /^--?run$/.test(args[at - 1] ?? '')),
      )
    )
      return nothing;
    if (verb === 'test') return does(isOfSystem(args) && !isAmongOthers(args) ? 'test.e2e' : 'test.unit');
    if (verb === 'build') return does('build');
    if (verb === 'vet') return does('lint');
    if (verb === 'install' || verb === 'get')
      return { roles: [], effects: verb === 'get' ? ['network', 'writes'] : ['network'] };
    if (verb === 'mod')
      return has(args, 'tidy', 'edit', 'init', 'vendor') ? rewrites : has(args, 'download') ? installs : nothing;
    if (verb === 'generate' || verb === 'fmt' || verb === 'fix') return rewrites;
    return nothing;
  },
  gotestsum: always(does('test.unit')),
  ginkgo: always(does('test.unit')),
  'golangci-lint': (args) => (verbOf(args) === 'fmt' ? rewrites : has(args, 'run') ? linter(args) : nothing),
  staticcheck: always(does('lint')),
  revive: always(does('lint')),
  golint: always(does('lint')),
  gofmt: (args) => (has(args, '-w') ? rewrites : does('format_check')),
  gofumpt: (args) => (has(args, '-w') ? rewrites : does('format_check')),
  goimports: (args) => (has(args, '-w') ? rewrites : does('format_check')),
  misspell: (args) => (has(args, '-w') ? rewrites : nothing),
  goreleaser: (args) => (has(args, '--snapshot', 'check', 'build') ? nothing : publishes),
  swag: always(rewrites),
  // Rust.
  cargo: (given) => {
    const args = given.filter((arg) => !arg.startsWith('+'));
    const verb = verbOf(args);
    if (verb === 'test' || verb === 't' || verb === 'nextest') return does('test.unit');
    if (verb === 'build' || verb === 'b') return does('build');
    if (verb === 'check' || verb === 'c') return does('typecheck');
    if (verb === 'clippy') return has(args, '--fix') ? rewrites : does('lint');
    if (verb === 'fmt') return formatter('--check')(args);
    if (verb === 'publish') return publishes;
    if (verb === 'update' || verb === 'add' || verb === 'fix' || verb === 'release' || verb === 'set-version')
      return rewrites;
    if (verb === 'run' || verb === 'r') return nothing;
    if (verb === 'fetch') return installs;
    return nothing;
  },
  cross: (args) => rules['cargo']?.(args),
  rustfmt: formatter('--check'),
  // JVM.
  mvn: mavenRule,
  mvnw: mavenRule,
  gradle: gradleRule,
  gradlew: gradleRule,
  sbt: (args) =>
    args.some((arg) => /publish/.test(arg))
      ? publishes
      : {
          roles: args.some((arg) => /test/.test(arg))
            ? ['test.unit']
            : args.some((arg) => /compile/.test(arg))
              ? ['build']
              : [],
          effects: [],
        },
  ktlint: (args) => (has(args, '-F', '--format') ? rewrites : does('lint')),
  detekt: always(does('lint')),
  // .NET.
  dotnet: (args) => {
    if (verbOf(args) === 'nuget') return has(args, 'push') ? publishes : nothing;
    if (verbOf(args) === 'format') return has(args, '--verify-no-changes') ? does('lint', 'format_check') : rewrites;
    return verbs({
      build: does('build'),
      publish: does('build'),
      pack: does('build'),
      test: does('test.unit'),
      restore: installs,
      run: does('start'),
    })(args);
  },
  // Ruby.
  rspec: tester,
  parallel_rspec: tester,
  turbo_tests: tester,
  parallel_test: tester,
  flatware: (args) => (verbOf(args) === 'rspec' || verbOf(args) === 'cucumber' ? tester(args) : nothing),
  'haml-lint': linter,
  erblint: linter,
  erb_lint: linter,
  'slim-lint': linter,
  // What looks for holes is no lint: it is run beside one.
  brakeman: always(nothing),
  minitest: tester,
  rubocop: linter,
  standardrb: linter,
  srb: verbs({ tc: does('typecheck') }),
  steep: verbs({ check: does('typecheck') }),
  bundle: verbs({ install: installs, update: rewrites, '': installs }),
  gem: verbs({ build: does('build'), push: publishes, install: harms('network') }),
  rails: railsRule,
  rake: railsRule,
  cap: verbs({ '': nothing }, deploys),
  kamal: always(deploys),
  // PHP.
  phpunit: tester,
  pest: tester,
  paratest: tester,
  artisan: verbs({
    test: does('test.unit'),
    dusk: does('test.e2e'),
    serve: does('start'),
    migrate: harms('service'),
    'migrate:fresh': harms('deletes'),
    'db:wipe': harms('deletes'),
  }),
  mago: (args) =>
    isFixing(args)
      ? rewrites
      : verbOf(args) === 'format' || verbOf(args) === 'fmt'
        ? formatter('--check', '--dry-run')(args)
        : verbs({ lint: does('lint'), analyze: does('typecheck'), analyse: does('typecheck') })(args),
  codecept: always(does('test.unit')),
  behat: always(does('test.e2e')),
  rector: (args) => (has(args, '--dry-run') ? does('lint') : rewrites),
  phpmd: always(does('lint')),
  ecs: linter,
  phpstan: always(does('lint', 'typecheck')),
  psalm: always(does('typecheck')),
  phpcs: always(does('lint')),
  phpcbf: always(rewrites),
  pint: (args) => (has(args, '--test') ? does('format_check') : rewrites),
  'php-cs-fixer': (args) => (has(args, '--dry-run', 'check') ? does('format_check') : rewrites),
  composer: verbs({ install: installs, update: rewrites, require: rewrites }),
  // Others.
  mix: verbs({
    test: does('test.unit'),
    compile: does('build'),
    credo: does('lint'),
    format: nothing,
    'deps.get': installs,
    'hex.publish': publishes,
  }),
  swift: verbs({ build: does('build'), test: does('test.unit') }),
  swiftlint: linter,
  dart: verbs({ test: does('test.unit'), analyze: does('lint'), pub: installs }),
  flutter: verbs({ test: does('test.unit'), analyze: does('lint'), build: does('build'), pub: installs }),
  ctest: always(does('test.unit')),
  bats: always(does('test.unit')),
  bazel: verbs({ build: does('build'), test: does('test.unit') }),
  bazelisk: verbs({ build: does('build'), test: does('test.unit') }),
  cmake: (args) => (has(args, '--build') ? does('build') : nothing),
  ninja: always(does('build')),
  meson: verbs({ compile: does('build'), test: does('test.unit') }),
  zig: (args) => (has(args, 'test') ? does('test.unit') : has(args, 'build') ? does('build') : nothing),
  // What leaves the machine, or takes something away.
  git: verbs({
    push: harms('pushes'),
    commit: harms('pushes'),
    tag: harms('pushes'),
    checkout: rewrites,
    switch: rewrites,
    reset: rewrites,
    restore: rewrites,
    merge: rewrites,
    rebase: rewrites,
    stash: rewrites,
    pull: rewrites,
    apply: rewrites,
    clean: harms('deletes'),
  }),
  gh: (args) =>
    has(args, 'create', 'upload', 'delete', 'edit', 'merge', 'comment', 'close') ? publishes : harms('network'),
  docker,
  podman: docker,
  'docker-compose': composeVerbs,
  kubectl: verbs({ get: nothing, version: nothing, kustomize: nothing, describe: nothing }, deploys),
  helm: verbs(
    { lint: nothing, template: nothing, package: nothing, dependency: nothing, repo: nothing, push: publishes },
    deploys,
  ),
  kind: always(harms('service')),
  minikube: always(harms('service')),
  terraform: verbs({ fmt: nothing, validate: nothing, plan: harms('network'), init: harms('network') }, deploys),
  tofu: verbs({ fmt: nothing, validate: nothing, plan: harms('network'), init: harms('network') }, deploys),
  pulumi: always(deploys),
  skaffold: verbs({ render: nothing, version: nothing, diagnose: nothing }, deploys),
  serverless: always(deploys),
  sls: always(deploys),
  cdk: verbs({ deploy: deploys, destroy: deploys }),
  sam: verbs({ deploy: deploys, delete: deploys }),
  vercel: always(deploys),
  netlify: verbs({ deploy: deploys }),
  fly: always(deploys),
  flyctl: always(deploys),
  heroku: always(deploys),
  wrangler: verbs({ deploy: deploys, publish: deploys, dev: does('start') }),
  firebase: verbs({ deploy: deploys }),
  'gh-pages': always(deploys),
  gcloud: always(deploys),
  aws: always(deploys),
  az: always(deploys),
  'ansible-playbook': always(deploys),
  ssh: always(deploys),
  scp: always(deploys),
  rsync: always(harms('writes')),
  oras: verbs({ push: publishes }),
  crane: verbs({ push: publishes, copy: publishes, tag: publishes }),
  skopeo: verbs({ copy: publishes }),
  cosign: always(publishes),
  flux: verbs({ push: publishes, check: nothing, build: nothing }, deploys),
  rm: remover,
  shred: always(harms('deletes')),
  dropdb: always(harms('deletes')),
  find: (args) =>
    has(args, '-delete') || args.some((arg, at) => arg === 'rm' && args[at - 1]?.startsWith('-exec'))
      ? harms('deletes')
      : nothing,
  xargs: (args) =>
    has(args, 'rm')
      ? harms('deletes')
      : deedOf(listInvocations(args.filter((arg) => !/^-\w*$/.test(arg)).join(' '))[0] ?? []),
  sed: (args) => (args.some((arg) => /^-\w*i|^--in-place/.test(arg)) ? rewrites : nothing),
  perl: (args) => (args.some((arg) => /^-\w*i/.test(arg)) ? rewrites : nothing),
  mv: always(rewrites),
  protoc: always(rewrites),
  buf: verbs({ generate: rewrites, push: publishes, lint: nothing }),
  curl: (args) =>
    has(args, '-X', '--request') && has(args, 'POST', 'PUT', 'DELETE', 'PATCH') ? publishes : harms('network'),
  wget: always(harms('network')),
};

/** What one simple command does, by its words without prefixes (`listInvocations`). */
export function deedOf(words: readonly string[]): Deed {
  const [program = '', ...args] = words;
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program)) return deedOfManager(program, args);
  if (/^(?:python|python3|ruby|php)$/.test(program) && args[0] !== undefined) {
    const script = args.find((arg) => !arg.startsWith('-')) ?? '';
    const name = script.slice(script.lastIndexOf('/') + 1);
    return Object.hasOwn(rules, name) && /\.py$|^artisan$/.test(name)
      ? deedOf([name, ...args.slice(args.indexOf(script) + 1)])
      : nothing;
  }
  return (Object.hasOwn(rules, program) ? rules[program]?.(args) : undefined) ?? nothing;
}

/** A package manager's own commands; the caller, who has the manifest, follows scripts. */
function deedOfManager(program: string, args: readonly string[]): Deed {
  const verb = verbOf(args);
  if (has(args, 'publish')) return publishes;
  if (/^(?:ci|install|i)$/.test(verb)) return installer(args) ?? nothing;
  if (program === 'yarn' && args.length === 0) return installs;
  if (/^(?:add|update|up|upgrade|remove|version|dedupe|link|pkg|audit)$/.test(verb))
    return verb === 'audit' && !has(args, 'fix') ? harms('network') : rewrites;
  if (program === 'bun' && verb === 'test') return does('test.unit');
  if (program === 'bun' && verb === 'build') return does('build');
  // All but npm start a program of the dependencies by its name.
  const started = program !== 'npm' && verb === 'run' ? (args[args.indexOf(verb) + 1] ?? '') : verb;
  if (program !== 'npm' && Object.hasOwn(rules, started)) return deedOf(args.slice(args.indexOf(started)));
  return nothing;
}

const taskNames: readonly (readonly [RegExp, Deed])[] = [
  [/(?:^|[:_-])(?:publish|release|deploy|push|upload)(?:$|[:_-])/, publishes],
  [/(?:^|[:_-])(?:fix|write|update|upgrade|bump|generate|codegen|autofix)(?:$|[:_-])/, rewrites],
  // A window in which a person picks tests and looks at them: it never ends by itself.
  [
    /(?:^|[:_-])(?:e2e|end-to-end|playwright|cypress)[:_-](?:open|ui|watch|debug|headed|code[:_-]?gen\w*|report)$/,
    nothing,
  ],
  // What the tests need before and after them.
  [
    /(?:^|[:_-])(?:e2e|end-to-end|integration|acceptance)[:_-](?:(?:\w+[:_-])?(?:setup|set-up|prepare|init|install|deps|up|down|teardown|cleanup|clean|build|image|cluster))$/,
    nothing,
  ],
  [/(?:^|[:_-])(?:e2e|end-to-end|playwright|cypress)(?:$|[:_-])/, does('test.e2e')],
  [/^(?:(?:run|test|tests|check|ci)[:_-])?smoke(?:[:_-]?tests?)?$/, does('test.e2e')],
  [/(?:^|[:_-])(?:bench|benchmark|perf|load|smoke|visual|coverage-report)s?(?:$|[:_-])/, nothing],
  [/^(?:(?:run|test|tests|check|ci)[:_-])?(?:integration|acceptance)(?:[:_-]?tests?)?$/, does('test.e2e')],
  [/(?:^|[:_-])(?:integration|acceptance)s?(?:$|[:_-])/, nothing],
  [
    /^(?:type-?check|check-?types|types|typing|mypy|pyright|tsc)(?:$|[:_-])|^(?:test|check|lint)[:_-]types?$/,
    does('typecheck'),
  ],
  [/^(?:format|fmt)[:_-]?check$|^check[:_-]?(?:format|fmt)$|^(?:prettier|format)[:_-]check$/, does('format_check')],
  [/^(?:format|fmt|prettier|black)(?:$|[:_-])/, rewrites],
  [
    /^(?:lint|eslint|style|flake8|ruff|pre-commit|vet|clippy)(?:$|[:_-](?:all|check|ci|js|ts|code|strict|prod|src|eslint)$)/,
    does('lint'),
  ],
  [
    /^(?:tests?|unit|spec|unittests?|pytest)(?:$|[:_-])|^(?:run[:_-])?(?:unit|check|all|api|ui|web|app|cli|core|lib|py|js|go|php|backend|frontend|server|client)[:_-]?tests?$|^run[:_-](?:the[:_-])?tests?$/,
    does('test.unit'),
  ],
  // Other names with `tests` do not say which tests they run, and these may need anything.
  [/^run[:_-].+[:_-]tests?(?:$|[:_-])/, does('test.e2e')],
  [/^(?:build|compile|dist|package|bundle)$/, does('build')],
];

/** What a task is meant to do, where its name is all that is known. */
export function deedOfTaskName(name: string): Deed {
  const plain = name.toLowerCase();
  return taskNames.find(([pattern]) => pattern.test(plain))?.[1] ?? nothing;
}
