/** Edit a file, then one tool call: facts of the edited file are refreshed first, and the answer is a plan (mutation.md §2.5). */

import { describe, expect, test } from 'vitest';
import type { Loose } from '../support/mcp-clients.ts';
import { useMcpProject } from '../support/mcp-project.ts';

const pathsOf = (answer: Loose): readonly string[] => answer.outcome.plan.files.map((file: Loose) => file.path);

describe.each([
  ['in one process', ['--no-daemon']],
  ['with a daemon', []],
])('%s', (_, flags) => {
  const world = useMcpProject(flags);
  const rename = (target: string, to: string, more: object = {}) =>
    world.mcp.call('plan_refactor', { kind: 'rename', target, to, wait_ms: 60_000, ...more });

  test('M2 the first call of all indexes what it needs, and plans', async () => {
    const { answer } = await rename('src/greet.ts:5:10', 'yell');
    expect(answer.outcome).toMatchObject({ kind: 'ok' });
    expect(pathsOf(answer)).toEqual(['src/greet.ts']);
  });

  test('M2 R14 right after edits of the file and of its users: a plan with the new uses, not `blocked`', async () => {
    world.repo.write(
      'src/greet.ts',
      '// A line that moves everything.\nexport function greet(name: string): string {\n  return shout(name) + shout(name);\n}\n\nfunction shout(text: string): string {\n  return text.toUpperCase();\n}\n',
    );
    world.repo.write(
      'src/more.ts',
      "import { greet } from './greet.js';\n\nexport const more = [greet('a'), greet('b')];\n",
    );
    const own = await rename('src/greet.ts:6:10', 'yell');
    expect(own.answer.outcome).toMatchObject({ kind: 'ok', plan: { files: [{ path: 'src/greet.ts', edits: 3 }] } });

    world.repo.write(
      'src/main.ts',
      "import { greet as say } from './greet.js';\n\nexport const said = say('world');\n",
    );
    const used = await rename('src/greet.ts:2:17', 'welcome', { public_names: 'rename' });
    expect(pathsOf(used.answer)).toEqual(['src/greet.ts', 'src/index.ts', 'src/main.ts', 'src/more.ts']);
  });
});
