/**
 * The compiler job from outside: opened for one request, asked some questions, closed. Its process may be kept for the next request. It runs in
 * the sandbox where there is one: the root is read-only, there is no network, and time and memory have limits (mutation.md §3.3).
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { silentLogger } from '../../../kernel/base/log.ts';
import { packageDirectory } from '../../../kernel/base/package-files.ts';
import { findCompilerPackages } from '../../../kernel/exec/compiler-packages.ts';
import { type Conversation, converse } from '../../../kernel/exec/converse.ts';
import { createExecHost } from '../../../kernel/exec/exec-host.ts';
import { unsavedTexts } from '../../../kernel/tree/unsaved-texts.ts';
import type { CompilerProcess, KeptCompilers } from './kept-compilers.ts';
import type {
  CompilerJob,
  CompilerQuestion,
  CompilerUnavailable,
  JobLine,
  JobReply,
  ProgramSpec,
  ProofQuestion,
} from './messages.ts';
import { type BegunProof, beginTogether, isShareable } from './share-proof.ts';

type CompilerLimits = {
  /** Of the whole job, from its start. */
  readonly timeoutS: number;
  /** Of Node's heap, and as much again for the compiler. */
  readonly memoryMb: number;
  readonly answerBytes: number;
  /** A proof is shared by two processes if the programs have at least so many files, … */
  readonly sharedFiles: number;
  /** … and more than so many have to be asked about. */
  readonly fewFiles: number;
};

export type CompilerSettings = {
  readonly root: string;
  readonly programs: readonly ProgramSpec[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly limits?: Partial<CompilerLimits> | undefined;
  /** Where one may be ready that was asked before, and goes back to. Without it each is started and ended for one request. */
  readonly kept?: KeptCompilers | undefined;
};

const usual: CompilerLimits = {
  timeoutS: 600,
  memoryMb: 4_096,
  answerBytes: 256 * 1024 ** 2,
  sharedFiles: 250,
  fewFiles: 50,
};

/** What must be free for a third process to share a proof; viem's 172,000 lines take 2 GB. */
const thirdMb = 6_144;

/** A process that loads what it needs before the programs are known that it will be asked about. */
export type StartedCompiler = {
  /** Once. */
  open(programs: readonly ProgramSpec[]): Promise<CompilerJob | CompilerUnavailable>;
  /** Ends it, opened or not. */
  close(): Promise<void>;
};

export function openCompiler(settings: CompilerSettings): Promise<CompilerJob | CompilerUnavailable> {
  return startCompiler(settings).open(settings.programs);
}

export function startCompiler(settings: Omit<CompilerSettings, 'programs'>, place = 0): StartedCompiler {
  const limits = { ...usual, ...settings.limits };
  let process = takeProcess(settings, limits, place);
  if (process.kind === 'unavailable') {
    const unavailable = process;
    return { open: async () => unavailable, close: async () => {} };
  }
  let started = process;
  let isSound = true;
  const close = () => started.close(isSound);
  const askHere = async (line: JobLine): Promise<JobReply> => {
    const answer = await ask(started.conversation, line);
    // It may be gone, or what it asked.
    if (answer.kind === 'failed') isSound = false;
    return answer;
  };
  return {
    close,
    async open(programs) {
      const stays = settings.kept !== undefined;
      const line: JobLine = { kind: 'open', root: settings.root, programs, stays, ...listUnsaved(settings.root) };
      let opened = await askHere(line);
      if (opened.kind !== 'opened' && started.isWarm && !settings.signal.aborted) {
        // One that is started now has nothing from before that could be the reason.
        await close();
        process = takeProcess(settings, limits, place);
        if (process.kind === 'unavailable') return process;
        started = process;
        isSound = true;
        opened = await askHere(line);
      }
      if (opened.kind !== 'opened') {
        await close();
        return {
          kind: 'unavailable',
          reason: 'failed',
          detail: opened.kind === 'failed' ? opened.detail : 'It did not open.',
        };
      }
      const askOne = askHere as CompilerJob['ask'];
      const files = opened.programs.reduce((sum, program) => sum + program.files, 0);
      const isLarge = files >= limits.sharedFiles && availableParallelism() > 1;
      const others = {
        start: (at: number) => {
          const other = startCompiler(settings, place + 1 + at);
          return { open: () => other.open(programs), close: other.close };
        },
        fewFiles: limits.fewFiles,
        // A compiler that checks uses more than one core, for what it clears away.
        most: availableParallelism() >= 4 && freemem() > thirdMb * 1024 ** 2 ? 2 : 1,
      };
      let begun: BegunProof | undefined;
      const giveUp = async () => {
        const last = begun;
        begun = undefined;
        await last?.close();
      };
      const prove = async (question: ProofQuestion) => {
        if (begun !== undefined && !isDeepStrictEqual(begun.question, question)) await giveUp();
        begun ??= beginTogether(question, askOne, others);
        try {
          return await begun.finish();
        } finally {
          await giveUp();
        }
      };
      return {
        kind: 'open',
        ask: ((question: CompilerQuestion) =>
          isLarge && isShareable(question) ? prove(question) : askOne(question)) as CompilerJob['ask'],
        expect: (question) => {
          if (isLarge && isShareable(question)) begun ??= beginTogether(question, askOne, others);
        },
        close: async () => {
          await Promise.all([close(), giveUp()]);
        },
      };
    },
  };
}

function listUnsaved(root: string): Pick<Extract<JobLine, { kind: 'open' }>, 'unsaved'> {
  const texts = unsavedTexts(root);
  // As the compiler reads a file: a mark in front of it is none of its text.
  const text = (bytes: Buffer) => bytes.toString('utf8').replace(/^\uFEFF/, '');
  return texts.size === 0
    ? {}
    : { unsaved: Object.fromEntries([...texts].map(([path, bytes]) => [path, text(bytes)])) };
}

function takeProcess(
  settings: Omit<CompilerSettings, 'programs'>,
  limits: CompilerLimits,
  place: number,
): CompilerProcess | CompilerUnavailable {
  const { kept, signal } = settings;
  if (kept === undefined) return startProcess(settings, limits);
  return kept.take(place, { signal, timeoutS: limits.timeoutS }, (keptSignal, timeoutS) =>
    startProcess({ ...settings, signal: keptSignal }, { ...limits, timeoutS }),
  );
}

function startProcess(
  { root, environment, signal }: Omit<CompilerSettings, 'programs'>,
  { timeoutS, memoryMb, answerBytes }: CompilerLimits,
): CompilerProcess | CompilerUnavailable {
  const packages = findCompilerPackages();
  if (packages === undefined)
    return {
      kind: 'unavailable',
      reason: 'missing_tool',
      detail: 'The package typescript is not installed completely.',
    };
  const workspace = makeWorkspace([environment['TMPDIR'], '/tmp']);
  if (workspace === undefined)
    return { kind: 'unavailable', reason: 'failed', detail: 'There is no directory for temporary files.' };
  const host = createExecHost({ root, environment, toolPaths: {}, logger: silentLogger });
  const conversation = converse(host, {
    name: 'compiler',
    script: jobFile,
    workspace,
    cwd: root,
    timeoutS,
    memoryMb,
    residentMb: memoryMb * 2,
    maxLineBytes: answerBytes,
    // It collects its garbage late, which saves a fifth of its time, and more eagerly as it nears the limit, instead of being ended.
    envExtra: { GOGC: '300', GOMEMLIMIT: `${Math.floor(compilerMb(memoryMb))}MiB` },
    readable: [packageDirectory, ...packages],
    signal,
  });
  const gone = conversation.ended.then(() => rmSync(workspace, { recursive: true, force: true }));
  return {
    kind: 'started',
    conversation,
    isWarm: false,
    close: async () => {
      await conversation.close();
      await gone;
    },
  };
}

/** Near its limit it does little but collect garbage, so it gets more where there is more; a second one may want as much. */
function compilerMb(memoryMb: number): number {
  return Math.max(memoryMb / 2, Math.min(memoryMb * 1.5, freemem() / 2 / 1024 ** 2));
}

function makeWorkspace(places: readonly (string | undefined)[]): string | undefined {
  for (const place of places) {
    try {
      if (place !== undefined) return mkdtempSync(join(place, 'codegenie-compiler-'));
    } catch {
      // Not there, full, or not ours to write to.
    }
  }
  return undefined;
}

async function ask(conversation: Conversation, line: JobLine): Promise<JobReply> {
  const answer = await conversation.ask(JSON.stringify(line));
  if (answer.kind === 'ended') return { kind: 'failed', detail: answer.detail };
  try {
    return JSON.parse(answer.line) as JobReply;
  } catch {
    return { kind: 'failed', detail: 'The answer could not be read.' };
  }
}

/** The published form has its entries beside each other, under names of their own. */
const jobFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../job/compiler-job.ts' : './compiler-job.js', import.meta.url),
);
