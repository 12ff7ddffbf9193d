/** One field for everything: rooms and commands by their words, symbols by theirs. The keys are those of any such list. */

import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, isAmbiguous } from './ask.ts';
import { Icon, type IconName } from './parts/icon.tsx';
import { Shown } from './parts/shown.tsx';
import { go } from './use.ts';

type Entry = {
  readonly key: string;
  readonly icon: IconName;
  readonly says: string;
  readonly detail?: string;
  readonly act: () => void;
};

const typingMs = 120;

/** Of this name; none while letters are typed. */
function useSymbols(text: string): readonly Entry[] {
  const [found, setFound] = useState<readonly Entry[]>([]);
  useEffect(() => {
    if (text.length < 2) return setFound([]);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask('symbols', { query: text, limit: 12 }, { signal: stop.signal }).then(
        (answer) => {
          if (isAmbiguous(answer)) return;
          setFound(
            answer.symbols.map(({ path, line, col, name_path: name, overload }) => ({
              key: `${path}:${line}:${col} ${overload}`,
              icon: 'ask' as const,
              says: name,
              detail: `${path}:${line}`,
              act: () => go(`/ask?${new URLSearchParams({ q: name, at: `${path}:${line}:${col}` })}`),
            })),
          );
        },
        // What cannot be asked finds nothing; the room says why.
        () => stop.signal.aborted || setFound([]),
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return found;
}

export function Palette({
  rooms,
  mode,
  close,
  turnTheme,
}: {
  readonly rooms: readonly { readonly name: string; readonly title: string; readonly icon: IconName }[];
  readonly mode: 'commands' | 'search';
  readonly close: () => void;
  readonly turnTheme: () => void;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => {
    // What had the focus has it again when the dialog closes.
    dialog.current?.showModal();
  }, []);
  const commands = useMemo(
    (): readonly Entry[] => [
      ...rooms.map(({ name, title, icon }) => ({ key: name, icon, says: `Go to ${title}`, act: () => go(`/${name}`) })),
      { key: 'theme', icon: 'half', says: 'Change the theme: system, light, dark', act: turnTheme },
    ],
    [rooms, turnTheme],
  );
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = useSymbols(text.trim());
  const matching = commands.filter(({ says }) => words.every((word) => says.toLowerCase().includes(word)));
  const asked = text.trim();
  const search: Entry = {
    key: 'text',
    icon: 'search',
    says: `Find “${asked}” in the text of all files`,
    act: () => go(`/ask?${new URLSearchParams({ in: 'text', q: asked })}`),
  };
  const ofCode = asked.length < 2 ? [] : [...found, search];
  const entries = mode === 'search' ? [...ofCode, ...matching] : [...matching, ...ofCode];
  const chosen = Math.min(at, Math.max(0, entries.length - 1));
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    dialog.current?.close();
    entry.act();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((chosen + Math.max(1, entries.length) - 1) % Math.max(1, entries.length));
    else if (event.key === 'Enter') run(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    // The keyboard closes it by Escape, as every dialog.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search and commands"
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          value={text}
          placeholder={mode === 'search' ? 'A symbol, or text in files' : 'Rooms, commands, symbols'}
          aria-label="Search and commands"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries.length === 0 ? undefined : `palette-${chosen}`}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>esc</kbd>
      </div>
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          // The field has the keys: the list is moved through from there.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={entry.key}
            id={`palette-${index}`}
            class="palette-entry"
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(entry)}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={entry.icon} />
            <span class="palette-says">
              <Shown text={entry.says} />
            </span>
            {entry.detail === undefined ? null : (
              <span class="palette-detail">
                <Shown text={entry.detail} />
              </span>
            )}
          </div>
        ))}
        {entries.length === 0 ? <p class="quiet palette-none">Nothing of that name.</p> : null}
      </div>
    </dialog>
  );
}
