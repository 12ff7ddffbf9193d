/**
 * A TypeScript project made from a seed: one exported function with exactly 1,000 occurrences in 200 files, and another hundred files that
 * never mention it. Same seed, same bytes. Modules import each other as modules do, so an edit reaches what imports it and no more.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commitProject, ownConfig } from '../semantic/projects.ts';

const holders = 200;
const others = 100;
const oldName = 'measureShape';

export type RenameSubject = {
  readonly name: string;
  readonly root: string;
  /** Where its declaration has the name, 1-based. */
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly oldName: string;
  readonly newName: string;
};

export function makeGeneratedProject(root: string, seed: number): RenameSubject {
  const random = createRandom(seed);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package.json', JSON.stringify({ name: 'generated', private: true, type: 'module' }));
  write('tsconfig.json', ownConfig);
  write('src/core/shape.ts', core);
  for (let at = 1; at < holders; at += 1) write(modulePath(at), renderHolder(at, random));
  for (let at = 0; at < others; at += 1) write(otherPath(at), renderOther(at, random));
  commitProject(root);
  const line = core.split('\n').findIndex((text) => text.includes(`function ${oldName}`));
  const col = core.split('\n')[line]?.indexOf(oldName) ?? 0;
  return {
    name: 'generated',
    root,
    path: 'src/core/shape.ts',
    line: line + 1,
    col: col + 1,
    oldName,
    newName: 'sizeOfShape',
  };
}

/** Five of them. */
const core = `export type Shape = { readonly kind: 'circle' | 'square'; readonly size: number };

export type Measured = { readonly shape: Shape; readonly area: number; readonly label: string };

export function ${oldName}(shape: Shape, scale = 1): Measured {
  const area = shape.kind === 'circle' ? Math.PI * shape.size ** 2 : shape.size ** 2;
  return { shape, area: area * scale, label: \`\${shape.kind} of \${shape.size}\` };
}

export type Measure = typeof ${oldName};

export function measureAll(shapes: readonly Shape[]): readonly Measured[] {
  const first = shapes[0];
  const head = first === undefined ? [] : [${oldName}(first)];
  return [...head, ...shapes.slice(1).map((shape) => ${oldName}(shape, 2))];
}

export const tools = { measure: ${oldName} };
`;

/** Five in each: an import and four uses, among code that has nothing to do with it. */
function renderHolder(at: number, random: () => number): string {
  const before = at > 1 && random() < 0.5 ? 1 + Math.floor(random() * (at - 1)) : undefined;
  const lines = [
    `import { ${oldName}, type Measured, type Shape } from '../core/shape.js';`,
    ...(before === undefined ? [] : [`import { total${before} } from '../${modulePath(before).slice(4, -3)}.js';`]),
    '',
    `export type Item${at} = { readonly id: number; readonly shape: Shape; readonly tags: readonly string[] };`,
    '',
    ...renderFiller(at, random),
    `export function total${at}(items: readonly Item${at}[]): number {`,
    `  let sum = ${before === undefined ? '0' : `total${before}([])`};`,
    '  for (const { shape, tags } of items) {',
    `    sum += ${oldName}(shape).area + tags.length;`,
    '  }',
    '  return sum;',
    '}',
    '',
    `export class Report${at} {`,
    '  readonly rows: Measured[] = [];',
    '  add(shape: Shape): this {',
    `    this.rows.push(${oldName}(shape, ${1 + Math.floor(random() * 9)}));`,
    '    return this;',
    '  }',
    '  render(): string {',
    `    const measure = ${oldName};`,
    "    return this.rows.map(({ label, shape }) => label + ': ' + measure(shape).area).join('\\n');",
    '  }',
    '}',
    '',
    `export const byKind${at} = { circle: ${oldName}, square: (shape: Shape) => ({ shape, area: 0, label: '' }) };`,
    '',
  ];
  return lines.join('\n');
}

function renderOther(at: number, random: () => number): string {
  return [...renderFiller(at, random), `export const other${at} = ${Math.floor(random() * 1_000)};`, ''].join('\n');
}

function renderFiller(at: number, random: () => number): readonly string[] {
  const lines: string[] = [];
  const count = 2 + Math.floor(random() * 6);
  for (let part = 0; part < count; part += 1) {
    const limit = Math.floor(random() * 1_000);
    lines.push(
      `export interface Row${at}x${part} { readonly key: string; readonly value: number; readonly next?: Row${at}x${part} }`,
      '',
      `export function walk${at}x${part}(rows: readonly Row${at}x${part}[], limit = ${limit}): Record<string, number> {`,
      '  const found: Record<string, number> = {};',
      '  for (const { key, value, next } of rows) {',
      '    const extra = next === undefined ? 0 : next.value;',
      '    if (value + extra > limit) continue;',
      '    found[key] = (found[key] ?? 0) + value + extra;',
      '  }',
      '  return found;',
      '}',
      '',
    );
  }
  return lines;
}

function modulePath(at: number): string {
  return `src/${area(at)}/part-${at}.ts`;
}

function otherPath(at: number): string {
  return `src/other-${at % 10}/other-${at}.ts`;
}

function area(at: number): string {
  return `area-${at % 20}`;
}

/** A small generator with 32 bits of state; good enough to vary sizes. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
