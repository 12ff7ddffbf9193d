import { expect, test } from 'vitest';
import { mapTexts, sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import { escapeHtml, html } from './html-elements.ts';
import { contentSecurityPolicy, renderHtml } from './html-page.ts';
import { dark, light, type Palette, textOn } from './html-style.ts';
import { buildReport } from './report-model.ts';

test('G36 a template escapes whatever did not come out of a template', () => {
  const forged = { text: '<b>' } as unknown as string;
  expect(html`<p title="${'"><i>'}">${'<b>&'}${html`<br>`}${3}${null}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;i&gt;">&lt;b&gt;&amp;<br>3</p>',
  );
  expect(() => html`${forged}`.text).toThrow();
  expect(escapeHtml('a\u0000\u202eb`')).toBe('ab&#96;');
});

test('G36 only our own elements appear, whatever the texts are', () => {
  const payload = '"><img src=x onerror=alert(1)><script>1</script></pre></style><a href="javascript:1">';
  const page = renderHtml(
    buildReport(
      mapTexts(sampleEnvelope(), () => payload),
      sampleProbes(),
    ),
  );
  const elements = new Set([...page.matchAll(/<([a-z0-9]+)/g)].map((match) => match[1]));
  for (const element of ['script', 'img', 'iframe', 'object', 'link', 'form', 'svg', 'base'])
    expect(elements).not.toContain(element);
  expect(page).toContain(`content="${contentSecurityPolicy.replaceAll("'", '&#39;')}"`);
  expect(page).toContain('&lt;script&gt;1&lt;/script&gt;');
});

test('stale indexes come first in the page', () => {
  const page = renderHtml(buildReport(sampleEnvelope(), sampleProbes()));
  const order = [...page.matchAll(/<li class="index (fresh|stale)[^>]*><header><b>([^<]+)/g)].map(
    (match) => `${match[1]} ${match[2]}`,
  );
  expect(order).toEqual([
    'stale gitleaks',
    'stale import_graph',
    'stale scip',
    'stale semgrep',
    'fresh dep_graph',
    'fresh runtime_trace',
    'fresh sbom',
  ]);
});

test('every text of the palette has a contrast of at least 4.5 on the grounds it stands on', () => {
  for (const palette of [light, dark]) {
    for (const [text, grounds] of textOn) {
      for (const ground of grounds) {
        expect(contrast(palette, text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});

function contrast(palette: Palette, a: keyof Palette, b: keyof Palette): number {
  const [high, low] = [luminance(palette[a]), luminance(palette[b])].sort((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((from) => {
    const channel = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
