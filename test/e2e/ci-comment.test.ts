/** The comment on a merge request of GitLab: written once, then written anew; asked of a server on loopback that answers as GitLab documents it. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageDirectory } from '../../src/kernel/base/package-files.ts';

type Note = { readonly id: number; body: string; readonly system: boolean };

let directory: string;
let server: Server;
let asked: string[];
let notes: Note[];
let status: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'codegenie-comment-'));
  writeFileSync(join(directory, 'changes.md'), '| `test.framework` | `vitest` | `jest` |\n');
  asked = [];
  status = 200;
  // More than a page of what others wrote.
  notes = Array.from({ length: 130 }, (_, id) => ({ id, body: `<!-- other --> ${id}`, system: id % 2 === 0 }));
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    asked.push(`${request.method} ${request.url} ${request.headers['private-token']}`);
    const body = text === '' ? '' : (JSON.parse(text) as { body: string }).body;
    const id = Number(/\/notes\/(\d+)$/.exec(url.pathname)?.[1]);
    if (request.method === 'POST') notes.push({ id: 1000, body, system: false });
    for (const note of notes) if (request.method === 'PUT' && note.id === id) note.body = body;
    const from = 100 * (Number(url.searchParams.get('page') ?? 1) - 1);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'GET' ? notes.slice(from, from + 100) : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

function comment(environment: Readonly<Record<string, string>>): Promise<{ code: number | null; stderr: string }> {
  const { port } = server.address() as AddressInfo;
  const program = spawn(
    process.execPath,
    [join(packageDirectory, 'ci/comment-on-gitlab.mjs'), join(directory, 'changes.md')],
    {
      env: {
        ...{ CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`, CI_PROJECT_ID: '7', CI_MERGE_REQUEST_IID: '3' },
        ...environment,
      },
    },
  );
  let stderr = '';
  program.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => program.on('close', (code) => resolve({ code, stderr })));
}
const ours = () => notes.filter(({ body }) => body.startsWith('<!-- codegenie -->'));
const token = { CODEGENIE_COMMENT_TOKEN: 'secret-of-the-job' };

test('one comment, that the next run writes anew; what others wrote stays', async () => {
  expect(await comment(token)).toEqual({ code: 0, stderr: '' });
  expect(ours()).toEqual([{ id: 1000, system: false, body: expect.stringContaining('`jest`') }]);
  writeFileSync(join(directory, 'changes.md'), 'nothing differs\n');
  expect(await comment(token)).toEqual({ code: 0, stderr: '' });
  expect(ours()).toEqual([{ id: 1000, system: false, body: expect.stringContaining('nothing differs') }]);
  expect(notes.filter(({ body }) => body.startsWith('<!-- other -->'))).toHaveLength(130);
  const at = '/api/v4/projects/7/merge_requests/3/notes';
  expect(asked.filter((line) => !line.startsWith('GET'))).toEqual([
    `POST ${at} secret-of-the-job`,
    `PUT ${at}/1000 secret-of-the-job`,
  ]);
});

test('without a token, a merge request or a comparison nothing is asked; a refusal is told without the token', async () => {
  for (const environment of [{}, { ...token, CI_MERGE_REQUEST_IID: '' }])
    expect(await comment(environment)).toEqual({ code: 0, stderr: '' });
  expect(asked).toEqual([]);
  status = 403;
  const refused = await comment(token);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('GitLab answers 403 to GET') });
  expect(refused.stderr).not.toContain('secret-of-the-job');
  rmSync(join(directory, 'changes.md'));
  expect(await comment(token)).toEqual({ code: 0, stderr: '' });
});
