// Makes docs/images/terminal.svg: the real program on a small project, and what it prints, as a picture.
//   node scripts/screenshot.ts
// Made by hand when what is shown changes: ids of plans are random, so no two pictures are the same.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const project: Readonly<Record<string, string>> = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, types: [] },
    include: ['src'],
  }),
  'src/cart.ts':
    'export type Item = { price: number };\n\nexport function total(items: Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
  'src/receipt.ts':
    "import { type Item, total } from './cart.js';\n\nexport function receipt(items: Item[]) {\n  const lines = items.map((item) => item.price.toFixed(2));\n  return { lines, total: total(items) };\n}\n",
  'src/invoice.ts':
    "import { type Item, total as sumUp } from './cart.js';\n\nexport const invoice = (items: Item[]) => 'total: ' + sumUp(items);\n",
};

/** Each may name what an earlier one printed: `$plan` is the id of the last plan. */
const commands = ['refs total', 'rename src/cart.ts:3:17 subtotal', 'plan commit $plan'];

type Line = { readonly text: string; readonly kind: 'prompt' | 'plus' | 'minus' | 'head' | 'plain' };

const directory = mkdtempSync(join(tmpdir(), 'codegenie-screenshot-'));
try {
  const shop = join(directory, 'shop');
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(shop, path)), { recursive: true });
    writeFileSync(join(shop, path), text);
  }
  writeFileSync(join(root, 'docs/images/terminal.svg'), render(run(shop)));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function run(shop: string): readonly Line[] {
  let plan = '';
  return commands.flatMap((command, at): Line[] => {
    const words = command.replace('$plan', plan);
    const printed = execFileSync(process.execPath, [join(root, 'bin/codegenie.mjs'), ...words.split(' ')], {
      cwd: shop,
      env: { PATH: process.env['PATH'], HOME: directory },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    plan = /\bplan (p-[0-9a-f]+)/.exec(printed)?.[1] ?? plan;
    const lines = printed.trimEnd().split('\n');
    return [
      ...(at === 0 ? [] : [{ text: '', kind: 'plain' as const }]),
      { text: `$ codegenie ${words}`, kind: 'prompt' },
      ...lines.map((text): Line => ({ text, kind: kindOf(text) })),
    ];
  });
}

function kindOf(line: string): Line['kind'] {
  if (/^\s+(?:\d+ )?\+ /.test(line)) return 'plus';
  if (/^\s+(?:\d+ )?- /.test(line)) return 'minus';
  return /^\S+\.tsx?\b/.test(line) ? 'head' : 'plain';
}

function render(lines: readonly Line[]): string {
  const [advance, leading, margin, top] = [8.43, 20, 20, 48];
  const width = Math.ceil(Math.max(...lines.map(({ text }) => text.length)) * advance) + margin * 2;
  const height = lines.length * leading + top + margin;
  const rows = lines.map(
    ({ text, kind }, at) =>
      `  <text class="${kind}" x="${margin}" y="${top + (at + 1) * leading - 6}">${escaped(text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xml:space="preserve" role="img" aria-label="A terminal: references of a function, its rename as a plan, and the commit of the plan">`,
    '  <!-- Made by scripts/screenshot.ts from what the program printed. -->',
    '  <style>',
    '    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #c9d1d9; white-space: pre; }',
    '    .prompt { fill: #ffffff; font-weight: bold; } .plus { fill: #56d364; } .minus { fill: #ff7b72; } .head { fill: #79c0ff; }',
    '  </style>',
    `  <rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    ...['#ff5f56', '#ffbd2e', '#27c93f'].map(
      (fill, at) => `  <circle cx="${24 + at * 20}" cy="24" r="6" fill="${fill}"/>`,
    ),
    ...rows,
    '</svg>\n',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
