import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../kernel/base/log.ts';
import type { Envelope } from './envelope.ts';
import { publish } from './publish.ts';
import { rebrandStored } from './redact.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-publish-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

type Reports = Parameters<typeof publish>[0]['reports'];

function publishWith(
  text: string,
  reports: Reports = () => ({ markdown: `# ${text}`, html: `<p>${text}` }),
  names: readonly string[] = ['a.txt', 'nested/deep/b.txt'],
) {
  const { artifacts } = rebrandStored({
    slice: {},
    findingsCount: 0,
    fingerprints: [],
    artifacts: names.map((name) => ({ name, kind: 'text', bytes: Buffer.from(text) })),
  });
  return publish({
    dataDir: base,
    stateDir: base,
    envelope: { text, redaction: { count: 0 } } as unknown as Envelope,
    problems: [],
    executions: [],
    artifacts,
    reports,
    run: {
      runId: '0123456789abcdef',
      startedAt: '2026-01-02T03:04:05.678Z',
      cliVersion: '0.0.0',
      gitCommit: null,
      dirtyDigest: '',
      task: { type: 'general', options: {} },
      config: {},
    },
    waitS: 0,
    signal: new AbortController().signal,
    logger: silentLogger,
  });
}

const context = (...path: string[]) => join(base, 'context', ...path);
const read = (...path: string[]) => readFileSync(context(...path), 'utf8');
const reportFiles = () => readdirSync(context()).filter((name) => name.startsWith('CONTEXT_REPORT'));

describe('a report that cannot be rendered', () => {
  test('does not leave the previous one beside the new facts', async () => {
    await publishWith('first');
    expect(reportFiles()).toEqual(['CONTEXT_REPORT.html', 'CONTEXT_REPORT.md']);
    const outcome = await publishWith('second', () => {
      throw new Error('no words');
    });
    expect(outcome).toMatchObject({ kind: 'published', reportProblem: 'no words' });
    expect(read('repo-context.yaml')).toContain('second');
    expect(reportFiles()).toEqual([]);
    const newest = readdirSync(context('runs')).sort().at(-1) ?? '';
    expect(JSON.parse(read('runs', newest))).toMatchObject({ report_sha256: null, html_sha256: null });
  });

  test('nor does one that cannot be written', async () => {
    await publishWith('first');
    const outcome = await publishWith('second', () => {
      // Comes between the look before the first write and the write itself.
      rmSync(context('CONTEXT_REPORT.html'));
      mkdirSync(context('CONTEXT_REPORT.html'));
      return { markdown: '# second', html: '' };
    });
    expect(outcome).toMatchObject({ kind: 'refused', path: context('CONTEXT_REPORT.html') });
    expect(existsSync(context('CONTEXT_REPORT.md'))).toBe(false);
  });
});

describe('G27 what stands in the way of a nested artifact is found before the first write', () => {
  test.each<readonly [string, string, () => void]>([
    ['a link', 'nested', () => symlinkSync(join(base, 'elsewhere'), context('raw/nested'))],
    [
      'a link further down',
      'nested/deep',
      () => {
        mkdirSync(context('raw/nested'));
        symlinkSync(join(base, 'elsewhere'), context('raw/nested/deep'));
      },
    ],
    ['a file', 'nested', () => writeFileSync(context('raw/nested'), '')],
  ])('G27 %s', async (_, path, plant) => {
    await publishWith('first');
    rmSync(context('raw/nested'), { recursive: true });
    mkdirSync(join(base, 'elsewhere/deep'), { recursive: true });
    plant();
    expect(await publishWith('second')).toMatchObject({ kind: 'refused', path: context('raw', path) });
    expect(read('raw/a.txt')).toBe('first');
    expect(read('repo-context.yaml')).toContain('first');
    expect(readdirSync(join(base, 'elsewhere/deep'))).toEqual([]);
  });

  test('G27 a folder in the place of the rejected document', async () => {
    await publishWith('first');
    mkdirSync(context('repo-context.yaml.invalid'));
    expect(await publishWith('second')).toMatchObject({ kind: 'refused', path: context('repo-context.yaml.invalid') });
    expect(read('repo-context.yaml')).toContain('first');
  });
});

test('artifacts that are published no more are gone, and so are their folders', async () => {
  await publishWith('first');
  await publishWith('second', undefined, ['c/d.txt']);
  expect(readdirSync(context('raw'), { recursive: true }).sort()).toEqual(['c', 'c/d.txt']);
});

test('every published file and every directory it lies in is flushed, a directory once', async () => {
  const flushed: string[] = [];
  const { fsyncSync } = fs;
  fs.fsyncSync = (descriptor) => {
    const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`).slice(base.length + 1);
    flushed.push(path.replace(/\.\d+\.[0-9a-f]{8}\.tmp$/, '').replace(/^(context\/runs\/).+$/, '$1record'));
    fsyncSync(descriptor);
  };
  syncBuiltinESMExports();
  try {
    await publishWith('first');
    const directories = ['context', 'context/raw', 'context/raw/nested', 'context/raw/nested/deep', 'context/runs'];
    const documents = ['context/repo-context.yaml', 'context/CONTEXT_REPORT.md', 'context/CONTEXT_REPORT.html'];
    const artifacts = ['context/raw/a.txt', 'context/raw/nested/deep/b.txt'];
    expect(flushed.sort()).toEqual(
      [
        ...directories,
        ...documents,
        ...artifacts,
        'context/runs/record',
        'state/context.json',
        'state/context.json',
        'context/schema-version.txt',
      ].sort(),
    );
    flushed.length = 0;
    await publishWith('first');
    // Artifacts that are there already are not written again.
    expect(flushed.filter((path) => path.startsWith('context/raw'))).toEqual(['context/raw']);
  } finally {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  }
});
