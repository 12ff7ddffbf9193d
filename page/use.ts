/** Hooks: what is asked, the address, and the connection, as state that a part of the page is drawn from. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Connection, connectionNow, type Happening, listen, Problem, watchConnection } from './session.ts';

export type Asked<T> = {
  /** The last answer; stays while a newer one is asked for. */
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  readonly isAsking: boolean;
  readonly again: () => void;
};

/** Asked when `key` changes, when one of these happens, and when the daemon is back. */
export function useAnswer<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  on: readonly Happening['type'][] = [],
): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'> & { readonly key: string }>({
    key,
    value: undefined,
    problem: undefined,
    isAsking: true,
  });
  const [turn, setTurn] = useState(0);
  const asked = useRef(ask);
  asked.current = ask;
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, key, value: before.key === key ? before.value : undefined, isAsking: true }));
    asked.current(stop.signal).then(
      (value) => stop.signal.aborted || setState({ key, value, problem: undefined, isAsking: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const problem = error instanceof Problem ? error : new Problem(0, { message: String(error) });
        setState((before) => ({ ...before, problem, isAsking: false }));
      },
    );
    return () => stop.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  useHappening(['hello', ...on], again);
  const isOld = state.key !== key;
  return {
    value: isOld ? undefined : state.value,
    problem: isOld ? undefined : state.problem,
    isAsking: isOld || state.isAsking,
    again,
  };
}

/** Several of one kind in a moment are one. */
function useHappening(types: readonly Happening['type'][], receive: (event: Happening) => void): void {
  const current = useRef(receive);
  current.current = receive;
  const key = types.join();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = listen((event) => {
      if (!key.split(',').includes(event.type)) return;
      // That a plan was looked at changes nothing of it.
      if (event.type === 'plan' && /^plan_(?:list|show|file)$/.test(event.request)) return;
      clearTimeout(timer);
      timer = setTimeout(() => current.current(event), 60);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [key]);
}

export function useConnection(): Connection {
  const [connection, set] = useState(connectionNow);
  useEffect(() => watchConnection(() => set(connectionNow())), []);
  return connection;
}

export type Place = { readonly room: string; readonly query: URLSearchParams };

const placeNow = (): Place => ({ room: location.pathname.slice(1), query: new URLSearchParams(location.search) });
const places = new Set<() => void>();

/** `replace`: the back button does not stop here. */
export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === location.pathname + location.search) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  for (const receive of [...places]) receive();
}

/** This room with other fields; an empty one is left out. */
export function addressWith(fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(fields))
    if (value === '') query.delete(name);
    else query.set(name, value);
  const text = query.toString();
  return `${location.pathname}${text === '' ? '' : `?${text}`}`;
}

export function usePlace(): Place {
  const [place, set] = useState(placeNow);
  useEffect(() => {
    const receive = () => set(placeNow());
    places.add(receive);
    addEventListener('popstate', receive);
    return () => {
      places.delete(receive);
      removeEventListener('popstate', receive);
    };
  }, []);
  return place;
}

/** Links of the page change the address without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const address = link?.getAttribute('href') ?? '';
    if (!address.startsWith('/')) return;
    event.preventDefault();
    go(address);
  });
}
