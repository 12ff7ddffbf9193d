/** The run of entry_points: what manifests say, and what each language's own rule makes a program or a public package. */

import { posix } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt, objectsAt, textAt, textsAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { isForeignManifest, isTestFile } from '../../kernel/tree/file-roles.ts';
import { describeStart, effectiveCommand, listCopySources } from '../dockerfile/dockerfile-commands.ts';
import { type DockerfileRow, finalStageOf, upstreamDockerfiles } from '../dockerfile/dockerfile-section.ts';
import { placeOf } from '../shared/place-of.ts';
import { readManifest } from '../shared/probe-reading.ts';
import {
  type EntryRow,
  entryBuildGlobs,
  entryManifestGlobs,
  entrySourceGlobs,
  uwsgiGlobs,
} from './entry-points-section.ts';

type Found = { readonly programs: EntryRow[]; readonly open: EntryRow[] };
type Has = (path: string) => boolean;

/** Tests, examples and tools of the repository are no programs of the product. */
const besides =
  /(?:^|\/)(?:tests?|testing|testutils?|e2e|mocks?|fixtures?|examples?|samples?|docs?|tools?|scripts?|hack|internal\/tools|build|bench|benchmarks?|generate|codegen)\//;

export async function gatherEntryPoints(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'parsedManifest' | 'upstream'>,
): Promise<ProbeOutput> {
  const images = upstreamDockerfiles(ctx).filter(({ path }) => placeOf(path) === 'product');
  const found: Found = { programs: [], open: [] };
  const has: Has = (path) => repo.scope.exists(path);
  for (const file of repo.inputs.list(entryManifestGlobs)) {
    if (isForeignManifest(file) || besides.test(file)) continue;
    const manifest = await readManifest(repo, ctx, file);
    if (manifest.kind !== 'read') continue;
    const name = posix.basename(file);
    if (name === 'Cargo.toml') readCrate(file, manifest.value, has, found);
    else if (name === 'pyproject.toml') readPython(file, manifest.value, has, found);
    else readNode(file, manifest.value, has, found);
  }
  for (const file of repo.inputs.list(entryBuildGlobs)) {
    if (isForeignManifest(file) || besides.test(file)) continue;
    const read = await repo.inputs.read(file, limits.textBytes);
    if (read.kind === 'read') readBuild(file, decodeLenient(read.bytes), has, found);
  }
  for (const row of images) readImage(row, has, found);
  for (const file of repo.inputs.list(uwsgiGlobs)) {
    const read = placeOf(file) === 'product' ? await repo.inputs.read(file, limits.textBytes) : undefined;
    if (read?.kind === 'read') readUwsgi(file, decodeLenient(read.bytes), has, found);
  }
  const goImages = new Set(images.filter(buildsGo).map(({ path }) => posix.dirname(path)));
  for (const path of repo.inputs.list(entrySourceGlobs)) {
    if (path.endsWith('__init__.py') || isForeignManifest(path) || isTestFile(path)) continue;
    // A Go file outside a module is built only by an image that makes the module; names of Java packages say nothing.
    const isBuilt = () => goImages.has(posix.dirname(path)) || isInModule(path, has);
    if (path.endsWith('.go') && (besides.test(path) || !isBuilt())) continue;
    if (!/\.(?:go|java|kt)$/.test(path) && (besides.test(path) || !isLoaded(path, repo))) continue;
    if (/(?:^|\/)src\/(?:test|[a-z]\w*Test)\//.test(path) || repo.inputs.fingerprint(path)?.kind === 'link') continue;
    const read = await repo.inputs.read(path, limits.textBytes);
    if (read.kind === 'read') readSource(path, decodeLenient(read.bytes), found);
  }
  // Packages of a module that is a program are its parts; other modules are not meant to import them.
  const isGoProgram = found.programs.some(({ path }) => path.endsWith('.go'));
  const begun = new Set(found.programs.map(({ path }) => path));
  const open = found.open.filter(({ path, said_in }) => !(isGoProgram && said_in.endsWith('.go')) && !begun.has(path));
  const tried = found.programs.filter(({ path }) => /(?:^|\/)tests?[-_][^/]*\/[^/]*\.go$/.test(path));
  const programs = tried.length < found.programs.length ? found.programs.filter((row) => !tried.includes(row)) : tried;
  const inOrder = (rows: readonly EntryRow[]) =>
    [...new Map([...rows].reverse().map((row) => [row.path, row])).values()].sort((a, b) =>
      compareCodeUnits(a.path, b.path),
    );
  return {
    kind: 'ran',
    slice: { entry_points: { programs: inOrder(programs), public: inOrder(open) } },
    confidence: 'high',
  };
}

const buildsGo = ({ run_commands: runs }: DockerfileRow): boolean =>
  runs.some(({ command }) => /\bgo (?:build|install|run|mod init)\b/.test(command));

/** `node server.js`, `python app.py`, `gunicorn shop.wsgi:app`: the file that an image of the product starts, by where it was copied from. */
function readImage(row: DockerfileRow, has: Has, { programs }: Found): void {
  const stage = finalStageOf(row);
  if (stage === undefined) return;
  const { argv, form } = effectiveCommand(stage.entrypoint, stage.cmd);
  const { words, shellText } = describeStart(argv);
  const started = startedBy(shellText === null ? words : shellText.replace(/^\s*exec\s+/, '').split(/\s+/));
  if (started === undefined) return;
  const folder = posix.dirname(row.path);
  const path = filesOf(started)
    .flatMap((file) => [posix.join(folder, file), ...listCopySources(row, file)])
    .find((one) => has(one));
  // Quoted it stands in the command, and not where the file is copied.
  const shows = form === 'exec' ? `"${started}"` : started;
  if (path !== undefined && !isTestFile(path))
    programs.push({ path, said_in: row.path, shows, how: 'an image starts it' });
}

/** `[uwsgi]` names the file or the module of the application; other files of settings have no such part. */
function readUwsgi(file: string, text: string, has: Has, { programs }: Found): void {
  if (!/^\s*\[uwsgi\]/m.test(text)) return;
  const shows = /^\s*(?:wsgi-file|file|module|wsgi)\s*=\s*([\w./-]+(?::\w+(?:\(\))?)?)\s*$/m.exec(text)?.[1];
  const path = filesOf(shows ?? '')
    .map((one) => inside(file, one))
    .find((one) => has(one));
  if (shows !== undefined && path !== undefined) programs.push({ path, said_in: file, shows, how: 'uWSGI loads it' });
}

/** The word that names a file or a module of the program; flags that take a value are not told from those that do not. */
function startedBy(words: readonly string[]): string | undefined {
  const [program = '', ...args] = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const name = posix.basename(program);
  if (/^(?:gunicorn|uvicorn|hypercorn|daphne|granian)$/.test(name))
    return args.find((arg) => /^[A-Za-z_][\w.]*:[A-Za-z_]\w*(?:\([^()]*\))?$/.test(arg));
  if (!/^(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby|php)$/.test(name)) return undefined;
  if (args[0] === '-m') return /^[\w.]+$/.test(args[1] ?? '') ? args[1] : undefined;
  return args.find(
    (arg) => !arg.startsWith('-') && !/^(?:run|serve)$/.test(arg) && /\.(?:[cm]?[jt]s|py|rb|php)$/.test(arg),
  );
}

function filesOf(shows: string): readonly string[] {
  if (/\.(?:[cm]?[jt]s|py|rb|php)$/.test(shows)) return [shows];
  const module = (shows.split(':')[0] ?? '').replaceAll('.', '/');
  return [`${module}.py`, `${module}/__main__.py`, `${module}/__init__.py`];
}

function isInModule(path: string, has: Has): boolean {
  for (let directory = posix.dirname(path); directory !== '.'; directory = posix.dirname(directory))
    if (has(`${directory}/go.mod`)) return true;
  return has('go.mod');
}

/** What a server or a host loads stands beside a manifest of its language, in the folder that it is made for. */
function isLoaded(path: string, repo: ProbeRepo): boolean {
  const directory = posix.dirname(path);
  const beside = (dir: string, name: string) => repo.scope.exists(dir === '.' ? name : `${dir}/${name}`);
  if (path.endsWith('index.php')) {
    const isFront = /(?:^|\/)(?:public|web|webroot|htdocs|www)$/.test(directory);
    return isFront ? beside(posix.dirname(directory), 'composer.json') : beside(directory, 'composer.json');
  }
  if (path.endsWith('config.ru')) return beside(directory, 'Gemfile');
  if (path.endsWith('Program.cs'))
    return repo.inputs.list([`${directory === '.' ? '' : `${directory}/`}*.csproj`]).length > 0;
  return true;
}

const inside = (file: string, path: string): string => posix.join(posix.dirname(file), path);

function readNode(file: string, manifest: JsonObject, has: Has, { programs, open }: Found): void {
  const scripts = objectAt(manifest, 'scripts');
  let name = 'start';
  // `npm run x` leads to another script of the same manifest; a few steps are enough.
  for (let step = 0; step < 5; step += 1) {
    const next = /^(?:npm|pnpm|yarn|bun) (?:run )?([\w:.-]+)$/.exec((textAt(scripts, name) ?? '').trim())?.[1];
    if (next === undefined || textAt(scripts, next) === null) break;
    name = next;
  }
  const started = /^(?:cross-env )?(?:\w+=\S+ )*(?:node|bun|tsx|ts-node)(?: -[\w-]+(?:=\S+)?)* (\S+)$/.exec(
    (textAt(scripts, name) ?? '').trim(),
  )?.[1];
  const begin = ['', '.js'].map((ending) => inside(file, `${started ?? ''}${ending}`)).find((path) => has(path));
  if (started !== undefined && begin !== undefined && /\.[cm]?[jt]s$/.test(begin))
    programs.push({ path: begin, said_in: file, shows: started, how: `the script ${name} starts it` });
  const isPrivate = member(manifest, 'private') === true;
  if (isPrivate || started !== undefined) return;
  // Without a word about it, Node takes the file of this name.
  const isSilent = member(manifest, 'exports') === undefined && textAt(manifest, 'main') === null;
  if (isSilent && textAt(manifest, 'name') !== null && has(inside(file, 'index.js')))
    open.push({
      path: inside(file, 'index.js'),
      said_in: file,
      shows: 'name',
      how: 'the file that Node takes by itself',
    });
  const said = [...new Set(listOffered(manifest))];
  const there = said.flatMap((shows) => {
    const path = ['', '.js', '/index.js']
      .map((ending) => inside(file, `${shows}${ending}`))
      .find((one) => isFile(one, has));
    return path === undefined ? [] : [{ path, said_in: file, shows, how: 'the manifest names it' }];
  });
  const how = 'the source of what the manifest names and a build writes';
  const built = said.flatMap((shows) => {
    const path = sourceOf(file, shows, has);
    return path === undefined ? [] : [{ path, said_in: file, shows, how }];
  });
  const rows = there.length > 0 ? there : built;
  open.push(...rows.filter(({ path }, at) => rows.findIndex((one) => one.path === path) === at));
}

/** What an import of the package by its name alone can give, under any condition. */
function listOffered(manifest: JsonObject): readonly string[] {
  const all = member(manifest, 'exports');
  const isByPath = Object.keys(objectAt(manifest, 'exports')).some((key) => key.startsWith('.'));
  return [
    ...['main', 'module', 'types', 'typings'].flatMap((key) => textAt(manifest, key) ?? []),
    ...listTargets(isByPath ? member(manifest, 'exports', '.') : all),
  ];
}

function listTargets(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(listTargets);
  return isJsonObject(value) ? Object.values(value).flatMap(listTargets) : [];
}

const isFile = (path: string, has: Has): boolean => /\.\w+$/.test(path) && has(path);

/** `dist/esm/a.mjs` is made of `src/a.ts`, or of `a.ts`: the folders of the output, one or two, are left away. */
function sourceOf(file: string, built: string, has: Has): string | undefined {
  const parts = posix
    .normalize(built)
    .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/');
  const rests = [parts.slice(1), parts.slice(2)].map((rest) => rest.join('/')).filter((rest) => rest !== '');
  return rests
    .flatMap((rest) => [`src/${rest}`, rest])
    .flatMap((stem) =>
      ['ts', 'tsx', 'mts', 'cts', 'js', 'mjs', 'jsx'].map((ending) => inside(file, `${stem}.${ending}`)),
    )
    .find((path) => has(path));
}

const namedClass =
  /(?:\bmainClass(?:Name)?\s*(?:\.set\(|=|:)?\s*|["']Main-Class["']\s*(?:to|:|=)\s*)["']([\w.]{1,300})["']|<mainClass>([\w.]{1,300})<\/mainClass>/g;
const classFolders = ['src/main/kotlin', 'src/main/java', 'src/jvmMain/kotlin', 'src/main/scala', 'src'];

/** `a.b.MainKt` is what Kotlin makes of the file `a/b/Main.kt`. */
function readBuild(file: string, text: string, has: Has, { programs }: Found): void {
  const lasting = text.replace(/<plugin>[\s\S]*?<\/plugin>/g, (plugin) => (isBuildStep(plugin) ? '' : plugin));
  for (const match of lasting.matchAll(namedClass)) {
    const name = match[1] ?? match[2] ?? '';
    const path = name.replaceAll('.', '/');
    const begin = classFolders
      .flatMap((folder) =>
        [`${path}.java`, `${path}.kt`, `${path.replace(/Kt$/, '')}.kt`, `${path}.scala`].map((one) =>
          inside(file, `${folder}/${one}`),
        ),
      )
      .find((one) => has(one));
    if (begin !== undefined)
      programs.push({ path: begin, said_in: file, shows: name, how: 'the build names its class' });
  }
}

/** What a phase of the build runs makes something for the build. */
function isBuildStep(plugin: string): boolean {
  return /<artifactId>exec-maven-plugin</.test(plugin) && /<phase>/.test(plugin);
}

function readPython(file: string, manifest: JsonObject, has: Has, { programs, open }: Found): void {
  const application = textAt(manifest, 'tool', 'fastapi', 'entrypoint');
  const begin = application === null ? undefined : moduleFile(file, application, has);
  if (application !== null && begin !== undefined)
    programs.push({ path: begin, said_in: file, shows: application, how: 'the manifest names the application' });
  const name = (textAt(manifest, 'project', 'name') ?? textAt(manifest, 'tool', 'poetry', 'name') ?? '').toLowerCase();
  if (name === '' || begin !== undefined) return;
  const own = name.replace(/[-.]/g, '_');
  const named = [
    ...objectsAt(manifest, 'tool', 'poetry', 'packages').flatMap((one) => textAt(one, 'include') ?? []),
    ...textsAt(manifest, 'tool', 'hatch', 'build', 'targets', 'wheel', 'packages'),
    ...textsAt(manifest, 'tool', 'setuptools', 'packages'),
    ...textsAt(manifest, 'tool', 'flit', 'module', 'name'),
    ...textsAt(manifest, 'tool', 'uv', 'build-backend', 'module-name'),
  ];
  const places = (name: string) =>
    [`src/${name}/__init__.py`, `${name}/__init__.py`, `src/${name}.py`, `${name}.py`].map((one) => inside(file, one));
  const ofProject = places(own).find((one) => has(one));
  if (ofProject !== undefined)
    open.push({ path: ofProject, said_in: file, shows: 'name', how: 'the package has the name of the project' });
  for (const shows of ofProject === undefined ? named : []) {
    const path = places(shows).find((one) => has(one));
    if (path !== undefined) open.push({ path, said_in: file, shows, how: 'the manifest names the package' });
  }
}

function moduleFile(file: string, reference: string, has: Has): string | undefined {
  const module = (reference.split(':')[0] ?? '').replaceAll('.', '/');
  return [`${module}.py`, `src/${module}.py`, `${module}/__init__.py`]
    .map((one) => inside(file, one))
    .find((one) => has(one));
}

function readCrate(file: string, manifest: JsonObject, has: Has, { programs, open }: Found): void {
  if (textAt(manifest, 'package', 'name') === null) return;
  const named = objectsAt(manifest, 'bin').flatMap((one) => textAt(one, 'path') ?? []);
  for (const path of named)
    if (has(inside(file, path)))
      programs.push({ path: inside(file, path), said_in: file, shows: path, how: 'a binary that the manifest names' });
  const main = inside(file, 'src/main.rs');
  if (named.length === 0 && has(main))
    programs.push({ path: main, said_in: file, shows: '[package]', how: 'src/main.rs is a binary by its place' });
  const library = inside(file, textAt(manifest, 'lib', 'path') ?? 'src/lib.rs');
  if (has(library)) open.push({ path: library, said_in: file, shows: '[package]', how: 'the library of the crate' });
}

/** Files that a server, a host or an interpreter loads first, the words that show it, and why. */
const loadedBy: readonly (readonly [RegExp, RegExp, string])[] = [
  [/index\.php$/, /<\?php/, 'the web server calls it'],
  [/config\.ru$/, /\brun\b/, 'the application server loads it'],
  [/[aw]sgi\.py$/, /get_[aw]sgi_application|\bapplication\b/, 'the application server loads it'],
  [
    /Program\.cs$/,
    /WebApplication\.Create\w*|Host\.Create\w*|DistributedApplication\.Create\w*|WebAssemblyHostBuilder\.\w+|\bstatic (?:async )?(?:void|int|Task(?:<int>)?) Main\b/,
    'the host begins in it',
  ],
];

function readSource(path: string, text: string, { programs, open }: Found): void {
  const loaded = loadedBy.find(([ending]) => ending.test(path));
  if (loaded !== undefined) {
    const shows = loaded[1].exec(text)?.[0];
    if (shows !== undefined) programs.push({ path, said_in: path, shows, how: loaded[2] });
    return;
  }
  if (!path.endsWith('.go')) {
    const main = /^\s*(?:public static void main|(?:suspend )?fun main)\(/m.exec(text)?.[0].trim();
    if (main !== undefined && /(?:^|\/)(?:Main|main|App)\.(?:java|kt)$/.test(path))
      programs.push({ path, said_in: path, shows: main, how: 'a main function' });
    if (/^\s*@SpringBootApplication\b/m.test(text))
      programs.push({ path, said_in: path, shows: '@SpringBootApplication', how: 'the application class' });
    return;
  }
  const name = /^package (\w+)/m.exec(text)?.[1];
  const directory = posix.dirname(path);
  if (name === 'main') {
    // Programs of an internal folder, and those that are never built, serve the building of the others.
    const isTool =
      /(?:^|\/)internal(?:\/|$)/.test(directory) ||
      /^\/\/ ?(?:go:build|\+build) .*\b(?:ignore|tools?|generate|mage)\b/m.test(text) ||
      (/^\/\/go:generate /m.test(text) && /^func main\(\) \{\s*\}/m.test(text));
    if (/^func main\(\)/m.test(text) && !isTool)
      programs.push({ path, said_in: path, shows: 'func main()', how: 'package main' });
  } else if (name !== undefined && !/(?:^|\/)(?:internal|vendor|testdata)(?:\/|$)/.test(directory)) {
    if (!open.some((row) => row.path === directory))
      open.push({ path: directory, said_in: path, shows: `package ${name}`, how: 'packages that are not internal' });
  }
}
