/**
 * The YAML between two `---` lines at the top of a Markdown file, and where the body begins.
 *
 * `bodyOffset` counts UTF-8 bytes of the text that was given; a BOM at its start belongs to it, a BOM that the decoder has
 * already dropped cannot. The front matter itself is not parsed here.
 */

export type Frontmatter =
  | { readonly kind: 'none'; readonly bodyOffset: 0 }
  | { readonly kind: 'unterminated' }
  | { readonly kind: 'found'; readonly yaml: string; readonly bodyOffset: number };

export function splitFrontmatter(text: string): Frontmatter {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const first = lineFrom(text, start);
  if (!isFence(first.line)) return { kind: 'none', bodyOffset: 0 };
  for (let at = first.next; at < text.length; ) {
    const { line, next } = lineFrom(text, at);
    if (isFence(line)) {
      const bodyOffset = Buffer.byteLength(text.slice(0, Math.min(next, text.length)));
      return { kind: 'found', yaml: text.slice(first.next, at), bodyOffset };
    }
    at = next;
  }
  return { kind: 'unterminated' };
}

/** White space behind the dashes is invisible and therefore forgiven; before them it is not a fence. */
function isFence(line: string): boolean {
  return line.startsWith('---') && line.trimEnd() === '---';
}

function lineFrom(text: string, start: number): { readonly line: string; readonly next: number } {
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd === -1 ? text.length : lineEnd;
  return { line: text.slice(start, end), next: end + 1 };
}
