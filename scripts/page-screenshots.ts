// Makes docs/images/page-change.png and docs/images/page-facts.png: the page for people on a small project, as Chromium shows it.
//   npx node scripts/page-screenshots.ts
// Made by hand when what is shown changes. Needs chromium on PATH.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const project: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(
    {
      name: 'store',
      version: '1.2.0',
      license: 'MIT',
      type: 'module',
      exports: './src/index.ts',
      scripts: { build: 'tsc -p .', test: 'vitest run', lint: 'biome ci .' },
      devDependencies: { '@biomejs/biome': '2.6.0', typescript: '5.9.0', vitest: '4.0.0' },
    },
    null,
    2,
  ),
  'package-lock.json': '{"lockfileVersion": 3, "packages": {}}\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "types": [], "lib": ["esnext"] }, "include": ["src"] }\n',
  '.github/workflows/ci.yml':
    'name: ci\non: [push, pull_request]\njobs:\n  check:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: npm run lint\n      - run: npm test\n',
  Dockerfile: 'FROM node:24-slim\nWORKDIR /app\nCOPY . .\nUSER node\nEXPOSE 8080\nCMD ["node", "src/index.ts"]\n',
  'src/cart.ts':
    'export type Item = { readonly price: number; readonly sku: string };\n\n/** What a cart costs, without tax. */\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
  'src/receipt.ts':
    "import { type Item, total } from './cart';\n\nexport function receipt(items: readonly Item[]) {\n  const lines = items.map((item) => item.price.toFixed(2));\n  return { lines, total: total(items) };\n}\n",
  'src/index.ts': "export { receipt } from './receipt';\n",
  'src/cart.test.ts':
    "import { expect, test } from 'vitest';\nimport { total } from './cart';\n\ntest('a cart costs what is in it', () => {\n  expect(total([{ price: 2, sku: 'a' }])).toBe(2);\n});\n",
};

const directory = mkdtempSync(join(tmpdir(), 'codegenie-screenshot-'));
const store = join(directory, 'store');
const environment = { PATH: process.env['PATH'], HOME: directory };
const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, [join(root, 'bin/codegenie.mjs'), ...args], {
    cwd: store,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
try {
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), text);
  }
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...git, 'commit', '-qm', 'x'],
  ])
    execFileSync('git', args, { cwd: store, env: environment });
  run('gather', '--quiet');
  const { address } = JSON.parse(run('ui', '--json')) as { readonly address: string };
  const planned = run('rename', 'src/cart.ts:4:17', 'subtotal');
  const plan = /\bplan (?:commit )?(p-[0-9a-f]+)/.exec(planned)?.[1] ?? '';
  await shoot(address, [
    { room: `/change?plan=${plan}`, file: 'page-change.png', waits: '.diff-view', colorScheme: 'light' },
    { room: '/facts?fact=test.unit.command', file: 'page-facts.png', waits: 'tr.marked', colorScheme: 'dark' },
  ]);
} finally {
  run('daemon', 'stop', '--quiet');
  rmSync(directory, { recursive: true, force: true });
}

type Shot = {
  readonly room: string;
  readonly file: string;
  readonly waits: string;
  readonly colorScheme: 'light' | 'dark';
};

async function shoot(address: string, shots: readonly Shot[]): Promise<void> {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const executablePath = directories.map((one) => join(one, 'chromium')).find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('no chromium on PATH');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  for (const { room, file, waits, colorScheme } of shots) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 720 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    await page.goto(address.replace('/#', `${room}#`));
    await page.locator(waits).first().waitFor();
    await page.locator('.cm-merge-b .cm-changedText, tr.marked').first().waitFor();
    // Colours come after the text.
    await page.locator('[class*="tok-"]').first().waitFor();
    await page.screenshot({ path: join(root, 'docs/images', file) });
    await page.close();
  }
  await browser.close();
}
