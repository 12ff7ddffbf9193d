/** The page for people, as a person uses it: rooms, the keyboard, what is said where there is nothing to show, and finding a daemon again. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPageFiles } from '../../src/serve/page/page-files.ts';
import { createDaemonRepo, type RunningDaemon, startTestDaemon } from '../support/daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { hasBrowser, openPageWorld, type PageWorld, roomAt, type Sight } from '../support/page-world.ts';

/** Names and contents that would be markup, or hide, if anything took them for more than text. */
const planted = '<img src=x onerror="window.hacked=1">';
const files = {
  'package.json': JSON.stringify(
    {
      name: 'shop',
      version: '1.0.0',
      license: 'MIT',
      scripts: { build: 'tsc -p .', test: 'vitest run' },
      devDependencies: { typescript: '5.0.0', vitest: '4.0.0' },
    },
    null,
    2,
  ),
  'package-lock.json': '{"lockfileVersion": 3, "packages": {}}\n',
  'tsconfig.json':
    '{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "types": [], "lib": ["esnext"]}}\n',
  'README.md': '# Shop\n\n<script>window.hacked=1</script>\n<img src=x onerror="window.hacked=1">\n',
  'src/cart.ts':
    'export type Item = { readonly price: number };\n\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
  'src/receipt.ts':
    "import { type Item, total } from './cart';\n\nexport const receipt = (items: readonly Item[]) => total(items).toFixed(2);\n",
  [`packages/${planted}/package.json`]: `{"name": "x\u202egnp.exe", "scripts": {"test": "echo '<script>window.hacked=1</script>'"}}\n`,
} as const;

const storeFiles = {
  'package.json': '{"name": "store", "version": "1.0.0", "type": "module", "exports": "./src/report.ts"}\n',
  'tsconfig.json': files['tsconfig.json'],
  'src/cart.ts':
    'export type Item = { readonly price: number; readonly sku: string };\n\n/** Without tax. */\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
  'src/receipt.ts':
    "import { type Item, total } from './cart';\n\nexport function receipt(items: readonly Item[]) {\n  return { lines: items.map((item) => item.price.toFixed(2)), total: total(items) };\n}\n",
  'src/report.ts':
    "import type { Item } from './cart';\n\nexport const column = (item: Item, key: string) => (item as Record<string, unknown>)[key];\nexport const prices = (items: readonly Item[]) => items.map((item) => item.price);\n",
} as const;

describe.skipIf(!hasBrowser)('in a browser (needs chromium)', () => {
  let world: PageWorld;
  let repo: FixtureRepo;
  let daemon: RunningDaemon;
  const sights: Sight[] = [];
  beforeAll(async () => {
    repo = createDaemonRepo(files);
    await repo.publish();
    [world, daemon] = await Promise.all([openPageWorld(), startTestDaemon(repo, { port: 0, watch: true })]);
  });
  afterAll(async () => {
    await Promise.all(sights.map((sight) => sight.close()));
    await world?.close();
    await daemon?.stop();
    repo?.dispose();
  });
  const see = async (room: string, size?: { width: number; height: number }, of = daemon) => {
    const sight = await world.open(roomAt(of, room), size);
    sights.push(sight);
    return sight;
  };

  test('U1 the token leaves the address at once, no cookie is made, and nothing is asked of anywhere else', async () => {
    const { page, complaints } = await see('/facts');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('heading', { name: 'The repository' }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${daemon.at.port}/facts`);
    await page.reload();
    await page.getByRole('heading', { name: 'The repository' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`http://127.0.0.1:${daemon.at.port}/`))).toEqual([]);
    expect(asked.filter((url) => /[\w-]{43}/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('U6 a fact opens the line that shows it, has an address, and the back button closes it', async () => {
    const { page, complaints } = await see('/facts');
    await page.getByRole('link', { name: /Check types/ }).click();
    const evidence = page.getByRole('complementary', { name: 'Evidence' });
    await evidence.getByText('package.json').first().waitFor();
    await evidence.locator('tr.marked', { hasText: 'tsc -p .' }).waitFor();
    expect(new URL(page.url()).search).toBe('?fact=typecheck.command');
    await page.reload();
    await evidence.locator('tr.marked', { hasText: 'tsc -p .' }).waitFor();
    await page.goBack();
    await evidence.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('U3 names with tags and characters that hide are text', async () => {
    const { page, complaints } = await see('/facts');
    const link = page.getByRole('link', { name: /onerror.*package\.json/ }).first();
    await link.waitFor();
    expect(await link.textContent()).toContain(planted.slice(0, 20));
    await link.click();
    await page.getByRole('heading', { name: /onerror/ }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.getByRole('link', { name: /Manifest dependencies/ }).click();
    await page.locator('tr.marked').first().waitFor();
    await page.locator('.hidden-mark', { hasText: 'U+202E' }).first().waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('U7 a symbol is found while it is typed; its references are counted, and any name in the code leads on', async () => {
    const { page, complaints } = await see('/ask');
    await page.keyboard.type('total');
    await page.getByRole('link', { name: /total/ }).first().click();
    const subject = page.getByRole('region', { name: 'What was chosen' });
    await subject.getByText('= 3').waitFor();
    expect(await subject.locator('.hit-line').count()).toBe(3);
    await subject.getByRole('navigation').getByRole('link', { name: 'Definition' }).click();
    await subject.getByText('= 1').waitFor();
    await subject.locator('.name', { hasText: 'Item' }).first().click();
    await page.waitForURL((url) => url.searchParams.get('at') === 'src/cart.ts:1:13');
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('view') === 'def');
    await page.getByLabel('Text', { exact: true }).check({ force: true });
    await page
      .locator('.ask-results')
      .getByText('README.md')
      .or(page.locator('.ask-results').getByText('receipt.ts'))
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test('U7 a count that something could add to is told as a lower bound, with why', async () => {
    repo.write('src/broken.ts', 'export const total = ((;\n');
    const { page } = await see('/ask?q=total');
    await page.locator('.count-of', { hasText: '≥' }).locator('.reasons li').first().waitFor();
    repo.git('clean', '-fdq');
  });

  test('U8 a rename is planned, answered, committed and undone, and the bytes on disk are those', async () => {
    const own = createDaemonRepo(storeFiles);
    const before = own.tree();
    const other = await startTestDaemon(own, { port: 0, watch: true });
    const { page, complaints } = await see('/ask?q=price&at=src/cart.ts:1:31', undefined, other);
    const witness = await see('/change', undefined, other);
    await page.getByRole('link', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('amount');
    await page.getByRole('button', { name: 'Plan the rename' }).click();
    await page.getByText('A reader has to decide').waitFor();
    await page.locator('.diff-view').first().getByText('amount').first().waitFor();
    expect(own.tree()).toEqual(before);
    // Another window sees it without being told to look.
    await witness.page.getByRole('link', { name: /price → amount/ }).waitFor();
    const commit = page.getByRole('button', { name: /open|Commit/ });
    expect(await commit.isDisabled()).toBe(true);
    for (const group of await page.locator('.question').all()) await group.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Commit' }).click();
    await page.getByRole('heading', { name: 'Written', exact: true }).waitFor();
    const amount = (text: string) => text.replaceAll(/\bprice\b(?=:|,|\.toFixed|\);)/g, 'amount');
    expect(own.tree()).toEqual({
      ...before,
      'src/cart.ts': amount(before['src/cart.ts'] ?? ''),
      'src/receipt.ts': amount(before['src/receipt.ts'] ?? ''),
      'src/report.ts': amount(before['src/report.ts'] ?? ''),
    });
    await witness.page.getByText('committed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Taken back' }).waitFor();
    expect(own.tree()).toEqual(before);
    // What is refused says why and shows the place.
    await page.goto(`http://127.0.0.1:${other.at.port}/change?target=src/cart.ts:4:17&name=Item`);
    await page.getByRole('button', { name: 'Plan the rename' }).click();
    await page.getByText(/^Refused: /).waitFor();
    expect([...complaints, ...witness.complaints]).toEqual([]);
    expect(own.tree()).toEqual(before);
    await other.stop();
    own.dispose();
  });

  test('U9 the index says how fresh and how certain it is, what compilers read, and which tools are missing', async () => {
    const { page, complaints } = await see('/health');
    await page.getByRole('heading', { name: 'How fresh' }).waitFor();
    const certain = page.locator('section', { has: page.getByRole('heading', { name: 'How certain' }) });
    await certain.getByText('2 by syntax').or(certain.getByText('2 by compilers')).first().waitFor();
    await page.getByRole('rowheader', { name: 'ts:tsconfig.json' }).waitFor();
    await page.getByRole('heading', { name: 'Tools of this machine' }).waitFor();
    await page.getByText(/tools? found/).waitFor();
    // What is written is seen without a reload.
    repo.write('src/fresh.ts', 'export const freshName = 1;\n');
    await certain.getByText('3 by syntax').or(page.getByText('8 files in scope')).first().waitFor();
    repo.git('clean', '-fdq');
    expect(complaints).toEqual([]);
  });

  test('U13 the map is entered by a click and by keys, and back leads out again', async () => {
    const { page, complaints } = await see('/map');
    const cell = (name: string) => page.locator('.map-cell', { hasText: name });
    const title = (name: string) => page.getByRole('heading', { name, level: 1 });
    await cell('src/').click();
    await title('src').waitFor();
    expect(new URL(page.url()).search).toBe('?in=src');
    await page.getByText('receipt.ts → cart.ts').waitFor();
    // Backspace goes out and stays on where one came from; arrows move; Enter goes in.
    await cell('cart.ts').focus();
    await page.keyboard.press('Backspace');
    await title('The repository').waitFor();
    await page.locator('.map-cell[aria-label^="src/"]:focus').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.locator('.map-cell[data-at="0"]:focus').waitFor();
    const visited = new Set<string | null>();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      await page.keyboard.press(key);
      visited.add(await page.locator('.map-cell:focus').getAttribute('data-at'));
    }
    expect(visited.size).toBeGreaterThan(1);
    await cell('src/').focus();
    await page.keyboard.press('Enter');
    await title('src').waitFor();
    await page.locator('.map-cell:focus', { hasText: 'cart.ts' }).waitFor();
    await page.keyboard.press('Enter');
    await title('cart.ts').waitFor();
    await page.locator('.map-cell:focus', { hasText: 'total' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/ask' && url.searchParams.get('at') === 'src/cart.ts:3:17');
    await page.goBack();
    await title('cart.ts').waitFor();
    await page.goBack();
    await title('src').waitFor();
    await page.goBack();
    await title('The repository').waitFor();
    // The list says the same.
    const list = page.getByRole('region', { name: 'What is here' });
    await list.getByRole('link', { name: /^src\// }).click();
    await title('src').waitFor();
    await page.getByLabel('Coloured by').selectOption('tests');
    await page.waitForURL((url) => url.searchParams.get('by') === 'tests');
    await page.locator('.map-cell', { hasText: 'no tests' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('U13 U3 names with tags and characters that hide are text in the map and in what is saved of it', async () => {
    const { page, complaints } = await see('/map?in=packages');
    await page.locator('.map-cell', { hasText: '<img' }).waitFor();
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const svg = await saved('SVG');
    expect(svg.name).toBe('map-packages.svg');
    const text = svg.bytes.toString();
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toMatch(/<img|<script|href=|class=|light-dark/);
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    const png = await saved('PNG');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    // Twice the width of the drawing.
    const width = Number(await page.evaluate("document.querySelector('.map-drawing').clientWidth"));
    expect(png.bytes.readUInt32BE(16)).toBe(2 * width);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test('U13 of a large folder what can be seen is drawn, and a cycle stands out', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, at) => [`src/many/m${at}.txt`, 'one\n'.repeat(at < 5 ? 5_000 : 1)]),
    );
    const own = createDaemonRepo({
      ...storeFiles,
      ...many,
      'src/a/one.ts': "import '../b/two';\nexport const one = 1;\n",
      'src/b/two.ts': "import '../a/one';\nexport const two = 2;\n",
    });
    const other = await startTestDaemon(own, { port: 0 });
    const { page, complaints } = await see('/map?in=src/many', undefined, other);
    await page.locator('.map-drawing text', { hasText: '1,495' }).waitFor();
    expect(await page.locator('.map-cell').count()).toBe(5);
    await page.getByText('and 1,100 smaller ones').waitFor();
    await page.goto(`http://127.0.0.1:${other.at.port}/map?in=src`);
    await page.getByText('↻ 1 cycle').waitFor();
    expect(await page.locator('.map-layers .cycle').textContent()).toContain('a → ↻ b 1');
    await page.goto(`http://127.0.0.1:${other.at.port}/map?in=src/nowhere`);
    await page.getByText('no file in scope lies below').waitFor();
    expect(complaints).toEqual([]);
    await other.stop();
    own.dispose();
  });

  test('U11 by the keyboard alone: the palette, a room, a fact, its evidence, and back', async () => {
    const { page } = await see('/facts');
    await page.getByRole('heading', { name: 'The repository' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search and commands' });
    await field.waitFor();
    await page.keyboard.type('facts');
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
    const row = page.getByRole('link', { name: /Install/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Evidence' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Evidence' }).waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  test.each(['light', 'dark'] as const)('U11 axe finds nothing serious, %s', async (colorScheme) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const { page } = await see('/facts?fact=typecheck.command');
    await page.emulateMedia({ colorScheme });
    for (const { room, waits } of roomsToCheck) {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(room)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.locator(waits).first().waitFor();
      await page.evaluate(axe);
      const { violations } = (await page.evaluate('axe.run()')) as {
        readonly violations: readonly {
          readonly id: string;
          readonly impact: string;
          readonly nodes: readonly { readonly html: string }[];
        }[];
      };
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${room} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  });

  test('U5 a daemon that is gone is said, and one that is there again is found', async () => {
    const own = createDaemonRepo();
    const first = await startTestDaemon(own, { port: 0 });
    const { page } = await see('/facts', undefined, first);
    await page.getByText('Nothing was gathered yet').waitFor();
    await page.locator('.standing.good').waitFor();
    await first.stop();
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    // No port is named: pages were open, so they are let in again.
    const second = await startTestDaemon(own);
    expect(second.at.port).toBe(first.at.port);
    await page.locator('.standing.good').waitFor();
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Gather the facts' }).click();
    await page.getByRole('heading', { name: 'The repository' }).waitFor();
    await second.stop();
    own.dispose();
  });

  test('U12 an empty repository, and a page without a key, say what to do', async () => {
    const empty = createFixtureRepo({}, { committed: false });
    const own = await startTestDaemon(empty, { port: 0 });
    const { page } = await see('/facts', undefined, own);
    await page.getByText('This repository is empty').waitFor();
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByText('This page has no key').waitFor();
    await page.getByText('codegenie ui').waitFor();
    await own.stop();
    empty.dispose();
  });

  test('U4 at every width nothing is wider than the window', async () => {
    for (const width of [360, 768, 1100, 1720]) {
      const { page } = await see('/facts?fact=typecheck.command', { width, height: 900 });
      await page.locator('tr.marked').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      if (width < 820) expect(await page.locator('.facts-list').isVisible()).toBe(false);
      await page.goto(`http://127.0.0.1:${daemon.at.port}/map?in=src`);
      await page.locator('.map-cell').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });
});

/** Every room, and what is there when it is drawn. */
const roomsToCheck = [
  { room: '/facts?fact=typecheck.command', waits: 'tr.marked' },
  { room: '/ask?q=total&at=src/cart.ts:3:17', waits: '.subject .hit-line' },
  { room: '/map', waits: '.map-cell' },
  { room: '/map?in=src&by=freshness', waits: '.map-cell' },
  { room: '/map?file=src/cart.ts', waits: '.map-cell' },
  { room: '/change?target=src/cart.ts:3:17', waits: 'tr.marked' },
  { room: '/health', waits: '.legend li' },
] as const;

test('U10 the first load has at most 250 KB compressed, all rooms together 900 KB', async () => {
  const built = findPageFiles();
  expect(built).toBeDefined();
  const sizes = [...(built ?? [])].map(([address, { bytes }]) => ({
    address,
    size: gzipSync(bytes, { level: 9 }).length,
  }));
  const html = built?.get('/')?.bytes.toString() ?? '';
  const first = sizes.filter(({ address }) => address === '/' || html.includes(address) || address.includes('/facts-'));
  const sum = (of: typeof sizes) => of.reduce((total, { size }) => total + size, 0);
  console.log(
    `page: first load ${Math.ceil(sum(first) / 1024)} KB compressed, in all ${Math.ceil(sum(sizes) / 1024)} KB`,
  );
  expect(first.length).toBeGreaterThan(3);
  expect(sum(first)).toBeLessThanOrEqual(250 * 1024);
  expect(sum(sizes)).toBeLessThanOrEqual(900 * 1024);
});
