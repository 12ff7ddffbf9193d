/**
 * What the commands of either engine say: their text, their last words, how a build ended, what an image is. A command that failed has no
 * text.
 */

import { readFileSync } from 'node:fs';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { listAt, objectAt, textAt } from '../base/json-access.ts';
import { decodeLenient, singleLine, truncate } from '../base/text.ts';
import type { ExecOutcome } from '../exec/exec.ts';
import type { BuildOutcome, BuildRequest, EngineCall, ImageConfig, ImageFacts } from './engine.ts';

/** How much of an engine's last words is kept. */
const tailBytes = 4096;

/** Standard output of a command that ended with 0, trimmed; null for any other end. */
export function textOf(outcome: ExecOutcome): string | null {
  return outcome.kind === 'exited' && outcome.code === 0 ? decodeLenient(outcome.stdout).trim() : null;
}

export function linesOf(outcome: ExecOutcome): readonly string[] {
  return (textOf(outcome) ?? '').split('\n').filter((line) => line !== '');
}

/** Engines print an object, or a list of one. */
export function objectOf(outcome: ExecOutcome): JsonObject | null {
  const text = textOf(outcome);
  if (text === null) return null;
  try {
    const parsed = JSON.parse(text) as Json;
    const found = Array.isArray(parsed) ? (parsed as readonly Json[])[0] : parsed;
    return found !== undefined && isJsonObject(found) ? found : null;
  } catch {
    return null;
  }
}

/** The last words of a command that failed, or how it ended if it had none. */
export function complaintOf(outcome: ExecOutcome): string {
  switch (outcome.kind) {
    case 'exited':
    case 'signalled':
      return tailOf(outcome.stderr) || tailOf(outcome.stdout);
    case 'timed_out':
      return outcome.stderrTail || 'timed out';
    case 'tool_missing':
      return outcome.install;
    default:
      return outcome.kind;
  }
}

function tailOf(bytes: Uint8Array): string {
  return decodeLenient(bytes).slice(-tailBytes);
}

/** One build from its command to its outcome. `flags` begin with `build`; what is built comes after them. */
export async function runBuild(
  call: EngineCall,
  { request, log, idFile }: { readonly request: BuildRequest; readonly log: BuildLog; readonly idFile: string },
  flags: readonly string[],
  options: Pick<Parameters<EngineCall>[1], 'envExtra' | 'onStart'>,
): Promise<BuildOutcome> {
  const outcome = await call(
    [
      ...flags,
      ...(request.target === null ? [] : ['--target', request.target]),
      ...request.args.flatMap((argument) => ['--build-arg', argument]),
      request.root,
    ],
    {
      timeoutS: request.timeoutS,
      ...options,
      onLine: (line, stream) => {
        log.add(line);
        request.onLine?.(line, stream);
      },
    },
  );
  return readBuildOutcome(outcome, log, idFile);
}

/** How a build ended, by what its client exited with, what it printed, and the id it wrote. */
function readBuildOutcome(outcome: ExecOutcome, log: BuildLog, idFile: string): BuildOutcome {
  if (outcome.kind === 'cancelled') return { kind: 'cancelled' };
  if (outcome.kind === 'timed_out') return { kind: 'timed_out', log: log.text() };
  const digest = textOf(outcome) === null ? null : normaliseDigest(readFileSync(idFile, 'utf8'));
  if (digest !== null) return { kind: 'built', digest, log: log.text() };
  return { kind: 'failed', stderrTail: log.tail() || complaintOf(outcome), step: log.step(), log: log.text() };
}

/** What a build printed: its last part, bounded, and the step it had come to. */
type BuildLog = {
  readonly add: (line: string) => void;
  readonly text: () => string;
  /** The last characters that a slice may hold, of both streams: programs complain on either. */
  readonly tail: () => string;
  readonly step: () => string | null;
};

const keptCharacters = 4 * 1024 * 1024;
const stepCharacters = 200;
/** podman and the old builder of docker number their steps alike; the new one prints them in brackets. */
const stepLine = /^(?:\[\d+\/\d+\] )?(?:STEP|Step) (\d+(?:\/\d+)? ?: .*)$|^#\d+ (\[[^\]]*\d+\/\d+\] .*)$/;

const colours = /\x1b\[[0-9;]*m/g;

export function createBuildLog(): BuildLog {
  const lines: string[] = [];
  let first = 0;
  let characters = 0;
  let step: string | null = null;
  const text = () =>
    lines
      .slice(first)
      .map((line) => `${line}\n`)
      .join('');
  return {
    add(said) {
      const line = said.replace(colours, '').trimEnd();
      lines.push(line);
      characters += line.length + 1;
      while (characters > keptCharacters && first < lines.length - 1) {
        characters -= (lines[first] ?? '').length + 1;
        lines[first] = '';
        first += 1;
      }
      const found = stepLine.exec(line.slice(0, stepCharacters * 4));
      if (found !== null) step = truncate(singleLine(found[1] ?? found[2] ?? ''), stepCharacters);
    },
    text,
    tail: () => text().slice(-tailBytes),
    step: () => step,
  };
}

/** `sha256:<64 hex>`, or null for what is no digest. */
export function normaliseDigest(id: string): string | null {
  const hex = id.trim().replace(/^sha256:/, '');
  return /^[0-9a-f]{64}$/.test(hex) ? `sha256:${hex}` : null;
}

/**
 * `image inspect` of either engine as the facts that are published. The digest is the id of the image's configuration, always with
 * its algorithm before it: podman leaves it out, and digests of manifests do not exist for what was built here.
 */
export function readImageFacts(inspected: JsonObject): ImageFacts | null {
  const digest = typeof inspected['Id'] === 'string' ? normaliseDigest(inspected['Id']) : null;
  if (digest === null) return null;
  const size = inspected['Size'];
  return { digest, sizeBytes: typeof size === 'number' ? size : 0, config: readConfig(inspected) };
}

function readConfig(inspected: JsonObject): ImageConfig {
  const config = objectAt(inspected, 'Config');
  // podman has the check beside the configuration, docker in it.
  const healthcheck = wordsAt({ ...objectAt(config, 'Healthcheck'), ...objectAt(inspected, 'Healthcheck') }, 'Test');
  return {
    entrypoint: wordsAt(config, 'Entrypoint'),
    cmd: wordsAt(config, 'Cmd'),
    env_names: wordsAt(config, 'Env')
      .map((pair) => pair.split('=', 1)[0] ?? '')
      .sort(compareCodeUnits),
    user: wordAt(config, 'User'),
    workdir: wordAt(config, 'WorkingDir'),
    exposed_ports: Object.keys(objectAt(config, 'ExposedPorts')).sort(compareCodeUnits),
    healthcheck: healthcheck.length === 0 ? null : healthcheck,
    stop_signal: wordAt(config, 'StopSignal'),
  };
}

/** An empty text is how engines say that there is none. */
function wordAt(of: JsonObject, key: string): string | null {
  return textAt(of, key) || null;
}

function wordsAt(of: JsonObject, key: string): readonly string[] {
  return listAt(of, key).filter((item) => typeof item === 'string');
}
