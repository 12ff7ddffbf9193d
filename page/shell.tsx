/** The frame of every room: where one is, what the daemon does, search and commands. */

import type { FunctionComponent, VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type AnswerOf, ask, isAmbiguous } from './ask.ts';
import { Palette } from './palette.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { Shown } from './parts/shown.tsx';
import { State, Waiting } from './parts/state.tsx';
import { nextTheme, type Theme, themeNow } from './parts/theme.ts';
import type { Connection } from './session.ts';
import { type Asked, useAnswer, useConnection, usePlace } from './use.ts';

export type Status = AnswerOf<'status'>;
export type RoomProps = { readonly query: URLSearchParams; readonly status: Asked<Status> };
type Room = {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly load: () => Promise<{ readonly default: FunctionComponent<RoomProps> }>;
};

const rooms: readonly Room[] = [
  { name: 'facts', title: 'Facts', icon: 'facts', load: () => import('./rooms/facts.tsx') },
  { name: 'map', title: 'Map', icon: 'map', load: () => import('./rooms/map.tsx') },
  { name: 'ask', title: 'Ask', icon: 'ask', load: () => import('./rooms/ask.tsx') },
  { name: 'change', title: 'Change', icon: 'change', load: () => import('./rooms/change.tsx') },
  { name: 'health', title: 'Health', icon: 'health', load: () => import('./rooms/health.tsx') },
];

const loaded = new Map<string, FunctionComponent<RoomProps>>();

export function Shell(): VNode {
  const { room: asked, query } = usePlace();
  const connection = useConnection();
  const [palette, setPalette] = useState<'closed' | 'commands' | 'search'>('closed');
  const [theme, setTheme] = useState<Theme>(themeNow);
  const room = rooms.find(({ name }) => name === asked) ?? (rooms[0] as Room);
  const [progress, setProgress] = useState<Progress>();
  const status = useAnswer<Status>(
    'status',
    async (signal) => {
      const onLine = (line: Readonly<Record<string, unknown>>) => setProgress(line['progress'] as Progress);
      const answer = await ask('status', {}, { signal, onLine });
      setProgress(undefined);
      if (isAmbiguous(answer)) throw new Error(answer.message);
      return answer;
    },
    ['reconcile', 'job', 'gather'],
  );
  const name = status.value?.repo.root.split('/').pop() ?? '';
  useEffect(() => {
    document.title = name === '' ? 'codegenie' : `${room.title} · ${name}`;
  }, [name, room]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setPalette('commands');
      } else if (event.key === '/' && !isTyping && !event.metaKey && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        setPalette('search');
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const close = useCallback(() => setPalette('closed'), []);
  const turnTheme = useCallback(() => setTheme(nextTheme()), []);
  return (
    <div class="shell">
      <a class="skip" href="#room">
        Skip to the room
      </a>
      <header class="side">
        <div class="brand">
          <Icon name="mark" />
          <div class="brand-text">
            <span class="brand-name" title={status.value?.repo.root}>
              {name === '' ? 'codegenie' : <Shown text={name} />}
            </span>
            <span class="brand-head">{headOf(status.value)}</span>
          </div>
        </div>
        <button type="button" class="find" onClick={() => setPalette('search')}>
          <Icon name="search" />
          <span>Search</span>
          <kbd>/</kbd>
        </button>
        <nav aria-label="Rooms">
          {rooms.map((one) => (
            <a key={one.name} href={`/${one.name}`} aria-current={one === room ? 'page' : undefined}>
              <Icon name={one.icon} />
              <span>{one.title}</span>
            </a>
          ))}
        </nav>
        <footer class="side-foot">
          <Standing connection={connection} status={status.value} />
          <button
            type="button"
            class="plain"
            onClick={turnTheme}
            aria-label={`Theme: ${theme}`}
            title={`Theme: ${theme}`}
          >
            <Icon name={theme === 'dark' ? 'moon' : theme === 'light' ? 'sun' : 'half'} />
          </button>
        </footer>
      </header>
      {connection === 'gone' ? (
        <div class="banner" role="alert">
          <Icon name="warn" /> The daemon of this repository does not answer. What you see is as it was;{' '}
          <code>codegenie ui</code> starts it again, and this page goes on by itself.
        </div>
      ) : null}
      <main id="room" class="room" tabIndex={-1}>
        {connection === 'locked' ? (
          <Locked />
        ) : status.value === undefined && progress !== undefined ? (
          <Indexing progress={progress} />
        ) : (
          <RoomOf room={room} query={query} status={status} />
        )}
      </main>
      {palette === 'closed' || connection === 'locked' ? null : (
        <Palette rooms={rooms} mode={palette} close={close} turnTheme={turnTheme} />
      )}
    </div>
  );
}

type Progress = { readonly step: string; readonly done: number; readonly total: number } | undefined;

function RoomOf({ room, ...props }: RoomProps & { readonly room: Room }): VNode {
  const [Body, setBody] = useState<FunctionComponent<RoomProps> | undefined>(() => loaded.get(room.name));
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let isOver = false;
    setBody(() => loaded.get(room.name));
    setLost(false);
    room.load().then(
      ({ default: body }) => {
        loaded.set(room.name, body);
        if (!isOver) setBody(() => body);
      },
      () => isOver || setLost(true),
    );
    return () => {
      isOver = true;
    };
  }, [room]);
  if (isLost)
    return (
      <State
        title="This room could not be loaded"
        action={{ says: 'Load the page again', act: () => location.reload() }}
        isAlert
      >
        <p>The daemon that has its files does not answer.</p>
      </State>
    );
  return Body === undefined ? <Waiting says={room.title} /> : <Body {...props} />;
}

function Locked(): VNode {
  return (
    <State title="This page has no key" isAlert>
      <p>A page belongs to one life of the daemon of one repository. Run this in the repository to open it:</p>
      <p>
        <code class="command">codegenie ui</code>
      </p>
    </State>
  );
}

const steps: Readonly<Record<string, string>> = {
  list: 'Listing files',
  read: 'Reading files',
  index: 'Reading files',
  resolve: 'Resolving imports',
};

function Indexing({ progress }: { readonly progress: NonNullable<Progress> }): VNode {
  const { step, done, total } = progress;
  return (
    <State title="The index is being built">
      <p>The first look at a repository reads every file in scope once; later ones read what has changed.</p>
      <progress max={Math.max(1, total)} value={done} aria-label={steps[step] ?? step} />
      <p class="quiet">
        {steps[step] ?? step}
        {total === 0 ? '' : ` · ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </p>
    </State>
  );
}

/** What the daemon is, in a word and a shape. */
function Standing({
  connection,
  status,
}: {
  readonly connection: Connection;
  readonly status: Status | undefined;
}): VNode {
  const [shape, says] =
    connection === 'live'
      ? status !== undefined && status.semantic.jobs.running > 0
        ? ['busy', 'compilers run']
        : ['good', 'live']
      : connection === 'gone'
        ? ['bad', 'daemon gone']
        : connection === 'locked'
          ? ['bad', 'no key']
          : ['wait', 'connecting'];
  return (
    <span class={`standing ${shape}`} role="status">
      <i aria-hidden="true" />
      {says}
    </span>
  );
}

function headOf(status: Status | undefined): string {
  if (status === undefined) return '';
  const { head } = status;
  return /^[0-9a-f]{40}/.test(head)
    ? head.slice(0, 9)
    : head === 'none'
      ? 'no git'
      : head === 'unborn'
        ? 'no commit yet'
        : head.slice(0, 24);
}
