/**
 * The static YAML of a helm template. Nothing is rendered: actions that control flow disappear with their line, actions that stand
 * for a value become the word `templated`. Of `if … else … end` the first branch stays (both would give a key twice), and
 * `define` blocks are left out: they are functions. One pass, linear, whatever the text.
 */

export const TEMPLATED = 'templated';

type Piece = { readonly kind: 'text' | 'action'; readonly text: string };
type Block = { hidden: boolean };

const openers = /^(?:if|with|range|define|block)\b/;
/** Actions that leave nothing on their line: comments, assignments, and those that bring lines of their own. */
const silent = /^\/\*|^\$\w*\s*:?=|\bn?indent\s+\d/;

export function stripTemplate(template: string): { readonly yaml: string; readonly hadActions: boolean } {
  const blocks: Block[] = [];
  const lines: string[] = [];
  let hidden = 0;
  let hadActions = false;
  let line = '';
  let lineHasAction = false;

  const hide = (block: Block) => {
    if (!block.hidden) hidden += 1;
    block.hidden = true;
  };
  const endLine = () => {
    // A line of nothing but actions says nothing.
    if (!lineHasAction || line.replaceAll(TEMPLATED, '').trim() !== '') lines.push(line);
    line = '';
    lineHasAction = false;
  };
  const visitAction = (action: string) => {
    lineHasAction = true;
    if (openers.test(action)) {
      const block: Block = { hidden: false };
      blocks.push(block);
      if (action.startsWith('define')) hide(block);
    } else if (/^else\b/.test(action)) {
      const block = blocks.at(-1);
      if (block !== undefined) hide(block);
    } else if (/^end\b/.test(action)) {
      if (blocks.pop()?.hidden) hidden -= 1;
    } else if (hidden === 0 && !silent.test(action)) line += TEMPLATED;
  };

  for (const { kind, text } of splitActions(template)) {
    if (kind === 'action') {
      hadActions = true;
      visitAction(text.replace(/^-?\s*/, ''));
    } else if (hidden === 0) {
      const [first = '', ...rest] = text.split('\n');
      line += first;
      for (const next of rest) {
        endLine();
        line = next;
      }
    }
  }
  endLine();
  return { yaml: lines.join('\n'), hadActions };
}

/** Text and `{{ … }}` in turn; an action without an end swallows the rest. */
function* splitActions(template: string): Generator<Piece> {
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf('{{', position);
    if (open < 0) break;
    if (open > position) yield { kind: 'text', text: template.slice(position, open) };
    const isComment = /^\{\{-?\s*\/\*/.test(template.slice(open, open + 20));
    const close = isComment ? closeOfComment(template, open) : template.indexOf('}}', open + 2);
    if (close < 0) return;
    yield { kind: 'action', text: template.slice(open + 2, close) };
    position = close + 2;
  }
  if (position < template.length) yield { kind: 'text', text: template.slice(position) };
}

function closeOfComment(template: string, open: number): number {
  const end = template.indexOf('*/', open);
  return end < 0 ? -1 : template.indexOf('}}', end);
}
