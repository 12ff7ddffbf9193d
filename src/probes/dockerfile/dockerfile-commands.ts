/**
 * What a container runs when it is started: ENTRYPOINT and CMD put together by Docker's rules, what is behind init and shell, the scripts
 * among it, and where a file of the image comes from in the repository, followed through COPY and from stage to stage.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { dockerfileLimits } from '../../kernel/formats/dockerfile-instructions.ts';
import { joinWords } from '../../kernel/formats/shell-words.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import {
  type Command,
  type CopyDirective,
  type DockerfileRow,
  finalStageOf,
  type Init,
  type Stage,
} from './dockerfile-section.ts';

export type Started = {
  readonly init: Init;
  /** The program that is process 1, as written; behind `exec` the one that takes the shell's place. */
  readonly pid1: string | null;
  /** The command without init and without what only changes user or environment. */
  readonly words: readonly string[];
  /** The text that a shell is given with `-c`. */
  readonly shellText: string | null;
  /** A script that is run, by its path in the image. */
  readonly script: string | null;
};

/** A script that the final stage starts, or that such a script starts. */
export type InvokedScript = {
  /** As the command names it. */
  readonly path: string;
  /** Path in the repository, or `Dockerfile:12` for one that stands in it; null: not found. */
  readonly source: string | null;
  readonly text: string;
};

/** What an image without the instruction has. */
export const absent: Command = { form: 'absent', argv: [], command: null };

const maxScripts = 20;
const scriptBytes = 256 * 1024;

const searchPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Places looked at for one file: stages that copy from each other many times would multiply. */
const maxPlaces = 2_000;

/** The shell form of ENTRYPOINT takes no arguments, so CMD does not count beside it; an empty ENTRYPOINT is none. */
export function effectiveCommand(entrypoint: Command, cmd: Command): Command {
  if (entrypoint.argv.length === 0) return cmd.argv.length === 0 ? absent : cmd;
  if (entrypoint.form !== 'exec' || cmd.argv.length === 0) return entrypoint;
  const argv = [...entrypoint.argv, ...cmd.argv];
  return { form: 'exec', argv, command: joinWords(argv) };
}

export function describeStart(argv: readonly string[]): Started {
  const first = argv[0] ?? null;
  const init = first === null ? 'none' : initOf(first);
  const words = withoutWrappers(init === 'none' ? argv : afterInit(argv));
  const shellText = shellTextOf(words);
  const behindExec = shellText === null ? null : /^\s*exec\s+(?:-\S+\s+)?([^\s;&|]+)/.exec(shellText)?.[1];
  const behindInit = behindExec === null || behindExec === undefined ? 'none' : initOf(behindExec);
  const usesShell = init === 'none' && words[0] === first;
  return {
    init: init === 'none' ? behindInit : init,
    pid1: usesShell ? (behindExec ?? first) : first,
    words,
    shellText,
    script: scriptOf(words),
  };
}

export function isShell(program: string): boolean {
  return /(?:^|[\\/])(?:ba|da|a|z|k)?sh$/.test(program.slice(-300));
}

/** By name: what else is a script shows when it is read. */
function isScriptName(path: string): boolean {
  return /\.(?:sh|bash|ash|zsh|ksh)$|(?:^|\/)(?:docker-)?entrypoint$/.test(path.slice(-500));
}

/** In the order they are met, each once. A program that turns out to be no script is left out. */
export async function readInvokedScripts(repo: ProbeRepo, row: DockerfileRow): Promise<readonly InvokedScript[]> {
  const found: InvokedScript[] = [];
  const queue = startedPaths(row);
  const seen = new Set<string>();
  for (const path of queue) {
    if (seen.has(path) || found.length >= maxScripts) continue;
    seen.add(path);
    const script = await readScript(repo, row, path);
    if (script === null) continue;
    found.push(script);
    queue.push(...scriptNamesIn(script.text));
  }
  return found;
}

/** Likely paths of everything the stage starts, and of what the scripts already at hand start: inputs to be derived. */
export async function listScriptCandidates(repo: ProbeRepo, row: DockerfileRow): Promise<readonly string[]> {
  const scripts = await readInvokedScripts(repo, row);
  return [...startedPaths(row), ...scripts.flatMap(({ text }) => scriptNamesIn(text))]
    .slice(0, maxScripts * 5)
    .flatMap((path) => listCopySources(row, path).slice(0, 20));
}

/** Words of a text that are named like scripts. */
function scriptNamesIn(text: string): readonly string[] {
  const words = text.slice(0, scriptBytes).split(/[\s;&|()<>`]+/);
  return [...new Set(words.map((word) => word.replace(/^["']|["']$/g, '')))].filter(
    (word) => word.length < 300 && isScriptName(word) && !word.includes('$') && !/^-|^\w+:\/\//.test(word),
  );
}

/**
 * Paths of the repository that may be the file, likeliest first. The build context is the root or the folder of the Dockerfile;
 * whether a source is a file or a directory shows only in the repository: both readings are given, and none is looked up.
 */
export function listCopySources(row: DockerfileRow, path: string): readonly string[] {
  const stage = row.final_stage === null ? undefined : row.stages[row.final_stage];
  if (stage === undefined || path === '' || path.includes('$')) return [];
  const places = path.includes('/') ? [path] : [...searchPath.map((folder) => `${folder}/${path}`), path];
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const place of places) collect(row, stage, absoluteIn(stageDirectory(stage), place), found, seen);
  const folder = directoryOf(row.path);
  const inContext = [...found].flatMap((source) => (folder === '' ? [source] : [source, `${folder}/${source}`]));
  return [...new Set(inContext)].filter(isPlainPath);
}

/** The directive whose here-document is the file. */
export function findHeredocCopy(row: DockerfileRow, path: string): CopyDirective | undefined {
  const stage = row.final_stage === null ? undefined : row.stages[row.final_stage];
  if (stage === undefined) return undefined;
  const wanted = new Set(
    path.includes('/') ? [absoluteIn(stageDirectory(stage), path)] : searchPath.map((folder) => `${folder}/${path}`),
  );
  return row.copy_directives.find(
    ({ sources, destination }) =>
      sources.length === 1 &&
      sources[0]?.startsWith('<<') === true &&
      wanted.has(destination.endsWith('/') ? `${destination}${sources[0].slice(2)}` : destination),
  );
}

/** Where relative paths lead. An empty image begins at its root; any other may have a directory of its own. */
export function workingDirectory(workdir: string | null, baseImage: string | null): string | null {
  return workdir ?? (baseImage === 'scratch' ? '/' : null);
}

/** A path inside the image, absolute where the working directory is known. */
export function absoluteIn(workdir: string | null, path: string): string {
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('$')) return path;
  const isDirectory = /(?:^|\/)\.{0,2}\/?$/.test(path);
  if (workdir === null) return path;
  const parts = workdir.split('/').filter((part) => part !== '');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const joined = `/${parts.join('/')}`;
  return isDirectory && joined !== '/' ? `${joined}/` : joined;
}

/** The file a shell is told to run; `sh -c text` runs none. */
function scriptOf(words: readonly string[]): string | null {
  const [program = '', ...rest] = words;
  if (isScriptName(program)) return program;
  if (!isShell(program) || shellTextOf(words) !== null) return null;
  return rest.find((word) => !word.startsWith('-')) ?? null;
}

/** `sh -c text`, `bash -euo pipefail -c text`, `cmd /S /C text`. */
function shellTextOf([program = '', ...rest]: readonly string[]): string | null {
  if (isShell(program)) {
    const at = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
    const isFlags = at >= 0 && rest.slice(0, at).every((word) => word.startsWith('-') || /^[a-z]+$/.test(word));
    return isFlags ? (rest[at + 1] ?? null) : null;
  }
  if (/(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/i.test(program.slice(-300))) {
    const at = rest.findIndex((word) => /^[/-](?:c|command)$/i.test(word));
    return at < 0 ? null : rest.slice(at + 1).join(' ');
  }
  return null;
}

function initOf(program: string): Init {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (/^tini(?:-static|-amd64|-arm64|-muslc)?(?:-\w+)?$/.test(name) || name === 'docker-init') return 'tini';
  if (name === 'dumb-init' || name === 'catatonit') return name;
  return name === 's6-svscan' || program === '/init' ? 's6' : 'none';
}

/** Flags of an init with a value of their own. */
const initFlagsWithValue = new Set(['-p', '-e', '-r', '--rewrite']);

function afterInit(argv: readonly string[]): readonly string[] {
  let at = 1;
  while (at < argv.length && argv[at]?.startsWith('-') === true) {
    const word = argv[at] ?? '';
    at += initFlagsWithValue.has(word) ? 2 : 1;
    if (word === '--') break;
  }
  return argv.slice(at);
}

function withoutWrappers(argv: readonly string[]): readonly string[] {
  let words = argv;
  for (let round = 0; round < 4; round += 1) {
    const [program = '', ...rest] = words;
    const name = program.slice(program.lastIndexOf('/') + 1);
    if (name === 'gosu' || name === 'su-exec') words = rest.slice(1);
    else if (name === 'env') {
      const at = rest.findIndex((word) => !/^(?:-\S*|\w+=.*)$/s.test(word));
      words = at < 0 ? [] : rest.slice(at);
    } else return words;
  }
  return words;
}

/** Programs that are no files of the repository. */
const wellKnown =
  /(?:^|\/)(?:node|nodejs|deno|bun|npm|npx|pnpm|yarn|python[\d.]*|java|dotnet|ruby|php|perl|nginx|gunicorn|uvicorn)$/;

function startedPaths(row: DockerfileRow): string[] {
  const stage = finalStageOf(row);
  if (stage === undefined) return [];
  const started = describeStart(effectiveCommand(stage.entrypoint, stage.cmd).argv);
  const texts = [started.shellText ?? '', started.words.slice(1).join(' '), stage.healthcheck?.command ?? ''];
  const [program = ''] = started.words;
  const isFile = program !== '' && !isShell(program) && !wellKnown.test(program);
  return [
    ...(started.script === null ? [] : [started.script]),
    ...(isFile ? [program] : []),
    ...texts.flatMap(scriptNamesIn),
  ];
}

async function readScript(repo: ProbeRepo, row: DockerfileRow, path: string): Promise<InvokedScript | null> {
  for (const source of listCopySources(row, path).slice(0, 20)) {
    if (!repo.inputs.has(source)) continue;
    const outcome = await repo.inputs.readHead(source, scriptBytes);
    if (outcome.kind !== 'read') continue;
    const text = decodeLenient(outcome.bytes);
    if (text.startsWith('#!') ? isShellShebang(text) : isScriptName(path)) return { path, source, text };
    return null;
  }
  const inline = findHeredocCopy(row, path);
  if (inline !== undefined)
    return { path, source: `${row.path}:${inline.line}`, text: await heredocText(repo, row, inline.line) };
  return isScriptName(path) ? { path, source: null, text: '' } : null;
}

function isShellShebang(text: string): boolean {
  return /^#!\s{0,8}\S{0,200}?(?:\/env(?:\s+-\S+)*\s+)?(?:\S{0,200}\/)?(?:ba|da|a|z|k)?sh(?:\s|$)/.test(
    text.slice(0, 500),
  );
}

async function heredocText(repo: ProbeRepo, row: DockerfileRow, line: number): Promise<string> {
  if (!repo.inputs.has(row.path)) return '';
  const outcome = await repo.inputs.read(row.path, dockerfileLimits.bytes);
  if (outcome.kind !== 'read') return '';
  const { parseDockerfile } = await import('./dockerfile-stages.ts');
  const { heredocs } = parseDockerfile(decodeLenient(outcome.bytes)).detail;
  return heredocs.find((heredoc) => heredoc.line === line)?.content ?? '';
}

/** Declared inputs are a small language (`user:`, globs); what a Dockerfile names must stay a path in the repository. */
function isPlainPath(source: string): boolean {
  return (
    source !== '' && !/[*?[\]{}:!\\\n]/.test(source) && !source.split('/').some((part) => part === '..' || part === '.')
  );
}

function collect(row: DockerfileRow, stage: Stage, path: string, found: Set<string>, seen: Set<string>): void {
  const place = `${stage.index} ${path}`;
  if (seen.has(place) || seen.size >= maxPlaces) return;
  seen.add(place);
  // What is copied later lies over what was copied before.
  for (const copy of row.copy_directives.toReversed()) {
    if (copy.stage_index !== stage.index) continue;
    for (const source of copy.sources) {
      for (const inner of sourcesOf(source, copy.destination, path)) {
        if (copy.from === null) found.add(inner);
        else {
          const from = copy.from_stage_resolved === null ? undefined : row.stages[copy.from_stage_resolved];
          if (from !== undefined) collect(row, from, absoluteIn(stageDirectory(from), `/${inner}`), found, seen);
        }
      }
    }
  }
  const parent = stage.inherits_from === null ? undefined : row.stages[stage.inherits_from];
  if (parent !== undefined) collect(row, parent, path, found, seen);
}

/** What of a source would land at the path, relative to the source's root. */
function sourcesOf(source: string, destination: string, path: string): readonly string[] {
  if (source.startsWith('<<') || /^[a-z]+:\/\//i.test(source) || source.includes('$')) return [];
  const from = source
    .replace(/^(?:\.?\/)+/, '')
    .replace(/^\.$/, '')
    .replace(/\/$/, '');
  const target = destination.endsWith('/') ? destination.slice(0, -1) : destination;
  const name = from.slice(from.lastIndexOf('/') + 1);
  if (path === target) return from === '' ? [] : [from];
  if (!path.startsWith(`${target}/`)) return [];
  const rest = path.slice(target.length + 1);
  if (name.includes('*') || name.includes('?')) {
    const folder = from.slice(0, from.length - name.length);
    return matches(name, rest.split('/')[0] ?? '') ? [`${folder}${rest}`] : [];
  }
  const asFolder = from === '' ? rest : `${from}/${rest}`;
  return rest === name ? [from, asFolder] : [asFolder];
}

function stageDirectory(stage: Stage): string | null {
  return workingDirectory(stage.workdir, stage.base_image_resolved);
}

/** `*` and `?` of one path segment, in linear time for each star. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let inName = 0;
  let star = -1;
  let retry = 0;
  while (inName < name.length) {
    if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[inName])) {
      at += 1;
      inName += 1;
    } else if (pattern[at] === '*') {
      star = at;
      retry = inName;
      at += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      inName = retry;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
