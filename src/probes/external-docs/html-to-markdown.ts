/**
 * HTML to plain markdown, good enough to read and to search: headings, paragraphs, lists, links, code, tables as rows.
 * Scripts, styles and everything that is not text for people is dropped; nothing of the page is ever interpreted.
 * One pass over the parser's events without recursion. Markup that is nested beyond reason is refused: the parser's own stack
 * costs time in the square of its depth (measured: 13 s for 400 000 open tags).
 */

import { Parser } from 'htmlparser2';

export type HtmlDocument = {
  /** Of `<title>`, else null. */
  readonly title: string | null;
  /** Of `<meta name="keywords">`. */
  readonly keywords: readonly string[];
  readonly markdown: string;
};

const dropped = new Set(
  'script style noscript template svg math iframe object embed applet canvas audio video select textarea form button'.split(
    ' ',
  ),
);
const blocks = new Set(
  'p div section article main header footer aside nav figure figcaption address details summary dl dt dd ul ol table thead tbody tfoot tr fieldset'.split(
    ' ',
  ),
);
const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  code: '`',
  kbd: '`',
  samp: '`',
};

const DEPTH_MAX = 1000;
const tooDeep = new Error('nested too deep');

/** Undefined for a page that is nested too deep to be one. */
export function htmlToMarkdown(html: string): HtmlDocument | undefined {
  const out = new MarkdownWriter();
  let title: string | null = null;
  let keywords: string[] = [];
  let inTitle = false;
  let depth = 0;
  let droppedDepth = 0;
  let preDepth = 0;
  const links: (string | null)[] = [];
  const lists: { readonly ordered: boolean; items: number }[] = [];

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > DEPTH_MAX) throw tooDeep;
        if (droppedDepth > 0 || dropped.has(name)) {
          if (dropped.has(name)) droppedDepth += 1;
          return;
        }
        if (name === 'title') inTitle = true;
        else if (name === 'meta' && attributes['name']?.toLowerCase() === 'keywords') {
          keywords = splitKeywords(attributes['content'] ?? '');
        } else if (/^h[1-6]$/.test(name)) out.startBlock(`${'#'.repeat(Number(name[1]))} `);
        else if (name === 'pre') {
          if (preDepth === 0) out.startFence();
          preDepth += 1;
        } else if (name === 'li') {
          const list = lists.at(-1);
          if (list !== undefined) list.items += 1;
          const indent = '  '.repeat(Math.max(0, Math.min(lists.length, 10) - 1));
          out.startLine(`${indent}${list?.ordered === true ? `${list.items}.` : '-'} `);
        } else if (name === 'br') out.startLine('');
        else if (name === 'hr') out.startBlock('---');
        else if (name === 'blockquote') out.startBlock('> ');
        else if (name === 'img') out.write(attributes['alt'] ?? '');
        else if (name === 'td' || name === 'th') out.write('| ');
        else if (name === 'a') {
          const target = linkTarget(attributes['href']);
          links.push(target);
          if (target !== null && preDepth === 0) out.write('[');
        } else if (preDepth === 0 && marks[name] !== undefined) out.write(marks[name]);
        else if (blocks.has(name)) {
          if (name === 'ul' || name === 'ol') lists.push({ ordered: name === 'ol', items: 0 });
          if (name === 'tr') out.startLine('');
          else out.startBlock('');
        }
      },
      ontext(text) {
        if (droppedDepth > 0) return;
        if (inTitle) title = `${title ?? ''}${text}`;
        else if (preDepth > 0) out.writeCode(text);
        else out.write(text);
      },
      onclosetag(name) {
        depth -= 1;
        if (droppedDepth > 0) {
          if (dropped.has(name)) droppedDepth -= 1;
          return;
        }
        if (name === 'title') inTitle = false;
        else if (name === 'pre') {
          preDepth -= 1;
          if (preDepth === 0) out.endFence();
        } else if (name === 'a') {
          const target = links.pop() ?? null;
          if (target !== null && preDepth === 0) out.write(`](${target})`);
        } else if (name === 'td' || name === 'th') out.write(' ');
        else if (preDepth === 0 && marks[name] !== undefined) out.write(marks[name]);
        else if (/^h[1-6]$/.test(name) || name === 'blockquote' || blocks.has(name)) {
          if (name === 'ul' || name === 'ol') lists.pop();
          if (name === 'tr') out.startLine('');
          else out.startBlock('');
        }
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  try {
    parser.write(html);
    parser.end();
  } catch (error) {
    if (error === tooDeep) return undefined;
    throw error;
  }
  const plainTitle = (title as string | null)?.replace(/\s+/g, ' ').trim() ?? '';
  return { title: plainTitle === '' ? null : plainTitle, keywords, markdown: out.finish() };
}

/** Only where a reader could go; `javascript:`, `data:` and the like are no places. */
function linkTarget(href: string | undefined): string | null {
  const target = (href ?? '').trim().split('?')[0] ?? '';
  if (target === '' || target.startsWith('#') || target.length > 1000 || /[\s()<>]/.test(target)) return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(target) && !/^(?:https?|mailto):/i.test(target) ? null : target;
}

function splitKeywords(content: string): string[] {
  return content
    .slice(0, 2000)
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Collects text with white space folded; block starts are remembered and written when text follows. */
class MarkdownWriter {
  private readonly pieces: string[] = [];
  private pending: { readonly breaks: number; readonly prefix: string } | null = null;
  private atLineStart = true;

  write(text: string): void {
    const folded = text.replace(/\s+/g, ' ');
    const visible = this.pending !== null || this.atLineStart ? folded.trimStart() : folded;
    if (visible === '') return;
    this.flush();
    this.pieces.push(visible);
    this.atLineStart = false;
  }

  writeCode(text: string): void {
    this.flush();
    // A fence inside the code would end it early.
    this.pieces.push(text.replaceAll('```', '` ` `'));
    this.atLineStart = false;
  }

  startBlock(prefix: string): void {
    this.pend(2, prefix);
  }

  startLine(prefix: string): void {
    this.pend(1, prefix);
  }

  startFence(): void {
    this.pend(2, '```\n');
    this.flush();
  }

  endFence(): void {
    this.pieces.push('\n```');
    this.pend(2, '');
  }

  finish(): string {
    const lines = this.pieces.join('').split('\n');
    const text = lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
    return text === '' ? '' : `${text}\n`;
  }

  private pend(breaks: number, prefix: string): void {
    const before = this.pending;
    // An item's own paragraph continues the item; an empty heading leaves no mark.
    const kept =
      prefix === '' && before !== null && /^\s*(?:-|\d+\.) $|^> $/.test(before.prefix) ? before.prefix : prefix;
    this.pending = { breaks: Math.max(breaks, before?.breaks ?? 0), prefix: kept };
    if (prefix === '---') this.flush();
  }

  private flush(): void {
    if (this.pending === null) return;
    const { breaks, prefix } = this.pending;
    this.pending = null;
    this.pieces.push(this.pieces.length === 0 ? prefix : '\n'.repeat(breaks) + prefix);
    this.atLineStart = true;
  }
}
