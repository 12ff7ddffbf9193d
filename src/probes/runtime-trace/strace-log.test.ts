import { describe, expect, test } from 'vitest';
import { selectWorkload } from './strace-log.ts';

const start = '7 execve("/app/x", ["x"], 0x1 /* 2 vars */) = 0';
const open = (pid: number, path: string) => `${pid} openat(AT_FDCWD</>, "${path}", O_RDONLY) = 3<${path}>`;

describe('attached to the parked runtime', () => {
  test('everything up to the first exec of a program is the runtime’s, its threads are to the end', () => {
    const lines = [open(7, '/run/a'), open(8, '/run/b'), '7 execve("/proc/self/exe", ["init"], 0x1) = 0', start];
    expect(selectWorkload([...lines, open(8, '/run/c'), open(9, '/d'), open(7, '/e')], 7)).toEqual([
      start,
      open(9, '/d'),
      open(7, '/e'),
    ]);
  });

  test('an exec that failed does not begin it', () => {
    const failed = '7 execve("/usr/local/bin/x", ["x"], 0x1) = -1 ENOENT (No such file or directory)';
    expect(selectWorkload([failed, start], 7)).toEqual([start]);
    expect(selectWorkload([failed], 7)).toEqual([]);
  });

  test('an exec by a thread of the runtime ends under the pid of its leader', () => {
    const lines = [
      '8 execve("/app/x", ["x"], 0x1 /* 2 vars */ <unfinished ...>',
      '7 +++ superseded by execve in pid 8 +++',
      '7 <... execve resumed>)                 = 0',
      open(7, '/a'),
    ];
    expect(selectWorkload(lines, 7)).toEqual([
      '7 execve("/app/x", ["x"], 0x1 /* 2 vars */)                 = 0',
      open(7, '/a'),
    ]);
  });

  test('halves are joined per process, however often a call is interrupted', () => {
    const lines = [
      start,
      '7 openat(AT_FDCWD</>, "/a", O_RDONLY <unfinished ...>',
      '9 openat(AT_FDCWD</>, "/b", O_RDONLY <unfinished ...>',
      '7 <... openat resumed> <unfinished ...>',
      '9 <... openat resumed>) = 4</b>',
      '7 <... openat resumed>) = 3</a>',
      '7 <... openat resumed>) = 5</nobody/began/this>',
    ];
    expect(selectWorkload(lines, 7)).toEqual([start, open(9, '/b').replace('= 3', '= 4'), open(7, '/a')]);
  });
});

describe('a log of the whole engine', () => {
  const engine = [
    '1 clone(child_stack=NULL, flags=SIGCHLD) = 2',
    open(1, '/etc/containers/storage.conf'),
    '2 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD) = 3',
    '2 pivot_root(".", ".") = 0',
    open(3, '/run/runc/thread'),
    '2 openat(AT_FDCWD</>, "/proc/self/fd/5", O_WRONLY) = 3</run/exec.fifo>',
    '2 execve("/app/x", ["x"], 0x1 /* 2 vars */) = 0',
    // The child's lines stand before the line that says whose child it is.
    open(5, '/child'),
    '6 openat(AT_FDCWD</>, "/grandchild", O_RDONLY <unfinished ...>',
    "2 clone(child_stack=NULL, flags=SIGCHLD) = 12 /* 5 in strace's PID NS */",
    '5 vfork() = 6',
    '6 <... openat resumed>) = 3</grandchild>',
    open(1, '/engine/again'),
    open(3, '/run/runc/again'),
  ];

  test('the workload is what pivoted, from its next exec on, with all that descends from it', () => {
    const kept = selectWorkload(engine, null).filter((line) => line.includes('openat'));
    expect(kept).toEqual([open(5, '/child'), open(6, '/grandchild')]);
  });

  test('without a pivot that succeeded nothing is the workload’s', () => {
    expect(
      selectWorkload(
        engine.map((line) => line.replace('".") = 0', '".") = -1 EPERM (no)')),
        null,
      ),
    ).toEqual([]);
  });
});
