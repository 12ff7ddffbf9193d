/** A stage while its instructions are read: what the image's configuration would be at this point of the build. */

import type { Instruction } from './read-instructions.ts';
import type { Command, Healthcheck } from './types.ts';

export type StageDraft = {
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
  readonly triggers: Instruction[];
  readonly takesFrom: Set<number>;
  packageManager: string | null;
  readonly runs: string[];
};

export const absent: Command = { form: 'absent', argv: [], command: null };

export type StageHead = Pick<
  StageDraft,
  'index' | 'name' | 'platform' | 'baseImage' | 'baseImageResolved' | 'inheritsFrom'
>;

/** A stage built on another starts with everything that one ended with; build arguments too. */
export function draftStage(head: StageHead, parent: StageDraft | null): StageDraft {
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

export function defaultShell(draft: StageDraft): readonly string[] {
  return draft.shell ?? ['/bin/sh', '-c'];
}

/** Where relative paths lead. An empty image begins at its root; any other may have a directory of its own. */
export function workingDirectory(stage: {
  readonly workdir: string | null;
  readonly base: string | null;
}): string | null {
  return stage.workdir ?? (stage.base === 'scratch' ? '/' : null);
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
