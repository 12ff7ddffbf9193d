/** Item 36: the HTML report, opened in a real browser, runs nothing and loads nothing, whatever its fields hold. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/gather/report/html-page.ts';
import { buildReport } from '../../src/gather/report/report-model.ts';
import type { Json } from '../../src/kernel/base/json.ts';
import { decidingFields, mapTexts, sampleEnvelope, sampleProbes } from '../support/sample-envelope.ts';

const executablePath = '/usr/bin/chromium';
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/;
const pwn = 'window.__pwned=1;alert(1)';
const payloads = [
  `<script>${pwn}</script>`,
  `"><script>${pwn}</script><img src=x onerror="${pwn}">`,
  `' onmouseover='${pwn}' style='background:url(http://127.0.0.1:9/x)`,
  `</title></style></pre></code></details><svg onload="${pwn}"><iframe srcdoc="<script>${pwn}</script>">`,
  `<a href="javascript:${pwn}">x</a><link rel=stylesheet href=http://127.0.0.1:9/a.css><meta http-equiv=refresh content=0;url=http://127.0.0.1:9>`,
  `<details open ontoggle="${pwn}"><form action=http://127.0.0.1:9><input autofocus onfocus="${pwn}">`,
];
/** Words that decide what is shown: kept in one of the two rounds, so that every part of the page is there to attack. */
const vocabulary = new Set([...decidingFields, 'severity']);

describe.skipIf(!existsSync(executablePath))('the HTML report in Chromium', () => {
  let browser: Browser;
  let folder: string;
  let hits = 0;
  let address: string;
  const server = createServer((_request, response) => {
    hits += 1;
    response.end();
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codegenie-report-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('G36 the attack works on a page that does not escape', async () => {
    for (const payload of payloads.slice(0, 2)) {
      const { seen } = await visit(`<!doctype html><body><p>${payload}</p></body>`);
      expect(seen.pwned).toBe(1);
      expect(seen.dialogs).toBeGreaterThan(0);
    }
  });

  test('G36 script in every field executes nowhere and nothing is requested', async () => {
    for (const payload of payloads) {
      for (const keep of [vocabulary, new Set<string>()]) {
        const hostile = mapTexts(sampleEnvelope(), (text, key) => (keep.has(key) ? text : payload));
        const page = render(hostile);
        // The policy alone would stop most of it; without the policy the escaping has to.
        for (const source of [page, page.replace(policy, '')]) {
          const { seen, text } = await visit(source);
          expect(seen).toEqual({ pwned: undefined, dialogs: 0, requests: [], foreign: [], handlers: 0 });
          expect(text).toContain(payload.slice(0, 40));
        }
      }
    }
  });

  test('G36 the policy forbids script and every load', async () => {
    const page = render(sampleEnvelope()).replace('</main>', `<script>${pwn}</script><img src="${address}/x"></main>`);
    const { seen } = await visit(page);
    expect(seen).toMatchObject({ pwned: undefined, dialogs: 0 });
    expect(hits).toBe(0);
    await visit(page.replace(policy, ''));
    expect(hits).toBe(1);
  });

  test('it follows the system between light and dark, and fits a narrow screen', async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 800 } });
    const page = await context.newPage();
    await page.goto(await save(render(sampleEnvelope())));
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(light);
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    const long = mapTexts(sampleEnvelope(), (text, key) => (vocabulary.has(key) ? text : 'x'.repeat(255)));
    await page.goto(await save(render(long)));
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBeLessThanOrEqual(360);
    await context.close();
  });

  test('landmarks, one h1, headings that skip no level, names for what has no text, no id twice', async () => {
    const { page, close } = await open(render(sampleEnvelope()));
    const found = (await page.evaluate(`({
      main: document.querySelectorAll('main').length,
      nav: document.querySelectorAll('nav[aria-label]').length,
      banner: document.querySelectorAll('header.masthead').length,
      levels: [...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1])),
      unnamed: document.querySelectorAll('[role=img]:not([aria-label]),[role=region]:not([aria-label]),section:not([aria-labelledby])').length,
      dangling: [...document.querySelectorAll('nav a')].filter((a) => !document.querySelector(a.getAttribute('href'))).length,
      ids: [...document.querySelectorAll('[id]')].map((e) => e.id),
      summary: [...document.querySelectorAll('details.probe')].every((d) => !d.open && d.querySelector('summary').textContent.length > 3),
    })`)) as {
      main: number;
      nav: number;
      banner: number;
      levels: number[];
      unnamed: number;
      dangling: number;
      ids: string[];
      summary: boolean;
    };
    expect(found).toMatchObject({ main: 1, nav: 1, banner: 1, unnamed: 0, dangling: 0, summary: true });
    expect(found.levels.filter((level) => level === 1)).toHaveLength(1);
    found.levels.forEach((level, position) => {
      expect(level - (found.levels[position - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
    expect(new Set(found.ids).size).toBe(found.ids.length);
    await close();
  });

  test('evidence is one click away, without script', async () => {
    const { page, close } = await open(render(sampleEnvelope()));
    // Our own account of the gather is folded.
    await page.locator('details.account > summary').click();
    const row = page.locator('details.probe', { hasText: 'node_manifest' }).first();
    expect(await row.getByText('pnpm-lock.yaml:812').isVisible()).toBe(false);
    await row.locator('summary').click();
    expect(await row.getByText('pnpm-lock.yaml:812').isVisible()).toBe(true);
    await close();
  });

  function render(envelope: Json): string {
    return renderHtml(buildReport(envelope, sampleProbes()));
  }

  async function save(source: string): Promise<string> {
    const file = join(folder, 'report.html');
    await writeFile(file, source);
    return `file://${file}`;
  }

  async function open(
    source: string,
  ): Promise<{ page: Page; seen: { dialogs: number; requests: string[] }; close: () => Promise<void> }> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const seen = { dialogs: 0, requests: [] as string[] };
    page.on('dialog', (dialog) => {
      seen.dialogs += 1;
      void dialog.dismiss();
    });
    const url = await save(source);
    page.on('request', (request) => {
      if (request.url() !== url) seen.requests.push(request.url());
    });
    await page.goto(url, { waitUntil: 'load' });
    return { page, seen, close: () => context.close() };
  }

  /** Opens everything, moves over everything, and tells what happened. */
  async function visit(source: string) {
    const { page, seen, close } = await open(source);
    const inside = (await page.evaluate(`(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      for (const element of document.querySelectorAll('*')) {
        for (const type of ['mouseover', 'focus', 'click', 'toggle']) {
          if (type !== 'click' || element.tagName !== 'A') element.dispatchEvent(new Event(type));
        }
      }
      return {
        pwned: window.__pwned,
        foreign: [...document.querySelectorAll('script,img,svg,iframe,object,embed,link,form,input,base,a[href^="javascript"]')].map((e) => e.tagName),
        handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length,
        text: document.documentElement.textContent,
      };
    })()`)) as { pwned?: unknown; foreign: string[]; handlers: number; text: string };
    await close();
    const { text, ...found } = inside;
    return { text, seen: { ...seen, pwned: found.pwned, foreign: found.foreign, handlers: found.handlers } };
  }
});
