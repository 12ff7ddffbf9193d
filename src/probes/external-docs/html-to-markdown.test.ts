import { expect, test } from 'vitest';
import { type HtmlDocument, htmlToMarkdown } from './html-to-markdown.ts';

function convert(html: string): HtmlDocument {
  const page = htmlToMarkdown(html);
  if (page === undefined) throw new Error('refused');
  return page;
}

test('headings, paragraphs, lists, links, code and tables', () => {
  const page = convert(`<!doctype html><html><head><title> Deploy
    guide </title><meta name="Keywords" content="deploy, canary"></head><body>
    <h1>Deploy &amp; roll back</h1><p>First <b>bold</b> and <a href="/x?q=1">link</a>.</p>
    <ul><li><p>one</p><li>two<ol><li>inner</li></ol></ul>
    <pre><code>a  b
  c</code></pre><table><tr><th>k<th>v<tr><td>1<td>2</table><hr><blockquote>said</blockquote></body></html>`);
  expect(page.title).toBe('Deploy guide');
  expect(page.keywords).toEqual(['deploy', 'canary']);
  expect(page.markdown).toBe(
    [
      '# Deploy & roll back',
      '',
      'First **bold** and [link](/x).',
      '',
      '- one',
      '',
      '- two',
      '',
      '  1. inner',
      '',
      '```',
      'a  b',
      '  c',
      '```',
      '',
      '| k | v',
      '| 1 | 2',
      '',
      '---',
      '',
      '> said',
      '',
    ].join('\n'),
  );
});

test('G36 scripts, styles, handlers and script links leave nothing behind', () => {
  const page = convert(
    '<script>alert(1)</script><style>p{}</style><noscript>n</noscript><svg><script>x</script><title>t</title></svg>' +
      '<p onclick="alert(2)">kept <a href="javascript:alert(3)">a</a><a href="data:text/html,x">b</a></p><!-- c --><iframe src="x">d</iframe>',
  );
  expect(page.markdown).toBe('kept ab\n');
  expect(page.title).toBeNull();
});

test('broken markup is read to its end', () => {
  expect(convert('<p>a<div>b</p></div></pre></a><h2>c').markdown).toBe('a\n\nb\n\n## c\n');
  expect(convert(`${'<div><ul><li>'.repeat(300)}x`).markdown).toContain('- x');
  expect(convert('').markdown).toBe('');
  expect(convert('<pre>a```b</pre>').markdown).toBe('```\na` ` `b\n```\n');
});

test('G16 nesting without end, and long runs of white space, cost no more than their length', () => {
  expect(htmlToMarkdown('<b>'.repeat(1_700_000))).toBeUndefined();
  expect(convert(`<pre>a${' '.repeat(1_000_000)}b</pre>`).markdown.length).toBe(1_000_011);
  expect(convert('<br>'.repeat(100_000)).markdown).toBe('');
});
