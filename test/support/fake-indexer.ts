/**
 * An indexer without a process, for everything about refresh jobs that is not about a tool: it reads the members when it starts, and
 * ends when it is told to. It understands `export const name = …` and `import { name } from './file'`, one per line, and writes what
 * an indexer of TypeScript would write about them.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { RefreshDiscovery, RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import type { IndexerProbe, IndexerRun } from '../../src/index/semantic/indexers/run-indexer.ts';
import type { ScipDocument, ScipOccurrence, ScipPart } from '../../src/kernel/formats/scip.ts';
import { encodeScip } from '../../src/kernel/formats/write-scip.ts';
import type { IndexerAdapter } from '../../src/languages/indexers/indexer-adapter.ts';
import type { ContextSpec, Failure } from '../../src/languages/projects/context-spec.ts';
import { applyPinned, type Discovery } from '../../src/languages/projects/discover-contexts.ts';

type FakeRun = {
  readonly context: string;
  /** Files of which documents were wanted. */
  readonly asked: readonly string[];
  readonly jobDir: string;
  /** Lets it end; with a failure, it fails instead. */
  end(failure?: Failure): void;
  readonly signal: AbortSignal;
};

export type FakeIndexer = {
  readonly parts: Pick<
    RefreshParts,
    'discover' | 'findAdapter' | 'probe' | 'runIndexer' | 'makeJobDir' | 'removeJobDir' | 'sweepJobDirs'
  >;
  /** All runs, in the order of their start. */
  readonly runs: FakeRun[];
  /** true: a run ends when its `end` is called; false: by itself. */
  holds: boolean;
  probe: IndexerProbe;
  /** How often it was asked. */
  probes: number;
  /** Members that get no document. */
  readonly silent: Set<string>;
  /** What the next runs end with, first one first. */
  readonly failures: Failure[];
  readonly jobDirs: Set<string>;
  /** Resolves when so many runs have started. */
  started(count: number): Promise<FakeRun>;
};

const fakeAdapter: IndexerAdapter = {
  id: 'scip-typescript',
  family: 'typescript',
  tool: 'scip-typescript',
  granularity: 'project',
  executesRepoCode: false,
  minVersion: null,
  timeoutMs: 1_000,
  memoryMb: 1,
  positionEncoding: 2,
  gaps: [],
  passes: [],
  argumentsKey: 'fake',
  plan: (_context, { jobDir }) => ({
    args: [],
    cwd: jobDir,
    env: {},
    output: join(jobDir, 'out.scip'),
    files: {},
    readable: [],
    documentBase: '',
  }),
  classifyExit: () => 'ok',
};

const probeOk: IndexerProbe = {
  state: 'ok',
  detail: null,
  toolPath: null,
  toolId: 'fake@1.0.0+0123456789abcdef',
  envHash: 'environment',
  environment: {},
};

export function createFakeIndexer(
  root: string,
  scratch: string,
  granularity: IndexerAdapter['granularity'] = 'project',
): FakeIndexer {
  let waiting: { readonly count: number; readonly resolve: (run: FakeRun) => void }[] = [];
  let dirs = 0;
  const fake: FakeIndexer = {
    runs: [],
    holds: false,
    probe: probeOk,
    probes: 0,
    silent: new Set(),
    failures: [],
    jobDirs: new Set(),
    started(count) {
      const run = fake.runs[count - 1];
      return run === undefined ? new Promise((resolve) => waiting.push({ count, resolve })) : Promise.resolve(run);
    },
    parts: {
      discover: discoverByConfig,
      findAdapter: () => ({ ...fakeAdapter, granularity }),
      async probe() {
        fake.probes += 1;
        return fake.probe;
      },
      async runIndexer(_adapter, context, { jobDir, signal, onLine, scope }): Promise<IndexerRun> {
        const asked = scope ?? context.members;
        const members = asked.filter((path) => !fake.silent.has(path));
        const output = encodeScip(describeProgram(root, members));
        const { promise, resolve } = Promise.withResolvers<Failure | undefined>();
        const run: FakeRun = { context: context.key, asked, jobDir, signal, end: resolve };
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
        fake.runs.push(run);
        onLine(`indexing ${context.key}`);
        for (const waiter of waiting) if (waiter.count <= fake.runs.length) waiter.resolve(run);
        waiting = waiting.filter((waiter) => waiter.count > fake.runs.length);
        if (!fake.holds) resolve(fake.failures.shift());
        const failure = await promise;
        if (signal.aborted) return { kind: 'cancelled' };
        if (failure !== undefined) return { kind: 'failed', failure, detail: `it said ${failure}`, ms: 1 };
        const path = join(jobDir, 'out.scip');
        writeFileSync(path, output);
        return { kind: 'output', path, documentBase: '', ms: 1, log: '', globals: null, peakMb: 0 };
      },
      makeJobDir(name) {
        dirs += 1;
        const path = join(scratch, `job-${name}-${dirs}`);
        fake.jobDirs.add(path);
        mkdirSync(path);
        return path;
      },
      removeJobDir(path) {
        fake.jobDirs.delete(path);
        rmSync(path, { recursive: true, force: true });
      },
      sweepJobDirs() {},
    },
  };
  return fake;
}

/** `<dir>/tsconfig.json` and all `.ts` below it; `"enabled": false` and `"problem"` in it mean what they say. */
function discoverByConfig({ resolve, pinned }: RefreshDiscovery): Discovery {
  const contexts = resolve.configFilesNamed('tsconfig.json').map((path): ContextSpec => {
    const directory = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    const text = Buffer.from(resolve.readConfig(path) ?? []).toString('utf8');
    const config = JSON.parse(text === '' ? '{}' : text) as { enabled?: boolean; problem?: string };
    const prefix = directory === '' ? '' : `${directory}/`;
    return {
      key: `ts:${path}`,
      family: 'typescript',
      root: directory,
      configPath: path,
      indexer: 'scip-typescript',
      members: resolve.allFiles().filter((file) => file.startsWith(prefix) && file.endsWith('.ts')),
      config: {},
      configInputs: { text },
      problem: config.problem ?? null,
      enabled: config.enabled ?? true,
    };
  });
  return applyPinned(contexts, pinned);
}

export function describeProgram(root: string, members: readonly string[]): ScipPart[] {
  const parts: ScipPart[] = [
    { kind: 'metadata', metadata: { toolName: 'fake', toolVersion: '1.0.0', projectRoot: `file://${root}` } },
  ];
  for (const path of members) {
    let text: string;
    try {
      text = readFileSync(join(root, path), 'utf8');
    } catch {
      continue;
    }
    parts.push({ kind: 'document', document: describeText(path, text) });
  }
  return parts;
}

function symbolOf(path: string, name: string): string {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const folders = parts.map((part) => (/^\w+$/.test(part) ? `${part}/` : `\`${part}\`/`)).join('');
  return `scip-typescript npm . . ${folders}\`${file}\`/${name}.`;
}

function describeText(path: string, text: string): ScipDocument {
  const occurrences: ScipOccurrence[] = [];
  const symbols: ScipDocument['symbols'][number][] = [];
  const imported = new Map<string, string>();
  text.split(/\r?\n/).forEach((line, at) => {
    const from = /^import \{ (\w+) \} from '(.+)'/.exec(line);
    if (from !== null) {
      const target = posix.join(posix.dirname(path), `${from[2] ?? ''}.ts`);
      imported.set(from[1] ?? '', symbolOf(target, from[1] ?? ''));
    }
    for (const word of line.matchAll(/\w+/g)) {
      const range = [at, word.index, word.index + word[0].length];
      const isDefinition = line.slice(0, word.index) === 'export const ';
      const symbol = isDefinition ? symbolOf(path, word[0]) : imported.get(word[0]);
      if (symbol === undefined) continue;
      occurrences.push({ range, enclosingRange: [], symbol, roles: isDefinition ? 1 : 0 });
      if (!isDefinition) continue;
      symbols.push({
        symbol,
        documentation: [],
        relationships: [],
        kind: 0,
        displayName: word[0],
        signature: line.replace(/ =.*/, ''),
        enclosingSymbol: '',
      });
    }
  });
  return {
    relativePath: path,
    language: 'typescript',
    positionEncoding: 2,
    text: '',
    occurrences,
    symbols,
    hadBadText: false,
  };
}
