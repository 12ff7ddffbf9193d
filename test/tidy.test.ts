/** Properties of the repository itself. Known exceptions are listed, and the lists only get shorter. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { probes } from '../src/probes/registry.gen.ts';

/** Probes without an example that gives data. */
const examplesMissing: readonly string[] = [];

const root = fileURLToPath(new URL('../', import.meta.url));

type SourceFile = { readonly path: string; readonly text: string; readonly imports: readonly string[] };

/** `import … from 'x'`, `export … from 'x'`, `import('x')`, `require('x')`, `getBuiltinModule('x')`. */
const importPattern = /(?:\bfrom|\bimport|\brequire|\bgetBuiltinModule)\s*\(?\s*['"`]([^'"`\n]+)['"`]/g;

function listSources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      const imports = [...text.matchAll(importPattern)].map((found) => found[1] as string);
      return { path: relative(root, file).split(sep).join('/'), text, imports };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function importersOf(files: readonly SourceFile[], ...modules: readonly string[]): string[] {
  const wanted = new Set(modules.flatMap((name) => [name, `node:${name}`]));
  return files.filter((file) => file.imports.some((name) => wanted.has(name))).map((file) => file.path);
}

const sources = listSources('src');

describe('arrows between rooms', () => {
  /** Room → rooms it may know; an arrow may skip rooms, nothing points back up. */
  const arrows: Readonly<Record<string, readonly string[]>> = {
    kernel: [],
    languages: ['kernel'],
    index: ['languages', 'kernel'],
    mutate: ['index', 'languages', 'kernel'],
    gather: ['index', 'languages', 'kernel'],
    probes: ['gather', 'index', 'languages', 'kernel'],
    serve: ['mutate', 'probes', 'gather', 'index', 'languages', 'kernel'],
    cli: ['serve', 'mutate', 'probes', 'gather', 'index', 'languages', 'kernel'],
  };
  const roomOf = (path: string): string => path.split('/')[1] ?? '';

  test('every folder of src is a room', () => {
    const rooms = new Set(sources.map((file) => roomOf(file.path)));
    expect([...rooms].filter((room) => !Object.hasOwn(arrows, room))).toEqual([]);
  });

  test('no room imports one above it, nothing imports tests or scripts', () => {
    const wrong: string[] = [];
    for (const { path, imports } of sources) {
      for (const name of imports.filter((candidate) => candidate.startsWith('.'))) {
        const target = posix.join(posix.dirname(path), name);
        const room = roomOf(path);
        const allowed = target.startsWith('src/') && [room, ...(arrows[room] ?? [])].includes(roomOf(target));
        if (!allowed && target !== 'package.json') wrong.push(`${path} → ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('doors', () => {
  test('5: only kernel/exec starts processes; the launcher starts the pinned Node', () => {
    const outside = importersOf([...sources, ...listSources('bin')], 'child_process', 'cluster').filter(
      (path) => !path.startsWith('src/kernel/exec/'),
    );
    expect(outside).toEqual(['bin/codegenie.mjs']);
  });

  test('5: no probe but external_docs reaches for the network', () => {
    const mayUse = /^src\/probes\/external-docs\//;
    const networks = ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'undici'];
    const inProbes = sources.filter((file) => file.path.startsWith('src/probes/') && !mayUse.test(file.path));
    expect(importersOf(inProbes, ...networks)).toEqual([]);
    // Examples of `service_contracts` hold client code as text.
    const looked = inProbes.filter((file) => file.path !== 'src/probes/service-contracts/service-contracts.ts');
    expect(looked.filter((file) => /\bfetch\(|\bnew WebSocket\b/.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  test('probes read through their inputs, not through the file system', () => {
    const inProbes = sources.filter((file) => file.path.startsWith('src/probes/'));
    expect(importersOf(inProbes, 'fs', 'fs/promises')).toEqual([]);
  });

  test('only index/store opens databases', () => {
    const users = importersOf(sources, 'sqlite');
    expect(users).not.toEqual([]);
    expect(users.filter((path) => !path.startsWith('src/index/store/'))).toEqual([]);
  });
});

describe('the folder is the registry', () => {
  const probeFolders = new Set(
    sources.map((file) => /^src\/probes\/([^/]+)\//.exec(file.path)?.[1]).filter((name) => name !== undefined),
  );

  test('every probe has a folder of its own name, and every folder its probe', () => {
    const names = [...probeFolders].filter((name) => name !== 'shared').map((name) => name.replaceAll('-', '_'));
    expect(probes.map((probe) => probe.name).sort()).toEqual(names.sort());
  });

  test('probes are registered by layer and name', () => {
    const ranks = probes.map((probe) => `${probe.layer} ${probe.name}`);
    expect(ranks).toEqual([...ranks].sort());
  });

  test('38: every probe has an example that gives something', () => {
    const without = probes.filter((probe) => !probe.examples.some((example) => Object.keys(example.gives).length > 0));
    expect(without.map((probe) => probe.name)).toEqual(examplesMissing);
  });

  test('everything that is generated is fresh', () => {
    const outcome = spawnSync(process.execPath, ['scripts/generate.ts', '--check'], { cwd: root, encoding: 'utf8' });
    expect(outcome.stderr.replace(/^.*ExperimentalWarning.*\n/gm, '')).toBe('');
    expect(outcome.status).toBe(0);
  });
});

describe('documents', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');

  test('the README has exactly the two commands', () => {
    const commands = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((block) =>
      (block[1] ?? '').trim().split('\n'),
    );
    expect(commands).toEqual(['npm ci && npx codegenie gather .', 'npm ci && npm test']);
  });

  test('what the documents point to exists', () => {
    const broken: string[] = [];
    for (const document of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
      const text = readFileSync(join(root, document), 'utf8');
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map((found) => found[1] as string);
      const paths = [...text.matchAll(/`((?:src|test|docs|scripts|bin|bench)\/[\w./-]+)`/g)].map(
        (found) => found[1] as string,
      );
      for (const path of [...links, ...paths]) if (!exists(path)) broken.push(`${document}: ${path}`);
    }
    expect(broken).toEqual([]);
  });

  test('decisions are numbered without gaps', () => {
    const names = readdirSync(join(root, 'docs/decisions')).sort();
    expect(names.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name))).toEqual([]);
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
    for (const name of names) {
      expect(readFileSync(join(root, 'docs/decisions', name), 'utf8').startsWith(`# ${name.slice(0, 4)} `), name).toBe(
        true,
      );
    }
  });
});

test('no source file is above 900 lines', () => {
  const long = sources.filter((file) => file.text.split('\n').length > 900 && !file.path.endsWith('.gen.ts'));
  expect(long.map((file) => file.path)).toEqual([]);
});

function exists(path: string): boolean {
  const folder = join(root, dirname(path));
  try {
    return readdirSync(folder).includes(basename(path)) || path === '.';
  } catch {
    return false;
  }
}
