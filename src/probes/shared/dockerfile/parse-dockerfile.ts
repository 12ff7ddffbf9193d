/**
 * A Dockerfile's text → what an image built from it would be, as far as the text alone tells. Total: any text gives an answer, in
 * time that is linear in it, and what is not understood is a problem with its line. Pure, so equal text gives an equal answer.
 */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { applyInstruction, isInstruction } from './apply-instruction.ts';
import { digestOf, isDistroless, packageManagerOf, registryOf } from './base-image.ts';
import { dockerfileLimits } from './limits.ts';
import { type Instruction, readInstructions } from './read-instructions.ts';
import { createReading, noteUnresolvedStage, problem, type Reading, valueInStage } from './reading.ts';
import { draftStage, type StageDraft } from './stage-draft.ts';
import { purposesOf } from './stage-purpose.ts';
import { startStage } from './start-stage.ts';
import type { DockerfileReading, NamedValue, Stage, StagePurpose } from './types.ts';
import { splitWords } from './words.ts';

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
    { index: -1, name: null, platform: null, baseImage: '', baseImageResolved: null, inheritsFrom: null },
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

/** Global arguments see the ones before them, as those of a stage do. */
function readGlobalArgs(reading: Reading, scope: StageDraft, { text, line }: Instruction): void {
  for (const word of splitWords(text, reading.escape)) {
    const split = word.indexOf('=');
    const name = split < 0 ? word : word.slice(0, split);
    if (name === '') {
      problem(reading, line, 'ARG names nothing');
      continue;
    }
    const value = split < 0 ? null : valueInStage(reading, scope, word.slice(split + 1), line);
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
    package_manager_present: distroless ? null : (draft.packageManager ?? packageManagerOf(resolved)),
  };
}

function namedValues(values: ReadonlyMap<string, string | null>): readonly NamedValue[] {
  return [...values].map(([name, value]) => ({ name, value })).sort((a, b) => compareCodeUnits(a.name, b.name));
}
