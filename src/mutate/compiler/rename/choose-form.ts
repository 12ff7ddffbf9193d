/**
 * How an occurrence is written anew (mutation.md §2.8), by which of its sides are renamed. Where a token says one name for two things and
 * only one of them is renamed, the other keeps its name by an expansion (M11). Only the token's own span changes.
 */

import type { EditForm } from '../../outcome.ts';
import type { NameToken } from '../in-job.ts';
import type { CompilerEdit } from '../types.ts';
import type { Shape } from './read-sides.ts';

export type Renamed = { readonly first: boolean; readonly second: boolean };

type Form = { readonly form: EditForm; readonly text: (old: string, fresh: string) => string };

const plain: Form = { form: 'plain', text: (_, fresh) => fresh };

const expansions: Record<Shape, { readonly first: Form | null; readonly second: Form | null }> = {
  name: { first: plain, second: null },
  shorthand: {
    first: { form: 'shorthand_value', text: (old, fresh) => `${old}: ${fresh}` },
    second: { form: 'shorthand_property', text: (old, fresh) => `${fresh}: ${old}` },
  },
  binding: {
    first: { form: 'destructured_local', text: (old, fresh) => `${old}: ${fresh}` },
    second: { form: 'destructured_property', text: (old, fresh) => `${fresh}: ${old}` },
  },
  import: {
    first: { form: 'import_local', text: (old, fresh) => `${old} as ${fresh}` },
    second: { form: 'import_keeps_local', text: (old, fresh) => `${fresh} as ${old}` },
  },
  whole_import: { first: plain, second: null },
  export: {
    first: { form: 'export_keeps_public', text: (old, fresh) => `${fresh} as ${old}` },
    second: { form: 'export_public', text: (old, fresh) => `${old} as ${fresh}` },
  },
  export_value: { first: plain, second: null },
};

/** `written` is the token as it stands, with the escapes it may have. */
export function chooseForm(
  token: NameToken,
  shape: Shape,
  renamed: Renamed,
  written: string,
  newName: string,
): CompilerEdit | null {
  const form = formOf(shape, renamed);
  if (form === null) return null;
  return {
    path: token.path,
    start: token.start,
    end: token.end,
    oldText: written,
    newText: form.text(token.text, newName),
    form: form === plain ? plainForm(token) : form.form,
  };
}

function formOf(shape: Shape, { first, second }: Renamed): Form | null {
  if (first && second) return plain;
  if (first) return expansions[shape].first;
  return second ? expansions[shape].second : null;
}

function plainForm({ kind }: NameToken): EditForm {
  if (kind === 'string' || kind === 'template') return 'string';
  return kind === 'jsdoc' ? 'jsdoc' : 'plain';
}
