/** `.nvmrc`, `.node-version`, `.python-version`: the first line that says something, without its comment. */

export function firstLine(text: string): string | null {
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const comment = text.slice(start, end).indexOf('#');
    const line = text.slice(start, comment === -1 ? end : start + comment).trim();
    if (line !== '') return line;
    start = end + 1;
  }
  return null;
}
