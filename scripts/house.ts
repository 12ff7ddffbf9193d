/**
 * `npm run house [-- --verbose]`: the rules that keep the house in order. It fails for what is plainly wrong and names the file and what
 * to do. What is a matter of taste (sizes, parts that need each other) `--verbose` shows, and a reader decides. Exceptions stand in `house-exceptions.ts`, each with its reason, and one
 * that is no longer needed fails too, so that the list only gets shorter.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCycles as findGroups } from '../src/kernel/base/find-cycles.ts';
import { type Exception, exceptions } from './house-exceptions.ts';

export const root = fileURLToPath(new URL('../', import.meta.url));

export type Import = { readonly target: string; readonly isDynamic: boolean };

export type SourceFile = {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
};

/** `where` is what an exception names; `advice` says what to do. */
export type Problem = { readonly rule: string; readonly where: string; readonly advice: string };

/** Room → rooms that it may import. An arrow may skip rooms; nothing points back up. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  languages: ['kernel'],
  index: ['languages', 'kernel'],
  mutate: ['index', 'languages', 'kernel'],
  gather: ['index', 'languages', 'kernel'],
  probes: ['gather', 'index', 'languages', 'kernel'],
  serve: ['mutate', 'probes', 'gather', 'index', 'languages', 'kernel'],
  fleet: ['serve', 'mutate', 'probes', 'gather', 'index', 'languages', 'kernel'],
  cli: ['fleet', 'serve', 'mutate', 'probes', 'gather', 'index', 'languages', 'kernel'],
};

type Door = {
  readonly modules: readonly string[];
  readonly among: RegExp;
  readonly may: RegExp;
  readonly because: string;
};

/** What only some may import. */
const doors: readonly Door[] = [
  {
    modules: ['child_process', 'cluster'],
    among: /^(?:src|bin)\//,
    may: /^(?:src\/kernel\/exec\/|bin\/codegenie\.mjs$)/,
    because: 'only kernel/exec starts processes (the launcher starts the pinned Node)',
  },
  {
    modules: ['sqlite'],
    among: /^src\//,
    may: /^src\/(?:index|fleet)\/store\//,
    because: 'only index/store and fleet/store speak to databases',
  },
  {
    modules: ['fs', 'fs/promises'],
    among: /^src\/probes\//,
    may: /^$/,
    because: 'probes read through their inputs, not through the file system',
  },
  {
    modules: ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'undici'],
    among: /^src\/probes\//,
    may: /^src\/probes\/external-docs\//,
    because: 'no probe but external_docs reaches for the network',
  },
];

const importPattern =
  /(?:^|[\s;])(import|export)\s+(?:type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"\n]+)['"]|\b(?:import|require|getBuiltinModule)\s*\(\s*['"`]([^'"`\n]+)['"`]/g;

/** Modules of a folder, without their tests; imports are names as written, or paths from the root for those of the project. */
export function listSources(folder: string): readonly SourceFile[] {
  return listModules(folder).filter(({ path }) => !path.includes('.test.'));
}

export function listTests(): readonly SourceFile[] {
  return [...listModules('src'), ...listModules('test')].filter(({ path }) => path.endsWith('.test.ts'));
}

function listModules(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => readModule(join(entry.parentPath, entry.name)))
    .filter((file) => !file.path.startsWith('test/fixtures/'))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readModule(file: string): SourceFile {
  const path = relative(root, file).split(sep).join('/');
  const text = readFileSync(file, 'utf8');
  return { path, text, lines: text.split('\n').length - 1, imports: parseImports(path, text) };
}

export function parseImports(path: string, text: string): Import[] {
  return [...text.matchAll(importPattern)].map((found) => {
    const name = found[2] ?? found[3] ?? '';
    const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
    return { target, isDynamic: found[3] !== undefined };
  });
}

export const roomOf = (path: string): string => path.split('/')[1] ?? '';
/** `kernel/exec`; what lies in a room itself is a part of its own. */
export const partOf = (path: string): string =>
  path
    .split('/')
    .slice(1, path.split('/').length > 3 ? 3 : 2)
    .join('/');

// --- what fails -------------------------------------------------------------------------------------------------------------

export function findArrows(sources: readonly SourceFile[]): Problem[] {
  const wrong: Problem[] = [];
  for (const { path, imports } of sources) {
    const room = roomOf(path);
    if (arrows[room] === undefined) {
      wrong.push({ rule: 'arrows', where: path, advice: `${room} is no room: see docs/spec/README.md section 3` });
      continue;
    }
    for (const { target } of imports) {
      if (!target.includes('/') || !/^(?:src|test|scripts|bench|bin)\//.test(target)) continue;
      if (target.startsWith('src/') && [room, ...(arrows[room] ?? [])].includes(roomOf(target))) continue;
      wrong.push({
        rule: 'arrows',
        where: `${path} → ${target}`,
        advice: `${room} may import ${arrows[room]?.join(', ') || 'nothing but itself'}: move what is needed down, or pass it in`,
      });
    }
  }
  return wrong;
}

export function findDoors(files: readonly SourceFile[]): Problem[] {
  return doors.flatMap(({ modules, among, may, because }) =>
    files
      .filter(({ path }) => among.test(path) && !may.test(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => modules.includes(target.replace(/^node:/, '')))
          .map(({ target }) => ({ rule: 'doors', where: `${path} → ${target}`, advice: because })),
      ),
  );
}

/** What the words of answers mean is said once: that file is data. */
const wordsForPage = 'src/serve/changes/outcome-words.ts';

/** The page is another program: it takes the types of what answers it, and none of the code. */
export function findPageImports(files: readonly { readonly path: string; readonly text: string }[]): Problem[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/^\s*(?:import|export)\s+(?!type\b)[^;]*?from\s+'(?:\.\.\/)+(src\/[^']+)'/gm)]
      .filter(([, target]) => target !== wordsForPage)
      .map(([, target]) => ({
        rule: 'page',
        where: `${path} → ${target}`,
        advice: 'the page takes only types of src (import type): what it needs is asked of the daemon',
      })),
  );
}

function listPageFiles(): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, 'page'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }));
}

/** Rooms that print or serve JSON have one writer for it, which shows what hides. A copy through JSON is read again at once. */
export function findJsonWriters(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => /^src\/(?:cli|serve\/(?:http|mcp|page))\//.test(path))
    .filter(({ text }) => /JSON\.stringify\b/.test(text.replaceAll('JSON.parse(JSON.stringify(', '')))
    .map(({ path }) => ({
      rule: 'json',
      where: path,
      advice: 'write JSON by visibleJson (kernel/secrets/outgoing.ts), or printJson in a command',
    }));
}

/** Groups that reach themselves by static imports; imports of types count. */
export function findCycles(sources: readonly SourceFile[]): Problem[] {
  const graph = new Map(
    sources.map(({ path, imports }) => [path, imports.filter((one) => !one.isDynamic).map((one) => one.target)]),
  );
  return listCycles(graph).map((cycle) => ({
    rule: 'cycles',
    where: cycle.join(' ↔ '),
    advice: 'move the types that both need to the lower one, or make them one file',
  }));
}

/** Groups of two or more; what is no node (a package, a file outside) leads nowhere. */
function listCycles(graph: ReadonlyMap<string, readonly string[]>): (readonly string[])[] {
  return findGroups(graph.keys(), (node) => graph.get(node) ?? []).filter((group) => group.length > 1);
}

/** A surface may repeat the name of its operation. */
const surfaces = /^src\/(?:cli\/commands|serve\/(?:operations|changes|mutations|mcp\/tools))\//;

export function findNames(sources: readonly SourceFile[]): Problem[] {
  const byName = new Map<string, string[]>();
  for (const { path } of sources.filter((file) => !file.path.endsWith('.gen.ts'))) {
    const name = basename(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const wrong: Problem[] = [];
  for (const [name, paths] of byName) {
    if (name === 'types.ts')
      for (const where of paths)
        wrong.push({ rule: 'names', where, advice: 'types live with what makes them: name the topic' });
    else if (paths.filter((path) => !surfaces.test(path)).length > 1)
      wrong.push({ rule: 'names', where: paths.join(' '), advice: 'a name occurs once: say what differs' });
  }
  return wrong;
}

/** Functions of four lines or more whose bodies are the same to the letter. */
export function findTwins(sources: readonly SourceFile[]): Problem[] {
  const places = new Map<string, string[]>();
  for (const { path, text } of sources)
    for (const { name, body } of listFunctions(text)) {
      if (body.split('\n').length < 4) continue;
      const key = body.replaceAll(/\s+/g, ' ');
      places.set(key, [...(places.get(key) ?? []), `${path}#${name}`]);
    }
  return [...places.values()]
    .map((all) => [...new Set(all)])
    .filter((all) => all.length > 1)
    .map((all) => ({ rule: 'twins', where: all.join(' '), advice: 'identical bodies: keep one and import it' }));
}

/** Top-level functions as the formatter writes them: they end at a brace in the first column. */
function listFunctions(text: string): { readonly name: string; readonly body: string }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    const end = lines.indexOf('}', start);
    if (name === undefined || end < 0) return [];
    const head = lines.findIndex((one, at) => at >= start && one.endsWith('{'));
    return [{ name, body: lines.slice(head + 1, end).join('\n') }];
  });
}

/** Pages, sections and numbered promises of the specification, decisions and paths that anything cites. */
export function findCitations(): Problem[] {
  const spec = new Map(
    readdirSync(join(root, 'docs/spec')).map((name) => [name, readFileSync(join(root, 'docs/spec', name), 'utf8')]),
  );
  const promises = new Set([...spec.values()].flatMap((text) => text.match(/\b[A-Z]\d{1,2}\b/g) ?? []));
  const decisions = new Set(readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4)));
  const texts = listTexts();
  const names = new Set(texts.map(({ path }) => basename(path)));
  const wrong: Problem[] = [];
  const say = (path: string, cited: string, advice: string) =>
    wrong.push({ rule: 'citations', where: `${path}: ${cited}`, advice });
  for (const { path, text } of texts) {
    for (const [cited, page = '', section = ''] of text.matchAll(
      /\b((?:code-plane|containers|fleet|gather|mutation|probes|surfaces)\.md),? (?:§ ?|section )(\d+(?:\.\d+)*)/g,
    )) {
      if (!hasSection(spec.get(page) ?? '', section)) say(path, cited, `docs/spec/${page} has no such section`);
    }
    for (const [cited, number = ''] of text.matchAll(/\b[Dd]ecision (\d{4})\b/g))
      if (!decisions.has(number)) say(path, cited, 'docs/decisions has no such number');
    for (const [cited] of proseOf(path, text).matchAll(
      /(?<![\w./@-])(?:src\/(?:kernel|languages|index|mutate|gather|probes|serve|fleet|cli)|test|scripts|bench|bin|docs(?!\/decisions\/N))\/[\w./-]*\.(?:ts|md|sql|mjs)\b/g,
    ))
      if (!existsSync(join(root, cited))) say(path, cited, 'no such file');
    for (const [, cited = ''] of proseOf(path, text).matchAll(/`([a-z0-9-]{3,}\.ts)`/g))
      if (/^src\/(?!.*\.test\.ts$)|^docs\/decisions/.test(path) && !names.has(cited)) say(path, cited, 'no such file');
    if (!path.endsWith('.test.ts')) continue;
    for (const [, title = ''] of text.matchAll(
      /\b(?:test|it|describe|traced|\w+)(?:\.\w+)*(?:\([^\n]*\))?\(\s*[`'"]([^\n]{3,})/g,
    ))
      for (const id of /^(?:[a-z, ]+: )?((?:[A-Z]\d{1,2}(?:[ ,]+|: ))+)/.exec(title)?.[1]?.match(/[A-Z]\d{1,2}/g) ?? [])
        if (!promises.has(id)) say(path, `${id} in "${title.slice(0, 60)}"`, 'the specification has no such number');
  }
  return wrong;
}

/** A heading, or an item of the list below one: `§11.3` is the third of section 11. */
function hasSection(page: string, section: string): boolean {
  if (new RegExp(`^#+ ${section.replaceAll('.', '\\.')}\\.? `, 'm').test(page)) return true;
  const [, outer = '', item = ''] = /^(.+)\.(\d+)$/.exec(section) ?? [];
  const text = page.split(new RegExp(`^#+ ${outer.replaceAll('.', '\\.')}\\.? `, 'm'))[1]?.split(/^#/m)[0] ?? '';
  return item !== '' && new RegExp(`^ *${item}\\. `, 'm').test(text);
}

/** Documents, and comments of code. Measured facts quote files of other repositories. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replace(/<!-- begin facts -->.*<!-- end facts -->/s, '');
  return text
    .split('\n')
    .filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
}

function listTexts(): { readonly path: string; readonly text: string }[] {
  const tops = ['src', 'test', 'scripts', 'bench', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return [...tops, 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.(?:ts|md|sql)$/.test(path) && !/^test\/fixtures|^docs\/reference/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** knip: files that nothing imports, and exports that no other file imports. */
function findUnused(): Problem[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/knip/bin/knip.js'),
      '--reporter',
      'json',
      '--include',
      'files,exports,types,dependencies',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 },
  );
  type Row = { readonly file: string } & Readonly<Record<string, readonly { readonly name: string }[] | undefined>>;
  if (!stdout.trim().startsWith('{')) throw new Error(`knip said: ${stderr || stdout}`);
  const { issues } = JSON.parse(stdout) as { issues: readonly Row[] };
  return issues
    .filter((row) => !row.file.startsWith('test/'))
    .flatMap((row) => [
      ...(row['files'] ?? []).map(() => ({
        rule: 'orphans',
        where: row.file,
        advice: 'nothing imports it: delete it',
      })),
      ...[...(row['exports'] ?? []), ...(row['types'] ?? [])].map(({ name }) => ({
        rule: 'exports',
        where: `${row.file}#${name}`,
        advice: 'no other file imports it: drop `export`',
      })),
      ...[...(row['dependencies'] ?? []), ...(row['devDependencies'] ?? [])].map(({ name }) => ({
        rule: 'dependencies',
        where: name,
        advice: 'nothing imports this package: remove it',
      })),
    ]);
}

// --- what is reported -------------------------------------------------------------------------------------------------------

function report(sources: readonly SourceFile[]): string {
  const written = sources.filter(({ path }) => !path.endsWith('.gen.ts'));
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of sources)
    for (const { target } of imports) importers.set(target, (importers.get(target) ?? new Set()).add(path));
  const lone = written.filter(({ path, lines }) => lines < 60 && importers.get(path)?.size === 1);
  const folders = Map.groupBy(written, ({ path }) => posix.dirname(path));
  const rooms = [...Map.groupBy(written, ({ path }) => roomOf(path)), ['all', written] as const];
  return [
    'room            files    lines  median   p90',
    ...rooms.map(([room, files]) => {
      const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
      const at = (share: number) => String(sizes[Math.floor(sizes.length * share)] ?? 0);
      const sum = sizes.reduce((total, lines) => total + lines, 0);
      return `${room.padEnd(12)} ${String(files.length).padStart(8)} ${String(sum).padStart(8)} ${at(0.5).padStart(7)} ${at(0.9).padStart(5)}`;
    }),
    `under 60 lines with one importer: ${lone.length}`,
    ...lone.map(({ path, lines }) => `  ${lines} ${path}`),
    ...written.filter(({ lines }) => lines > 900).map(({ path, lines }) => `above 900 lines: ${path} (${lines})`),
    ...[...folders]
      .filter(([, files]) => files.length > 25)
      .map(([name, files]) => `above 25 files: ${name} (${files.length})`),
    ...describePartCycles(sources),
  ].join('\n');
}

/** Parts of a room that need each other. */
function describePartCycles(sources: readonly SourceFile[]): string[] {
  const graph = new Map<string, string[]>();
  for (const { path, imports } of sources) {
    const targets = imports
      .filter(({ target, isDynamic }) => !isDynamic && target.startsWith('src/'))
      .map(({ target }) => partOf(target));
    graph.set(partOf(path), [...(graph.get(partOf(path)) ?? []), ...targets.filter((part) => part !== partOf(path))]);
  }
  return listCycles(graph).map((cycle) => `parts that need each other: ${cycle.join(' ↔ ')}`);
}

// --- the run ----------------------------------------------------------------------------------------------------------------

/** Everything but knip, which takes seconds. */
export function findProblems(): Problem[] {
  const sources = listSources('src');
  return [
    ...findArrows(sources),
    ...findDoors([...sources, ...listSources('bin')]),
    ...findJsonWriters(sources),
    ...findPageImports(listPageFiles()),
    ...findCycles(sources),
    ...findNames(sources),
    ...findTwins(sources),
    ...findCitations(),
  ];
}

/** Problems that no exception covers, and exceptions that cover none. */
export function judge(
  problems: readonly Problem[],
  rules?: readonly string[],
  excepted: readonly Exception[] = exceptions,
): Problem[] {
  const covers = (problem: Problem) =>
    excepted.some(({ rule, where }) => rule === problem.rule && problem.where.includes(where));
  const idle = excepted.filter(
    ({ rule, where }) =>
      (rules === undefined || rules.includes(rule)) &&
      !problems.some((problem) => problem.rule === rule && problem.where.includes(where)),
  );
  return [
    ...problems.filter((problem) => !covers(problem)),
    ...idle.map(({ rule, where }) => ({
      rule: 'exceptions',
      where: `${rule}: ${where}`,
      advice: 'no longer needed: remove it from scripts/house-exceptions.ts',
    })),
  ];
}

if (import.meta.main) {
  if (process.argv.includes('--verbose')) console.log(`for information, no fault:\n\n${report(listSources('src'))}\n`);
  const problems = judge([...findProblems(), ...findUnused()]);
  for (const { rule, where, advice } of problems) console.log(`${rule}: ${where}\n    ${advice}`);
  console.log(problems.length === 0 ? 'the house is in order' : `\n${problems.length} to mend`);
  if (problems.length > 0) process.exitCode = 1;
}
