/** The scripts that the final stage of a Dockerfile starts, found in the repository through COPY, and what those scripts start. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { findHeredocCopy, listCopySources } from './copied-from.ts';
import { describeStart, effectiveCommand, isScriptName, isShell } from './effective-command.ts';
import { dockerfileLimits } from './limits.ts';
import { type DockerfileRow, finalStageOf } from './upstream-dockerfiles.ts';

export type InvokedScript = {
  /** As the command names it. */
  readonly path: string;
  /** Path in the repository, or `Dockerfile:12` for one that stands in it; null: not found. */
  readonly source: string | null;
  readonly text: string;
};

const maxScripts = 20;
const scriptBytes = 256 * 1024;

/** Likely paths of everything the stage starts, and of what the scripts already at hand start: inputs to be derived. */
export async function listScriptCandidates(repo: ProbeRepo, row: DockerfileRow): Promise<readonly string[]> {
  const scripts = await readInvokedScripts(repo, row);
  return [...startedPaths(row), ...scripts.flatMap(({ text }) => scriptNamesIn(text))]
    .slice(0, maxScripts * 5)
    .flatMap((path) => listCopySources(row, path).slice(0, 20));
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

/** Words of a text that are named like scripts. */
export function scriptNamesIn(text: string): readonly string[] {
  const words = text.slice(0, scriptBytes).split(/[\s;&|()<>`]+/);
  return [...new Set(words.map((word) => word.replace(/^["']|["']$/g, '')))].filter(
    (word) => word.length < 300 && isScriptName(word) && !word.includes('$') && !/^-|^\w+:\/\//.test(word),
  );
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
  const { parseDockerfile } = await import('./parse-dockerfile.ts');
  const { heredocs } = parseDockerfile(decodeLenient(outcome.bytes)).detail;
  return heredocs.find((heredoc) => heredoc.line === line)?.content ?? '';
}
