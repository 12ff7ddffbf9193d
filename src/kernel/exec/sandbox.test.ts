import { execFileSync, spawn } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingLogger } from '../base/log.ts';
import type { ExternalOptions } from './exec.ts';
import { createExecHost } from './exec-host.ts';
import { renderBwrapArgs } from './sandbox.ts';

const hasBwrap = process.platform === 'linux' && existsSync('/usr/bin/bwrap');

let place: string;
let root: string;
let home: string;
let workspace: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'bwrap-')));
  root = join(place, 'repo');
  // Not below /tmp, which is empty inside.
  home = mkdtempSync('/var/tmp/home-');
  workspace = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : place, 'workspace-'));
  for (const directory of [join(root, '.codegenie'), join(home, 'rules'), join(place, 'tools')])
    mkdirSync(directory, { recursive: true });
  writeFileSync(join(root, 'file.txt'), 'content\n');
  writeFileSync(join(root, '.codegenie/ours.txt'), 'ours\n');
  writeFileSync(join(home, 'private.txt'), 'private\n');
  writeFileSync(join(home, 'rules/rule.yml'), 'rule\n');
});
afterEach(() => {
  for (const directory of [place, home, workspace]) rmSync(directory, { recursive: true });
});

const path = '/usr/local/bin:/usr/bin:/bin';

/** A script that stands for an analyser: the user's configuration says that `rg` is this file. */
function openHost(script: string, directory = join(place, 'tools'), extra: Record<string, string> = {}) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'tool'), script, { mode: 0o755 });
  const logger = recordingLogger();
  const toolPaths = { rg: join(directory, 'tool'), ...extra };
  const host = createExecHost({
    root,
    environment: { PATH: path, HOME: home, GITHUB_TOKEN: 'hunter2' },
    toolPaths,
    logger,
  });
  const exec = host.bind({ name: 'test', signal: new AbortController().signal, workspace });
  const run = async (options: Partial<ExternalOptions> = {}) => {
    const outcome = await exec.runExternalCli(['rg'], { cwd: root, timeoutS: 20, ...options });
    if (outcome.kind !== 'exited') throw new Error(outcome.kind);
    return { code: outcome.code, stdout: outcome.stdout.toString(), stderr: outcome.stderr.toString() };
  };
  return { host, run, events: logger.events };
}

describe.skipIf(!hasBwrap)('sandboxed tools (needs bubblewrap)', () => {
  test('G34 the repository can be read and not written (needs bubblewrap)', async () => {
    const { run } = openHost(
      '#!/bin/sh\ncat file.txt; pwd; touch file.txt new.txt; rm file.txt; echo changed > file.txt\n',
    );
    expect((await run()).stdout).toBe(`content\n${root}\n`);
    expect(readdirSync(root).sort()).toEqual(['.codegenie', 'file.txt']);
    expect(readFileSync(join(root, 'file.txt'), 'utf8')).toBe('content\n');
  });

  test('G34 our data and the home directory are invisible (needs bubblewrap)', async () => {
    const { run } = openHost(
      `#!/bin/sh\nls -A ${root}/.codegenie ${home} /run; cat ${home}/private.txt ${root}/.codegenie/ours.txt\n`,
    );
    const empty = ['/run', `${root}/.codegenie`, home].sort().map((directory) => `${directory}:\n`);
    expect((await run()).stdout).toBe(empty.join('\n'));
  });

  test('G34 a remount is refused: no capability is left (needs bubblewrap)', async () => {
    const { run } = openHost(`#!/bin/sh
      grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | cut -f2 | sort -u
      mount -o remount,rw / && echo remounted; mount -o remount,rw ${root} && echo remounted; umount ${home} && echo unmounted
      touch /etc/codegenie-was-here ${root}/new && echo written`);
    expect((await run()).stdout).toBe('0000000000000000\n');
    expect(existsSync('/etc/codegenie-was-here')).toBe(false);
  });

  describe('with a server on this machine', () => {
    let server: Server;
    beforeEach(async () => {
      server = createServer((socket) => socket.end('hello'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    const script = () => {
      const { port } = server.address() as { port: number };
      return `#!/usr/bin/env node
        const { networkInterfaces } = require('node:os');
        const socket = require('node:net').connect(${port}, '127.0.0.1');
        socket.on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code, Object.keys(networkInterfaces())));`;
    };

    test('G34 there is no network (needs bubblewrap)', async () => {
      expect((await openHost(script()).run()).stdout).toBe("ECONNREFUSED [ 'lo' ]\n");
    });

    test('G34 there is one for a tool that was given hosts to reach (needs bubblewrap)', async () => {
      expect((await openHost(script()).run({ egress: ['example.org'] })).stdout).toBe('hello\n');
    });
  });

  test('G34 the end of this process, even by SIGKILL, ends the tool (needs bubblewrap)', async () => {
    const fifo = join(workspace, 'fifo');
    execFileSync('mkfifo', [fifo]);
    openHost(`#!/bin/sh\nexec 3>${fifo}; echo alive >&3; sleep 1000 & wait\n`);
    const program = `
      import { createExecHost } from ${JSON.stringify(new URL('./exec-host.ts', import.meta.url).href)};
      const host = createExecHost({ root: ${JSON.stringify(root)}, environment: { PATH: ${JSON.stringify(path)}, HOME: ${JSON.stringify(home)} },
        toolPaths: { rg: ${JSON.stringify(join(place, 'tools/tool'))} }, logger: { event() {} } });
      const exec = host.bind({ name: 'test', signal: new AbortController().signal, workspace: ${JSON.stringify(workspace)} });
      await exec.runExternalCli(['rg'], { cwd: ${JSON.stringify(root)}, timeoutS: 1000, writable: [${JSON.stringify(workspace)}] });`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    // The pipe ends when its last writer inside the sandbox is gone; until then this test would wait.
    const stream = createReadStream(fifo, 'utf8');
    let said = '';
    for await (const chunk of stream) {
      said += chunk;
      parent.kill('SIGKILL');
    }
    expect(said).toBe('alive\n');
  });

  test('G4 the environment inside is the one we set, and temporary files can be written (needs bubblewrap)', async () => {
    const { run } = openHost(
      '#!/bin/sh\nenv | grep -v ^PWD= | sort; touch "$TMPDIR/x" "$HOME/y" /tmp/z && echo writable\n',
    );
    const expected = [
      'HOME=/tmp/probe',
      'LANG=C.UTF-8',
      'LC_ALL=C.UTF-8',
      'NO_COLOR=1',
      `PATH=${path}`,
      'TMPDIR=/tmp/probe',
      'writable',
      '',
    ];
    expect((await run()).stdout).toBe(expected.join('\n'));
  });

  test('G4 what the caller adds to the environment is inside too, without what is sensitive (needs bubblewrap)', async () => {
    const { run, events } = openHost('#!/bin/sh\nenv | grep -E "^(HOME|PATH|GOPROXY|MY_TOKEN)=" | sort\n');
    const envExtra = { HOME: workspace, PATH: '/usr/bin', GOPROXY: 'off', MY_TOKEN: 'hunter2' };
    expect((await run({ envExtra, writable: [workspace] })).stdout).toBe(
      `GOPROXY=off\nHOME=${workspace}\nPATH=/usr/bin\n`,
    );
    expect(events).toEqual([{ name: 'subproc.env_extra.sensitive_key_dropped', fields: { key: 'MY_TOKEN' } }]);
  });

  test('R26: a daemon that a tool leaves inside ends with the call (needs bubblewrap)', async () => {
    const fifo = join(workspace, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const { host } = openHost(
      `#!/bin/sh\n(setsid sh -c 'exec 3>${fifo}; echo alive >&3; trap "" TERM HUP; while :; do sleep 1000; done' &) ; sleep 1000\n`,
    );
    const cancel = new AbortController();
    const exec = host.bind({ name: 'test', signal: cancel.signal, workspace });
    const running = exec.runExternalCli(['rg'], { cwd: root, timeoutS: 1000, writable: [workspace] });
    // The pipe ends when its last writer inside the sandbox is gone; until then this test would wait.
    for await (const chunk of createReadStream(fifo, 'utf8')) {
      expect(chunk).toBe('alive\n');
      cancel.abort();
    }
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(host.liveGroups()).toEqual([]);
  });

  test('a tool that lives in the hidden home is shown with its own files, and nothing else is (needs bubblewrap)', async () => {
    const { run } = openHost(`#!/bin/sh\nls ${home} ${home}/venv; cat ${home}/private.txt\n`, join(home, 'venv/bin'));
    writeFileSync(join(home, 'venv/pyvenv.cfg'), '');
    expect((await run()).stdout).toBe(`${home}:\nvenv\n\n${home}/venv:\nbin\npyvenv.cfg\n`);
  });

  test('readable, masked and writable (needs bubblewrap)', async () => {
    writeFileSync(join(root, '.toolignore'), '*\n');
    const cache = join(root, '.codegenie/cache/tools/rg');
    mkdirSync(cache, { recursive: true });
    const { run } = openHost(`#!/bin/sh
      cat ${home}/rules/rule.yml; touch ${home}/rules/new; wc -c < .toolignore; cat absent
      echo result > ${workspace}/out; echo kept > ${cache}/db; ls -A .codegenie`);
    const options = {
      readable: [join(home, 'rules')],
      masked: ['.toolignore', 'absent'],
      writable: [workspace, cache],
    };
    expect((await run(options)).stdout).toBe('rule\n0\ncache\n');
    expect(readFileSync(join(workspace, 'out'), 'utf8')).toBe('result\n');
    expect(readFileSync(join(cache, 'db'), 'utf8')).toBe('kept\n');
    expect(readdirSync(join(home, 'rules'))).toEqual(['rule.yml']);
  });

  test('G31 a masked file that is a link masks what the link names (needs bubblewrap)', async () => {
    execFileSync('ln', ['-s', 'file.txt', join(root, '.toolignore')]);
    execFileSync('ln', ['-s', '/etc', join(root, '.toolrc')]);
    const { run } = openHost('#!/bin/sh\nwc -c < .toolignore\n');
    expect(await run({ masked: ['.toolignore', '.toolrc'] })).toMatchObject({ code: 0, stdout: '0\n' });
  });

  test('P2 a sandbox that cannot be set up is not an exit 1 without output (needs bubblewrap)', async () => {
    const { run, events } = openHost('#!/bin/sh\n');
    expect((await run({ writable: [join(place, 'nowhere')] })).code).toBe(126);
    expect(events.map((event) => event.name)).toEqual(['subproc.bwrap.failed']);
  });

  test('the exit code of the tool is the exit code of the call (needs bubblewrap)', async () => {
    const { run, host } = openHost('#!/bin/sh\necho found; exit 1\n');
    expect(await run()).toMatchObject({ code: 1, stdout: 'found\n' });
    expect(await host.sandbox()).toEqual({ kind: 'bwrap', reason: null });
  });
});

test('without a working bwrap the tool runs plainly, and that is said once', async () => {
  const failing = join(place, 'tools/bwrap');
  writeFileSync(failing, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { run, host, events } = openHost('#!/bin/sh\necho plain; echo $HOME\n', undefined, { bwrap: failing });
  expect((await run()).stdout).toBe(`plain\n${workspace}\n`);
  await run();
  expect(await host.sandbox()).toEqual({ kind: 'none', reason: 'self_test_failed' });
  expect(events).toEqual([{ name: 'subproc.bwrap.skipped', fields: { reason: 'self_test_failed' } }]);
});

test('without bwrap at all, likewise', async () => {
  const { host, events } = openHost('#!/bin/sh\n', undefined, { bwrap: '/nowhere/bwrap' });
  expect(await host.sandbox()).toEqual({ kind: 'none', reason: 'not_installed' });
  expect(events).toEqual([{ name: 'subproc.bwrap.skipped', fields: { reason: 'not_installed' } }]);
});

test('the arguments are those of the specification, in its order', () => {
  const args = renderBwrapArgs({
    shareNetwork: false,
    environment: { PATH: '/bin', HOME: '/tmp/probe' },
    emptied: ['/run', '/home/me'],
    readable: ['/home/me/tool', '/home/me/rules'],
    root: '/r',
    dataDirectory: '/r/.codegenie',
    masked: ['/r/.ignore'],
    emptyFile: '/w/.empty',
    writable: ['/w'],
    cwd: '/r/sub',
    command: ['/home/me/tool/rg', '--json'],
  });
  expect(args.join(' ')).toBe(
    '--unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --setenv PATH /bin --setenv HOME /tmp/probe ' +
      '--ro-bind / / --dev /dev --proc /proc --tmpfs /run --tmpfs /home/me --tmpfs /tmp --dir /tmp/probe ' +
      '--ro-bind /home/me/tool /home/me/tool --ro-bind /home/me/rules /home/me/rules ' +
      '--ro-bind /r /r --tmpfs /r/.codegenie --ro-bind /w/.empty /r/.ignore --bind /w /w ' +
      '--chdir /r/sub -- /home/me/tool/rg --json',
  );
});
