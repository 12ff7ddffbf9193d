/** A small project as people have them: a package with a public name, a module that uses it, one that is not typed. */

import { afterAll, beforeAll } from 'vitest';
import { stopDaemon } from '../../src/serve/daemon/daemon-process.ts';
import { placeOf } from './daemon-world.ts';
import { createFixtureRepo, type FixtureRepo } from './fixture-repo.ts';
import { connectStdio, type McpClient } from './mcp-clients.ts';

export function createMcpProject(more: Readonly<Record<string, string>> = {}): FixtureRepo {
  return createFixtureRepo({
    'package.json': JSON.stringify({ name: 'greeter', version: '1.0.0', type: 'module', exports: './src/index.ts' }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022'], noEmit: true, types: [] },
      include: ['src'],
    }),
    'src/index.ts': "export { greet } from './greet.js';\n",
    'src/greet.ts':
      'export function greet(name: string): string {\n  return shout(name);\n}\n\nfunction shout(text: string): string {\n  return text.toUpperCase();\n}\n',
    'src/main.ts': "import { greet } from './greet.js';\n\nexport const said = greet('world');\n",
    ...more,
  });
}

/** The project and a client over pipes for all tests of a block; what the client started ends with them. */
export function useMcpProject(flags: readonly string[]): { readonly repo: FixtureRepo; readonly mcp: McpClient } {
  const used = {} as { repo: FixtureRepo; mcp: McpClient };
  beforeAll(async () => {
    used.repo = createMcpProject();
    used.mcp = await connectStdio(used.repo, flags);
  });
  afterAll(async () => {
    await used.mcp.close();
    await stopDaemon(placeOf(used.repo), { waitMs: 30_000, signal: new AbortController().signal });
    used.repo.dispose();
  });
  return used;
}
