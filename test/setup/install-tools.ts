/**
 * Runs once before the tests: brings the tools that some of them need, where that is possible, and puts the private ones on PATH. Tests
 * of a tool that is missing are skipped by name, so nothing here ever fails the suite. One line says what was done and what is missing, and one before that what may take a while.
 *
 *   CODEGENIE_TEST_INSTALL=0   installs nothing         =1   tries again what failed lately
 *   CODEGENIE_TEST_TOOLS=all   builds syft and grype too
 */

import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { type InstallCommand, type InstallStep, planInstall, privateDirectories } from './plan-install.ts';

const failureHoldsMs = 6 * 3_600_000;
const lockHoldsMs = 3_600_000;

export default async function installTools(): Promise<void> {
  const cacheDir = findCacheDir();
  const path = [process.env['PATH'] ?? '', ...privateDirectories(cacheDir)].filter((part) => part !== '');
  // Last, so that the machine's own tools come first; the processes of the tests inherit it.
  process.env['PATH'] = path.join(delimiter);
  const plan = planInstall({
    environment: process.env,
    isRoot: process.getuid?.() === 0,
    isDebian: existsSync('/etc/debian_version'),
    hasCommand,
    failedLately: (step) => isYoung(join(cacheDir, 'failed', step), failureHoldsMs),
    cacheDir,
  });
  const brought: string[] = [];
  const missing = plan.missing.map(({ tool, why }) => `${tool} (${why})`);
  if (plan.steps.length > 0) {
    const wanted = plan.steps.flatMap(({ brings }) => brings).join(', ');
    say(`installing ${wanted}; this may take minutes, CODEGENIE_TEST_INSTALL=0 goes without`);
    const unlock = lock(cacheDir);
    const whys = await Promise.all(
      plan.steps.map((step) => (unlock === undefined ? 'another run is installing' : install(step, cacheDir))),
    );
    for (const [at, step] of plan.steps.entries()) {
      const why = whys[at];
      if (why === undefined) brought.push(...step.brings);
      else missing.push(...step.brings.map((tool) => `${tool} (${why})`));
    }
    unlock?.();
  }
  if (brought.length === 0 && missing.length === 0) return;
  const parts = [
    ...(brought.length > 0 ? [`installed ${brought.join(', ')}`] : []),
    ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
  ];
  say(parts.join('; '));
}

function say(line: string): void {
  process.stdout.write(`test tools: ${line}\n`);
}

function findCacheDir(): string {
  const given = process.env['XDG_CACHE_HOME'];
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.cache');
  return join(base, 'codegenie-test-tools');
}

/** Undefined when all it brings is here now; else why not. */
async function install(step: InstallStep, cacheDir: string): Promise<string | undefined> {
  let why: string | undefined;
  for (const command of step.commands) {
    const outcome = await run(command, cacheDir);
    if (outcome === undefined || command.mayFail === true) continue;
    why = `${step.name}: ${outcome}`;
    break;
  }
  const absent = step.brings.filter((tool) => !hasCommand(tool));
  why ??= absent.length > 0 ? `${step.name}: brought no ${absent.join(', ')}` : undefined;
  if (why === undefined) return undefined;
  if (step.removes !== undefined) rmSync(step.removes, { recursive: true, force: true });
  mkdirSync(join(cacheDir, 'failed'), { recursive: true });
  writeFileSync(join(cacheDir, 'failed', step.name), `${why}\n`);
  return why;
}

/** Undefined for exit 0. The whole group is ended when the time is over: package managers start others. */
function run(
  { argv: [command, ...args], timeoutMs, environment }: InstallCommand,
  cwd: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ...environment },
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      resolve(`no end after ${timeoutMs / 1_000} s`);
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve((error as NodeJS.ErrnoException).code ?? error.message);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(code === 0 ? undefined : `${basename(command)} ended with ${code ?? signal}`);
    });
  });
}

/** Two runs at once must not install into the same directory; undefined when another one is at it. */
function lock(cacheDir: string): (() => void) | undefined {
  const path = join(cacheDir, 'lock');
  try {
    mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
    if (!isYoung(path, lockHoldsMs)) rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  } catch {
    return undefined;
  }
  return () => rmSync(path, { recursive: true, force: true });
}

function isYoung(path: string, holdsMs: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < holdsMs;
}

function hasCommand(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    if (!isAbsolute(directory)) return false;
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
