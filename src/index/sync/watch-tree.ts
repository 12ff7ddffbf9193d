/**
 * Hints from the file system (code-plane.md §2): which paths may have changed. Promises nothing about contents, order or
 * completeness; what depends on it is speed, never truth. `@parcel/watcher` is blind inside a tree that appears at once (a checkout,
 * a moved-in folder), so every new directory is reported as a whole and, a little later, the subscription is made anew.
 *
 * Its builds for each system are dependencies, not the package that chooses among them: that one has an install script, which npm warns
 * about, and finds globs in paths.
 */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lstatOf } from '../../kernel/tree/safe-read.ts';
import { defaultIgnoredDirectories, hardNames } from '../../kernel/tree/scope-layers.ts';

export type WatchState = 'ok' | 'degraded' | 'off';

interface TreeWatcher {
  readonly state: WatchState;
  /** Why it is degraded, for people. */
  readonly detail: string | null;
  close(): Promise<void>;
}

const watchLimits = { resubscribeAfterMs: 500, retryAfterMs: 10_000 } as const;

/** Folders whose changes are never looked at, whatever their files' verdicts; `.git` has a tripwire of its own. */
const ignoredNames = [...hardNames, ...[...defaultIgnoredDirectories].filter(isBulky)];
// At the top by path, below by one pattern: every file of the tree is held against it, and a pattern for each name took 50,000 files 1.1 s
// instead of 0.2 s. It is an expression of C++, which is held against the whole path.
const ignoredBelow = `^[\\s\\S]*[\\\\/](?:${ignoredNames.join('|').replaceAll('.', '\\.')})(?:[\\\\/][\\s\\S]*)?$`;

type Event = { readonly type: 'create' | 'update' | 'delete'; readonly path: string };
type Receive = (error: Error | null, events: readonly Event[]) => void;
type Options = { readonly ignorePaths: readonly string[]; readonly ignoreGlobs: readonly string[] };
/** What the native code of `@parcel/watcher` offers. A subscription ends by the arguments that began it. */
interface NativeWatcher {
  subscribe(directory: string, receive: Receive, options: Options): Promise<void>;
  unsubscribe(directory: string, receive: Receive, options: Options): Promise<void>;
}

export async function watchTree(options: {
  readonly root: string;
  /** Root-relative paths of files or directories; a directory stands for everything below it. `''` is the whole tree. */
  readonly onPaths: (paths: readonly string[]) => void;
  readonly onState: (state: WatchState, detail: string | null) => void;
}): Promise<TreeWatcher> {
  const { root } = options;
  let unsubscribe: (() => Promise<void>) | undefined;
  let state: WatchState = 'off';
  let detail: string | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const ignored: Options = { ignorePaths: ignoredNames.map((name) => join(root, name)), ignoreGlobs: [ignoredBelow] };

  const enter = (next: WatchState, why: string | null) => {
    detail = why;
    if (next === state) return;
    state = next;
    options.onState(next, why);
  };

  const later = (afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void subscribe(), afterMs);
    timer.unref();
  };

  const receive = (events: readonly Event[]) => {
    const paths: string[] = [];
    let grew = false;
    for (const event of events) {
      const path = event.path.slice(root === '/' ? 1 : root.length + 1);
      if (path === '') continue;
      paths.push(path);
      if (event.type === 'create' && lstatOf(event.path)?.kind === 'directory') grew = true;
    }
    if (paths.length > 0) options.onPaths(paths);
    if (grew) later(watchLimits.resubscribeAfterMs);
  };

  const subscribe = async () => {
    if (closed) return;
    try {
      const watcher = loadWatcher();
      const again = unsubscribe !== undefined || state === 'degraded';
      // A second subscription of the same folder would share the blind one: it is ended first.
      await unsubscribe?.();
      unsubscribe = undefined;
      const hear: Receive = (error, events) => {
        if (closed) return;
        if (error === null) receive(events);
        else {
          // The queue overflowed or the subscription died: everything may have changed, and nothing more will be told.
          enter('degraded', error.message);
          options.onPaths(['']);
          later(watchLimits.retryAfterMs);
        }
      };
      await watcher.subscribe(root, hear, ignored);
      const end = () => watcher.unsubscribe(root, hear, ignored);
      if (closed) {
        await end();
        return;
      }
      unsubscribe = end;
      enter('ok', null);
      // Events between two subscriptions are lost.
      if (again) options.onPaths(['']);
    } catch (error) {
      enter('degraded', error instanceof Error ? error.message : String(error));
      later(watchLimits.retryAfterMs);
    }
  };

  await subscribe();
  return {
    get state() {
      return state;
    },
    get detail() {
      return detail;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await unsubscribe?.();
    },
  };
}

/** Watching them costs a handle per folder, and untracked files in there are out of scope. Tracked ones are found by the poll. */
function isBulky(name: string): boolean {
  return (
    name === 'node_modules' || name === '.venv' || name === '.pnpm-store' || name === 'target' || name === '.gradle'
  );
}

/** The build for this system: npm installs the one that fits, also of those for two C libraries. */
function loadWatcher(): NativeWatcher {
  const require = createRequire(import.meta.url);
  const name = `@parcel/watcher-${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return require(name) as NativeWatcher;
  try {
    return require(`${name}-glibc`) as NativeWatcher;
  } catch {
    return require(`${name}-musl`) as NativeWatcher;
  }
}
