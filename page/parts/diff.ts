/** Two texts side by side, or one below the other where there is no room: CodeMirror with its merge view, for reading. */

import { LanguageSupport, LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { LRParser } from '@lezer/lr';
import { parserOf } from './highlight.ts';

const look = EditorView.theme({
  '&': { fontSize: '12.4px', backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', border: '0', color: 'var(--faint)' },
  '.cm-content': { caretColor: 'transparent' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'light-dark(#fdf0ee, #2c1c1b)' },
  '&.cm-merge-b .cm-changedLine, .cm-changedLine': { backgroundColor: 'light-dark(#edf7f0, #17271f)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'light-dark(#f7cdc8, #5c2a26)' },
  '&.cm-merge-b .cm-changedText, .cm-changedText': { background: 'light-dark(#bfe6cb, #1f5636)' },
  '.cm-changeGutter': { display: 'none' },
  '.cm-collapsedLines': {
    background: 'var(--sunk)',
    color: 'var(--soft)',
    padding: '3px 10px',
    fontFamily: 'var(--sans)',
  },
  '.cm-specialChar': { color: 'var(--bad)' },
});

/** In the tree of the editor, where the page's style sheet does not reach. */
const colours = `
.tok-keyword, .tok-modifier { color: light-dark(#8b3a7d, #d59bd0); }
.tok-string, .tok-string2 { color: light-dark(#2c6a2f, #93c98c); }
.tok-comment { color: light-dark(#5f6661, #98a09b); font-style: italic; }
.tok-number, .tok-bool, .tok-atom { color: light-dark(#8a420d, #e0a070); }
.tok-typeName, .tok-className { color: light-dark(#205f93, #86bce8); }
.tok-definition { color: light-dark(#1b4f8a, #9cc5ff); }
.tok-propertyName { color: light-dark(#3f5468, #a9c0d4); }`;

export async function showDiff(
  place: HTMLElement,
  {
    path,
    before,
    after,
    isNarrow,
  }: { readonly path: string; readonly before: string; readonly after: string; readonly isNarrow: boolean },
): Promise<() => void> {
  const parser = await parserOf(path);
  const shadow = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(colours);
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
  const extensions: Extension[] = [
    lineNumbers(),
    highlightSpecialChars(),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-label': path, 'aria-readonly': 'true' }),
    EditorView.lineWrapping,
    syntaxHighlighting(classHighlighter),
    look,
    ...(parser === undefined ? [] : [new LanguageSupport(LRLanguage.define({ parser: parser as LRParser }))]),
  ];
  const collapseUnchanged = { margin: 3, minSize: 6 };
  if (isNarrow) {
    const unified = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged, gutter: false });
    const view = new EditorView({ doc: after, extensions: [...extensions, unified], parent: shadow, root: shadow });
    return () => view.destroy();
  }
  const view = new MergeView({
    a: { doc: before, extensions },
    b: { doc: after, extensions },
    parent: shadow,
    root: shadow,
    collapseUnchanged,
    gutter: false,
  });
  return () => view.destroy();
}
