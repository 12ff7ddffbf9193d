/**
 * The page for people in Chromium: how long until it is drawn, how long a letter waits for the page itself, how long a folder
 * of the map takes, and what the tab holds. Needs chromium on PATH. `--files=<n>` (50000), `--quick` (3,000).
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { buildProgram } from './build-program.ts';
import { mb, ms } from './figures.ts';

const perFolder = 200;

export async function benchPage(flags: readonly string[]): Promise<void> {
  const given = flags.find((flag) => flag.startsWith('--files='))?.slice('--files='.length);
  const files = Number(given ?? (flags.includes('--quick') ? 3_000 : 50_000));
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const executablePath = directories.map((one) => join(one, 'chromium')).find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('no chromium on PATH');
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-bench-')));
  const [root, home] = [join(base, 'tree'), join(base, 'home')];
  const program = buildProgram(join(base, 'program'));
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [program, '-C', root, ...args], {
      env: { ...process.env, HOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  try {
    mkdirSync(home, { recursive: true });
    makeTree(root, files);
    run('index', '--quiet');
    run('daemon', 'start', '--syntactic-only', '--quiet');
    const { address } = JSON.parse(run('ui', '--json')) as { readonly address: string };
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const paints: number[] = [];
    const letters: number[] = [];
    const heaps: number[] = [];
    const entered: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(address.replace('/#', '/ask#'));
      await page.getByRole('searchbox').waitFor();
      paints.push(await paintOf(page));
      letters.push(...(await type(page, 'g9_1 value of item')));
      await page.goto(address.replace('/#', '/map?in=src#'));
      entered.push(...(await enterFolders(page)));
      heaps.push(Number(await page.evaluate('performance.memory.usedJSHeapSize')) / 1024 / 1024);
      await page.close();
    }
    await browser.close();
    console.log(`page: ${files} files`);
    console.log(`  first paint after the address was opened: ${ms(paints)}`);
    console.log(
      `  a letter typed in Ask until the page has drawn it: ${ms(letters)}, at most ${Math.max(...letters).toFixed(0)} ms`,
    );
    console.log(`  from Enter on a folder of the map until it is drawn: ${ms(entered)}`);
    console.log(`  memory of the tab's scripts: ${mb(heaps)}`);
  } finally {
    run('daemon', 'stop', '--quiet');
    rmSync(base, { recursive: true, force: true });
  }
}

async function paintOf(page: Page): Promise<number> {
  return Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"));
}

/** From the key to the frame after it, while answers come in. */
async function type(page: Page, text: string): Promise<readonly number[]> {
  await page.getByRole('searchbox').focus();
  await page.evaluate(`window.waits = []; addEventListener('keydown', (event) => {
    requestAnimationFrame(() => requestAnimationFrame(() => window.waits.push(performance.now() - event.timeStamp)));
  }, true)`);
  for (const letter of text) await page.keyboard.type(letter, { delay: 60 });
  return (await page.evaluate('window.waits')) as readonly number[];
}

/** From the key to the frame after the cells of the folder are there. */
async function enterFolders(page: Page): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    await page.locator('.map-cell[href^="/map?in="]').nth(at).focus();
    waits.push(
      Number(
        await page.evaluate(`new Promise((resolve) => {
          const start = performance.now();
          const look = () => document.querySelector('.map-cell[href^="/map?file="]')
            ? requestAnimationFrame(() => resolve(performance.now() - start)) : requestAnimationFrame(look);
          document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
          look();
        })`),
      ),
    );
    await page.keyboard.press('Backspace');
    await page.locator('.map-cell[href^="/map?in="]').first().waitFor();
  }
  return waits;
}

function makeTree(root: string, files: number): void {
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `src/part${Math.floor(at / perFolder)}`);
    if (at % perFolder === 0) mkdirSync(folder, { recursive: true });
    const functions = Array.from(
      { length: 6 },
      (_, line) => `export function g${at}_${line}(value: number): number {\n  return value * ${line};\n}\n`,
    );
    writeFileSync(join(folder, `m${at}.ts`), `// value of item ${at}\n${functions.join('')}`);
  }
}
