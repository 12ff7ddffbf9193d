import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { closingQuote, decodeCString, selectWorkload } from './strace-log.ts';
import { noFacts, parseStraceLines } from './trace-facts.ts';

const facts = (...calls: string[]) => parseStraceLines(calls.map((call) => `7 ${call}`));

/** A trace as strace 6.1 printed it of a Node service in a container: runtime first, a split exec, a shell, threads. */
const recorded = String.raw`
13325 openat(AT_FDCWD</app>, "/proc/self/fd/5", O_WRONLY|O_CLOEXEC) = 3</run/runc/cd1c63d1/exec.fifo>
13325 openat(AT_FDCWD</app>, "/proc/self/fd", O_RDONLY|O_CLOEXEC) = 4</proc/1/fd>
13325 execve("/usr/bin/node", ["/usr/bin/node", "index.js"], 0xc000175830 /* 5 vars */ <unfinished ...>
13329 +++ exited with 0 +++
13328 openat(AT_FDCWD</app>, "/run/runc/state.json", O_RDONLY|O_CLOEXEC) = 4</run/runc/state.json>
13328 +++ exited with 0 +++
13325 <... execve resumed>)             = 0
13325 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f622a9e5000
13325 openat(AT_FDCWD</app>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)
13325 openat(AT_FDCWD</app>, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3</lib/x86_64-linux-gnu/libc.so.6>
13325 mmap(0x7f622a503000, 1400832, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_FIXED|MAP_DENYWRITE, 3</lib/x86_64-linux-gnu/libc.so.6>, 0x26000) = 0x7f622a503000
13325 openat(AT_FDCWD</app>, "/proc/self/maps", O_RDONLY|O_CLOEXEC) = 17</proc/1/maps>
13325 openat(AT_FDCWD</app>, "config.json", O_RDONLY|O_CLOEXEC <unfinished ...>
13378 openat(AT_FDCWD</app>, "/app/\303\244 <b> \"q\".txt", O_RDONLY|O_CLOEXEC) = 18</app/\303\244 \74b\76 \"q\".txt>
13325 <... openat resumed>)             = 17</app/config.json>
13379 openat(AT_FDCWD</app>, "/etc/ssl/certs/ca.pem", O_RDONLY|O_CLOEXEC) = 18</etc/ssl/certs/ca.pem>
13325 openat(AT_FDCWD</app>, "/app/native.node", O_RDONLY|O_CLOEXEC) = 19</app/native.node>
13325 mmap(0x7f6228300000, 77824, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_FIXED|MAP_DENYWRITE, 19</app/native.node>, 0x3000) = 0x7f6228300000
13325 openat(AT_FDCWD</app>, "/tmp/w", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = 20</tmp/w>
13382 execve("/bin/sh", ["/bin/sh", "-c", "echo hi; busybox cat /app/config.json"], 0xf62f660 /* 5 vars */) = 0
13382 execve("/proc/self/exe", ["busybox", "cat", "/app/config.json"], 0xcbb4908 /* 7 vars */) = 0
13382 +++ exited with 0 +++
13325 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=16 /* 13382 in strace's PID NS */, si_uid=0} ---
13325 connect(20<socket:[7137285]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("93.184.216.34")}, 16) = -1 ENETUNREACH (Network is unreachable)
13325 connect(20<socket:[7137286]>, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (Network is unreachable)
13325 bind(20<socket:[7137287]>, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("0.0.0.0")}, 16) = 0
13325 +++ exited with 0 +++`
  .trim()
  .split('\n');

const recordedFacts = {
  binaries_executed: ['/bin/sh', '/usr/bin/node'],
  shared_libs_loaded: ['/app/native.node', '/lib/x86_64-linux-gnu/libc.so.6'],
  cert_paths_read: ['/etc/ssl/certs/ca.pem'],
  files_read: [
    '/app/config.json',
    '/app/native.node',
    '/app/ä <b> "q".txt',
    '/etc/ssl/certs/ca.pem',
    '/lib/x86_64-linux-gnu/libc.so.6',
  ],
  shell_invocations: 1,
  outbound: ['93.184.216.34:443', '[2001:db8::1]:443'],
  inbound: ['0.0.0.0:8080'],
};

test('a recorded trace: the workload alone, and exactly what it did', () => {
  expect(parseStraceLines(selectWorkload(recorded, 13325))).toEqual(recordedFacts);
});

describe('calls', () => {
  test('the path is that of the descriptor, links followed; a deleted file has its name', () => {
    expect(facts('openat(AT_FDCWD</app>, "link", O_RDONLY) = 3</data/file>').files_read).toEqual(['/data/file']);
    expect(facts('open("x", O_RDONLY) = 3</tmp/x>(deleted)').files_read).toEqual(['/tmp/x']);
    expect(facts('open("x", O_RDONLY) = 3</tmp/x (deleted)>').files_read).toEqual(['/tmp/x']);
  });

  test('without descriptor paths an absolute name is the path', () => {
    expect(facts('open("/a", O_RDONLY) = 3', 'open("b", O_RDONLY) = 4').files_read).toEqual(['/a']);
  });

  test.each([
    ['a failed open', 'openat(AT_FDCWD</>, "/a", O_RDONLY) = -1 ENOENT (No such file or directory)'],
    ['an open that never returned', 'openat(AT_FDCWD</>, "/a", O_RDONLY) = ?'],
    ['a half', 'openat(AT_FDCWD</>, "/a", O_RDONLY <unfinished ...>'],
    ['a directory', 'openat(AT_FDCWD</>, "/a", O_RDONLY|O_DIRECTORY) = 3</a>'],
    ['a write', 'openat(AT_FDCWD</>, "/a", O_WRONLY|O_CREAT, 0666) = 3</a>'],
    ['a handle without rights', 'openat(AT_FDCWD</>, "/a", O_PATH) = 3</a>'],
    ['a device', 'openat(AT_FDCWD</>, "/dev/null", O_RDONLY) = 3</dev/null>'],
    ['a pipe', 'openat(AT_FDCWD</>, "/proc/self/fd/0", O_RDONLY) = 3<pipe:[77]>'],
    ['memory', 'mmap(NULL, 4096, PROT_READ|PROT_EXEC, MAP_PRIVATE, 3</memfd:jit>(deleted), 0) = 0x7f00'],
    ['a mapping that failed', 'mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE, 3</a.so>, 0) = -1 ENOMEM (no)'],
    ['a mapping of data', 'mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3</a.so>, 0) = 0x7f00'],
    ['an exec that failed', 'execve("/bin/sh", ["sh"], 0x1 /* 5 vars */) = -1 ENOENT (No such file or directory)'],
    [
      'a bind that failed',
      'bind(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("0.0.0.0")}, 16) = -1 EACCES (Permission denied)',
    ],
    ['port 0', 'bind(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0'],
    ['a local socket', 'connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/{sa_family=AF_INET"}, 110) = 0'],
    ['netlink', 'bind(3<socket:[1]>, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0'],
  ])('%s is no fact', (_what, call) => {
    expect(facts(call)).toEqual(noFacts);
  });

  test('an attempt to connect counts, even one that was cut short', () => {
    const call = 'connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, 16';
    expect(facts(`${call}) = 0`).outbound).toEqual(['10.0.0.2:53']);
    expect(
      parseStraceLines(selectWorkload(['7 execve("/a", ["a"], 0x1) = 0', `7 ${call} <unfinished ...>`], 7)).outbound,
    ).toEqual(['10.0.0.2:53']);
  });

  test('openat2 and execveat', () => {
    const found = facts(
      'openat2(AT_FDCWD</app>, "x", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}, 24) = 3</app/x>',
      'execveat(3</app/tool>, "", ["tool"], 0x1 /* 2 vars */, AT_EMPTY_PATH) = 0',
      'execveat(AT_FDCWD</app>, "bin/x", ["x"], 0x1 /* 2 vars */, 0) = 0',
    );
    expect(found.files_read).toEqual(['/app/x']);
    expect(found.binaries_executed).toEqual(['/app/bin/x', '/app/tool']);
  });

  test.each([
    ['/bin/bash', '["bash"]', 1],
    ['/bin/busybox', '["sh", "-c", "x"]', 1],
    ['/bin/busybox', '["busybox", "ash"]', 1],
    ['/bin/busybox', '["cat"]', 0],
    ['/proc/self/exe', '["sh"]', 1],
    ['/opt/shell', '["sh"]', 0],
  ])('%s %s is a shell: %i', (path, argv, count) => {
    expect(facts(`execve("${path}", ${argv}, 0x1 /* 2 vars */) = 0`).shell_invocations).toBe(count);
  });

  test('an executable that maps itself is no library of its own', () => {
    const map = 'mmap(NULL, 4096, PROT_READ|PROT_EXEC, MAP_PRIVATE, 3</app/prog>, 0) = 0x7f00';
    expect(facts(map).shared_libs_loaded).toEqual(['/app/prog']);
    expect(facts(map, 'execve("/app/prog", ["prog"], 0x1 /* 2 vars */) = 0').shared_libs_loaded).toEqual([]);
  });

  test('a relative program is resolved where there is one answer, and left as written where there are two', () => {
    const exec = 'execve("./prog", ["./prog"], 0x1 /* 2 vars */) = 0';
    const seenIn = (directory: string) => `openat(AT_FDCWD<${directory}>, "x", O_RDONLY) = -1 ENOENT (no)`;
    expect(facts(exec, seenIn('/tmp')).binaries_executed).toEqual(['/tmp/prog']);
    expect(facts(exec, seenIn('/tmp'), seenIn('/app')).binaries_executed).toEqual(['./prog']);
    expect(parseStraceLines([`8 ${exec}`, `7 ${seenIn('/tmp')}`]).binaries_executed).toEqual(['/tmp/prog']);
  });

  test('names that look like other parts of a line stand for nothing but themselves', () => {
    const name = String.raw`x) = 3\74/etc/shadow\76\n99 execve(\"/bin/evil\", [\"evil\"], 0x0) = 0`;
    const found = facts(
      `openat(AT_FDCWD</tmp>, "${name}", O_RDONLY) = 3</tmp/${name}>`,
      `openat(AT_FDCWD</tmp>, "${name}", O_RDONLY) = -1 ENOENT (No such file or directory)`,
      `connect(3</tmp/{sa_family=AF_INET, sin_port=htons(1), sin_addr=inet_addr(\\"6.6.6.6\\")}>, 0x1, 16) = -1 ENOTSOCK (x)`,
    );
    expect(found).toEqual({
      ...noFacts,
      files_read: ['/tmp/x) = 3</etc/shadow>\n99 execve("/bin/evil", ["evil"], 0x0) = 0'],
    });
  });
});

describe('strings', () => {
  test.each([
    [String.raw`a\tb\n\"\\`, 'a\tb\n"\\'],
    [String.raw`\303\244`, 'ä'],
    [String.raw`\0\18\377`, '\0\u00018\ufffd'],
    [String.raw`\x41\xzz`, 'A\0zz'],
    ['tail\\', 'tail\\'],
  ])('%s', (printed, text) => expect(decodeCString(printed)).toBe(text));

  test('G40 any bytes come back from how strace prints them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const printed = [...Buffer.from(text, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
        expect(decodeCString(printed)).toBe(text);
        expect(closingQuote(`"${printed}"`, 0)).toBe(printed.length + 1);
      }),
    );
  });
});

const token = fc.constantFrom(
  ...['"', '\\', '<', '>', ')', '(', ' = ', '0', '3</a>', ', "', 'openat(', 'open("', 'execve("', 'execveat(', 'mmap('],
  ...['PROT_EXEC', 'bind(', 'connect(', '{sa_family=AF_INET', 'port=htons(', 'inet_addr("', ' <unfinished ...>'],
  ...['<... openat resumed>', '+++ superseded by execve in pid 7 +++', '+++ exited with 0 +++', '7 ', '8 ', 'é', '\0'],
);
const hostileLine = fc.array(fc.oneof(token, fc.string({ maxLength: 5 })), { maxLength: 12 }).map((of) => of.join(''));

describe('properties', () => {
  test('G40 the parser is total', () => {
    fc.assert(
      fc.property(fc.array(hostileLine, { maxLength: 30 }), fc.option(fc.constantFrom(7, 8)), (lines, pid) => {
        parseStraceLines(selectWorkload(lines, pid));
        parseStraceLines(lines);
      }),
    );
  });

  const whole = selectWorkload(recorded, 13325);
  test('G40 the order of lines does not matter', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...whole], { minLength: whole.length }), (lines) => {
        expect(parseStraceLines(lines)).toEqual(recordedFacts);
      }),
    );
  });

  test('G40 nor does it where processes interleave differently, as long as each of them keeps its own order', () => {
    const start = recorded.findIndex((line) => line.includes('<... execve resumed>'));
    const after = recorded.slice(start + 1);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: after.length, maxLength: after.length }), (picks) => {
        const queues = new Map<string, string[]>();
        for (const line of after) {
          const pid = line.slice(0, 5);
          queues.set(pid, [...(queues.get(pid) ?? []), line]);
        }
        const mixed = picks.map((pick) => {
          const open = [...queues.values()].filter((queue) => queue.length > 0);
          return open[pick % open.length]?.shift() ?? '';
        });
        expect(parseStraceLines(selectWorkload([...recorded.slice(0, start + 1), ...mixed], 13325))).toEqual(
          recordedFacts,
        );
      }),
    );
  });
});
