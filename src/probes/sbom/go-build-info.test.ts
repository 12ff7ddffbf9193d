import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { hasTool } from '../../../test/support/tools.ts';
import { type GoBuildInfo, scanGoProgram } from './go-build-info.ts';

function scan(bytes: Buffer, pieces: readonly number[] = [65_536]): GoBuildInfo | null {
  let found: GoBuildInfo | null = null;
  const sink = scanGoProgram((info) => {
    found = info;
  });
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const length = Math.max(1, pieces[index % pieces.length] ?? 1);
    sink.push(bytes.subarray(at, at + length));
    at += length;
  }
  sink.end();
  return found;
}

const sentinel = Buffer.alloc(16, 0xee);
const text = (content: Buffer): Buffer => {
  const length: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) | 0x80);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from(length), content]);
};
const modules =
  'path\tcmd/x\nmod\texample.com/x\t(devel)\t\ndep\tgolang.org/x/net\tv0.1.0\th1:a=\ndep\tb\tv1.0.0\n=>\tc\tv2.0.0\th1:b=\ndep\td\tv3.0.0\n=>\t./d\t\nbuild\tGOOS=linux\n';

/** A program that is nothing but its build information, `offset` bytes into it. */
function makeProgram(offset: number, mod = modules, flags = 2): Buffer {
  const header = Buffer.alloc(32);
  header.write('\xff Go buildinf:', 'latin1');
  header[14] = 8;
  header[15] = flags;
  const info = Buffer.concat([
    header,
    text(Buffer.from('go1.22.3')),
    text(Buffer.concat([sentinel, Buffer.from(mod), sentinel])),
  ]);
  const before = Buffer.alloc(offset);
  before.write('\x7fELF', 'latin1');
  return Buffer.concat([before, info, Buffer.alloc(100)]);
}

const expected = {
  goVersion: '1.22.3',
  main: { path: 'example.com/x', version: '(devel)' },
  dependencies: [
    { path: 'golang.org/x/net', version: 'v0.1.0' },
    { path: 'c', version: 'v2.0.0' },
    { path: 'd', version: 'v3.0.0' },
  ],
};

test('G40 found wherever it lies on its boundary, in whatever pieces the program comes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
      (blocks, pieces) => {
        expect(scan(makeProgram(blocks * 16), pieces)).toEqual(expected);
      },
    ),
  );
});

test('G40 never throws, whatever the bytes are', () => {
  const program = makeProgram(64);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(program.length - 1), fc.nat(255)), { maxLength: 20 }),
      fc.nat(program.length),
      (changes, cut) => {
        const bytes = Buffer.from(program);
        for (const [at, value] of changes) bytes[at] = value;
        scan(bytes.subarray(0, cut), [50]);
      },
    ),
  );
});

test('what only looks like it is passed over', () => {
  expect(scan(makeProgram(65))).toBe(null);
  expect(scan(makeProgram(64, modules, 0))).toBe(null);
  const noProgram = makeProgram(64);
  noProgram.write('MZ');
  expect(scan(noProgram)).toBe(null);
  // A program that itself reads build information has the magic among its constants.
  const constant = makeProgram(64, modules, 0).subarray(0, 160);
  expect(scan(Buffer.concat([constant, makeProgram(48).subarray(0)]))).toEqual(expected);
  expect(
    scan(
      Buffer.concat([
        Buffer.from('\x7fELF', 'latin1'),
        Buffer.alloc(12),
        ...Array.from({ length: 2000 }, () => makeProgram(0).subarray(0, 32)),
      ]),
    ),
  ).toBe(null);
});

test('a program made without modules still tells its version', () => {
  expect(scan(makeProgram(32, ''))).toEqual({ goVersion: '1.22.3', main: null, dependencies: [] });
});

describe('go', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codegenie-go-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.skipIf(!hasTool('go'))('go: what the linker wrote is read', () => {
    mkdirSync(join(folder, 'dep'));
    writeFileSync(join(folder, 'dep/go.mod'), 'module example.com/dep\n');
    writeFileSync(join(folder, 'dep/dep.go'), 'package dep\nfunc Name() string { return "dep" }\n');
    writeFileSync(
      join(folder, 'go.mod'),
      'module example.com/app\nrequire example.com/dep v1.2.3\nreplace example.com/dep => ./dep\n',
    );
    writeFileSync(
      join(folder, 'main.go'),
      'package main\nimport "example.com/dep"\nfunc main() { print(dep.Name()) }\n',
    );
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    execFileSync('go', ['build', '-o', 'app', '.'], { cwd: folder, env, stdio: 'pipe' });
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', env }).trim().replace(/^go/, '');
    expect(scan(readFileSync(join(folder, 'app')), [4096, 70_000])).toMatchObject({
      goVersion: version,
      main: { path: 'example.com/app' },
      dependencies: [{ path: 'example.com/dep', version: 'v1.2.3' }],
    });
  });
});
