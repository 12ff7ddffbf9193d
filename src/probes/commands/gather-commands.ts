/** The run of commands: everything that could be one, what each does in the end, and which is the one to use. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { type Component, componentAround, isProduct, isWithin } from '../../gather/facts/fact.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listAt, textAt, textsAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { parseText } from '../../kernel/formats/parse-outcome.ts';
import { joinWords, plainWords } from '../../kernel/formats/shell-words.ts';
import { unambiguous } from '../ci/ci-facts.ts';
import { type CommandRole, type Deed, isHarmless } from '../shared/command-deeds.ts';
import { type ManifestContext, readManifest, readParsed } from '../shared/probe-reading.ts';
import { listInvocations } from '../shared/shell-commands.ts';
import { type Candidate, integrationName, namesFiles, planValidation, rankCommands } from './choose-command.ts';
import { join, listConventions } from './command-conventions.ts';
import { type CommandRow, type CommandSource, type CommandsSection, guideGlobs } from './commands-section.ts';
import { type DocumentedCommand, guideRank, README_RANK, readDocumentedCommands } from './documented-commands.ts';
import { enter, type Followed, followCommand, listReached, type PlacedTask, type Workshop } from './follow-command.ts';
import {
  readJustfile,
  readMakefile,
  readPythonScripts,
  readRakefile,
  readScripts,
  readTaskfile,
  readToxIni,
  readToxToml,
  type Task,
} from './task-files.ts';

type Context = ManifestContext & Pick<ProbeContext, 'upstream'>;

export async function gatherCommands(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const components = readComponents(ctx.upstream['components']?.value ?? null);
  const shop = await openWorkshop(repo, ctx);
  const found = [
    ...fromCi(ctx.upstream['ci']?.value ?? null, components, shop),
    ...fromTasks(components, shop),
    ...fromScripts(components, shop),
    ...fromDocumentation(components, shop),
    ...listConventions(components, shop).map(
      ({ role, dir, cmd, path }): Candidate => ({
        ...{ role, component: dir, cmd, cwd: dir, source: 'convention', path, line: null, shows: null, by_name: false },
        ...{ effects: effectsOf(role, cmd, shop), roles: [role], fit: 0, programs: programsOf(cmd), reach: [] },
      }),
    ),
  ];
  const commands = rankCommands(found, components, shop);
  const slice: CommandsSection = {
    commands,
    ...planValidation(commands, components),
    ci_tests: listCiTests(ctx.upstream['ci']?.value ?? null, shop),
  };
  return { kind: 'ran', slice: { commands: slice }, confidence: 'high' };
}

/** What the toolchain's own command does to the world. */
function effectsOf(role: CommandRole, cmd: string, shop: Shop): CommandRow['effects'] {
  if (role === 'install') return ['network'];
  return shop.hooksWrite && cmd.startsWith('pre-commit ') ? ['writes'] : [];
}

function programsOf(cmd: string): readonly string[] {
  return listInvocations(cmd).flatMap(([program]) => program ?? []);
}

function readComponents(value: Json): readonly Component[] {
  return listAt(value, 'components').flatMap((row) => {
    const dir = textAt(row, 'dir');
    return dir === null ? [] : [{ ...(row as unknown as Component), dir, manifests: textsAt(row, 'manifests') }];
  });
}

// What the repository has.

type Shop = Workshop & {
  /** The package manager of a directory of Node packages, by the nearest lock file or declaration. */
  readonly managerOf: (dir: string) => string;
  /** What a Python tool is started with: `uv run `, `poetry run `, nothing. */
  readonly pythonRunnerOf: (dir: string) => string;
  readonly has: (path: string) => boolean;
  readonly paths: readonly string[];
  /** Names of what lies in a directory itself. */
  readonly filesIn: (dir: string) => readonly string[];
  /** Text of a manifest that was read. */
  readonly textOf: (path: string) => string;
  readonly hooksWrite: boolean;
  readonly documented: readonly { readonly path: string; readonly commands: readonly DocumentedCommand[] }[];
};

/** Scripts that are called without an ending. */
const bareScriptGlobs: readonly string[] = ['**/{script,scripts,bin,ci,.ci,hack}/*'];
const isBare = (path: string): boolean => /\/[\w-]+$/.test(path);

/** G28: what a shell would take for an option or for several lines. */
const unfitName = /^-|[\p{Cc}\u2028\u2029]/u;

const maxScripts = 300;
const maxScriptBytes = 64_000;

async function openWorkshop(repo: ProbeRepo, ctx: Context): Promise<Shop> {
  const { inputs } = repo;
  const text = async (path: string, maxBytes: number = limits.manifestBytes): Promise<string> => {
    const outcome = await readParsed(repo, path, maxBytes, (bytes) => parseText(bytes, { maxBytes }));
    return outcome.ok ? outcome.value : '';
  };
  const texts = new Map<string, string>();
  const tasks: PlacedTask[] = [];
  const tasksByPlace = new Map<string, Map<string, PlacedTask>>();
  const packages = new Map<string, string>();
  const declared = new Map<string, string>();
  const add = (path: string, found: readonly Task[]) => {
    for (const task of found) {
      if (unfitName.test(task.name)) continue;
      const placed = { ...task, path, dir: directoryOf(path) };
      const key = `${placed.tool} ${placed.dir}`;
      const held = tasksByPlace.get(key) ?? new Map<string, PlacedTask>();
      if (!held.has(placed.name)) held.set(placed.name, placed);
      tasksByPlace.set(key, held);
      tasks.push(placed);
    }
  };
  for (const path of inputs.list(['**/package.json', '**/composer.json'])) {
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind !== 'read') continue;
    const isNode = path.endsWith('package.json');
    add(path, readScripts(isNode ? 'npm' : 'composer', manifest.value, await text(path)));
    const name = textAt(manifest.value, 'name');
    if (isNode && name !== null && !packages.has(name)) packages.set(name, directoryOf(path));
    const manager = textAt(manifest.value, 'packageManager')?.split('@')[0];
    if (isNode && manager !== undefined && /^[a-z][\w-]*$/.test(manager)) declared.set(directoryOf(path), manager);
  }
  for (const path of inputs.list(['**/Makefile', '**/makefile', '**/GNUmakefile']))
    add(path, readMakefile(await text(path)));
  for (const path of inputs.list(['**/justfile', '**/Justfile', '**/.justfile']))
    add(path, readJustfile(await text(path)));
  for (const path of inputs.list(['**/Taskfile.{yml,yaml}'])) {
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind === 'read') add(path, readTaskfile(manifest.value, await text(path)));
  }
  for (const path of inputs.list(['**/tox.ini'])) add(path, readToxIni(await text(path)));
  for (const path of inputs.list(['**/pyproject.toml'])) {
    texts.set(path, await text(path));
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind !== 'read') continue;
    add(path, readToxToml(manifest.value, texts.get(path) ?? ''));
    add(path, readPythonScripts(manifest.value, texts.get(path) ?? ''));
  }
  for (const path of inputs.list(['**/Rakefile', '**/rakefile', '**/Rakefile.rb']))
    add(path, readRakefile(await text(path)));
  for (const path of inputs.list([
    '**/Cargo.toml',
    '**/Gemfile',
    '**/requirements*.txt',
    '**/pom.xml',
    '**/*.{gradle,gradle.kts}',
    '**/{ruff,.ruff}.toml',
    '**/.golangci.{yml,yaml,toml,json}',
  ]))
    texts.set(path, await text(path));
  const scripts = new Map<string, string>();
  for (const path of inputs.list(['**/*.{sh,bash}']).slice(0, maxScripts))
    scripts.set(path, await text(path, maxScriptBytes));
  for (const path of inputs.list(bareScriptGlobs).filter(isBare).slice(0, maxScripts)) {
    const script = await text(path, maxScriptBytes);
    if (/^#!.*\b(?:ba|da|z)?sh\b/.test(script)) scripts.set(path, script);
  }
  const compilerOptions = new Map<string, string>();
  for (const path of inputs.list(['**/tsconfig*.json'])) compilerOptions.set(path, await text(path));
  const hooks = (await Promise.all(inputs.list(['.pre-commit-config.yaml']).map((path) => text(path)))).join('\n');
  const documented: Shop['documented'][number][] = [];
  for (const path of inputs.list(guideGlobs))
    documented.push({ path, commands: readDocumentedCommands(path, await text(path)) });
  const names = new Set(inputs.list());
  const nearestOf = <T>(dir: string, look: (at: string) => T | undefined): T | undefined => {
    for (let at: string | undefined = dir; at !== undefined; at = at === '.' ? undefined : enter(at, '..')) {
      const found = look(at);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const byDirectory = new Map<string, string[]>();
  const directories = new Set(['.']);
  for (const path of names) {
    const dir = directoryOf(path);
    for (let at = dir; !directories.has(at); at = directoryOf(at)) directories.add(at);
    const name = dir === '.' ? path : path.slice(dir.length + 1);
    const held = byDirectory.get(dir);
    if (held === undefined) byDirectory.set(dir, [name]);
    else held.push(name);
  }
  const has = (path: string) => names.has(path) || repo.scope.exists(path);
  const lockIn = (dir: string, table: Readonly<Record<string, string>>) =>
    Object.entries(table).find(([name]) => has(join(dir, name)))?.[1];
  const noTasks = new Map<string, PlacedTask>();
  return {
    tasks,
    tasksIn: (tool, dir) => tasksByPlace.get(`${tool} ${dir}`) ?? noTasks,
    scripts,
    packages,
    has,
    paths: [...names],
    filesIn: (dir) => byDirectory.get(dir) ?? [],
    textOf: (path) => texts.get(path) ?? '',
    isDirectory: (path) => directories.has(path),
    outputOf: (config) => outputOf(config, compilerOptions, 0),
    managerOf: (dir) => nearestOf(dir, (at) => declared.get(at) ?? lockIn(at, nodeLocks)) ?? 'npm',
    pythonRunnerOf: (dir) => nearestOf(dir, (at) => lockIn(at, pythonLocks)) ?? '',
    mends: (linter, dir) =>
      Object.hasOwn(mendingConfigs, linter) &&
      (nearestOf(dir, (at) => {
        const found = mendingConfigs[linter]?.filter(([name]) => texts.has(join(at, name))) ?? [];
        return found.length === 0
          ? undefined
          : found.some(([name, says]) => says.test(texts.get(join(at, name)) ?? ''));
      }) ??
        false),
    hooksWrite:
      /\b(?:ruff-format|trailing-whitespace|end-of-file-fixer|black|isort|prettier|uv-lock)\b|--fix|--write/.test(
        hooks,
      ),
    documented,
  };
}

const nodeLocks = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
};
/** Configurations that make a linter mend what it finds. A TOML table ends where the next begins. */
const golangciMends = /^\s*"?fix"?\s*[:=]\s*true\b/m;
const ruffMends = /^(?:(?!\s*\[)[^\n]*\n)*?fix\s*=\s*true\b/;
const mendingConfigs: Readonly<Record<string, readonly (readonly [name: string, says: RegExp])[]>> = {
  ruff: [
    ['ruff.toml', ruffMends],
    ['.ruff.toml', ruffMends],
    ['pyproject.toml', /^\[tool\.ruff\][^\n]*\n(?:(?!\s*\[)[^\n]*\n)*?fix\s*=\s*true\b/m],
  ],
  'golangci-lint': [
    ['.golangci.yml', golangciMends],
    ['.golangci.yaml', golangciMends],
    ['.golangci.toml', golangciMends],
    ['.golangci.json', golangciMends],
  ],
};
const pythonLocks = {
  'uv.lock': 'uv run ',
  'poetry.lock': 'poetry run ',
  'pdm.lock': 'pdm run ',
  'Pipfile.lock': 'pipenv run ',
};

function outputOf(path: string, texts: ReadonlyMap<string, string>, depth: number): 'none' | 'apart' | null {
  const text = (texts.get(path) ?? '').replace(/^\s*\/\/.*$/gm, '');
  if (/"noEmit"\s*:\s*true/.test(text)) return 'none';
  if (/"outDir"\s*:\s*"(?!\.?\/?")/.test(text)) return 'apart';
  const parent = depth > 4 ? undefined : /"extends"\s*:\s*"(\.[^"]{1,200})"/.exec(text)?.[1];
  const next =
    parent === undefined ? undefined : enter(directoryOf(path), parent.endsWith('.json') ? parent : `${parent}.json`);
  return next === undefined ? null : outputOf(next, texts, depth + 1);
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

// Candidates: one for each part that a command plays.

type Origin = Pick<CommandRow, 'source' | 'path' | 'line' | 'shows'>;

function candidates(
  cmd: string,
  cwd: string,
  component: string,
  followed: Followed,
  origin: Origin,
  name: string,
  shop: Shop,
): Candidate[] {
  const { roles: found, effects } = withHooks(followed, shop);
  const played = integrationName.test(name)
    ? [...new Set(found.map((role) => (role === 'test.unit' ? ('test.e2e' as const) : role)))]
    : found;
  // `node server.js` plays no part by itself; as the script `start` it is what the package manager starts.
  const isStart = played.length === 0 && effects.length === 0 && name === 'start' && origin.source === 'task';
  const roles = isStart ? (['start'] as const) : played;
  if (followed.placeholder || cmd.length > 1_000) return [];
  const fits = roles.filter(
    (role) =>
      role !== 'build' ||
      followed.calls === undefined ||
      /build|compile|bundle|dist|package|assemble|binar(?:y|ies)|^(?:all|bin|default)$/i.test(name),
  );
  return fits.map((role) => ({
    role,
    component,
    cmd,
    cwd,
    ...origin,
    by_name: followed.byName && !isOwnName(role, name),
    effects: [...effects],
    roles,
    fit: fitOf(role, name),
    programs: followed.leaves
      .filter(({ deed }) => deed.roles.includes(role))
      .flatMap(({ words: [program] }) => program ?? []),
    reach: followed.leaves.flatMap((leaf) =>
      leaf.deed.roles.includes(role) ? [leaf.cwd, ...listReached(leaf, shop)] : [],
    ),
  }));
}

/** Hooks that mend make a check of pre-commit one that writes. */
function withHooks({ deed, leaves }: Followed, { hooksWrite }: Shop): Deed {
  const runsHooks = leaves.some(({ words: [program] }) => program === 'pre-commit' || program === 'prek');
  if (!hooksWrite || !runsHooks || deed.effects.includes('writes')) return deed;
  return { roles: deed.roles, effects: ['writes', ...deed.effects] };
}

const ownNames: Readonly<Record<CommandRole, readonly string[]>> = {
  install: ['install'],
  build: ['build', 'compile', 'bundle', 'dist', 'all', 'binary', 'binaries', 'bin', 'default'],
  'test.unit': ['test', 'unit', 'test:unit', 'test-unit', 'unit-test', 'tests', 'check'],
  'test.e2e': ['e2e', 'test:e2e', 'test-e2e', 'e2e-test', 'test:playwright', 'test'],
  lint: ['lint', 'lint:check', 'lint-check', 'check', 'lint:eslint', 'eslint', 'lint:js', 'vet'],
  typecheck: ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'test:types', 'tsc', 'mypy', 'typing'],
  format_check: ['format:check', 'format-check', 'check-format', 'fmt-check', 'fmt:check', 'prettier:check', 'format'],
  start: ['start', 'serve', 'dev', 'run'],
};

function isOwnName(role: CommandRole, name: string): boolean {
  return ownNames[role].includes(name);
}

function fitOf(role: CommandRole, name: string): number {
  const at = ownNames[role].indexOf(name);
  return at < 0 ? ownNames[role].length : at;
}

/** A change starts these; a release, a schedule or a person starts others. */
const changeTriggers = new Set(['push', 'pull_request', 'pull_request_target', 'merge_group', 'workflow_call']);

function fromCi(section: Json, components: readonly Component[], shop: Shop): Candidate[] {
  const inEach = (command: Json): readonly Json[] => {
    const folder = textAt(command, 'directories')?.slice(0, -2);
    if (folder === undefined || !isJsonObject(command)) return [command];
    return components
      .filter(({ dir }) => directoryOf(dir) === folder)
      .map(({ dir }) => ({ ...command, directory: dir }));
  };
  return listAt(section, 'jobs').flatMap((job) => {
    const triggers = textsAt(job, 'triggers');
    const source: CommandSource =
      triggers.length === 0 || triggers.some((one) => changeTriggers.has(one)) ? 'ci' : 'release_ci';
    return listAt(job, 'commands')
      .flatMap(inEach)
      .flatMap((command): Candidate[] => {
        const [cwd, path, run] = [textAt(command, 'directory'), textAt(command, 'file'), textAt(command, 'run')];
        const written = cleanLine(textAt(command, 'resolved') ?? '');
        if (cwd === null || path === null || run === null || written === null) return [];
        const followed = followCommand(written, cwd, shop);
        if (followed.watches && followed.calls === undefined) return [];
        // Of directories that a computed value stands for, those that have what it works on.
        if (textAt(command, 'directories') !== null && !isAtHome(written, cwd, followed, shop)) return [];
        const { cmd, at, name } = canonical(written, cwd, followed, shop);
        const line = isJsonObject(command) && typeof command['line'] === 'number' ? command['line'] : null;
        const shows = textAt(command, 'action') ?? run.split(' ')[0] ?? run;
        return candidates(
          cmd,
          at,
          componentOf(cmd, at, components, shop),
          followed,
          { source, path, line, shows },
          name,
          shop,
        );
      });
  });
}

/** What a job runs that ends in tests. */
function listCiTests(section: Json, shop: Shop): CommandsSection['ci_tests'] {
  const jobs = listAt(section, 'jobs').map((job) => ({
    file: textAt(job, 'file') ?? '',
    id: textAt(job, 'id') ?? '',
    commands: listAt(job, 'commands'),
  }));
  return unambiguous(jobs).flatMap(({ file, id, commands }) =>
    commands.flatMap((command) => {
      const [run, path] = [textAt(command, 'run'), textAt(command, 'file')];
      if (run === null || path === null) return [];
      const followed = followCommand(textAt(command, 'resolved') ?? run, textAt(command, 'directory') ?? '.', shop);
      const roles: readonly string[] = [...textsAt(command, 'roles'), ...followed.deed.roles];
      if (!roles.includes('test.unit') && !roles.includes('test.e2e')) return [];
      const line = isJsonObject(command) && typeof command['line'] === 'number' ? command['line'] : null;
      const shows = textAt(command, 'action') ?? run.split(' ')[0] ?? run;
      return [{ file, job: id, run, path, line, shows }];
    }),
  );
}

/** One command that can be typed: null for loops, tests and what is computed. */
function cleanLine(line: string): string | null {
  const cut = line
    .replace(/\s+(?:\|\||2?>|\|)\s.*$/, '')
    .replace(/(?:\s+-[\w-]+)?\s+["'][^"']*\$\{\{[^}]*\}\}[^"']*["']$/, '')
    // An option goes with the value that it would have.
    .replace(/(?:\s+-[\w-]+(?=\s+[^-\s]))?\s+\S*\$\{\{[^}]*\}\}\S*$/, '')
    .replace(/\s+--$/, '')
    .trim();
  if (
    /^(?:for|while|if|then|else|fi|do|done|case|echo|export|set|function)\b/.test(cut) ||
    /[$`{};]|<<|&\s*$/.test(cut)
  )
    return null;
  return cut === '' ? null : cut;
}

/** A script or a target by the name under which it is called, without what CI adds to it; tools in environments of their own, plainly. */
function canonical(
  line: string,
  cwd: string,
  followed: Followed,
  shop: Shop,
): { cmd: string; at: string; name: string } {
  const [words = []] = listInvocations(line);
  const [program = ''] = words;
  if (program === 'pre-commit' || program === 'prek')
    return { cmd: `${program} run --all-files`, at: cwd, name: 'lint' };
  const { calls } = followed;
  // Preparing the database is what CI adds.
  if (calls === undefined && (program === 'rails' || program === 'rake'))
    return { cmd: line.replace(/\s+db:[\w:]+(?=\s)/g, ''), at: cwd, name: '' };
  // `cd x && y` is y, run in x.
  const [, to = '', rest = ''] = /^cd\s+(\S+)\s+&&\s+(.+)$/.exec(line) ?? [];
  const there = to === '' ? undefined : enter(cwd, to);
  if (calls === undefined && there !== undefined) return { cmd: rest, at: there, name: '' };
  if (calls === undefined || calls.tool === 'tox' || calls.tool === 'rake')
    return { cmd: line, at: cwd, name: calls?.name ?? '' };
  const manager = calls.tool === 'npm' && /^(?:npm|pnpm|yarn|bun)$/.test(program) ? program : undefined;
  return { cmd: callOf(calls, manager ?? shop.managerOf(calls.dir), followed), at: calls.dir, name: calls.name };
}

/** G28: the repository chose the name, and the shell must take it for one word. */
function callOf(task: PlacedTask, manager: string, { watches, leaves }: Followed): string {
  const name = joinWords([task.name]);
  const once = watches && leaves.some(({ words: [program] }) => program === 'vitest') ? 'CI=1 ' : '';
  switch (task.tool) {
    case 'npm':
      return `${once}${manager} run ${name}`;
    case 'tox':
      return task.name === '' ? 'tox run' : `tox run -e ${name}`;
    case 'hatch':
    case 'pdm':
      return `${task.tool} run ${name}`;
    default:
      return `${task.tool} ${name}`;
  }
}

/** Whose command it is: the part that it names, else the part in which it is run. */
function componentOf(cmd: string, cwd: string, components: readonly Component[], shop: Shop): string {
  const named = plainWords(cmd)
    .slice(1)
    .filter((word) => /^[\w./-]+$/.test(word) && !word.startsWith('-') && word.includes('/') && !word.includes('...'))
    .flatMap((word) => enter(cwd, word) ?? [])
    .filter((path) => path !== '.' && shop.isDirectory(path));
  // A manifest that is named is that of the part.
  const manifest = plainWords(cmd)
    .map((word) => word.replace(/^--[\w-]+=/, ''))
    .find((word) => /(?:^|\/)(?:Cargo\.toml|package\.json|pom\.xml|go\.mod|[^/]+\.(?:cs|fs|vb)proj)$/.test(word));
  const manifestDir = manifest === undefined ? undefined : enter(cwd, directoryOf(manifest));
  if (manifestDir !== undefined) return componentAround({ components }, manifestDir)?.dir ?? '.';
  const project = gradleProjectOf(cmd);
  const projectDir = project === undefined ? undefined : enter(cwd, project);
  if (projectDir !== undefined && shop.isDirectory(projectDir)) return projectDir;
  const [only, second] = named;
  if (only !== undefined && second === undefined) {
    if (components.some((one) => one.dir !== '.' && isWithin(one.dir, only) && isProduct(one))) return only;
  }
  return componentAround({ components }, cwd)?.dir ?? '.';
}

/** `./gradlew :app:lint :app:test` is about `app`. */
function gradleProjectOf(cmd: string): string | undefined {
  const [words = []] = listInvocations(cmd);
  if (!/^gradlew?$/.test(words[0] ?? '')) return undefined;
  const tasks = words.slice(1).filter((word, at, all) => !word.startsWith('-') && !/^-[xPD]?$/.test(all[at - 1] ?? ''));
  const projects = new Set(tasks.map((task) => task.replace(/^:/, '').split(':').slice(0, -1).join('/')));
  const [first = ''] = projects;
  return projects.size === 1 && first !== '' ? first : undefined;
}

/** npm runs these by itself. */
const lifecycle = /^(?:pre|post)(?!view|commit-|fix\b|release-)\w|^(?:prepare|install|publish|version|shrinkwrap)$/;
const notOnce = /(?:^|[:_-])(?:watch|dev|debug|ui|headed|update|inspect|local|staging|prod(?:uction)?)(?:$|[:_-])/;

function fromTasks(components: readonly Component[], shop: Shop): Candidate[] {
  return shop.tasks.flatMap((task): Candidate[] => {
    if (task.tool === 'npm' && lifecycle.test(task.name)) return [];
    const isDev = /^dev(?:elop)?$/.test(task.name);
    if (/[%*$]/.test(task.name) || (notOnce.test(task.name) && !isDev)) return [];
    const call = callOf(task, shop.managerOf(task.dir), { ...quiet });
    const followed = followCommand(call, task.dir, shop);
    const component = componentAround({ components }, task.dir)?.dir ?? '.';
    const origin: Origin = {
      source: 'task',
      path: task.path,
      line: task.line,
      shows: task.line === null ? null : task.shows,
    };
    // What stays running for a developer starts it, and is nothing else.
    if (isDev)
      return candidates(call, task.dir, component, followed, origin, task.name, shop).filter(
        ({ role }) => role === 'start',
      );
    const own =
      followed.watches && !followed.leaves.some(({ words: [program] }) => program === 'vitest')
        ? []
        : candidates(
            callOf(task, shop.managerOf(task.dir), followed),
            task.dir,
            component,
            followed,
            origin,
            task.name,
            shop,
          );
    return [...own, ...insideOf(followed, task.tool === 'npm' ? 'node' : 'other', component, origin, shop)];
  });
}

const quiet: Followed = {
  deed: { roles: [], effects: [] },
  leaves: [],
  byName: false,
  watches: false,
  placeholder: false,
};

const globalTools =
  /^(?:node|npm|pnpm|yarn|bun|deno|go|cargo|rustfmt|make|docker|python3?|dotnet|mvnw?|gradlew?|git|tox|nox|pre-commit|prek|golangci-lint|gofmt|bundle|composer|php)$/;
const pythonTools = /^(?:pytest|mypy|pyright|basedpyright|ty|ruff|flake8|pylint|black|isort|coverage)$/;
const leafRoles: ReadonlySet<CommandRole> = new Set(['lint', 'typecheck', 'test.unit', 'format_check']);

/** The harmless parts of something larger, as they would be typed. */
function insideOf(
  { leaves }: Followed,
  kind: 'node' | 'other',
  component: string,
  origin: Origin,
  shop: Shop,
): Candidate[] {
  return leaves.flatMap(({ text, words, cwd, deed }): Candidate[] => {
    const [program = ''] = words;
    const role = deed.roles.find((one) => leafRoles.has(one));
    if (role === undefined || deed.roles.length > 1 || !isHarmless(deed) || /[$`{}]/.test(text) || text.length > 300)
      return [];
    const typed = globalTools.test(program)
      ? text
      : pythonTools.test(program)
        ? `${shop.pythonRunnerOf(cwd)}${text}`
        : kind === 'node'
          ? `${execOf(shop.managerOf(cwd))} ${text}`
          : null;
    if (typed === null || isWatch(words)) return [];
    return [
      {
        role,
        component,
        cmd: typed,
        cwd,
        ...origin,
        source: 'inside_task',
        by_name: false,
        effects: [...deed.effects],
        roles: deed.roles,
        fit: 0,
        programs: [program],
        reach: [],
      },
    ];
  });
}

function isWatch(words: readonly string[]): boolean {
  return (
    words.some((word) => /^--(?:watch|ui)\b/.test(word)) ||
    (words[0] === 'vitest' && !words.includes('run') && !words.includes('--run'))
  );
}

function execOf(manager: string): string {
  return { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }[manager] ?? 'npx';
}

const scriptFolders = /^(?:scripts?|bin|ci|hack|tools?|dev|tests?|e2e|build)$/;

function fromScripts(components: readonly Component[], shop: Shop): Candidate[] {
  return [...shop.scripts.keys()].flatMap((path): Candidate[] => {
    const folder = directoryOf(path);
    const isFolder = scriptFolders.test(folder.slice(folder.lastIndexOf('/') + 1));
    const cwd = isFolder && folder !== '.' ? directoryOf(folder) : folder;
    const around = componentAround({ components }, cwd);
    if (around !== undefined && around.dir !== cwd) return [];
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    if (notOnce.test(name) || /(?:^|[-_.])(?:bench\w*|perf\w*|profil\w*)(?:$|[-_.])/i.test(name)) return [];
    const relative = cwd === '.' ? path : path.slice(cwd.length + 1);
    const started = joinWords(isBare(path) ? [relative] : ['bash', relative]);
    const followed = followCommand(started, cwd, shop);
    const isPython = followed.leaves.some(({ words: [program = ''] }) => pythonTools.test(program));
    const cmd = `${isPython ? shop.pythonRunnerOf(cwd) : ''}${started}`;
    const origin: Origin = { source: 'script', path, line: null, shows: null };
    const own = candidates(cmd, cwd, around?.dir ?? '.', followed, origin, name, shop).filter(
      ({ role, effects }) => role === 'test.e2e' || (effects.length === 0 && !/[$]/.test(cmd)),
    );
    // A script that does harm may still hold a harmless check, but it is no list of checks.
    if (!isHarmless(followed.deed)) return own;
    const lined = insideOf(followed, 'other', around?.dir ?? '.', origin, shop).map((one) => ({
      ...one,
      shows: lineOfLeaf(one.cmd.replace(shop.pythonRunnerOf(cwd), ''), shop.scripts.get(path) ?? ''),
    }));
    return [
      ...own,
      ...lined.filter(
        ({ cwd: at, path: file, shows }) =>
          at === cwd && shows !== null && shop.scripts.get(file)?.includes(shows) === true,
      ),
    ];
  });
}

/** As much of a command as stands in the script as it is: one program may be started twice. */
function lineOfLeaf(cmd: string, script: string): string | null {
  const words = plainWords(cmd);
  const shown = words.map((_, at) => words.slice(0, words.length - at).join(' '));
  return shown.find((text) => script.includes(text)) ?? words[0] ?? null;
}

/** Where a guide for the whole repository may lie. */
const guideHomes = /^(?:\.|\.github|docs?)$/;

/**
 * What guides tell developers to type, as far as the repository has what is needed for it: a command that leads to no script, target or
 * manifest here is an example of something else.
 */
function fromDocumentation(components: readonly Component[], shop: Shop): Candidate[] {
  return shop.documented.flatMap(({ path, commands }): Candidate[] => {
    const rank = guideRank(path) ?? 0;
    const dir = directoryOf(path);
    const home = guideHomes.test(dir) && rank < README_RANK ? '.' : dir;
    if (home !== '.' && !components.some((one) => one.dir === home)) return [];
    let block = -1;
    let at: string | undefined = home;
    return commands.flatMap(({ text, line, shows, block: its, place }): Candidate[] => {
      if (its !== block) at = place === null ? home : place === '/' ? '.' : placed(home, place, shop);
      block = its;
      const [words = []] = listInvocations(text);
      if (words[0] === 'cd' && words.length === listInvocations(text).flat().length) {
        at = entered(at, words[1] ?? '', home, shop);
        return [];
      }
      if (/\bgit clone\b/.test(text)) return [];
      const written = cleanLine(text);
      if (at === undefined || written === null || !isWhole(written)) return [];
      const followed = followCommand(written, at, shop);
      if (!isAtHome(written, at, followed, shop)) return [];
      const call = canonical(written, at, followed, shop);
      const origin: Origin = { source: 'documentation', path, line, shows };
      const component = componentOf(call.cmd, call.at, components, shop);
      const { language } = components.find((one) => one.dir === component) ?? { language: null };
      return candidates(call.cmd, call.at, component, followed, origin, call.name, shop)
        .filter(({ role }) => role !== 'install' || !isBeside(language, written))
        .map((one) => ({ ...one, fit: rank }));
    });
  });
}

/** Tools that a JavaScript program needs beside its own dependencies are not how it is installed. */
function isBeside(language: string | null, written: string): boolean {
  return /^(?:java|type)script$/.test(language ?? '') && !/^(?:npm|pnpm|yarn|bun|deno)\b/.test(written);
}

/** As seen from the document, or from the root. */
function placed(home: string, place: string, shop: Shop): string | undefined {
  return [enter(home, place), enter('.', place)].find((path) => path !== undefined && shop.isDirectory(path));
}

/** After `git clone …/x` comes `cd x`, or `cd x/part`, and x is the root; what is no directory here leads out of the tree. */
function entered(from: string | undefined, to: string, home: string, shop: Shop): string | undefined {
  const path = from === undefined ? undefined : enter(from, to);
  if (path !== undefined && shop.isDirectory(path)) return path;
  const cloned = from === home ? /^[\w.-]+(?:\/(.*))?$/.exec(to) : null;
  const below = cloned === null ? undefined : enter('.', cloned[1] ?? '');
  return below !== undefined && shop.isDirectory(below) ? (cloned?.[1] ? below : home) : undefined;
}

/** A command for all of it: nothing is left to fill in, and no test is picked out. */
function isWhole(written: string): boolean {
  if (/<\w|\bpath\/to\b|\byour[-_]|\bmy[-_]|\[[A-Z]|\.\.\.(?=\s|$)(?<!\/\.\.\.)/.test(written)) return false;
  const [words = []] = listInvocations(written);
  if (words.some((word) => /^(?:-k|-t|-run|-g|--grep|--tests?|--filter|--testNamePattern|--example)(?:=|$)/.test(word)))
    return false;
  return !namesFiles(written) && !(words[0] === 'cargo' && /^(?:test|t)$/.test(words[1] ?? '') && isName(words[2]));
}

const isName = (word: string | undefined): boolean => word !== undefined && /^[a-z]/.test(word);

/** What must lie in the directory, or above it, for a program to have something to work on. */
const homes: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:go|gotestsum|ginkgo|golangci-lint|staticcheck|gofmt|gofumpt)$/, /^go\.(?:mod|work)$/],
  [/^(?:cargo|cross|rustfmt)$/, /^Cargo\.toml$/],
  [/^mvnw?$/, /^pom\.xml$/],
  [/^gradlew?$/, /^(?:build|settings)\.gradle(?:\.kts)?$/],
  [/^dotnet$/, /\.(?:sln|slnx|csproj|fsproj|vbproj)$/],
  [/^(?:pre-commit|prek)$/, /^\.pre-commit-config\.yaml$/],
  [/^tox$/, /^(?:tox\.ini|pyproject\.toml|setup\.cfg)$/],
  [/^nox$/, /^noxfile\.py$/],
  [/^uv$/, /^(?:uv\.lock|pyproject\.toml|requirements.*\.txt)$/],
  [/^poetry$/, /^pyproject\.toml$/],
  [
    /^(?:pip3?|pytest|py\.test|mypy|pyright|ruff|flake8|pylint|black|pdm|hatch|unittest|python3?)$/,
    /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|Pipfile|manage\.py)$/,
  ],
  [/^(?:bundle|rspec|rubocop|rails|rake|minitest|standardrb)$/, /^(?:Gemfile|.*\.gemspec)$/],
  [/^(?:composer|phpunit|pest|phpstan|psalm|pint|artisan|php)$/, /^composer\.json$/],
  [/^mix$/, /^mix\.exs$/],
  [/^swift$/, /^Package\.swift$/],
];
const nodePrograms =
  /^(?:npm|pnpm|yarn|bun|tsc|vitest|jest|mocha|ava|tap|eslint|oxlint|prettier|biome|playwright|cypress)$/;

function isAtHome(written: string, cwd: string, { calls, leaves, byName }: Followed, shop: Shop): boolean {
  const [program = ''] = plainWords(written);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program) && shop.managerOf(calls?.dir ?? cwd) !== program) return false;
  if (calls !== undefined) return true;
  const script = program.includes('/') ? enter(cwd, program) : undefined;
  if (script !== undefined && shop.has(script) && !/^(?:mvnw|gradlew)$/.test(script.split('/').at(-1) ?? ''))
    return true;
  if (byName) return false;
  return leaves.every(({ words, cwd: at, deed }) => {
    const [own = ''] = words;
    // The product itself is what a README is about.
    if (shop.packages.has(own)) return false;
    if (nodePrograms.test(own)) return isAbove(at, /^package\.json$/, shop);
    const needs = homes.find(([programs]) => programs.test(own))?.[1];
    if (needs !== undefined) return isAbove(at, needs, shop) && hasNamedFiles(words, at, shop);
    // Scripts were opened before; what is left and plays a part is not known to be here.
    return deed.roles.length === 0;
  });
}

function isAbove(dir: string, needed: RegExp, shop: Shop): boolean {
  for (let at: string | undefined = dir; at !== undefined; at = at === '.' ? undefined : enter(at, '..'))
    if (shop.filesIn(at).some((name) => needed.test(name))) return true;
  return false;
}

/** Files that an installation reads are here. */
function hasNamedFiles(words: readonly string[], cwd: string, shop: Shop): boolean {
  return words.every((word, at) => {
    if (words[at - 1] !== '-r' && words[at - 1] !== '--requirement') return true;
    const path = enter(cwd, word);
    return path !== undefined && shop.has(path);
  });
}
