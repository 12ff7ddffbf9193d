/** Everything that is gathered while one Dockerfile is read, and the one budget that keeps it finite. */

import { singleLine, truncate } from '../../../kernel/base/text.ts';
import { dockerfileLimits } from './limits.ts';
import type { Escape } from './read-instructions.ts';
import type { StageDraft } from './stage-draft.ts';
import { substitute } from './substitute.ts';
import type { CopyDirective, DockerfileDetail, ParseProblem, RunCommand, UnresolvedReference } from './types.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

export type Reading = {
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

/** Given by the builder itself, never by the file. */
const providedByBuilder =
  /^(?:TARGET|BUILD)(?:PLATFORM|OS|ARCH|VARIANT)$|^TARGETSTAGE$|^BUILDKIT_|^SOURCE_DATE_EPOCH$|^(?:HTTP|HTTPS|FTP|ALL|NO)_PROXY$/i;

export function createReading(escapeChar: Escape): Reading {
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

export function problem(reading: Reading, line: number, message: string): void {
  if (reading.problems.length < dockerfileLimits.problems) {
    reading.problems.push({ line, message: truncate(singleLine(message), 300) });
  }
}

/** False once the values of the file are too many; said once. */
export function spend(reading: Reading, chars: number, line: number): boolean {
  if (reading.charsLeft < 0) return false;
  reading.charsLeft -= chars;
  if (reading.charsLeft < 0)
    problem(reading, line, 'too many values: from here on they stay as written or are left out');
  return reading.charsLeft >= 0;
}

export function isProvidedByBuilder(name: string): boolean {
  return providedByBuilder.test(name);
}

/** A value of a stage: ENV before ARG; what neither gives is the base image's to know, and stays as written. */
export function valueInStage(reading: Reading, draft: StageDraft, raw: string, line: number): string {
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

export function noteUnresolvedArg(reading: Reading, name: string, line: number): void {
  if (reading.unresolvedArgs.length < dockerfileLimits.problems) reading.unresolvedArgs.push({ line, name });
}

export function noteUnresolvedStage(reading: Reading, name: string, line: number): void {
  if (reading.unresolvedStages.length < dockerfileLimits.problems) reading.unresolvedStages.push({ line, name });
}
