import { expect, test } from 'vitest';
import { createMention, createSanitiser, type SanitiserOptions } from './sanitise.ts';

const options: SanitiserOptions = {
  root: '/home/ann/work/main',
  home: '/home/ann',
  workspace: '/dev/shm/codegenie-1/ws',
};

function check(given: SanitiserOptions, cases: readonly (readonly [string, string])[]): void {
  const sanitise = createSanitiser(given);
  for (const [before, after] of cases) {
    expect(sanitise(before)).toBe(after);
    expect(sanitise(after)).toBe(after);
    // What is not mentioned at all is not looked at (`createMention`), wherever a text begins.
    if (before !== after) expect(createMention(given)(Buffer.from(`x${before}x`))).toBe(true);
  }
}

test('the repository under the home: the longest prefix wins', () => {
  check(options, [
    ['/home/ann/work/main', '.'],
    ['/home/ann/work/main/src/a.ts:3', './src/a.ts:3'],
    ['/home/ann/work/other', '~/work/other'],
    ['see /home/ann.', 'see ~.'],
    ['PATH=/home/ann/work/main/bin:/home/ann/bin', 'PATH=./bin:~/bin'],
    ['file:///home/ann/work/main/x', 'file://./x'],
    ['-I/home/ann/work/main/include', '-I./include'],
    ["'/home/ann/work/main'", "'.'"],
    ['"a\\n/home/ann/work/main/x"', '"a\\n./x"'],
    ['\u001b[36m/home/ann/work/main/x\u001b[39m', '\u001b[36m./x\u001b[39m'],
    ['/dev/shm/codegenie-1/ws/out.json', '<workspace>/out.json'],
    ['/dev/shm/codegenie-1/ws/home/bob/x', '<workspace>/home/bob/x'],
  ]);
});

test('only whole segments are rewritten', () => {
  check(options, [
    ['/home/ann/work/main2/x', '~/work/main2/x'],
    ['/home/ann/work/main-old', '~/work/main-old'],
    ['/home/ann/work/main.bak/x', '~/work/main.bak/x'],
    ['/home/ann/work/mainé', '~/work/mainé'],
    ['/mnt/home/ann/work/main/x', '/mnt/home/ann/work/main/x'],
    ['https://example.com/home/ann/profile', 'https://example.com/home/ann/profile'],
    ['./home/ann/work/main', './home/ann/work/main'],
    ['/home/ann2', '/home/ann2'],
  ]);
});

test("other people's homes are `~/` too", () => {
  check(options, [
    ['/Users/Bob/x', '~/x'],
    ['/home/bob/.npm', '~/.npm'],
    // No person's home: what an image starts stands there.
    ['ENTRYPOINT ["/root/start.sh"]', 'ENTRYPOINT ["/root/start.sh"]'],
    ['/root', '/root'],
    ['/home/$USER/x', '/home/$USER/x'],
    ['/rootfs/x', '/rootfs/x'],
  ]);
});

test('the home of root is a place in most images, also where root gathers', () => {
  check({ root: '/work/main', home: '/root', workspace: null }, [
    ['WORKDIR /root/app', 'WORKDIR /root/app'],
    ['/work/main/a', './a'],
  ]);
  check({ root: '/root', home: '/root', workspace: null }, [['/root/a', './a']]);
});

test('the root without its slash is how SCIP symbols carry it', () => {
  check({ ...options, root: '/work/main' }, [
    ['scip-typescript npm . . work/main/src/`a.ts`/f().', 'scip-typescript npm . . ./src/`a.ts`/f().'],
    ['/work/main/src', './src'],
    ['branch work/main', 'branch work/main'],
    ['src/work/main/x', 'src/work/main/x'],
    ['homework/main/x', 'homework/main/x'],
  ]);
  check({ ...options, root: '/app' }, [
    ['app/index.ts', 'app/index.ts'],
    ['/app/index.ts', './index.ts'],
  ]);
});

test('degenerate places rewrite nothing of their own', () => {
  check({ root: '/', home: '/', workspace: null }, [
    ['/etc/passwd', '/etc/passwd'],
    ['/', '/'],
    ['/home/ann/x', '~/x'],
  ]);
  check({ root: '/home/ann', home: '/home/ann', workspace: '/w' }, [['/home/ann/x', './x']]);
  check({ root: '/a.b/c+d(e)', home: '/h', workspace: '/w' }, [
    ['/a.b/c+d(e)/x', './x'],
    ['/axb/c+d(e)/x', '/axb/c+d(e)/x'],
  ]);
  check({ root: '/home', home: '/home/ann', workspace: '/w' }, [
    ['/home/ann/x', '~/x'],
    ['/home/', './'],
  ]);
});
