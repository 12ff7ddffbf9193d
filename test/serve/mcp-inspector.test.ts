/**
 * The command line of the MCP Inspector at the real program: its own check of tools, schemas and answers. It is large (110 MB) and no
 * dependency of ours: `npm install -g @modelcontextprotocol/inspector`, or name the program in MCP_INSPECTOR; without it the test is skipped.
 */

import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryFile } from '../../src/kernel/exec/start-self.ts';
import { stopDaemon } from '../../src/serve/daemon/daemon-process.ts';
import { tools } from '../../src/serve/mcp/tool-list.ts';
import { placeOf } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import type { Loose } from '../support/mcp-clients.ts';
import { createMcpProject } from '../support/mcp-project.ts';
import { quickPath } from '../support/tools.ts';

const inspector = process.env['MCP_INSPECTOR'] ?? findOnPath('mcp-inspector');

function findOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** One call of each tool; what is not named here has no field that must be given. */
const calls: Readonly<Record<string, readonly string[]>> = {
  search: ['query=greet('],
  symbols: ['query=greet'],
  navigate: ['op=refs', 'target=src/greet.ts:1:17'],
  slice: ['kind=imports', 'target=src/main.ts'],
  plan_refactor: ['kind=rename', 'target=src/greet.ts:5:10', 'to=yell'],
  commit_plan: ['op=list'],
};

describe.skipIf(inspector === undefined)('the MCP Inspector (mcp-inspector)', () => {
  let repo: FixtureRepo;
  beforeAll(() => {
    repo = createMcpProject();
  });
  afterAll(async () => {
    await stopDaemon(placeOf(repo), { waitMs: 30_000, signal: new AbortController().signal });
    repo.dispose();
  });

  async function inspect(...args: readonly string[]): Promise<Loose> {
    const server = [process.execPath, entryFile, '-C', repo.root, 'mcp'];
    const env = { PATH: quickPath(), HOME: repo.home };
    const { stdout } = await promisify(execFile)(inspector ?? '', ['--cli', ...server, ...args], { env });
    return JSON.parse(stdout);
  }

  test('lists every tool', async () => {
    const { tools: listed } = await inspect('--method', 'tools/list');
    expect(listed.map(({ name }: Loose) => name)).toEqual(tools.map(({ name }) => name));
  });

  test.each(tools.map(({ name }) => name))('calls %s', async (name) => {
    const given = (calls[name] ?? []).flatMap((pair) => ['--tool-arg', pair]);
    const { content, isError } = await inspect('--method', 'tools/call', '--tool-name', name, ...given);
    expect(isError).not.toBe(true);
    const { text } = content[0];
    if (name === 'repo_context') expect(text).toMatch(/^no_context: /);
    else expect(text).not.toMatch(/^(?:invalid|not_found|ambiguous|busy|internal|refused|blocked|unsupported)/);
    expect(text).toMatch(/\nnext: \S/);
  });

  test('lists resources', async () => {
    expect((await inspect('--method', 'resources/list')).resources).toEqual([]);
    const { resourceTemplates } = await inspect('--method', 'resources/templates/list');
    expect(resourceTemplates.map(({ uriTemplate }: Loose) => uriTemplate)).toContain('codegenie://context/{section}');
  });
});
