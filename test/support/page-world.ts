/** The page for people in a real browser: one Chromium for all tests of it, a repository and a daemon for each that asks. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { ensurePageBuilt } from '../../src/serve/page/page-files.ts';
import type { RunningDaemon } from './daemon-world.ts';
import { hasTool } from './tools.ts';

/** The name of what is missing, for the titles of tests that are skipped. */
const browserName = 'chromium';
export const hasBrowser = hasTool(browserName);

export type Sight = {
  readonly page: Page;
  /** What the browser complained of: an error, or something that the policy forbade. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

export type PageWorld = {
  /** A window of its own, as of another person. */
  open(address: string, size?: { readonly width: number; readonly height: number }): Promise<Sight>;
  close(): Promise<void>;
};

export async function openPageWorld(): Promise<PageWorld> {
  await ensurePageBuilt(() => {});
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(`no ${browserName} on PATH`);
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    async open(address, viewport = { width: 1280, height: 800 }) {
      const context: BrowserContext = await browser.newContext({ viewport, reducedMotion: 'reduce' });
      // For what hangs.
      context.setDefaultTimeout(120_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // That a daemon is gone is a failed request to the browser.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
          complaints.push(message.text());
      });
      await page.goto(address);
      return { page, complaints, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

function findBrowser(): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  return directories.map((directory) => join(directory, browserName)).find((path) => existsSync(path));
}

/** The address of the page with another room in it. */
export function roomAt({ at }: Pick<RunningDaemon, 'at'>, room: string): string {
  const [base = '', key = ''] = (at.page ?? '').split('/#');
  return `${base}${room}#${key}`;
}
