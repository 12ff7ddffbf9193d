/**
 * What an indexer says about code repeats the code: literal types have their value in a signature, quoted properties are names of symbols,
 * comments are documentation. None of it may bring a secret below the data dir in the clear.
 */

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { secretSamples } from '../support/secret-samples.ts';
import { createSemanticRepo, type SemanticRepo } from '../support/semantic-repo.ts';

let repo: SemanticRepo;
afterEach(async () => repo.dispose());

const samples = Object.values(secretSamples)
  .flat()
  // What no literal on one line can hold.
  .filter(({ text }) => !text.includes('\n'));
const token = `${'gh'}p_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const other = `${'gl'}pat-${'Zx9Yw8Vu7Ts6Rq5Po4Nm'}`;
const stripe = `${'sk'}_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
const hunter = ['Corr3ct', 'Horse', 'Battery'].join('-');

/** Of which the compiler writes only a part, the cut going through every place of it. */
const cutToken = `${'gh'}p_${'Q9w8E7r6T5'.repeat(4).slice(0, 36)}`;
const filler = 'word '.repeat(80);
const lengths = Array.from({ length: 60 }, (_, at) => 100 + at * 4);
/** Which the compiler escapes in another way. */
const quoted = ['Corr3ct', '"Staple', '-Pony'].join('');

const secrets = [
  ...new Set([
    ...samples.map(({ secret }) => secret),
    token,
    other,
    stripe,
    hunter,
    cutToken.slice(0, 12),
    JSON.stringify(quoted).slice(1, -1),
  ]),
];

const files: Record<string, string> = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"lib":["esnext"]},"include":["src"]}',
  'src/literals.ts': samples.map(({ text }, at) => `export const v${at} = ${JSON.stringify(text)};`).join('\n'),
  'src/types.ts': samples
    .map(
      ({ text }, at) =>
        `export type T${at} = { readonly x: ${JSON.stringify(text)} };\nexport declare function f${at}(x: ${JSON.stringify(text)}): void;`,
    )
    .join('\n'),
  'src/properties.ts': `export const o = {\n${samples.map(({ text }, at) => `  ${JSON.stringify(text)}: ${at},`).join('\n')}\n};\n`,
  'src/enums.ts': `export enum E {\n${samples.map(({ text }, at) => `  A${at} = ${JSON.stringify(text)},`).join('\n')}\n}\n`,
  'src/comments.ts': samples
    .map(
      ({ text }, at) => `/** ${text.replaceAll('*/', '')} */\nexport function c${at}(): number {\n  return ${at};\n}`,
    )
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
  'src/cut.ts': lengths
    .map((length) => `export const cut${length} = { x: "${filler.slice(0, length)} ${cutToken}" } as const;`)
    .join('\n'),
  'src/quoted.ts': `export const api${'Key'} = '${quoted}';\n`,
  'src/quoted-derived.ts': `import { api${'Key'} } from './quoted';\nexport const second = api${'Key'};\n`,
  // Of another project, which has its secrets from the first.
  'test/tsconfig.json': '{"extends":"../tsconfig.json","include":["."]}',
  'test/derived.ts': `import { api${'Key'} } from '../src/login';\nexport const third = api${'Key'};\n`,
  // A password that is a word of the program elsewhere.
  'src/database.ts': `export const db = { pass${'word'}: 'postgres' } as const;\nexport class postgresClient {\n  connect(postgres: number): number {\n    return postgres;\n  }\n}\n`,
  'src/postgres.ts': "import { postgresClient } from './database';\nexport const client = new postgresClient();\n",
  'src/uses.ts': `import { ${token}, ${token}x, ${token}y as z } from './names';\nexport const all = [${token}, new ${token}x(), z];\n`,
};

test('S12 P8 what an indexer copies out of the code is nowhere below the data dir', async () => {
  repo = createSemanticRepo(files);
  const sizes: unknown[] = [];
  for (const by of ['indexer', 'kept_output']) {
    const { refreshed, semantic } = await repo.index();
    const told = { status: 'completed', by, rejected: 0 };
    expect(refreshed.jobs).toMatchObject([
      { ...told, accepted: Object.keys(files).filter((path) => /^src\/.*\.ts$/.test(path)).length },
      { ...told, accepted: 1 },
    ]);
    expect(semantic).toMatchObject({ state: 'clean', unsettled: [] });
    sizes.push([semantic.symbols, semantic.occurrences]);
    expect(leaksBelow(repo.stateDir)).toEqual([]);
    expect(writtenBelow(repo.stateDir).filter(({ content }) => content.includes('postgresclient#'))).toHaveLength(2);
    expect(await repo.refs('src/database.ts:2:14')).toHaveLength(3);
    for (const ask of [
      ['status', '--json'],
      ['symbols', 'v0', '--json'],
    ]) {
      const { stdout, stderr } = await repo.run(...ask);
      expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
    }
    // Once more from the kept output, into a new store.
    rmSync(join(repo.stateDir, 'index'), { recursive: true });
  }
  expect(sizes[1]).toEqual(sizes[0]);
  expect(readdirSync(join(repo.stateDir, 'cache/scip'))).toHaveLength(2);
});

/** Path and secret of each. */
function leaksBelow(directory: string): string[] {
  return writtenBelow(directory).flatMap(({ name, content }) =>
    secrets
      .filter((secret) => content.includes(Buffer.from(secret).toString('latin1').toLowerCase()))
      .map((secret) => `${name}: ${secret}`),
  );
}

/** In lower case, as names are stored for searches. */
function writtenBelow(directory: string) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, content: readFileSync(join(parentPath, name), 'latin1').toLowerCase() }));
}
