/** Properties of the repository itself. Known exceptions are listed, and the lists only get shorter. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { arrows, findArrows, findDoors, judge, listSources, listTests, type Problem, root } from '../scripts/house.ts';
import { probes } from '../src/probes/registry.gen.ts';

/** Probes without an example that gives data. */
const examplesMissing: readonly string[] = [];

const sources = listSources('src');

const problemsOf = (problems: readonly Problem[], rule: string): readonly string[] =>
  judge(problems, [rule]).map(({ where, advice }) => `${where}: ${advice}`);

describe('arrows between rooms', () => {
  test('every folder of src is a room', () => {
    const rooms = new Set(sources.map((file) => file.path.split('/')[1] ?? ''));
    expect([...rooms].filter((room) => !Object.hasOwn(arrows, room))).toEqual([]);
  });

  test('no room imports one above it, nothing imports tests or scripts', () => {
    expect(problemsOf(findArrows(sources), 'arrows')).toEqual([]);
  });
});

describe('doors', () => {
  const through = (because: string) =>
    findDoors([...sources, ...listSources('bin')]).filter(({ advice }) => advice.startsWith(because));
  const importersOf = (name: string) =>
    sources.filter(({ imports }) => imports.some(({ target }) => target === name)).map(({ path }) => path);

  test('G5 only kernel/exec starts processes; the launcher starts the pinned Node', () => {
    expect(importersOf('node:child_process')).not.toEqual([]);
    expect(through('only kernel/exec starts processes')).toEqual([]);
  });

  test('G5 no probe but external_docs reaches for the network', () => {
    expect(through('no probe but external_docs')).toEqual([]);
    // Examples of `service_contracts` hold client code as text.
    const may = /^src\/probes\/(?:external-docs\/|service-contracts\/service-contracts\.ts$)/;
    const looked = sources.filter(({ path }) => path.startsWith('src/probes/') && !may.test(path));
    expect(looked.filter((file) => /\bfetch\(|\bnew WebSocket\b/.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  test('probes read through their inputs, not through the file system', () => {
    expect(through('probes read through their inputs')).toEqual([]);
  });

  test('only index/store opens databases', () => {
    expect(importersOf('node:sqlite')).not.toEqual([]);
    expect(through('only index/store opens databases')).toEqual([]);
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

  test('G38 every probe has an example that gives something', () => {
    const without = probes.filter((probe) => !probe.examples.some((example) => Object.keys(example.gives).length > 0));
    expect(without.map((probe) => probe.name)).toEqual(examplesMissing);
  });

  test('every probe is described in the specification', () => {
    const page = readFileSync(join(root, 'docs/spec/probes.md'), 'utf8');
    expect(probes.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(page)).map(({ name }) => name)).toEqual([]);
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

  test('every line of SECURITY.md names tests that are there, by their titles', () => {
    const lines = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('\n');
    const rows = lines.filter((line) => /^\| (?!cannot|can |-)/.test(line));
    expect(rows.length).toBeGreaterThan(15);
    const wrong: string[] = [];
    for (const row of rows) {
      const tests = row.split(' | ').at(-1) ?? '';
      const named = [...tests.matchAll(/`([^`]+\.test\.ts)`((?:,? "[^"]+")*)/g)];
      if (named.length === 0) wrong.push(row);
      for (const [, path = '', titles = ''] of named) {
        const text = exists(path) ? readFileSync(join(root, path), 'utf8') : '';
        const listed = [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
        if (listed.length === 0) wrong.push(`${path}: no title`);
        for (const title of listed) if (!text.includes(title)) wrong.push(`${path}: ${title}`);
      }
    }
    expect(wrong).toEqual([]);
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

test('no test has a limit of its own: a busy machine is slow, and what hangs meets the limit of all', () => {
  const own = /^\s*\},\s+(?:isSoak \? [\d_]+ : )?\d{1,3}(?:_\d{3})?,?\s*\);$|\(\s*(['"`]).*\1,\s*\{\s*timeout\b/m;
  expect(
    listTests()
      .filter((file) => own.test(file.text))
      .map((file) => file.path),
  ).toEqual([]);
});

test('no source file is above 900 lines', () => {
  const long = sources.filter((file) => file.lines > 900 && !file.path.endsWith('.gen.ts'));
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
