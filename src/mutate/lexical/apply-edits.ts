/** Edits over one text, and where each place of it lies afterwards. Pure; offsets are UTF-16 units. */

import type { EditForm } from '../outcome.ts';

export type TextEdit = {
  readonly start: number;
  readonly end: number;
  readonly oldText: string;
  readonly newText: string;
  readonly form: EditForm;
};

export type EditedText =
  | {
      readonly kind: 'edited';
      readonly text: string;
      readonly edits: readonly TextEdit[];
      /** Where a place outside every edit, or at the beginning of one, lies afterwards. */
      readonly moved: (index: number) => number;
    }
  | { readonly kind: 'unfit'; readonly start: number; readonly end: number; readonly why: string };

/** Equal edits count once; edits that overlap, or stand on other text than they say, are nobody's plan. */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditedText {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const kept: TextEdit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && edit.start < last.end) {
      if (last.start === edit.start && last.end === edit.end && last.newText === edit.newText) continue;
      return { kind: 'unfit', start: edit.start, end: edit.end, why: 'two edits overlap' };
    }
    if (text.slice(edit.start, edit.end) !== edit.oldText)
      return { kind: 'unfit', start: edit.start, end: edit.end, why: 'the text is not what the edit replaces' };
    kept.push(edit);
  }
  const parts: string[] = [];
  const starts: number[] = [];
  const shifts: number[] = [];
  let from = 0;
  let shift = 0;
  for (const { start, end, newText } of kept) {
    parts.push(text.slice(from, start), newText);
    from = end;
    shift += newText.length - (end - start);
    starts.push(start);
    shifts.push(shift);
  }
  parts.push(text.slice(from));
  const moved = (index: number): number => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return index + (low === 0 ? 0 : (shifts[low - 1] ?? 0));
  };
  return { kind: 'edited', text: parts.join(''), edits: kept, moved };
}

/** Which side of an expansion lexical scope looks at. Undefined: none, the edit is text. */
const scopeSide: Readonly<Record<EditForm, 'whole' | 'left' | 'right' | undefined>> = {
  plain: 'whole',
  shorthand_value: 'right',
  shorthand_property: 'right',
  destructured_property: 'right',
  destructured_local: 'right',
  import_keeps_local: 'right',
  import_local: 'right',
  export_keeps_public: 'left',
  export_public: 'left',
  string: undefined,
  jsdoc: undefined,
  specifier: undefined,
};

/** Offset of the lexically bound name inside an edit's new text. */
export function boundOffset({ form, newText }: TextEdit): number | undefined {
  switch (scopeSide[form]) {
    case 'whole':
    case 'left':
      return 0;
    case 'right':
      return newText.length - (/[^\s:]+$/u.exec(newText)?.[0].length ?? newText.length);
    default:
      return undefined;
  }
}
