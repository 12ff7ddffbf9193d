/**
 * Commands that a guide of the repository tells its developers to type: lines of shell blocks under headings about developing, testing and
 * building. A README also shows how the product is used, so fewer of its headings count; that a command is one of this repository, and no
 * example, is for the caller to find out by what the repository has.
 */

import { scanMarkdownLines } from '../shared/markdown.ts';

export type DocumentedCommand = {
  /** One command, its continuations joined. */
  readonly text: string;
  /** Of its first line, and what that line holds of it. */
  readonly line: number;
  readonly shows: string;
  /** Commands of one block are typed one after the other, in the same shell. */
  readonly block: number;
  /** The directory that the text before it names, as the document writes it. */
  readonly place: string | null;
};

/** The guides, the one that is most about development first. */
const guides: readonly RegExp[] = [
  /^contributing\.(?:md|rst)$/i,
  /^(?:agents|claude|development|developing|hacking)\.md$/i,
  /^readme\.(?:md|rst)$/i,
];

/** Less is better; undefined for a file that is no guide. */
export function guideRank(path: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const at = guides.findIndex((guide) => guide.test(name));
  return at < 0 ? undefined : at;
}

const maxCommands = 200;
const aboutDevelopment =
  /\b(?:develop\w*|contribut\w*|hacking|tests?|testing|build(?:s|ing)?|compil(?:e|ing|ation)|lint(?:s|ing|er)?|format(?:ting)?|type-?check(?:s|ing)?|(?:from|the) source|code style|checks?|working on|local(?:ly)?(?: (?:set ?up|environment))?)\b/i;
const aboutSomethingElse =
  /\b(?:usage|using|examples?|deploy\w*|releas\w*|publish\w*|migrat\w*|upgrad\w*|benchmark\w*|troubleshooting|faq|docker|kubernetes|your (?:app|project|own)\w*|integrat\w*|plugins?)\b/i;
export const README_RANK = guides.length - 1;

export function readDocumentedCommands(path: string, text: string): readonly DocumentedCommand[] {
  const rank = guideRank(path);
  if (rank === undefined) return [];
  const lines = path.toLowerCase().endsWith('.rst') ? listRestructured(text) : listMarkdown(text);
  const found: DocumentedCommand[] = [];
  let open: DocumentedCommand | undefined;
  for (const { headings, block, line, typed, place } of lines) {
    if (found.length >= maxCommands) break;
    if (headings.some((heading) => aboutSomethingElse.test(heading))) continue;
    if (rank === README_RANK && !headings.some((heading) => aboutDevelopment.test(heading))) continue;
    const part = typed.replace(/\\\s*$|\s+#\s.*$/, '').trim();
    const before: DocumentedCommand | undefined = open?.block === block ? open : undefined;
    const whole: DocumentedCommand =
      before === undefined
        ? { text: part, line, shows: part, block, place }
        : { ...before, text: `${before.text} ${part}` };
    open = /\\\s*$/.test(typed) ? whole : undefined;
    if (open === undefined) found.push(whole);
  }
  return found;
}

type TypedLine = {
  /** From the outermost to the nearest, without the title: that says what the product is, not what the section is about. */
  readonly headings: readonly string[];
  readonly block: number;
  readonly line: number;
  /** Without the prompt. */
  readonly typed: string;
  readonly place: string | null;
};

/** `from the `api` directory`: holds until another is named, or for the rest of the section. */
function placeIn(text: string): string | null {
  const named =
    /\b(?:from|in|inside|into)\s+(?:the\s+)?`([\w./-]{1,200})`\s+(?:sub)?(?:directory|folder|package)/i.exec(
      text,
    )?.[1] ?? /\b(?:from|in|inside|into)\s+(?:the\s+)?`([\w./-]{1,200}\/)`/i.exec(text)?.[1];
  if (named !== undefined) return named;
  return /\b(?:from|in|at)\s+the\s+(?:project|repository|repo)?\s?(?:root|top[- ]level)/i.test(text) ? '/' : null;
}

const shellFence =
  /^\s*(?:>\s*)?(?:`{3,}|~{3,})\s*\{?\.?(sh|bash|shell|zsh|console|terminal|shell-session|shellsession|text)?(?:[\s{},][^`]*)?$/i;

function listMarkdown(text: string): TypedLine[] {
  const headings: string[] = [];
  const found: TypedLine[] = [];
  let block = 0;
  let language: string | null = null;
  let lines: { line: number; text: string }[] = [];
  const close = () => {
    found.push(...typedOf(lines, language ?? '').map((one) => ({ ...one, headings: [...headings], block, place })));
    lines = [];
    language = null;
  };
  let inBlock = false;
  let hasTitle = false;
  let place: string | null = null;
  // In a list a fence is indented like the item that it belongs to.
  for (const { line, text: raw, kind, heading } of scanMarkdownLines(
    text.replace(/^[ \t]{4,16}(?=```|~~~)/gm, '   '),
  )) {
    if (kind === 'code') {
      const isFence = /^\s*(?:>\s*)?(?:`{3,}|~{3,})/.test(raw);
      if (isFence && !inBlock) {
        inBlock = true;
        block += 1;
        const fence = shellFence.exec(raw);
        language = fence === null ? null : (fence[1]?.toLowerCase() ?? '');
      } else if (isFence) {
        inBlock = false;
        if (language !== null) close();
        lines = [];
      } else if (language !== null) lines.push({ line, text: raw });
      continue;
    }
    inBlock = false;
    lines = [];
    place = heading === undefined ? (placeIn(raw) ?? place) : null;
    if (heading !== undefined) {
      headings.length = Math.min(headings.length, heading.level - 1);
      while (headings.length < heading.level - 1) headings.push('');
      headings.push(hasTitle ? heading.text : '');
      hasTitle = true;
    }
  }
  return found;
}

/** Also `shop$ `: the shell says where it is. */
const prompt = /^\s*[\w.~/-]{0,40}\$\s+(.+)$/;

/** With prompts in it, only what stands behind one was typed; a block of no language must have them. */
function typedOf(
  lines: readonly { readonly line: number; readonly text: string }[],
  language: string,
): { line: number; typed: string }[] {
  const prompted = lines.flatMap(({ line, text }) => {
    const typed = prompt.exec(text)?.[1];
    return typed === undefined ? [] : [{ line, typed }];
  });
  if (prompted.length > 0) return prompted;
  if (language === '' || language === 'text' || language.includes('session') || language === 'console') return [];
  return lines
    .map(({ line, text }) => ({ line, typed: text.trim() }))
    .filter(({ typed }) => typed !== '' && !typed.startsWith('#'));
}

/** Sections are underlined; a block follows `::` or a directive and is indented. */
function listRestructured(text: string): TypedLine[] {
  const underline = /^([=\-~^"'#*+.])\1{2,}\s*$/;
  const lines = text.split('\n', 10_000).map((line) => line.replace(/\r$/, '').slice(0, 4_000));
  const marks: string[] = [];
  const headings: string[] = [];
  const found: TypedLine[] = [];
  let block = 0;
  let hasTitle = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const mark = underline.exec(lines[at + 1] ?? '')?.[1];
    if (mark !== undefined && /^\S/.test(line) && !underline.test(line)) {
      if (!marks.includes(mark)) marks.push(mark);
      headings.length = Math.min(headings.length, marks.indexOf(mark));
      headings.push(hasTitle ? line.trim() : '');
      hasTitle = true;
      continue;
    }
    const directive = /^\s*\.\. code(?:-block)?::\s*(\S*)/.exec(line);
    if (
      directive === null
        ? !/^(?!\s*\.\. ).*::\s*$/.test(line)
        : !/^(?:sh|bash|shell|console|text|)$/.test(directive[1] ?? '')
    )
      continue;
    const indent = line.search(/\S/);
    const inside: { line: number; text: string }[] = [];
    while (at + 1 < lines.length && (lines[at + 1]?.trim() === '' || (lines[at + 1] ?? '').search(/\S/) > indent)) {
      at += 1;
      inside.push({ line: at + 1, text: lines[at] as string });
    }
    block += 1;
    const language = directive === null ? 'sh' : (directive[1] ?? '');
    found.push(...typedOf(inside, language).map((one) => ({ ...one, headings: [...headings], block, place: null })));
  }
  return found;
}
