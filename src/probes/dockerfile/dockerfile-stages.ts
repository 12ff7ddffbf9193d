/**
 * A Dockerfile's text → what an image built from it would be, as far as the text alone tells. Total: any text gives an answer, in
 * time that is linear in it, and what is not understood is a problem with its line. Pure, so equal text gives an equal answer.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { singleLine, stripControls, truncate } from '../../kernel/base/text.ts';
import {
  dockerfileLimits,
  type Escape,
  flagValue,
  type Instruction,
  type ParseProblem,
  readInstructions,
  readJsonForm,
  type Substituted,
  substitute,
  takeFlags,
} from '../../kernel/formats/dockerfile-instructions.ts';
import { collapseSpace, joinWords, splitWords } from '../../kernel/formats/shell-words.ts';
import { digestOf, isDistroless, packageManagerOf, packageManagerUsed, registryOf } from './base-image.ts';
import { absent, absoluteIn, workingDirectory } from './dockerfile-commands.ts';
import { purposeOfRun, purposesOf } from './dockerfile-purposes.ts';
import type {
  Command,
  CopyDirective,
  DockerfileFacts,
  Healthcheck,
  NamedValue,
  RunCommand,
  Stage,
  StagePurpose,
} from './dockerfile-section.ts';

type UnresolvedReference = { readonly line: number; readonly name: string };

/** What the section has no place for; the artifact keeps it. */
export type DockerfileDetail = {
  /** ONBUILD triggers, which run in images built on a stage and not in the stage. */
  readonly onbuild: readonly { readonly stage_index: number; readonly instruction: string; readonly line: number }[];
  readonly volumes: readonly { readonly stage_index: number; readonly path: string }[];
  /** `--mount`, `--network`, `--security` of RUN; `--chmod`, `--link`, `--exclude`, `--checksum` … of COPY and ADD. */
  readonly flags: readonly {
    readonly line: number;
    readonly instruction: string;
    readonly flags: readonly NamedValue[];
  }[];
  readonly heredocs: readonly { readonly line: number; readonly name: string; readonly content: string }[];
};

export type DockerfileReading = {
  readonly facts: DockerfileFacts;
  readonly detail: DockerfileDetail;
  /** Build arguments without a value that something needs. */
  readonly unresolvedArgs: readonly UnresolvedReference[];
  /** Names of stages that are none, or not yet. */
  readonly unresolvedStages: readonly UnresolvedReference[];
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** Everything that is gathered while one Dockerfile is read, and the one budget that keeps it finite. */
type Reading = {
  readonly escape: Escape;
  /** ARG before the first FROM; seen by FROM alone, unless a stage declares the name again. */
  readonly globalArgs: Map<string, string | null>;
  readonly stages: StageDraft[];
  /** Lower case; the last stage of a name counts. */
  readonly stageNames: Map<string, number>;
  readonly runCommands: RunCommand[];
  readonly copyDirectives: CopyDirective[];
  readonly problems: ParseProblem[];
  readonly detail: Mutable<DockerfileDetail>;
  readonly unresolvedArgs: UnresolvedReference[];
  readonly unresolvedStages: UnresolvedReference[];
  charsLeft: number;
};

/** A stage while its instructions are read: what the image's configuration would be at this point of the build. */
type StageDraft = {
  readonly index: number;
  readonly name: string | null;
  readonly platform: string | null;
  readonly baseImage: string;
  readonly baseImageResolved: string | null;
  readonly inheritsFrom: number | null;
  readonly env: Map<string, string>;
  readonly labels: Map<string, string>;
  /** Null: declared without a value. */
  readonly args: Map<string, string | null>;
  readonly expose: Set<string>;
  readonly volumes: Set<string>;
  user: string | null;
  /** Null: none declared; that of the base image, which the file does not tell. */
  workdir: string | null;
  stopSignal: string | null;
  shell: readonly string[] | null;
  healthcheck: Healthcheck | null;
  entrypoint: Command;
  cmd: Command;
  /** CMD of this stage and not of one it is built on: an ENTRYPOINT resets only the latter. */
  ownCmd: boolean;
  readonly lines: Mutable<Stage['lines']>;
  readonly triggers: Instruction[];
  readonly takesFrom: Set<number>;
  packageManager: string | null;
  readonly runs: string[];
};

type StageHead = Pick<
  StageDraft,
  'lines' | 'index' | 'name' | 'platform' | 'baseImage' | 'baseImageResolved' | 'inheritsFrom'
>;

/** Given by the builder itself, never by the file. */
const providedByBuilder =
  /^(?:TARGET|BUILD)(?:PLATFORM|OS|ARCH|VARIANT)$|^TARGETSTAGE$|^BUILDKIT_|^SOURCE_DATE_EPOCH$|^(?:HTTP|HTTPS|FTP|ALL|NO)_PROXY$/i;

const shownFlags = new Set(['from', 'chown']);

export function parseDockerfile(text: string): DockerfileReading {
  const list = readInstructions(text);
  const reading = createReading(list.escape);
  for (const { line, message } of list.problems) problem(reading, line, message);
  readStages(reading, list.instructions);

  const purposes = purposesOf(
    reading.stages.map((draft) => ({
      name: draft.name,
      inheritsFrom: draft.inheritsFrom,
      takesFrom: [...draft.takesFrom],
      lastCommands: [...draft.runs.slice(-1), draft.entrypoint.command ?? '', draft.cmd.command ?? ''],
    })),
  );
  for (const { index, volumes } of reading.stages) {
    for (const path of [...volumes].sort(compareCodeUnits)) reading.detail.volumes.push({ stage_index: index, path });
  }
  return {
    facts: {
      syntax_directive: list.syntax,
      escape: list.escape,
      global_args: namedValues(reading.globalArgs).map(({ name, value }) => ({ name, default: value })),
      stages: reading.stages.map((draft, index) => finish(draft, purposes[index] ?? 'unused')),
      final_stage: reading.stages.length === 0 ? null : reading.stages.length - 1,
      run_commands: reading.runCommands,
      copy_directives: reading.copyDirectives,
      parse_problems: reading.problems.toSorted((a, b) => a.line - b.line || compareCodeUnits(a.message, b.message)),
    },
    detail: reading.detail,
    unresolvedArgs: reading.unresolvedArgs,
    unresolvedStages: reading.unresolvedStages,
  };
}

function readStages(reading: Reading, instructions: readonly Instruction[]): void {
  const globalScope = draftStage(
    {
      index: -1,
      name: null,
      platform: null,
      baseImage: '',
      baseImageResolved: null,
      inheritsFrom: null,
      lines: linesFrom(0),
    },
    null,
  );
  let current: StageDraft | null = null;
  // Triggers run once per stage built on theirs, so many of both would multiply.
  let triggersLeft: number = dockerfileLimits.instructions;
  for (const instruction of instructions) {
    const { keyword, line } = instruction;
    if (keyword === 'FROM') {
      current = startStage(reading, instruction);
      if (current === null) break;
      const triggers: readonly Instruction[] = reading.stages[current.inheritsFrom ?? -1]?.triggers ?? [];
      triggersLeft -= triggers.length;
      if (triggersLeft < 0) problem(reading, line, 'too many ONBUILD triggers: those of this stage are left out');
      else for (const trigger of triggers) applyInstruction(reading, current, trigger);
    } else if (current !== null) applyInstruction(reading, current, instruction);
    else if (keyword === 'ARG') readGlobalArgs(reading, globalScope, instruction);
    else if (isInstruction(keyword)) problem(reading, line, `${keyword} before the first FROM`);
    else problem(reading, line, `unknown instruction ${keyword.slice(0, 40)}`);
  }
  if (reading.stages.length === 0) problem(reading, 1, 'there is no FROM');
  noteStagesNamedTooEarly(reading, instructions);
}

/** FROM: the stage it begins, with what it takes over from the image or stage it stands on; null if there are too many. */
function startStage(reading: Reading, { text, line }: Instruction): StageDraft | null {
  if (reading.stages.length >= dockerfileLimits.stages) {
    problem(reading, line, `more than ${dockerfileLimits.stages} stages: the rest is not read`);
    return null;
  }
  const { flags, rest } = takeFlags(text);
  const words = splitWords(rest, reading.escape);
  const [written = '', as, named] = words;
  if (written === '') problem(reading, line, 'FROM names no image');
  const isNamed = words.length === 3 && as?.toLowerCase() === 'as' && named !== undefined;
  if (words.length > 1 && !isNamed) problem(reading, line, 'FROM takes an image and AS with a name');
  const name = isNamed ? truncate(singleLine(named), 200) : null;

  const image = globally(reading, written);
  const parentIndex = reading.stageNames.get(image.text.toLowerCase());
  const parent = parentIndex === undefined ? null : (reading.stages[parentIndex] ?? null);
  // `FROM build-$TARGETOS` chooses among stages when it is built: all of them may be needed.
  const chosenLater = image.unresolved.length === 0 ? [] : stagesLike(reading, image.text);
  for (const name of new Set(image.unresolved)) {
    if (chosenLater.length === 0 || !isProvidedByBuilder(name)) noteUnresolvedArg(reading, name, line);
  }
  const external = image.unresolved.length > 0 || image.text === '' ? null : truncate(singleLine(image.text), 500);
  const platform = flagValue(flags, 'platform');
  const isInherited = parent !== null && spend(reading, inheritedChars(parent), line);
  const draft = draftStage(
    {
      index: reading.stages.length,
      name,
      platform:
        platform === null ? (parent?.platform ?? null) : truncate(singleLine(globally(reading, platform).text), 200),
      baseImage: truncate(singleLine(written), 500),
      baseImageResolved: parent === null ? external : parent.baseImageResolved,
      inheritsFrom: parent?.index ?? null,
      lines: isInherited
        ? { ...parent.lines, expose: [...parent.lines.expose] }
        : linesFrom(parent?.lines.from ?? line),
    },
    isInherited ? parent : null,
  );
  for (const index of chosenLater) draft.takesFrom.add(index);
  reading.stages.push(draft);
  if (name !== null) {
    if (reading.stageNames.has(name.toLowerCase())) problem(reading, line, `a second stage is called ${name}`);
    reading.stageNames.set(name.toLowerCase(), draft.index);
  }
  return draft;
}

/** Global arguments see the ones before them, as those of a stage do. */
function readGlobalArgs(reading: Reading, scope: StageDraft, { text, line }: Instruction): void {
  for (const word of splitWords(text, reading.escape)) {
    const [name, raw] = splitPair(word);
    if (name === '') {
      problem(reading, line, 'ARG names nothing');
      continue;
    }
    const value = raw === null ? null : valueInStage(reading, scope, raw, line);
    reading.globalArgs.set(name, value);
    scope.args.set(name, value);
  }
}

/** `FROM build` above the stage of that name is an image called `build` to the builder, and hardly meant so. */
function noteStagesNamedTooEarly(reading: Reading, instructions: readonly Instruction[]): void {
  const froms = instructions.filter(({ keyword }) => keyword === 'FROM');
  for (const draft of reading.stages) {
    const later = reading.stageNames.get(draft.baseImage.toLowerCase());
    if (draft.inheritsFrom === null && later !== undefined && later > draft.index) {
      noteUnresolvedStage(reading, draft.baseImage, froms[draft.index]?.line ?? 1);
    }
  }
}

function finish(draft: StageDraft, purpose: StagePurpose): Stage {
  const resolved = draft.baseImageResolved;
  const distroless = resolved !== null && isDistroless(resolved);
  return {
    index: draft.index,
    name: draft.name,
    platform: draft.platform,
    base_image: draft.baseImage,
    base_image_resolved: resolved,
    base_image_registry: registryOf(resolved ?? draft.baseImage),
    base_digest: resolved === null ? digestOf(draft.baseImage) : digestOf(resolved),
    distroless,
    inherits_from: draft.inheritsFrom,
    purpose,
    user: draft.user,
    workdir: draft.workdir,
    env: namedValues(draft.env),
    labels: namedValues(draft.labels),
    args: namedValues(draft.args),
    expose: [...draft.expose].sort(compareCodeUnits),
    stop_signal: draft.stopSignal,
    shell: draft.shell,
    healthcheck: draft.healthcheck,
    entrypoint: draft.entrypoint,
    cmd: draft.cmd,
    lines: draft.lines,
    package_manager_present: distroless ? null : (draft.packageManager ?? packageManagerOf(resolved)),
  };
}

function namedValues(values: ReadonlyMap<string, string | null>): readonly NamedValue[] {
  return [...values].map(([name, value]) => ({ name, value })).sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** What an instruction changes in the stage it stands in. CMD, ENTRYPOINT, RUN and HEALTHCHECK keep their variables. */
type Apply = (reading: Reading, draft: StageDraft, instruction: Instruction) => void;

/** All keywords but FROM, which starts a stage. */
const handlers: Readonly<Record<string, Apply>> = {
  ADD: applyCopy,
  ARG: applyArg,
  CMD(reading, draft, instruction) {
    draft.cmd = readCommand(reading, draft, instruction);
    draft.lines.cmd = instruction.line;
    draft.ownCmd = true;
  },
  COPY: applyCopy,
  ENTRYPOINT(reading, draft, instruction) {
    draft.entrypoint = readCommand(reading, draft, instruction);
    draft.lines.entrypoint = instruction.line;
    if (draft.ownCmd) return;
    // The builder's rule: a new entrypoint does not get the arguments that were meant for the old one.
    draft.cmd = absent;
    draft.lines.cmd = null;
  },
  ENV(reading, draft, instruction) {
    for (const [name, value] of readPairs(reading, draft, instruction)) draft.env.set(name, value);
  },
  EXPOSE(reading, draft, { text, line }) {
    for (const port of splitWords(text, reading.escape)) {
      draft.expose.add(oneLine(valueInStage(reading, draft, port, line), 100));
    }
    if (draft.lines.expose.at(-1) !== line) draft.lines.expose.push(line);
  },
  HEALTHCHECK: applyHealthcheck,
  LABEL(reading, draft, instruction) {
    for (const [name, value] of readPairs(reading, draft, instruction)) draft.labels.set(name, value);
  },
  MAINTAINER() {},
  ONBUILD: applyOnbuild,
  RUN: applyRun,
  SHELL(reading, draft, { text, line }) {
    const form = readJsonForm(text);
    if (form.kind === 'array' && form.words.length > 0) draft.shell = form.words.map((word) => oneLine(word, 500));
    else problem(reading, line, 'SHELL takes a JSON array of strings');
  },
  STOPSIGNAL(reading, draft, { text, line }) {
    draft.stopSignal = oneLine(valueInStage(reading, draft, text, line), 50);
  },
  USER(reading, draft, { text, line }) {
    draft.user = oneLine(valueInStage(reading, draft, text, line), 200);
    draft.lines.user = line;
  },
  VOLUME(reading, draft, { text, line }) {
    const form = readJsonForm(text);
    const paths = form.kind === 'array' ? form.words : splitWords(text, reading.escape);
    for (const path of paths) draft.volumes.add(oneLine(valueInStage(reading, draft, path, line), 500));
  },
  WORKDIR(reading, draft, { text, line }) {
    const path = oneLine(valueInStage(reading, draft, text, line), 1_000);
    draft.workdir = withoutSlash(absoluteIn(workingDirectory(draft.workdir, draft.baseImageResolved), path));
  },
};

function applyInstruction(reading: Reading, draft: StageDraft, instruction: Instruction): void {
  const { keyword, text, line } = instruction;
  const apply = Object.hasOwn(handlers, keyword) ? handlers[keyword] : undefined;
  if (apply === undefined) problem(reading, line, `unknown instruction ${truncate(keyword, 40)}`);
  else if (text === '') problem(reading, line, `${keyword} says nothing`);
  else apply(reading, draft, instruction);
}

function isInstruction(keyword: string): boolean {
  return keyword === 'FROM' || Object.hasOwn(handlers, keyword);
}

/** `ARG a=1 b`: a name without a value gets the default of the global argument, if there is one. */
function applyArg(reading: Reading, draft: StageDraft, { text, line }: Instruction): void {
  for (const word of splitWords(text, reading.escape)) {
    const [name, raw] = splitPair(word);
    if (name === '') problem(reading, line, 'ARG names nothing');
    else if (raw !== null) draft.args.set(name, valueInStage(reading, draft, raw, line));
    else draft.args.set(name, reading.globalArgs.get(name) ?? null);
  }
}

/** COPY and ADD: what is brought into the stage, from where, and where it lands. */
function applyCopy(reading: Reading, draft: StageDraft, instruction: Instruction): void {
  const { keyword, line, heredocs } = instruction;
  const { flags, rest } = takeFlags(instruction.text);
  const form = readJsonForm(rest);
  if (form.kind === 'malformed') problem(reading, line, 'not a JSON array: the builder reads it as words');
  const raw = form.kind === 'array' ? form.words : splitWords(rest, reading.escape);
  const written = raw.map(
    (word) => heredocName(word, heredocs) ?? oneLine(valueInStage(reading, draft, word, line), 1_000),
  );
  const destination = written.at(-1);
  if (destination === undefined || written.length < 2) {
    problem(reading, line, `${keyword} takes a source and a destination`);
    return;
  }
  const from = flagValue(flags, 'from');
  const chown = flagValue(flags, 'chown');
  reading.copyDirectives.push({
    stage_index: draft.index,
    from: from === null ? null : oneLine(from, 1_000),
    from_stage_resolved: from === null ? null : resolveStage(reading, draft, from, line),
    sources: written.slice(0, -1),
    destination: absoluteIn(workingDirectory(draft.workdir, draft.baseImageResolved), destination),
    chown: chown === null ? null : oneLine(valueInStage(reading, draft, chown, line), 1_000),
    line,
  });
  keepHeredocs(reading, instruction);
  const others = flags.filter(({ name }) => !shownFlags.has(name));
  keepFlags(reading, instruction, others, [1_000, 1_000]);
}

function createReading(escapeChar: Escape): Reading {
  return {
    escape: escapeChar,
    globalArgs: new Map(),
    stages: [],
    stageNames: new Map(),
    runCommands: [],
    copyDirectives: [],
    problems: [],
    detail: { onbuild: [], volumes: [], flags: [], heredocs: [] },
    unresolvedArgs: [],
    unresolvedStages: [],
    charsLeft: dockerfileLimits.valuesChars,
  };
}

function problem(reading: Reading, line: number, message: string): void {
  if (reading.problems.length < dockerfileLimits.problems) {
    reading.problems.push({ line, message: truncate(singleLine(message), 300) });
  }
}

/** False once the values of the file are too many; said once. */
function spend(reading: Reading, chars: number, line: number): boolean {
  if (reading.charsLeft < 0) return false;
  reading.charsLeft -= chars;
  if (reading.charsLeft < 0)
    problem(reading, line, 'too many values: from here on they stay as written or are left out');
  return reading.charsLeft >= 0;
}

function isProvidedByBuilder(name: string): boolean {
  return providedByBuilder.test(name);
}

/** A value of a stage: ENV before ARG; what neither gives is the base image's to know, and stays as written. */
function valueInStage(reading: Reading, draft: StageDraft, raw: string, line: number): string {
  if (!raw.includes('$') && !/["'\\`]/.test(raw)) {
    return spend(reading, raw.length, line) ? raw : truncate(raw, dockerfileLimits.valueChars);
  }
  if (reading.charsLeft < 0) return truncate(raw, dockerfileLimits.valueChars);
  // An empty image sets nothing, so what the file does not set is empty.
  const isEmpty = draft.baseImageResolved === 'scratch';
  const { text, unresolved } = substitute(raw, reading.escape, (name) => {
    const value = draft.env.get(name) ?? draft.args.get(name);
    return value ?? (isEmpty && !draft.args.has(name) && name !== 'PATH' ? '' : undefined);
  });
  for (const name of new Set(unresolved)) {
    if (draft.args.get(name) === null && !isProvidedByBuilder(name)) noteUnresolvedArg(reading, name, line);
  }
  spend(reading, text.length, line);
  return text;
}

function noteUnresolvedArg(reading: Reading, name: string, line: number): void {
  if (reading.unresolvedArgs.length < dockerfileLimits.problems) reading.unresolvedArgs.push({ line, name });
}

function noteUnresolvedStage(reading: Reading, name: string, line: number): void {
  if (reading.unresolvedStages.length < dockerfileLimits.problems) reading.unresolvedStages.push({ line, name });
}

/** A stage built on another starts with everything that one ended with; build arguments too. */
function linesFrom(from: number): StageDraft['lines'] {
  return { from, user: null, expose: [], entrypoint: null, cmd: null };
}

function draftStage(head: StageHead, parent: StageDraft | null): StageDraft {
  return {
    ...head,
    env: new Map(parent?.env),
    labels: new Map(parent?.labels),
    args: new Map(parent?.args),
    expose: new Set(parent?.expose),
    volumes: new Set(parent?.volumes),
    user: parent?.user ?? null,
    workdir: parent?.workdir ?? null,
    stopSignal: parent?.stopSignal ?? null,
    shell: parent?.shell ?? null,
    healthcheck: parent?.healthcheck ?? null,
    entrypoint: parent?.entrypoint ?? absent,
    cmd: parent?.cmd ?? absent,
    ownCmd: false,
    triggers: [],
    takesFrom: new Set(),
    packageManager: parent?.packageManager ?? null,
    runs: [],
  };
}

function defaultShell(draft: StageDraft): readonly string[] {
  return draft.shell ?? ['/bin/sh', '-c'];
}

/** Stages whose names fit a reference with a variable in it, by what is written before and after it. */
function stagesLike(reading: Reading, reference: string): readonly number[] {
  const [before = '', ...rest] = reference.toLowerCase().split(/\$(?:\{[^}]*\}|\w+)/);
  const after = rest.at(-1) ?? '';
  return [...reading.stageNames].flatMap(([name, index]) => {
    const fits = name.startsWith(before) && name.endsWith(after) && name.length >= before.length + after.length;
    return fits ? [index] : [];
  });
}

function globally(reading: Reading, raw: string): Substituted {
  return substitute(raw, reading.escape, (name) => reading.globalArgs.get(name) ?? undefined);
}

function inheritedChars(parent: StageDraft): number {
  let chars = 0;
  for (const values of [parent.env, parent.labels, parent.args]) {
    for (const [name, value] of values) chars += name.length + (value?.length ?? 0) + 20;
  }
  return chars + (parent.expose.size + parent.volumes.size) * 20;
}

function heredocName(word: string, heredocs: Instruction['heredocs']): string | null {
  if (!word.startsWith('<<')) return null;
  const plain = word
    .slice(2)
    .replace(/^-/, '')
    .replace(/["'\\]/g, '');
  return heredocs.some(({ name }) => name === plain) ? `<<${plain}` : null;
}

function readCommand(reading: Reading, draft: StageDraft, { text, line }: Instruction): Command {
  const form = readJsonForm(text);
  if (form.kind === 'array') {
    const argv = form.words.map((word) => truncate(stripControls(word), dockerfileLimits.commandChars));
    return { form: 'exec', argv, command: argv.length === 0 ? null : shown(joinWords(argv)) };
  }
  if (form.kind === 'malformed') problem(reading, line, 'not a JSON array: the builder runs it as shell text');
  const argv = [...defaultShell(draft), shown(text)];
  return { form: form.kind === 'malformed' ? 'malformed' : 'shell', argv, command: shown(collapseSpace(text)) };
}

function applyHealthcheck(reading: Reading, draft: StageDraft, instruction: Instruction): void {
  const { flags, rest } = takeFlags(instruction.text);
  const options = shownPairs(flags, [100, 100]);
  const [, kind = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (kind.toUpperCase() === 'NONE') {
    draft.healthcheck = { kind: 'none', form: 'absent', command: '', options };
  } else if (kind.toUpperCase() === 'CMD' && text !== '') {
    const { form, command } = readCommand(reading, draft, { ...instruction, text });
    draft.healthcheck = { kind: 'cmd', form, command: command ?? '', options };
  } else problem(reading, instruction.line, 'HEALTHCHECK takes CMD with a command, or NONE');
}

/** Runs in stages and images built on this one. */
function applyOnbuild(reading: Reading, draft: StageDraft, { text, line, heredocs }: Instruction): void {
  const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const keyword = word.toUpperCase();
  if (['ONBUILD', 'FROM', 'MAINTAINER'].includes(keyword) || !isInstruction(keyword)) {
    problem(reading, line, `ONBUILD cannot trigger ${truncate(keyword, 40)}`);
    return;
  }
  draft.triggers.push({ keyword, text: rest, line, heredocs });
  reading.detail.onbuild.push({ stage_index: draft.index, instruction: shown(collapseSpace(text)), line });
}

function applyRun(reading: Reading, draft: StageDraft, instruction: Instruction): void {
  const { line, heredocs } = instruction;
  const { flags, rest } = takeFlags(instruction.text);
  const form = readJsonForm(rest);
  if (form.kind === 'malformed') problem(reading, line, 'not a JSON array: the builder runs it as shell text');
  const script = form.kind === 'array' ? scriptOf(form.words) : withHeredocs(rest, heredocs);
  const command = form.kind === 'array' ? joinWords(form.words) : script;
  reading.runCommands.push({
    stage_index: draft.index,
    form: form.kind === 'array' ? 'exec' : form.kind === 'malformed' ? 'malformed' : 'shell',
    command: shown(command),
    line,
    purpose: purposeOfRun(script),
  });
  draft.runs.push(script.slice(0, dockerfileLimits.commandChars));
  draft.packageManager ??= packageManagerUsed(script.slice(0, dockerfileLimits.commandChars));
  keepHeredocs(reading, instruction);
  keepFlags(reading, instruction, flags, [100, 500]);
  for (const { name, value } of flags) {
    const from = name === 'mount' ? /(?:^|,)from=([^,]{1,300})/.exec(value ?? '')?.[1] : undefined;
    if (from !== undefined) resolveStage(reading, draft, from, line);
  }
}

/** `["sh", "-c", "text"]` does what its text says. */
function scriptOf(argv: readonly string[]): string {
  const [program = '', flag, text] = argv;
  const isShell = /(?:^|\/)(?:ba|da|a|z)?sh$/.test(program) && /^-[a-z]*c$/.test(flag ?? '');
  return isShell && text !== undefined ? text : argv.join(' ');
}

/** A lone here-document is the script itself; beside other words it is text that they read. */
function withHeredocs(rest: string, heredocs: Instruction['heredocs']): string {
  if (heredocs.length === 0) return collapseSpace(rest);
  const [only] = heredocs;
  if (heredocs.length === 1 && only !== undefined && /^<<-?\S+$/.test(rest)) return only.content.trimEnd();
  return [collapseSpace(rest), ...heredocs.map(({ name, content }) => `${content}${name}`)].join('\n');
}

/** `name=value …`, or the old `name value with blanks`. Values of one instruction do not see each other. */
function readPairs(
  reading: Reading,
  draft: StageDraft,
  { text, line, keyword }: Instruction,
): readonly (readonly [string, string])[] {
  const words = splitWords(text, reading.escape);
  if (words[0]?.includes('=') !== true) {
    const [, name = '', value = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    if (value === '') problem(reading, line, `${keyword} gives ${truncate(name, 100)} no value`);
    return value === ''
      ? []
      : [[nameOf(reading, draft, name, line), stripControls(valueInStage(reading, draft, value, line))]];
  }
  return words.flatMap((word) => {
    const [name, value] = splitPair(word);
    if (value === null || name === '')
      problem(reading, line, `${keyword}: ${truncate(word.split('=')[0] ?? '', 100)} has no value`);
    return value === null || name === ''
      ? []
      : [[nameOf(reading, draft, name, line), stripControls(valueInStage(reading, draft, value, line))] as const];
  });
}

function nameOf(reading: Reading, draft: StageDraft, raw: string, line: number): string {
  return oneLine(valueInStage(reading, draft, raw, line), 300);
}

function keepHeredocs(reading: Reading, { line, heredocs }: Instruction): void {
  for (const { name, content } of heredocs) {
    reading.detail.heredocs.push({ line, name, content: truncate(stripControls(content), 64 * 1024) });
  }
}

function keepFlags(
  reading: Reading,
  { keyword, line }: Instruction,
  flags: readonly NamedValue[],
  chars: readonly [name: number, value: number],
): void {
  if (flags.length > 0) reading.detail.flags.push({ line, instruction: keyword, flags: shownPairs(flags, chars) });
}

function shownPairs(pairs: readonly NamedValue[], [nameChars, valueChars]: readonly [number, number]): NamedValue[] {
  return pairs.map(({ name, value }) => ({
    name: oneLine(name, nameChars),
    value: value === null ? null : oneLine(value, valueChars),
  }));
}

function splitPair(word: string): readonly [string, string | null] {
  const split = word.indexOf('=');
  return split < 0 ? [word, null] : [word.slice(0, split), word.slice(split + 1)];
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function shown(command: string): string {
  return truncate(stripControls(command), dockerfileLimits.commandChars);
}

function oneLine(text: string, limit: number): string {
  return truncate(singleLine(text.slice(0, limit * 2)), limit);
}

/** `--from=build`, `--from=0`: the stage's index. Null for an image, and for a stage that does not exist (yet), which is noted. */
function resolveStage(reading: Reading, draft: StageDraft, from: string, line: number): number | null {
  const byName = reading.stageNames.get(from.toLowerCase());
  const index = byName !== undefined && byName !== draft.index ? byName : /^\d{1,6}$/.test(from) ? Number(from) : null;
  if (index !== null && index < draft.index) {
    draft.takesFrom.add(index);
    return index;
  }
  // A bare word is taken for a stage with a mistake in its name; images are written with a tag, a digest or a path.
  if (index !== null || from.includes('$') || !/[:/@.]/.test(from)) noteUnresolvedStage(reading, from, line);
  return null;
}
