/** What a container runs when it is started: ENTRYPOINT and CMD put together by Docker's rules, and what is behind init and shell. */

import type { Command } from './types.ts';
import { joinWords } from './words.ts';

export const inits = ['tini', 'dumb-init', 's6', 'catatonit', 'none'] as const;
export type Init = (typeof inits)[number];

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

const nothing: Command = { form: 'absent', argv: [], command: null };

/** The shell form of ENTRYPOINT takes no arguments, so CMD does not count beside it; an empty ENTRYPOINT is none. */
export function effectiveCommand(entrypoint: Command, cmd: Command): Command {
  if (entrypoint.argv.length === 0) return cmd.argv.length === 0 ? nothing : cmd;
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
export function isScriptName(path: string): boolean {
  return /\.(?:sh|bash|ash|zsh|ksh)$|(?:^|\/)(?:docker-)?entrypoint$/.test(path.slice(-500));
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
