/** The run of entrypoint: what each image starts, whether its process 1 hears a signal, and what the trace saw of it. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { Json } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';
import { joinWords } from '../../kernel/formats/shell-words.ts';
import { isTestFile } from '../../kernel/tree/file-roles.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import {
  absent,
  describeStart,
  effectiveCommand,
  isShell,
  readInvokedScripts,
  type Started,
} from '../dockerfile/dockerfile-commands.ts';
import {
  type Command,
  type DockerfileRow,
  finalStageOf,
  type Init,
  upstreamDockerfiles,
} from '../dockerfile/dockerfile-section.ts';
import { defaultScenarios } from '../runtime-trace/runtime-trace-section.ts';
import { createFindings, evidenceOf } from '../shared/probe-reading.ts';
import { listInvocations } from '../shared/shell-commands.ts';
import { type Entrypoint, type SignalHandlerMethod, signalSourceGlobs } from './entrypoint-section.ts';
import { findSignalHandler, sourcesOfProgram, trapsTerm } from './signal-handlers.ts';

type Context = Pick<ProbeContext<never>, 'upstream'>;

export async function gatherEntrypoints(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const built = objectAt(ctx.upstream['image_build']?.value);
  const rows: Entrypoint[] = [];
  const files = upstreamDockerfiles(ctx);
  const scan = createHandlerScan(repo, files);
  for (const file of files) {
    const stage = finalStageOf(file);
    if (stage === undefined) continue;
    const image = textAt(built, 'dockerfile') === file.path ? imageCommand(built, stage.entrypoint, stage.cmd) : null;
    const command = image ?? effectiveCommand(stage.entrypoint, stage.cmd);
    if (command.argv.length === 0) findings.warn('entrypoint.none_declared', { path: file.path });
    const started = describeStart(command.argv);
    const scripts = await readInvokedScripts(repo, file);
    const script = started.script ?? scripts[0]?.path ?? null;
    const method = await handlerOf(
      scan,
      file,
      programOf(started, stage.base_image_resolved),
      scripts.map(({ text }) => text),
      started.init,
    );
    rows.push({
      dockerfile: file.path,
      form: command.form,
      argv: [...command.argv],
      command: command.command,
      pid_1_program:
        stage.entrypoint.argv.length > 0 || image !== null
          ? started.pid1
          : (interpreterOf(stage.base_image_resolved) ?? started.pid1),
      init: started.init,
      invokes_script_file: scripts.find(({ path }) => path === script)?.source ?? script,
      ...method,
      effective_from: image === null ? 'dockerfile' : 'image',
    });
  }
  const confidence: Confidence = findings.warned('entrypoint.none_declared') ? 'low' : 'high';
  return {
    kind: 'ran',
    slice: { entrypoint: { entrypoints: rows, ...observedShutdown(ctx, rows) } as unknown as Json },
    confidence,
    evidence: evidenceOf(
      repo,
      rows.map(({ dockerfile }) => dockerfile),
    ),
    ...findings.report(),
  };
}

/** The built image's own configuration, which also knows what the base image declares. */
function imageCommand(built: Json, entrypoint: Command, cmd: Command): Command | null {
  const config = member(built, 'config');
  if (textAt(built, 'outcome') !== 'built' || config === undefined || config === null) return null;
  const first = commandOf(textsOf(member(config, 'entrypoint')), entrypoint.form);
  const second = commandOf(textsOf(member(config, 'cmd')), cmd.form);
  return effectiveCommand(first, second);
}

/** Images hold words alone; the form is that of the text, and where the base image declared it, what the words look like. */
function commandOf(argv: readonly string[], written: Command['form']): Command {
  if (argv.length === 0) return absent;
  const [program = '', flag, text = null] = argv;
  const isText = argv.length === 3 && isShell(program) && flag === '-c';
  const form = written === 'absent' ? (isText ? 'shell' : 'exec') : written;
  return { form, argv, command: isText ? text : joinWords(argv) };
}

type HandlerScan = (
  folder: string,
  kind: RegExp,
) => Promise<{ readonly method: SignalHandlerMethod | null; readonly isComplete: boolean }>;

async function handlerOf(
  scan: HandlerScan,
  file: DockerfileRow,
  program: string,
  scripts: readonly string[],
  init: Init,
): Promise<Pick<Entrypoint, 'signal_handler_present' | 'signal_handler_method'>> {
  if (scripts.some(trapsTerm)) return { signal_handler_present: true, signal_handler_method: 'trap' };
  const source = await scan(directoryOf(file.path), sourcesOfProgram(program));
  if (source.method !== null) return { signal_handler_present: true, signal_handler_method: source.method };
  if (init !== 'none') return { signal_handler_present: true, signal_handler_method: 'init' };
  return { signal_handler_present: source.isComplete ? false : null, signal_handler_method: null };
}

/** The first program behind init and shell; of an image whose base brings the interpreter, that. */
function programOf(started: Started, base: string | null): string {
  const [first = ''] = started.shellText === null ? started.words : (listInvocations(started.shellText).at(-1) ?? []);
  const program = interpreterOf(base) ?? first;
  return program.slice(program.lastIndexOf('/') + 1);
}

/** Images made for one language start its interpreter, and CMD holds the arguments. */
function interpreterOf(base: string | null): string | null {
  if (base === null) return null;
  if (base.startsWith('gcr.io/distroless/nodejs')) return '/nodejs/bin/node';
  if (base.startsWith('gcr.io/distroless/java') && !base.includes('java-base')) return '/usr/bin/java';
  if (base.startsWith('gcr.io/distroless/python3')) return '/usr/bin/python3';
  return base.startsWith('cgr.dev/chainguard/node') ? '/usr/bin/node' : null;
}

/** The probe has seconds, so of a very large repository only so much is looked at, likely files first. */
const maxFiles = 4_000;
const maxFileBytes = 512 * 1024;
const likely = /(?:^|\/)(?:main|index|server|app|bootstrap|shutdown|signals?|www|cli)\.[a-z]+$|\/cmd\//;

/** Sources below the folder of the Dockerfile; those of the whole repository where it has none of its own. Each file is read once. */
function createHandlerScan(repo: ProbeRepo, files: readonly DockerfileRow[]): HandlerScan {
  const folders = files.map(({ path }) => directoryOf(path)).filter((folder) => folder !== '');
  const sources = repo.inputs
    .list(signalSourceGlobs)
    .filter(
      (path) => !isTestFile(path) && !/\.d\.[cm]?ts$/.test(path) && repo.inputs.fingerprint(path)?.kind === 'file',
    );
  const known = new Map<string, SignalHandlerMethod | null>();
  const look = async (path: string): Promise<SignalHandlerMethod | null> => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const outcome = await repo.inputs.readHead(path, maxFileBytes);
    const method = outcome.kind === 'read' ? findSignalHandler(path, outcome.bytes) : null;
    known.set(path, method);
    return method;
  };
  return async (folder, kind) => {
    const fitting = sources.filter((path) => kind.test(path));
    const below = (path: string, parent: string) => parent === '' || path.startsWith(`${parent}/`);
    const own = fitting.filter((path) => below(path, folder));
    const others = folders.filter((each) => each !== folder && !below(folder, each));
    // What lies beside another Dockerfile is another program.
    const wanted = (own.length === 0 ? fitting : own).filter((path) => !others.some((each) => below(path, each)));
    const ordered = [...wanted.filter((path) => likely.test(path)), ...wanted.filter((path) => !likely.test(path))];
    for (const path of ordered.slice(0, maxFiles)) {
      const method = await look(path);
      if (method !== null) return { method, isComplete: true };
    }
    return { method: null, isComplete: wanted.length > 0 && wanted.length <= maxFiles };
  };
}

/** Only a completed shutdown scenario shows anything: killed by the harness is no, any other end is yes. */
function observedShutdown(
  ctx: Context,
  rows: readonly Entrypoint[],
): { readonly graceful_shutdown_observed: boolean | null; readonly graceful_shutdown_method: string | null } {
  const name = defaultScenarios.find(({ mode }) => mode === 'signal')?.name;
  const result = listAt(ctx.upstream['runtime_trace']?.value, 'scenario_results').find(
    (each) => textAt(each, 'scenario_name') === name && textAt(each, 'kind') === 'completed',
  );
  if (result === undefined) return { graceful_shutdown_observed: null, graceful_shutdown_method: null };
  const isGraceful = textAt(result, 'ended_by') !== 'harness';
  const main = rows.find(({ effective_from: from }) => from === 'image') ?? rows[0];
  return {
    graceful_shutdown_observed: isGraceful,
    graceful_shutdown_method: isGraceful ? (main?.signal_handler_method ?? null) : null,
  };
}
