/**
 * What a stage and what a RUN of a Dockerfile are for.
 *
 * A stage: the last stage is the one a plain build gives, so everything is judged from there:
 * - runtime: the last stage and every stage it is built on (`FROM stage`): their files are in the image
 * - test: a stage named for tests or checks, or, when the image does not need it, one whose last RUN or command runs tests
 * - build: the image takes files from it (`COPY --from`, `RUN --mount=from`), directly or through other stages
 * - unused: a plain build never looks at it; it is there for `--target`
 *
 * A RUN: one purpose each. It often does several things (`apt-get update && apt-get install … && rm -rf …`); the rules
 * below are asked in order and the first that fits names it, so that what matters for replacing the image is not hidden behind
 * housekeeping:
 * 1. certificates: the trust store is changed, or nothing but `ca-certificates` is installed
 * 2. signal_handling: an init (tini, dumb-init, …) is fetched or made executable, or installed with nothing else
 * 3. native_module_build_deps: a compiler or headers are among the packages installed
 * 4. package_install: any other package of the operating system
 * 5. build: a compiler, bundler, build script or test run
 * 6. dependency_install: packages of a language are installed
 * 7. nonroot_user: a user or group is made, or files are given to one
 * 8. cleanup: files, caches or packages are removed
 */

import { isUnitTest, listInvocations, scriptNameOf } from '../shared/shell-commands.ts';
import type { RunPurpose, StagePurpose } from './dockerfile-section.ts';

type StageLinks = {
  readonly name: string | null;
  readonly inheritsFrom: number | null;
  /** Stages that files are taken from. */
  readonly takesFrom: readonly number[];
  /** Its last RUN, and what it starts. */
  readonly lastCommands: readonly string[];
};

type Words = readonly string[];

const osManagers = new Set([
  'apt-get',
  'apt',
  'apk',
  'dnf',
  'yum',
  'microdnf',
  'tdnf',
  'zypper',
  'pacman',
  'rpm',
  'dpkg',
]);
const installs = new Set([
  'install',
  'add',
  'localinstall',
  'groupinstall',
  '-S',
  '-Sy',
  '-Syu',
  '-i',
  '-U',
  '-ivh',
  'in',
]);
const inits = new Set(['tini', 'tini-static', 'dumb-init', 's6-overlay', 's6', 'catatonit', 'su-exec', 'gosu']);
const toolchain =
  /^(?:build-essential|build-base|gcc|g\+\+|gcc-c\+\+|clang|llvm|make|cmake|autoconf|automake|libtool|pkg-config|pkgconf|pkgconfig|node-gyp|musl-dev|libc-dev|libc6-dev|linux-headers|python3?-dev|python3?-devel|rust|cargo|alpine-sdk|base-devel|nasm|.*-dev|.*-devel)(?:[=~<>].*)?$/;

const testName =
  /(?:^|[-_.])(?:tests?|testing|unit|e2e|lint|linter|check|checks|verify|ci|spec|specs|coverage|audit)(?:$|[-_.])/i;

export function purposesOf(stages: readonly StageLinks[]): readonly StagePurpose[] {
  const final = stages.length - 1;
  const shipped = new Set<number>();
  for (let at: number | null = final; at !== null && at >= 0 && !shipped.has(at); at = stages[at]?.inheritsFrom ?? null)
    shipped.add(at);
  const needed = new Set(shipped);
  // References point backwards, so one pass from the end reaches everything.
  for (let at = final; at >= 0; at -= 1) {
    const stage = stages[at];
    if (stage === undefined || !needed.has(at)) continue;
    for (const from of stage.takesFrom) needed.add(from);
    if (stage.inheritsFrom !== null) needed.add(stage.inheritsFrom);
  }
  return stages.map((stage, index) => {
    if (shipped.has(index)) return 'runtime';
    if (stage.name !== null && testName.test(stage.name)) return 'test';
    if (needed.has(index)) return 'build';
    return stage.lastCommands.some((command) => isUnitTest(command)) ? 'test' : 'unused';
  });
}

export function purposeOfRun(command: string): RunPurpose {
  const calls = listInvocations(command.slice(0, 64 * 1024)).map(plainCall);
  const installed = calls.flatMap(packagesInstalled);
  const packages = installed.map((name) => name.replace(/[=~<>@].*$/, ''));
  if (calls.some(changesTrust) || isOnly(packages, (name) => name === 'ca-certificates')) return 'certificates';
  if (calls.some(fetchesInit) || isOnly(packages, (name) => inits.has(name))) return 'signal_handling';
  if (installed.some((name) => toolchain.test(name))) return 'native_module_build_deps';
  if (packages.length > 0 || calls.some((call) => isOsInstall(call) || isOsUpdate(call))) return 'package_install';
  if (calls.some(isBuild)) return 'build';
  if (calls.some(isDependencyInstall)) return 'dependency_install';
  if (calls.some(([program = '']) => userPrograms.has(program))) return 'nonroot_user';
  if (calls.some(isCleanup)) return 'cleanup';
  return 'other';
}

/** `xx-apt-get` of cross builds is apt-get; `python3.9 -m pip` is pip. */
function plainCall([program = '', ...rest]: Words): Words {
  if (/^python[\d.]*$/.test(program) && rest[0] === '-m') return rest.slice(1);
  return [program.replace(/^xx-(?=apt-get$|apt$|apk$|go$|cargo$)/, ''), ...rest];
}

function isOsUpdate([program = '', ...rest]: Words): boolean {
  return (
    osManagers.has(program) && rest.some((word) => ['update', 'upgrade', 'dist-upgrade', 'download'].includes(word))
  );
}

function isOsInstall([program = '', ...rest]: Words): boolean {
  return osManagers.has(program) && rest.some((word) => installs.has(word));
}

/** Names only: `--virtual .deps` and other flags are none. */
function packagesInstalled(words: Words): string[] {
  if (!isOsInstall(words)) return [];
  const names: string[] = [];
  const [, ...rest] = words;
  const verb = rest.findIndex((word) => installs.has(word));
  for (let at = verb + 1; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (['--virtual', '-t', '--repository', '-X'].includes(word)) at += 1;
    else if (!word.startsWith('-') && !word.startsWith('.')) names.push(word);
  }
  return names;
}

function isOnly(packages: readonly string[], is: (name: string) => boolean): boolean {
  return packages.length > 0 && packages.every(is);
}

function changesTrust([program = '', ...rest]: Words): boolean {
  if (['update-ca-certificates', 'update-ca-trust', 'c_rehash'].includes(program)) return true;
  if (program === 'trust') return rest[0] === 'anchor';
  if (program === 'keytool') return rest.some((word) => word === '-importcert' || word === '-import');
  return program === 'openssl' && rest[0] === 'rehash';
}

function fetchesInit([program = '', ...rest]: Words): boolean {
  if (program === 'chmod') return rest.some((word) => inits.has(word.slice(word.lastIndexOf('/') + 1)));
  const fetches = ['curl', 'wget'].includes(program);
  return fetches && rest.some((word) => /\/(?:tini|dumb-init|s6-overlay|catatonit)[-_./]/.test(word.slice(0, 500)));
}

const builders = new Set(
  'make cmake ninja tsc webpack vite rollup esbuild tsup swc parcel next nuxt ng turbo nx bazel ant msbuild javac gcc g++ clang rustc ./configure configure meson scons hugo jlink native-image pyinstaller jest vitest pytest golangci-lint protoc buf'.split(
    ' ',
  ),
);
const subcommands: Readonly<Record<string, RegExp>> = {
  go: /^(?:build|install|generate|test|vet)$/,
  cargo: /^(?:build|test|chef|rustc)$/,
  mvn: /^(?:package|compile|install|verify|deploy|test)$/,
  mvnw: /^(?:package|compile|install|verify|deploy|test)$/,
  gradle: /^:?(?:[\w-]+:)*(?:build|assemble|bootJar|jar|shadowJar|installDist|test|check)$/,
  gradlew: /^:?(?:[\w-]+:)*(?:build|assemble|bootJar|jar|shadowJar|installDist|test|check)$/,
  dotnet: /^(?:build|publish|pack|test)$/,
  deno: /^(?:compile|cache|task)$/,
  bun: /^build$/,
  swift: /^build$/,
  sbt: /./,
  mix: /^(?:compile|release|assets\.deploy)$/,
  rails: /^assets:precompile$/,
  rake: /^assets:precompile$/,
  prisma: /^generate$/,
  python: /^setup\.py$/,
  python3: /^setup\.py$/,
};

function isBuild(words: Words): boolean {
  const [program = '', ...rest] = words;
  if (builders.has(program)) return true;
  const subcommand = Object.hasOwn(subcommands, program) ? subcommands[program] : undefined;
  if (subcommand !== undefined && rest.some((word) => subcommand.test(word))) return true;
  const script = scriptNameOf(words);
  return script !== null && !installScripts.has(script);
}

/** Words after npm, pnpm, yarn and bun that are commands of theirs, not scripts of the repository. */
const installScripts = new Set(
  'install i ci add fetch prune import link dedupe audit cache config set global rebuild store dlx create init policies plugins version pack publish deploy exec x remove'.split(
    ' ',
  ),
);

const dependencyInstalls: Readonly<Record<string, RegExp>> = {
  npm: /^(?:ci|install|i|rebuild|add|clean-install)$/,
  pnpm: /^(?:install|i|fetch|add|rebuild|deploy)$/,
  yarn: /^(?:install|add|workspaces)$/,
  bun: /^(?:install|i|add)$/,
  pip: /^(?:install|wheel|download|sync)$/,
  pip3: /^(?:install|wheel|download)$/,
  pipx: /^install$/,
  pipenv: /^(?:install|sync)$/,
  poetry: /^(?:install|export)$/,
  uv: /^(?:sync|pip|install|export)$/,
  pdm: /^(?:install|sync)$/,
  conda: /^(?:install|env|create)$/,
  go: /^mod$/,
  cargo: /^(?:fetch|vendor|install)$/,
  bundle: /^(?:install|config)$/,
  gem: /^install$/,
  composer: /^(?:install|dump-autoload)$/,
  mvn: /^dependency:/,
  mvnw: /^dependency:/,
  gradle: /^dependencies$/,
  gradlew: /^dependencies$/,
  dotnet: /^restore$/,
  mix: /^deps\./,
  corepack: /^(?:enable|prepare|install|use)$/,
};

function isDependencyInstall([program = '', ...rest]: Words): boolean {
  // Bare `yarn` installs.
  if (program === 'yarn' && rest.every((word) => word.startsWith('-'))) return true;
  const pattern = Object.hasOwn(dependencyInstalls, program) ? dependencyInstalls[program] : undefined;
  return pattern !== undefined && rest.some((word) => pattern.test(word));
}

const userPrograms = new Set('useradd adduser groupadd addgroup usermod chown chgrp'.split(' '));

function isCleanup([program = '', ...rest]: Words): boolean {
  if (['rm', 'rmdir', 'find', 'truncate', 'unlink'].includes(program)) return true;
  return rest.some((word) => ['clean', 'autoremove', 'prune', 'purge', 'remove', 'del', 'autoclean'].includes(word));
}
