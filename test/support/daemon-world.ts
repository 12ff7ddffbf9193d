/** A repository with a daemon in this process, asked over its real socket. */

import { symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { ownDirsOf } from '../../src/kernel/base/own-dirs.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import {
  type DaemonOutcome,
  type DaemonSettings,
  type Listening,
  runDaemon,
} from '../../src/serve/daemon/run-daemon.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { createRemoteWorkspace } from '../../src/serve/workspace/remote-workspace.ts';
import type { Workspace } from '../../src/serve/workspace/workspace.ts';
import { createFixtureRepo, type FixtureRepo } from './fixture-repo.ts';
import { sharedPool } from './shared-pool.ts';
import { quickPath } from './tools.ts';

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined where it is no JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
};

export type HttpAsk = {
  readonly method?: string;
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
};

export type RunningDaemon = {
  readonly at: Listening;
  readonly ended: Promise<DaemonOutcome>;
  stop(): Promise<DaemonOutcome>;
  workspace(signal?: AbortSignal): Workspace;
  http(path: string, ask?: HttpAsk): Promise<HttpAnswer>;
  post(path: string, body: unknown): Promise<HttpAnswer>;
};

export const daemonFiles = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      lib: ['esnext'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    },
  }),
  'src/math.ts':
    'export function add(a: number, b: number): number {\n  const total = a + b;\n  return total;\n}\nexport const twice = (n: number) => add(n, n);\n',
  'src/shape.ts':
    "import { add } from './math';\nexport interface Shape { area(): number }\nexport class Square implements Shape {\n  area(): number { return add(1, 2); }\n}\n",
  'src/other.ts': 'export class Other { area(): number { return 0; } }\n',
} as const;

export function createDaemonRepo(files: Readonly<Record<string, string>> = daemonFiles): FixtureRepo {
  const repo = createFixtureRepo(files);
  repo.commit();
  return repo;
}

/** Beside the files, links that lead out of the tree. */
export function createLinkedRepo(): FixtureRepo {
  const repo = createDaemonRepo();
  symlinkSync('/etc/passwd', join(repo.root, 'src/link.ts'));
  symlinkSync('/etc', join(repo.root, 'src/linked'));
  return repo;
}

/** Of a linked repository: paths that lead out of the tree, or to what is not for reading. */
export const forbiddenPaths = [
  '../../../etc/passwd',
  '/etc/passwd',
  'src/link.ts',
  'src/linked/passwd',
  'src/math.ts\0.png',
  '.git/config',
] as const;

export function settingsFor(repo: Pick<FixtureRepo, 'root' | 'home'>, signal: AbortSignal) {
  return {
    root: repo.root,
    isGit: true,
    home: repo.home,
    environment: { PATH: quickPath(), HOME: repo.home },
    cliVersion: '0.0.0-test',
    nowMs: Date.now,
    signal,
    pool: sharedPool(),
  };
}

export async function startTestDaemon(
  repo: Pick<FixtureRepo, 'root' | 'home'>,
  given: Partial<DaemonSettings> = {},
): Promise<RunningDaemon> {
  const interrupt = new AbortController();
  const listening = Promise.withResolvers<Listening>();
  const ready = Promise.withResolvers<void>();
  const ended = runDaemon({
    ...settingsFor(repo, interrupt.signal),
    watch: false,
    indexers: 'asked',
    waitMs: 100_000,
    port: null,
    background: false,
    onListening: listening.resolve,
    onProgress: () => {},
    onEvent: (event) => {
      if (event.kind === 'ready') ready.resolve();
    },
    onRefresh: () => {},
    ...given,
  });
  const early = ended.then((outcome) => {
    throw new Error(`the daemon ended: ${JSON.stringify(outcome)}`);
  });
  early.catch(() => {});
  const at = await Promise.race([listening.promise, early]);
  await Promise.race([ready.promise, early]);
  const stay = new AbortController().signal;
  const http: RunningDaemon['http'] = (path, ask = {}) => askSocket(at.socket, path, ask);
  while ((await http('/healthz')).json?.['state'] !== 'ready') await Promise.race([early, pause()]);
  return {
    at,
    ended,
    stop() {
      interrupt.abort(new Error('interrupted'));
      return ended;
    },
    workspace: (signal = stay) =>
      createRemoteWorkspace({
        root: repo.root,
        socket: at.socket,
        signal,
        probes: () => probes,
        local: () => createLocalWorkspace(settingsFor(repo, signal)),
      }),
    http,
    post: (path, body) => http(path, { method: 'POST', body: body as object }),
  };
}

export function askSocket(socketPath: string, path: string, ask: HttpAsk = {}): Promise<HttpAnswer> {
  return askHttp({ socketPath }, path, ask);
}

export function askHttp(
  where: { readonly socketPath: string } | { readonly host: string; readonly port: number },
  path: string,
  { method = 'GET', body, headers = {} }: HttpAsk = {},
): Promise<HttpAnswer> {
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request({
      ...where,
      path,
      method,
      agent: false,
      headers: { ...(bytes === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
      });
    });
    sent.end(bytes);
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function parse(text: string): HttpAnswer['json'] {
  try {
    return JSON.parse(text) as HttpAnswer['json'];
  } catch {
    return undefined;
  }
}

/** What a test that starts or stops a daemon tells of the repository. */
export function placeOf({ root, home }: Pick<FixtureRepo, 'root' | 'home'>) {
  return { root, home, environment: {} };
}

export function stateDirOf(repo: Pick<FixtureRepo, 'root' | 'home'>): string {
  return ownDirsOf(placeOf(repo)).stateDir;
}

export function cacheDirOf(repo: Pick<FixtureRepo, 'root' | 'home'>): string {
  return ownDirsOf(placeOf(repo)).cacheDir;
}
