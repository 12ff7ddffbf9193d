/**
 * What an indexer says about code repeats the code: literal types have their value in a signature, quoted properties are names of symbols,
 * comments are documentation. None of it may bring a secret below the data dir in the clear.
 */

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { runCli } from '../support/run-cli.ts';
import { secretSamples } from '../support/secret-samples.ts';

let tree: IndexedTree | undefined;
afterEach(async () => tree?.dispose());

const samples = Object.values(secretSamples)
  .flat()
  // What no literal on one line can hold.
  .filter(({ text }) => !text.includes('\n'));
const token = `${'gh'}p_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const other = `${'gl'}pat-${'Zx9Yw8Vu7Ts6Rq5Po4Nm'}`;
const stripe = `${'sk'}_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
const hunter = ['Corr3ct', 'Horse', 'Battery'].join('-');

const files: Record<string, string> = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true},"include":["src"]}',
  'src/literals.ts': samples.map(({ text }, at) => `export const v${at} = ${JSON.stringify(text)};`).join('\n'),
  'src/types.ts': samples
    .map(({ text }, at) => `export type T${at} = { readonly x: ${JSON.stringify(text)} };\nexport declare function f${at}(x: ${JSON.stringify(text)}): void;`)
    .join('\n'),
  'src/properties.ts': `export const o = {\n${samples.map(({ text }, at) => `  ${JSON.stringify(text)}: ${at},`).join('\n')}\n};\n`,
  'src/enums.ts': `export enum E {\n${samples.map(({ text }, at) => `  A${at} = ${JSON.stringify(text)},`).join('\n')}\n}\n`,
  'src/comments.ts': samples
    .map(({ text }, at) => `/** ${text.replaceAll('*/', '')} */\nexport function c${at}(): number {\n  return ${at};\n}`)
    .join('\n'),
  'src/names.ts': [
    `export const ${token} = 1;`,
    `export class ${token}x { ${token}(): void { const ${token} = 2; this['${other}'] = ${token}; } '${other}' = 1; ['${stripe}']() {} }`,
    `export interface I { '${other}': 1; "${stripe}": '${token}' }`,
    `export type K = keyof I;`,
    `export namespace ${token}n { export const inner = '${stripe}' as const; }`,
    `export function take({ '${other}': mine }: I): '${stripe}' { return mine === 1 ? '${stripe}' : '${stripe}'; }`,
    `export const use = (i: I) => [i['${other}'], i["${stripe}"], ${token}];`,
    `export { use as ${token}y };`,
    '',
  ].join('\n'),
  'src/login.ts': `export const api${'Key'} = '${hunter}';\nexport const pass${'word'} = '${hunter}';\n`,
  // A type that is inferred repeats a literal where nothing around it says what it is.
  'src/derived.ts': `import { api${'Key'}, pass${'word'} } from './login';\nexport const first = api${'Key'};\nexport const both = [pass${'word'}, api${'Key'}] as const;\n`,
  'src/uses.ts': `import { ${token}, ${token}x, ${token}y as z } from './names';\nexport const all = [${token}, new ${token}x(), z];\n`,
};

test('S12 P8 what an indexer copies out of the code is nowhere below the data dir', { timeout: 120_000 }, async () => {
  tree = createIndexedTree(files);
  const { root, base } = tree;
  const where = { cwd: root, home: base };
  const secrets = [...new Set([...samples.map(({ secret }) => secret), token, other, stripe, hunter])];
  for (let round = 0; round < 2; round += 1) {
    const indexed = await runCli(['index', '--semantic', '--json'], where);
    expect(indexed.code).toBe(0);
    const { semantic } = JSON.parse(indexed.stdout);
    expect(semantic).toMatchObject({ state: 'clean', jobs: { failed: 0 } });
    expect(semantic.occurrences).toBeGreaterThan(300);
    const data = join(root, '.codegenie');
    expect(leaksBelow(data, secrets)).toEqual([]);
    expect(keptOutputs(data)).toHaveLength(1);
    // Once more from the kept output, into a new store.
    rmSync(join(data, 'index'), { recursive: true });
  }
});

/** Path and secret of each; a `.scip` also decoded. */
function leaksBelow(directory: string, secrets: readonly string[]): string[] {
  const found: string[] = [];
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    let content: string;
    try {
      content = readFileSync(join(directory, path), 'latin1').toLowerCase();
    } catch {
      continue;
    }
    for (const secret of secrets) if (content.includes(Buffer.from(secret).toString('latin1').toLowerCase())) found.push(`${path}: ${secret}`);
  }
  return found;
}

function keptOutputs(data: string): string[] {
  return readdirSync(join(data, 'cache/scip')).filter((name) => name.endsWith('.scip'));
}
