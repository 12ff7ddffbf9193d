/** A small project as people have them: a package with a public name, a module that uses it, one that is not typed. */

import { createFixtureRepo, type FixtureRepo } from './fixture-repo.ts';

export function createMcpProject(more: Readonly<Record<string, string>> = {}): FixtureRepo {
  return createFixtureRepo({
    'package.json': JSON.stringify({ name: 'greeter', version: '1.0.0', type: 'module', exports: './src/index.ts' }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, types: [] },
      include: ['src'],
    }),
    'src/index.ts': "export { greet } from './greet.js';\n",
    'src/greet.ts':
      'export function greet(name: string): string {\n  return shout(name);\n}\n\nfunction shout(text: string): string {\n  return text.toUpperCase();\n}\n',
    'src/main.ts': "import { greet } from './greet.js';\n\nexport const said = greet('world');\n",
    ...more,
  });
}
