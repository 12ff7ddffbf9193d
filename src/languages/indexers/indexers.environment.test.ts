import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findGo } from '../go/go-indexer.ts';
import { findJava } from '../java/java-indexer.ts';
import { describePythonPackages, findPython } from '../python/python-indexer.ts';
import { findRust } from '../rust/rust-indexer.ts';
import type { Machine } from './machine.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'machine-')));
  mkdirSync(join(place, 'root'));
});
afterEach(() => rmSync(place, { recursive: true }));

function write(path: string, text = '', mode = 0o644): string {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text, { mode });
  return join(place, path);
}
const program = (path: string) => write(path, '#!/bin/sh\n', 0o755);

function machine(path: string[], environment: Record<string, string> = {}): Machine {
  const entries = path.map((entry) => join(place, entry));
  return {
    repoRoot: join(place, 'root'),
    environment: { PATH: entries.join(':'), HOME: join(place, 'home'), ...environment },
  };
}

test('python: the virtual environment beside the project comes first, then the active one, then PATH', () => {
  program('usr/bin/python3.12');
  symlinkSync('python3.12', join(place, 'usr/bin/python3'));
  write('usr/lib/python3.12/site-packages/x.py');
  const at = (directories: string[], environment = {}) =>
    findPython(
      machine(['usr/bin'], environment),
      directories.map((path) => join(place, path)),
    );
  expect(at(['root'])).toEqual({
    PYTHON_PREFIX: join(place, 'usr'),
    PYTHON_VERSION: '3.12',
    PYTHON_SITE_PACKAGES: join(place, 'usr/lib/python3.12/site-packages'),
  });
  write('active/pyvenv.cfg', 'home = /usr\nversion = 3.11.4\n');
  expect(at(['root'], { VIRTUAL_ENV: join(place, 'active') })).toMatchObject({ PYTHON_VERSION: '3.11' });
  write('root/svc/.venv/pyvenv.cfg', 'version_info = 3.10.1.final.0\n');
  write('root/svc/.venv/lib/python3.10/site-packages/y.py');
  expect(at(['root/svc', 'root'], { VIRTUAL_ENV: join(place, 'active') })).toEqual({
    PYTHON_PREFIX: join(place, 'root/svc/.venv'),
    PYTHON_VERSION: '3.10',
    PYTHON_SITE_PACKAGES: join(place, 'root/svc/.venv/lib/python3.10/site-packages'),
  });
});

test('python: a shim of pyenv is followed by reading, and no python is nothing', () => {
  program('home/.pyenv/shims/python3');
  write('home/.pyenv/version', '3.9.1\n');
  program('home/.pyenv/versions/3.9.1/bin/python3');
  write('home/.pyenv/versions/3.9.1/lib/python3.9/site-packages/x.py');
  expect(findPython(machine(['home/.pyenv/shims']), [])).toMatchObject({ PYTHON_VERSION: '3.9' });
  expect(findPython(machine([]), [])).toEqual({});
});

test('G6 a python inside the repository is no interpreter', () => {
  program('root/bin/python3');
  write('root/lib/python3.12/site-packages/x.py');
  expect(findPython(machine(['root/bin']), [])).toEqual({});
});

test('python packages are read from their records, without the tool’s "not found" being one of them', () => {
  write('site/Foo-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: Foo\nVersion: 1.0\n\nName: not this\n');
  write(
    'site/Foo-1.0.dist-info/RECORD',
    'foo/__init__.py,sha256=x,1\nfoo/a.pyi,,\nfoo/data.txt,,\n../../bin/foo.py,,\n',
  );
  write('site/broken-1.dist-info/METADATA', 'nothing');
  expect(JSON.parse(describePythonPackages([join(place, 'site'), join(place, 'absent')], join(place, 'root')))).toEqual(
    [
      { name: '', version: '', files: [] },
      { name: 'Foo', version: '1.0', files: ['foo/__init__.py', 'foo/a.pyi'] },
    ],
  );
});

test('G6 an environment in the repository leads neither to what has no end nor to what lies elsewhere', () => {
  const at = (environment = {}) => findPython(machine([], environment), [join(place, 'root')]);
  mkdirSync(join(place, 'root/.venv'));
  symlinkSync('/dev/zero', join(place, 'root/.venv/pyvenv.cfg'));
  expect(at()).toEqual({});
  expect(at({ VIRTUAL_ENV: join(place, 'root/.venv') })).toEqual({});
  rmSync(join(place, 'root/.venv/pyvenv.cfg'));
  execFileSync('mkfifo', [join(place, 'root/.venv/pyvenv.cfg')]);
  expect(at()).toEqual({});
  rmSync(join(place, 'root/.venv'), { recursive: true });
  // The libraries of one, and the whole of one, that lie where the repository is not.
  write('hidden/lib/python3.12/site-packages/secret.py');
  write('hidden/pyvenv.cfg', 'version = 3.12.1\n');
  write('root/.venv/pyvenv.cfg', 'version = 3.12.1\n');
  mkdirSync(join(place, 'root/.venv/lib/python3.12'), { recursive: true });
  symlinkSync(
    join(place, 'hidden/lib/python3.12/site-packages'),
    join(place, 'root/.venv/lib/python3.12/site-packages'),
  );
  expect(at()).toMatchObject({ PYTHON_VERSION: '3.12', PYTHON_SITE_PACKAGES: '' });
  rmSync(join(place, 'root/.venv'), { recursive: true });
  symlinkSync(join(place, 'hidden'), join(place, 'root/.venv'));
  expect(at()).toEqual({});
  expect(at({ VIRTUAL_ENV: join(place, 'root/.venv') })).toEqual({});
  // What the user says of a place outside may be a link; what it leads to in the repository has the repository's rules.
  symlinkSync(join(place, 'hidden'), join(place, 'mine'));
  expect(at({ VIRTUAL_ENV: join(place, 'mine') })).toMatchObject({ PYTHON_VERSION: '3.12' });
  expect(at({ VIRTUAL_ENV: join(place, 'mine') })['PYTHON_SITE_PACKAGES']).not.toBe('');
});

test('G6 records of packages in the repository are not read through links, and nothing is read without an end', () => {
  const read = () =>
    JSON.parse(describePythonPackages([join(place, 'root/site')], join(place, 'root'))).map(
      ({ name }: { name: string }) => name,
    );
  write('root/site/a-1.dist-info/METADATA', 'Name: a\nVersion: 1\n');
  symlinkSync('/dev/zero', join(place, 'root/site/a-1.dist-info/RECORD'));
  mkdirSync(join(place, 'root/site/b-1.dist-info'));
  execFileSync('mkfifo', [join(place, 'root/site/b-1.dist-info/METADATA')]);
  write('hidden/METADATA', 'Name: hidden\nVersion: 1\n');
  symlinkSync(join(place, 'hidden'), join(place, 'root/site/c-1.dist-info'));
  expect(read()).toEqual(['', 'a']);
  rmSync(join(place, 'root/site'), { recursive: true });
  write('elsewhere/d-1.dist-info/METADATA', 'Name: d\nVersion: 1\n');
  symlinkSync(join(place, 'elsewhere'), join(place, 'root/site'));
  expect(read()).toEqual(['']);
});

test('go: the root behind the program, its version, and the module cache of the user', () => {
  program('go/bin/go');
  write('go/VERSION', 'go1.26.8\ntime 2026-01-01T00:00:00Z\n');
  mkdirSync(join(place, 'usr/bin'), { recursive: true });
  symlinkSync(join(place, 'go/bin/go'), join(place, 'usr/bin/go'));
  const found = { GOROOT: join(place, 'go'), GOVERSION: 'go1.26.8' };
  expect(findGo(machine(['usr/bin']))).toEqual({ ...found, GOMODCACHE: '' });
  mkdirSync(join(place, 'home/go/pkg/mod'), { recursive: true });
  expect(findGo(machine(['usr/bin']))).toEqual({ ...found, GOMODCACHE: join(place, 'home/go/pkg/mod') });
  mkdirSync(join(place, 'cache'));
  write('home/.config/go/env', `GOMODCACHE=${join(place, 'cache')}\n`);
  expect(findGo(machine(['usr/bin']))).toEqual({ ...found, GOMODCACHE: join(place, 'cache') });
  expect(findGo(machine([]))).toBeUndefined();
});

test('rust: the toolchain, not the proxies', () => {
  program('home/.cargo/bin/rustup');
  symlinkSync('rustup', join(place, 'home/.cargo/bin/cargo'));
  expect(findRust(machine(['home/.cargo/bin']))).toBeUndefined();
  write('home/.rustup/settings.toml', 'default_toolchain = "stable-x"\n');
  program('home/.rustup/toolchains/stable-x/bin/rustc');
  mkdirSync(join(place, 'home/.cargo/registry'));
  expect(findRust(machine(['home/.cargo/bin']))).toMatchObject({
    RUST_TOOLCHAIN: join(place, 'home/.rustup/toolchains/stable-x'),
    CARGO_REGISTRY: join(place, 'home/.cargo/registry'),
    CARGO_GIT: '',
  });
});

test('java: its home and what its release file says', () => {
  program('jdk/bin/java');
  write('jdk/release', 'IMPLEMENTOR="x"\nJAVA_VERSION="17.0.9"\n');
  expect(findJava(machine(['jdk/bin']))).toMatchObject({ JAVA_HOME: join(place, 'jdk'), JAVA_VERSION: '17.0.9' });
  expect(findJava(machine([]))).toBeUndefined();
});
