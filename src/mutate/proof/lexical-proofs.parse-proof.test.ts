import { expect, test } from 'vitest';
import { applyEdits, parseProof, proveEdits, type TextEdit } from './lexical-proofs.ts';

/** Every `«old→new»` of the text is an edit. */
function edited(marked: string, form: TextEdit['form'] = 'plain') {
  let text = '';
  let from = 0;
  const edits: TextEdit[] = [];
  for (const match of marked.matchAll(/«(.*?)→(.*?)»/g)) {
    text += marked.slice(from, match.index);
    const [, oldText = '', newText = ''] = match;
    const isExpanded = /^\w+: \w+$/.test(newText);
    edits.push({
      start: text.length,
      end: text.length + oldText.length,
      oldText,
      newText,
      form: isExpanded ? 'shorthand_value' : form,
    });
    text += oldText;
    from = match.index + match[0].length;
  }
  text += marked.slice(from);
  const after = applyEdits(text, edits);
  if (after.kind === 'unfit') throw new Error(after.why);
  return { text, newText: after.text, edits };
}

async function prove(path: string, language: string | null, marked: string, form?: TextEdit['form']) {
  const { text, newText, edits } = edited(marked, form);
  const proof = await parseProof(path, language, text, newText, edits);
  return proof.kind === 'holds'
    ? 'holds'
    : proof.places.map(({ start, end, says }) => `${text.slice(start, end)}: ${says}`);
}

test.each([
  ['a.py', 'python', 'def «f→g»(x):\n    return «f→g»(x) + 1\n'],
  ['a.py', 'python', '__all__ = ["«f→longer»", "g"]\n'],
  ['a.go', 'go', 'package p\n\nfunc «a→b»() int { return «a→b»() }\n'],
  ['a.ts', 'typescript', 'const «a→b» = 1; const o = { «a→a: b» };\n'],
  ['a.tsx', 'typescript', 'const «A→B» = () => null; const x = <«A→B»>«A→A»</«A→B»>;\n'],
  ['notes.txt', null, 'about «a→b» and more\n'],
])('an edit of names holds: %s %s', async (path, language, marked) => {
  expect(await prove(path, language, marked)).toBe('holds');
});

test('a file that is not parsed is held to its text alone', async () => {
  const question = { source: () => ({ text: 'about a\n' }), file: () => ({ language: null }) } as never;
  const edit = { path: 'notes.txt', start: 6, end: 7, oldText: 'a', newText: 'b', form: 'plain' } as const;
  expect(await proveEdits(question, [edit])).toMatchObject({ kind: 'proved' });
  expect(await proveEdits(question, [{ ...edit, oldText: 'c' }])).toMatchObject({ reason: 'overlap' });
});

test('what did not parse before may stay as it is', async () => {
  expect(await prove('a.py', 'python', 'def (\n«f→g»(1)\n')).toBe('holds');
});

test('a name that becomes a word of the language breaks', async () => {
  expect(await prove('a.py', 'python', '«f→class» = 1\n')).not.toBe('holds');
  expect(await prove('a.go', 'go', 'package p\n\nvar «a→func» = 1\n')).not.toBe('holds');
});

test('an edit that changes what is around it breaks', async () => {
  expect(await prove('a.py', 'python', 'x = "«f→g" + "»"\n', 'string')).not.toBe('holds');
  expect(await prove('a.ts', 'typescript', 'let «a→a/*» = 1; /* x */\n')).not.toBe('holds');
});

test('E1 a text that differs anywhere else is not the planned one', async () => {
  const { text, newText, edits } = edited('x = 1\n«f→g» = 2\n');
  const proof = await parseProof('a.py', 'python', text, newText.replace('1', '3'), edits);
  expect(proof).toMatchObject({ kind: 'breaks', places: [{ start: 4 }] });
});

test('E7 overlapping edits are refused and equal ones applied once', () => {
  const edit = { start: 0, end: 1, oldText: 'f', newText: 'g', form: 'plain' } as const;
  expect(applyEdits('f = 1', [edit, edit])).toMatchObject({ kind: 'edited', text: 'g = 1' });
  expect(applyEdits('f = 1', [edit, { ...edit, newText: 'h' }])).toMatchObject({ kind: 'unfit' });
  expect(applyEdits('x = 1', [edit])).toMatchObject({ kind: 'unfit' });
});
