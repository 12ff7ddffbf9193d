import { expect, test } from 'vitest';
import { scopeProof, type TextEdit } from './lexical-proofs.ts';

/** All `«a»` of the text become `b`. */
async function prove(path: string, language: string, marked: string, newName = 'b', form: TextEdit['form'] = 'plain') {
  let text = '';
  const edits: TextEdit[] = [];
  for (const [index, part] of marked.split(/[«»]/).entries()) {
    const newText = form === 'plain' ? newName : `${part}: ${newName}`;
    if (index % 2 === 1)
      edits.push({ start: text.length, end: text.length + part.length, oldText: part, newText, form });
    text += part;
  }
  const proof = await scopeProof(path, language, text, edits);
  return proof.kind === 'breaks'
    ? proof.places.map(({ start, end, says }) => `${text.slice(start, end)} ${says}`)
    : proof.kind;
}

test('every name of a binding renamed: it holds', async () => {
  expect(await prove('a.py', 'python', 'def f(«a»):\n    g = lambda: «a»\n    return o.a + g()\n')).toBe('holds');
  expect(await prove('a.go', 'go', 'package p\n\nfunc f(«a» int) int {\n\treturn «a» + x.a\n}\n')).toBe('holds');
  expect(await prove('a.ts', 'typescript', 'const «a» = 1; f(«a», o.a);\n')).toBe('holds');
  expect(await prove('a.rs', 'rust', 'fn f(«a»: i32) -> i32 { «a» + 1 }\n')).toBe('holds');
});

test('M11 an expanded shorthand keeps what it is bound to', async () => {
  expect(await prove('a.ts', 'typescript', 'const a = 1; const o = { «a» };\n', 'a', 'shorthand_value')).toBe('holds');
});

test('M16 a reference that an inner declaration would capture breaks', async () => {
  expect(await prove('a.py', 'python', 'def f(«a»):\n    def g(b):\n        return «a» + b\n    return g\n')).toEqual([
    'a it would be bound to another declaration',
  ]);
});

test('M16 a free name that the renamed declaration would capture breaks', async () => {
  expect(await prove('a.py', 'python', 'def f(«a»):\n    return len(«a»)\n', 'len')).toEqual([
    'len it would be bound to a declaration of the file',
  ]);
});

test('M16 two declarations that would become one break, also where nothing refers to them', async () => {
  expect(await prove('a.py', 'python', '«a» = 1\nb = 2\n')).toEqual(['b it would be bound to another declaration']);
});

test('a name that is left behind breaks', async () => {
  expect(await prove('a.py', 'python', 'def f(«a»):\n    return a\n')).toEqual([
    'a nothing in the file would declare it any more',
  ]);
});

test('a language without a scope model cannot be proved', async () => {
  expect(await scopeProof('a.md', 'markdown', 'a', [])).toMatchObject({ kind: 'cannot' });
});
