/** Item 15: tsconfig files that try the scanner and the `extends` walk, through the coordinator, cold and warm. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf, stableText } from '../support/fixture-repo.ts';
import { isWritten, publishUnharmed, troubled } from '../support/hostile.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

type Typescript = { resolved_compiler_options: Record<string, unknown>; extends_chain: string[] } | null;

async function resolve(files: Readonly<Record<string, string>>) {
  repo = createFixtureRepo({ 'package.json': '{"name":"x"}', 'src/a.ts': '1;\n', ...files });
  const first = (await publishUnharmed(repo)).envelope;
  const again = (await publishUnharmed(repo)).envelope;
  expect(stableText(again)).toBe(stableText(first));
  const record = recordOf(first, 'node_build_system');
  const { typescript } = first['build_system'] as { typescript: Typescript };
  return {
    record,
    troubled: troubled(first),
    options: typescript?.resolved_compiler_options,
    chain: typescript?.extends_chain,
  };
}

const config = (value: unknown) => JSON.stringify(value);

/** Each reader of it says so. */
const brokenConfig = {
  node_build_system: ['tsconfig.malformed'],
  scip_index: ['scip_index.index_failed'],
  semantic_index_meta: ['semantic_index_meta.tsconfig_unparseable'],
};

test('G15 comments that look nested end where the first end stands, and comments in strings are text', async () => {
  const { options, troubled: trouble } = await resolve({
    'tsconfig.json': `/* a /* b */ {
      // "strict": false, /* not the start of one
      "compilerOptions": {
        "outDir": "a/*b*/c//d", /**/ "strict": true, /***/ "target": "es2022", //
      }, /* "extends": "./gone.json" */
    } // end`,
  });
  expect(options).toEqual({ outDir: 'a/*b*/c/d', strict: true, target: 'es2022' });
  expect(trouble).toEqual({});
});

test('G15 a second end of a comment that looked nested is a malformed file, at its line', async () => {
  const { record, troubled: trouble } = await resolve({
    'tsconfig.json': '{\n/* a /* b */ c */\n"compilerOptions": {}}',
  });
  expect(trouble).toEqual(brokenConfig);
  expect(record.diagnostics).toEqual([{ id: 'tsconfig.malformed', path: 'tsconfig.json', line: 2 }]);
});

test.each([
  ['string', '{"compilerOptions": {"target": "es2022}}'],
  ['comment', '{"compilerOptions": {}} /* and so on'],
  ['string that ends in a backslash', '{"compilerOptions": {"target": "es2022\\'],
  ['object', '{"compilerOptions": {"strict": true'],
  ['run of 100 000 quotes', '"'.repeat(100_000)],
  ['run of 100 000 comment starts', '/*'.repeat(100_000)],
])('G15 an unterminated %s is a typed error and nothing of it is shown', async (_, text) => {
  const { record, troubled: trouble } = await resolve({ 'tsconfig.json': text });
  expect(trouble).toEqual(brokenConfig);
  expect(record).toMatchObject({ status: 'degraded', confidence: 'low' });
});

test('G15 circles of extends end, of one file, of two, and through a list', async () => {
  const { record, options, chain } = await resolve({
    'tsconfig.json': config({ extends: ['./tsconfig.json', './a.json'], compilerOptions: { target: 'es2022' } }),
    'a.json': config({ extends: './b.json', compilerOptions: { strict: true } }),
    'b.json': config({ extends: ['./a.json', './tsconfig.json'], compilerOptions: { noEmit: true } }),
  });
  expect(record).toMatchObject({ status: 'ok', warnings: ['tsconfig.extends_cycle'] });
  expect(options).toEqual({ noEmit: true, strict: true, target: 'es2022' });
  expect(chain).toEqual(['tsconfig.json', 'a.json', 'b.json']);
});

test('G15 a chain of 40 levels, none of them named tsconfig, is followed for 32', async () => {
  const nameOf = (level: number) => (level === 0 ? 'tsconfig.json' : `config/level-${level}.json`);
  const files = Object.fromEntries(
    Array.from({ length: 41 }, (_, level) => [
      nameOf(level),
      config({
        ...(level < 40 ? { extends: level === 0 ? './config/level-1' : `./level-${level + 1}` } : {}),
        compilerOptions: level === 32 ? { target: 'es2022' } : level > 32 ? { module: 'esnext' } : {},
      }),
    ]),
  );
  const { record, options, chain } = await resolve(files);
  expect(record).toMatchObject({ status: 'ok', warnings: ['tsconfig.extends_depth_exceeded'] });
  expect(options).toEqual({ target: 'es2022' });
  expect(chain).toHaveLength(33);
});

test('G15 a fan of files that extend each other twice is walked once per file', async () => {
  // Without memory this is 2^24 visits.
  const files = Object.fromEntries(
    Array.from({ length: 25 }, (_, level) => [
      level === 0 ? 'tsconfig.json' : `l${level}.json`,
      config(
        level < 24
          ? { extends: [`./l${level + 1}.json`, `./l${level + 1}.json`] }
          : { compilerOptions: { strict: true } },
      ),
    ]),
  );
  const { record, options, chain } = await resolve(files);
  expect(record.status).toBe('ok');
  expect(options).toEqual({ strict: true });
  expect(chain).toHaveLength(25);
});

test('G15 extends as a list and by package name; an edit of a base deep in the chain is noticed', async () => {
  const { options, chain } = await resolve({
    '.gitignore': 'node_modules\n',
    'tsconfig.json': config({ extends: ['@acme/base', './local.json'], compilerOptions: { noEmit: true } }),
    'local.json': config({ compilerOptions: { target: 'es2021' } }),
    'node_modules/@acme/base/package.json': config({ name: '@acme/base', tsconfig: 'strict.json' }),
    'node_modules/@acme/base/strict.json': config({ extends: './deep.json', compilerOptions: { target: 'es5' } }),
    'node_modules/@acme/base/deep.json': config({ compilerOptions: { strict: true } }),
  });
  expect(options).toEqual({ noEmit: true, strict: true, target: 'es2021' });
  expect(chain).toContain('node_modules/@acme/base/deep.json');
  repo.write('node_modules/@acme/base/deep.json', config({ compilerOptions: { strict: false } }));
  const { envelope } = await repo.publish();
  expect(recordOf(envelope, 'node_build_system').cache.state).toBe('miss');
  expect(envelope['build_system']).toMatchObject({ typescript: { resolved_compiler_options: { strict: false } } });
});

test('G15 extends that leave the repository, are too long for any disk, or name another kind of input lead nowhere', async () => {
  const { record, options, chain } = await resolve({
    'tsconfig.json': config({
      extends: [
        '../outside.json',
        '/etc/passwd',
        '../../../../../../etc/passwd',
        `./${'a'.repeat(300)}.json`,
        `./${'d/'.repeat(4_000)}x.json`,
        `@${'x'.repeat(5_000)}/y`,
        'user:skills/x',
        './.git/config',
        './.codegenie/cache/hashes',
        './nul\u0000byte.json',
        './**/*.json',
        7,
        null,
        { path: './a.json' },
      ],
      compilerOptions: { strict: true },
    }),
  });
  expect(record).toMatchObject({ status: 'ok', errors: [], warnings: ['tsconfig.extends_unresolved'] });
  expect(options).toEqual({ strict: true });
  expect(chain).toEqual(['tsconfig.json']);
});

test('G15 a base that is a link out of the repository is refused and its text is nowhere', async () => {
  repo = createFixtureRepo({
    'package.json': '{"name":"x"}',
    'src/a.ts': '1;\n',
    'tsconfig.json': config({ extends: './base.json', compilerOptions: { strict: true } }),
  });
  repo.write('~/base.json', config({ compilerOptions: { outDir: 'only-the-outside-says-this' } }));
  symlinkSync(join(repo.home, 'base.json'), join(repo.root, 'base.json'));
  const { envelope } = await publishUnharmed(repo);
  // Without its base the project is none that can be compiled as it says, to the code plane and so to its index.
  expect(troubled(envelope)).toEqual({
    node_build_system: ['tsconfig.symlink_refused'],
    scip_index: ['scip_index.index_failed'],
  });
  expect(isWritten(repo, 'only-the-outside-says-this')).toBe(false);
});
