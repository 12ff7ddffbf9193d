/** Text of the repository as a person may read it: what would hide or reorder is shown as what it is. Never markup. */

import type { VNode } from 'preact';

const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;
const hiddenParts = new RegExp(`(${hidden.source})`, 'u');

export function Shown({ text }: { readonly text: string }): VNode {
  if (!hidden.test(text)) return <>{text}</>;
  return (
    <>
      {text.split(hiddenParts).map((part) =>
        hidden.test(part) ? (
          <span class="hidden-mark" title="a character that would not be seen">
            {numberOf(part)}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}

/** The same where there can be no part of its own: in pictures and labels. */
export function shownText(text: string): string {
  return text
    .split(hiddenParts)
    .map((part) => (hidden.test(part) ? numberOf(part) : part))
    .join('');
}

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A path whose last part is what is looked for: the folders step back, and are cut first where there is no room. */
export function Path({ path, line }: { readonly path: string; readonly line?: number | undefined }): VNode {
  const at = path.lastIndexOf('/') + 1;
  return (
    <span class="path">
      <span class="path-folder">
        <Shown text={path.slice(0, at)} />
      </span>
      <span class="path-name">
        <Shown text={path.slice(at)} />
        {line === undefined ? null : <span class="path-line">:{line}</span>}
      </span>
    </span>
  );
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `3 min ago`. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return 'at an unknown time';
  if (seconds < 45) return 'just now';
  if (seconds < 5_400) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}
