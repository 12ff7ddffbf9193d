/** The files of an image that holds a package of every kind that is looked for. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasTool } from './tools.ts';

const python = 'usr/lib/python3/dist-packages';

/** Paths in the image, without a leading slash. */
export const packageFiles: Readonly<Record<string, string>> = {
  'etc/os-release':
    'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nID=debian\nVERSION_ID="12"\n',
  'var/lib/dpkg/status': [
    'Package: libc6\nStatus: install ok installed\nMaintainer: A <a@example.com>\nArchitecture: amd64\nSource: glibc\nVersion: 2.36-9+deb12u4\nDescription: C library\n',
    'Package: gcc-12\nStatus: install ok installed\nMaintainer: A <a@example.com>\nArchitecture: amd64\nVersion: 12.2.0-14\nDescription: compiler\n',
    'Package: curl\nStatus: install ok installed\nMaintainer: A <a@example.com>\nArchitecture: amd64\nVersion: 7.88.1-10+deb12u5\nDescription: transfer\n',
  ].join('\n'),
  'var/lib/dpkg/info/libc6:amd64.list': '/.\n/lib\n/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu/libc.so.6\n',
  // dpkg itself goes by the lists, syft by the sums.
  'var/lib/dpkg/info/libc6:amd64.md5sums': `${'0'.repeat(32)}  lib/x86_64-linux-gnu/libc.so.6\n`,
  'var/lib/dpkg/info/gcc-12.md5sums': `${'0'.repeat(32)}  usr/bin/gcc-12\n`,
  'var/lib/dpkg/info/curl.md5sums': `${'0'.repeat(32)}  usr/bin/curl\n`,
  'var/lib/dpkg/info/gcc-12.list': '/usr/bin/gcc-12\n',
  'var/lib/dpkg/info/curl.list': '/usr/bin/curl\n',
  'lib/apk/db/installed':
    'C:Q1pTBl9ZUm7wLyqSf8Z4cMGmbmGdA=\nP:musl\nV:1.2.4-r2\nA:x86_64\nS:1\nI:1\nT:libc\nU:https://musl.libc.org\nL:MIT\no:musl\nF:lib\nR:ld-musl-x86_64.so.1\na:0:0:755\nZ:Q1pTBl9ZUm7wLyqSf8Z4cMGmbmGdA=\n\n',
  'app/node_modules/bcrypt/package.json': '{"name":"bcrypt","version":"5.1.0","license":"MIT"}',
  'app/node_modules/bcrypt/lib/bcrypt.node': 'native',
  'app/node_modules/@acme/core/package.json': '{"name":"@acme/core","version":"1.0.0","license":"MIT"}',
  [`${python}/six-1.16.0.dist-info/METADATA`]:
    'Metadata-Version: 2.1\nName: six\nVersion: 1.16.0\nLicense: MIT\n\nSix\n',
  [`${python}/six-1.16.0.dist-info/RECORD`]: 'six.py,,\nsix-1.16.0.dist-info/METADATA,,\n',
};

/** `type name version` of what is above, sorted. */
export const packageLines: readonly string[] = [
  'apk musl 1.2.4-r2',
  'deb curl 7.88.1-10+deb12u5',
  'deb gcc-12 12.2.0-14',
  'deb libc6 2.36-9+deb12u4',
  'npm @acme/core 1.0.0',
  'npm bcrypt 5.1.0',
  'python six 1.16.0',
];

/** A program of Go with its module information; null where there is no Go. */
export function makeGoProgram(): { readonly bytes: Uint8Array; readonly goVersion: string } | null {
  if (!hasTool('go')) return null;
  const folder = mkdtempSync(join(tmpdir(), 'codegenie-go-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module example.com/app\n');
    writeFileSync(join(folder, 'main.go'), 'package main\n\nfunc main() { println("hello") }\n');
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    execFileSync('go', ['build', '-trimpath', '-o', 'app', '.'], { cwd: folder, env, stdio: 'pipe' });
    const goVersion = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', env }).trim().replace(/^go/, '');
    return { bytes: readFileSync(join(folder, 'app')), goVersion };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a repository whose image holds `files` and nothing else. */
export function imageRepo(files: Readonly<Record<string, string | Uint8Array>>): Record<string, string | Uint8Array> {
  return {
    Dockerfile: 'FROM scratch\nCOPY rootfs /\nCMD ["/none"]\n',
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`rootfs/${path}`, content])),
  };
}
