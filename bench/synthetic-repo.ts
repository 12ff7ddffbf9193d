/** A repository of a given size that looks like a real monorepo: packages, sources, tests, workflows, manifests, decisions. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commitTree } from './real-corpus.ts';

const filesPerPackage = 100;

/** Makes exactly `count` files below `root` and commits them. Same count, same bytes. */
export function makeSyntheticRepo(root: string, count: number): void {
  let made = 0;
  const put = (path: string, text: string): void => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    made += 1;
  };
  for (const [path, text] of Object.entries(shared())) put(path, text);
  for (let index = 0; made < count; index += 1) {
    for (const [path, text] of packageFiles(index)) if (made < count) put(path, text);
  }
  commitTree(root, 'synthetic');
}

function shared(): Record<string, string> {
  return {
    'package.json': JSON.stringify({
      name: 'synthetic',
      version: '1.0.0',
      private: true,
      workspaces: ['packages/*'],
      scripts: { test: 'vitest run', build: 'tsc -b' },
      dependencies: { express: '^4.18.0' },
      devDependencies: { vitest: '^3.0.0', typescript: '^5.0.0' },
    }),
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "target": "es2022" } }',
    'vitest.config.ts': 'export default {};\n',
    'README.md': '# Synthetic\n',
    'AGENTS.md': '# Rules\n\nBe kind.\n',
    CODEOWNERS: '* @org/all\n/packages/ @org/packages\n',
    '.github/workflows/ci.yml':
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
    'docs/adr/0001-first.md': '# 1. First\n\n## Status\n\nAccepted\n',
    'deploy/app.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec: {template: {spec: {containers: [{name: app, image: app:1.0.0}]}}}\n',
    'docker-compose.yml': 'services:\n  web: {image: web, depends_on: [db]}\n  db: {image: postgres}\n',
  };
}

function* packageFiles(index: number): Iterable<[path: string, text: string]> {
  const base = `packages/p${index}`;
  yield [
    `${base}/package.json`,
    JSON.stringify({ name: `@synthetic/p${index}`, version: '1.0.0', dependencies: { express: '^4.18.0' } }),
  ];
  yield [`${base}/README.md`, `# Package ${index}\n`];
  for (let file = 2; file < filesPerPackage; file += 1) {
    if (file % 10 === 0) yield [`${base}/test/m${file}.test.ts`, testSource(file)];
    else if (file % 37 === 0) yield [`${base}/src/m${file}.json`, JSON.stringify({ file, index })];
    else yield [`${base}/src/m${file}.ts`, moduleSource(index, file)];
  }
}

function moduleSource(index: number, file: number): string {
  const call = file % 20 === 1 ? `export const load = () => fetch('https://api${index}.example.com/v1');\n` : '';
  const body = Array.from(
    { length: 20 },
    (_, line) => `export function f${file}_${line}(x: number): number {\n  return x * ${line} + ${index};\n}\n`,
  );
  return `import { f2_0 } from './m2.ts';\n${call}${body.join('')}export const used = f2_0;\n`;
}

function testSource(file: number): string {
  const cases = Array.from(
    { length: 8 },
    (_, line) => `  it('case ${line}', () => {\n    expect(${line}).toBe(${line});\n  });\n`,
  );
  return `import { describe, expect, it } from 'vitest';\ndescribe('m${file}', () => {\n${cases.join('')}});\n`;
}
