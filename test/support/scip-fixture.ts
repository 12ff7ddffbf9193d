/** A real index of a small project, made by scip-typescript itself. */

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const shapes = Array.from(
  { length: 40 },
  (_, at) =>
    `/** The shape number ${at}. */\nexport interface Shape${at} { area${at}(scale: number): number; readonly name: string }\n`,
);

const scipFixtureFiles: Readonly<Record<string, string>> = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2022", "types": []}, "include": ["src"]}',
  'package.json': '{"name": "fixture", "version": "1.2.3"}',
  'src/shapes.ts': shapes.join('\n'),
  'src/circle.ts':
    "import type { Shape1 } from './shapes';\r\nexport class Circle implements Shape1 {\r\n  readonly name = '⭕';\r\n  area1(scale: number) { return scale * 3; }\r\n}\r\n",
  'src/main.ts':
    "import { Circle } from './circle';\nconst 円 = new Circle(), s = '🚀'; export const total = 円.area1(s.length);\nfunction local(a: number) { return a + total; }\nlocal(2);\n",
  'src/empty.ts': '',
  'src/keyed.ts': "export const keyed = { 'a-b': 1, ['c d']: 2 };\nexport default keyed;\n",
  'src/util/index.ts': "export * from '../circle';\nexport { total as sum } from '../main';\n",
};

/** Writes the project below `dir` and indexes it; the path of the index. */
export async function makeScipFixture(dir: string): Promise<string> {
  const root = join(dir, 'fixture');
  for (const [path, text] of Object.entries(scipFixtureFiles)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const tool = createRequire(import.meta.url).resolve('@sourcegraph/scip-typescript/dist/src/main.js');
  const output = join(dir, 'fixture.scip');
  const args = [tool, 'index', '--cwd', root, '--output', output, '--no-progress-bar'];
  await promisify(execFile)(process.execPath, args, { cwd: root });
  return output;
}
