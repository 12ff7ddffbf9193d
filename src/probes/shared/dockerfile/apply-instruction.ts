/** One function per instruction: what it changes in the stage it stands in. CMD, ENTRYPOINT, RUN and HEALTHCHECK keep their variables. */

import { singleLine, stripControls, truncate } from '../../../kernel/base/text.ts';
import { applyCopy } from './apply-copy.ts';
import { packageManagerUsed } from './base-image.ts';
import { dockerfileLimits } from './limits.ts';
import type { Instruction } from './read-instructions.ts';
import { problem, type Reading, valueInStage } from './reading.ts';
import { resolveStage } from './resolve-stage.ts';
import { purposeOfRun } from './run-purpose.ts';
import { absoluteIn, defaultShell, type StageDraft, workingDirectory } from './stage-draft.ts';
import type { Command } from './types.ts';
import { collapseSpace, joinWords, readJsonForm, splitWords, takeFlags } from './words.ts';

type Apply = (reading: Reading, draft: StageDraft, instruction: Instruction) => void;

/** All keywords but FROM, which starts a stage. */
const handlers: Readonly<Record<string, Apply>> = {
  ADD: applyCopy,
  ARG: applyArg,
  CMD(reading, draft, instruction) {
    draft.cmd = readCommand(reading, draft, instruction);
    draft.ownCmd = true;
  },
  COPY: applyCopy,
  ENTRYPOINT(reading, draft, instruction) {
    draft.entrypoint = readCommand(reading, draft, instruction);
    // The builder's rule: a new entrypoint does not get the arguments that were meant for the old one.
    if (!draft.ownCmd) draft.cmd = { form: 'absent', argv: [], command: null };
  },
  ENV(reading, draft, instruction) {
    for (const [name, value] of readPairs(reading, draft, instruction)) draft.env.set(name, value);
  },
  EXPOSE(reading, draft, { text, line }) {
    for (const port of splitWords(text, reading.escape)) {
      draft.expose.add(oneLine(valueInStage(reading, draft, port, line), 100));
    }
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
  },
  VOLUME(reading, draft, { text, line }) {
    const form = readJsonForm(text);
    const paths = form.kind === 'array' ? form.words : splitWords(text, reading.escape);
    for (const path of paths) draft.volumes.add(oneLine(valueInStage(reading, draft, path, line), 500));
  },
  WORKDIR(reading, draft, { text, line }) {
    const path = oneLine(valueInStage(reading, draft, text, line), 1_000);
    draft.workdir = withoutSlash(
      absoluteIn(workingDirectory({ workdir: draft.workdir, base: draft.baseImageResolved }), path),
    );
  },
};

export function applyInstruction(reading: Reading, draft: StageDraft, instruction: Instruction): void {
  const { keyword, text, line } = instruction;
  const apply = Object.hasOwn(handlers, keyword) ? handlers[keyword] : undefined;
  if (apply === undefined) problem(reading, line, `unknown instruction ${truncate(keyword, 40)}`);
  else if (text === '') problem(reading, line, `${keyword} says nothing`);
  else apply(reading, draft, instruction);
}

export function isInstruction(keyword: string): boolean {
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
  const options = flags.map(({ name, value }) => ({
    name: oneLine(name, 100),
    value: value === null ? null : oneLine(value, 100),
  }));
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
  for (const { name, content } of heredocs) {
    reading.detail.heredocs.push({ line, name, content: truncate(stripControls(content), 64 * 1024) });
  }
  if (flags.length > 0) {
    reading.detail.flags.push({
      line,
      instruction: 'RUN',
      flags: flags.map(({ name, value }) => ({
        name: oneLine(name, 100),
        value: value === null ? null : oneLine(value, 500),
      })),
    });
  }
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
      : [[nameOf(reading, draft, name, line), printable(valueInStage(reading, draft, value, line))]];
  }
  return words.flatMap((word) => {
    const [name, value] = splitPair(word);
    if (value === null || name === '')
      problem(reading, line, `${keyword}: ${truncate(word.split('=')[0] ?? '', 100)} has no value`);
    return value === null || name === ''
      ? []
      : [[nameOf(reading, draft, name, line), printable(valueInStage(reading, draft, value, line))] as const];
  });
}

function nameOf(reading: Reading, draft: StageDraft, raw: string, line: number): string {
  return oneLine(valueInStage(reading, draft, raw, line), 300);
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

function printable(text: string): string {
  return stripControls(text);
}

function oneLine(text: string, limit: number): string {
  return truncate(singleLine(text.slice(0, limit * 2)), limit);
}
