import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryDocumentIndex } from '../../src/index/store/artifact-builder.ts';
import { recordOf } from '../support/fixture-repo.ts';
import { createOrganisation, type Organisation, sectionOf } from './gather-organisation.ts';

let world: Organisation;
beforeEach(() => {
  world = createOrganisation();
});
afterEach(() => world.dispose());

const handbook = {
  '~/.codegenie/config.yaml': 'external_docs:\n  - {type: filesystem, path: ~/handbook}\n',
  '~/handbook/deploy.md': '---\ntags: [release]\n---\n# Deploying services\n\nCanary first, then everyone.\n',
  '~/handbook/rollback.html': '<title>Rolling back</title><h1>Rolling back</h1><p>Deploying the version before.</p>',
  '~/handbook/pager.txt': 'Who answers the pager when a canary dies.\n',
};

function writeAll(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) world.write(path, content);
}

test('G21 hostile SKILL.md files fail one by one, and a body of 100 MB is neither loaded nor an obstacle', async () => {
  const skill = (name: string, text: string) => world.write(`.codegenie/skills/${name}/SKILL.md`, text);
  skill(
    'aliases',
    `---\nid: x\na: &a [1,2,3]\n${'bcdefghij'
      .split('')
      .map((key, n) => `${key}: &${key} [${`*${'abcdefghi'[n]},`.repeat(9)}]`)
      .join('\n')}\n---\n`,
  );
  skill('deep', `---\nid: x\ny: ${'['.repeat(500)}\n---\n`);
  skill('extra', '---\nid: extra\nwhatever: 1\n---\n');
  skill('list', '---\n- id\n---\n');
  skill('no-id', '---\ndescription: x\n---\n');
  skill('tags', '---\nid: !!python/object/apply:os.system ["true"]\n---\n');
  skill('unterminated', '---\nid: x\n');
  world.write(
    '.codegenie/skills/not-utf8/SKILL.md',
    new Uint8Array([...Buffer.from('---\nid: '), 0xc3, 0x28, ...Buffer.from('\n---\n')]),
  );
  skill('huge', '---\nid: huge\n---\n');
  truncateSync(join(world.root, '.codegenie/skills/huge/SKILL.md'), 100 * 1024 * 1024);
  const outside = join(world.home, 'private.txt');
  writeFileSync(outside, '---\nid: stolen\n---\n');
  mkdirSync(join(world.root, '.codegenie/skills/link'));
  symlinkSync(outside, join(world.root, '.codegenie/skills/link/SKILL.md'));

  const envelope = await world.gather();
  const skills = sectionOf(envelope, 'skills');
  expect(skills['skills']).toMatchObject([
    { id: 'extra', body_size: 0 },
    { id: 'huge', body_offset: 17, body_size: 100 * 1024 * 1024 - 17, body_blake3: null },
  ]);
  const errors = skills['per_file_errors'] as { path: string; reason: string }[];
  expect(errors.map(({ path, reason }) => [path.split('/').at(-2), reason])).toEqual([
    ['aliases', 'unsafe_yaml'],
    ['deep', 'unsafe_yaml'],
    ['link', 'symlink_refused'],
    ['list', 'schema'],
    ['no-id', 'schema'],
    ['not-utf8', 'unsafe_yaml'],
    ['tags', 'unsafe_yaml'],
    ['unterminated', 'frontmatter_unterminated'],
  ]);
  expect(JSON.stringify(envelope)).not.toContain('stolen');
  expect(recordOf(envelope, 'skills_index')).toMatchObject({
    status: 'ok',
    confidence: 'medium',
    warnings: ['skills_index.per_file_errors_present', 'skills_index.unknown_keys'],
    diagnostics: [{ id: 'skills_index.unknown_keys', path: '.codegenie/skills/extra/SKILL.md', detail: 'whatever' }],
  });
});

test('conditions of skills see what other probes found, and the flags derived from it', async () => {
  writeAll({
    'package.json': '{"name":"x","packageManager":"pnpm@9.0.0","dependencies":{"bcrypt":"5.1.1"}}',
    '.codegenie/skills/a/SKILL.md':
      '---\nname: a\napplies_to:\n  conditions: [{native_modules_present: true}, {build_system.package_manager: pnpm}]\n---\n',
    '.codegenie/skills/b/SKILL.md': '---\nname: b\napplies_to:\n  conditions: [{manifests.primary.name: y}]\n---\n',
  });
  expect(sectionOf(await world.gather(), 'skills')['skills']).toMatchObject([
    { id: 'a', applies: true, why: 'native_modules_present = true; build_system.package_manager = "pnpm"' },
    { id: 'b', applies: false, why: 'manifests.primary.name is "x", not "y"' },
  ]);
});

test('the external documents can be searched in the published artifact, and the right one comes first', async () => {
  writeAll(handbook);
  const envelope = await world.gather();
  const index = sectionOf(envelope, 'external_docs_index');
  const file = join(world.root, String(index['bm25_index_uri']));
  const best = (query: string) => {
    const outcome = queryDocumentIndex(file, query);
    return outcome.kind === 'answered' ? outcome.hits[0]?.title : outcome.detail;
  };
  expect(best('deploying')).toBe('Deploying services');
  expect(best('rolling back')).toBe('Rolling back');
  expect(best('pager')).toBe('pager');
  const documents = sectionOf(envelope, 'external_docs')['documents'] as { local_path: string }[];
  for (const { local_path } of documents)
    expect(readFileSync(join(world.root, local_path), 'utf8')).not.toContain('<h1>');
});

test('P6 two cold gathers publish equal artifacts; 9: a warm one restores them after context/ is gone', async () => {
  writeAll(handbook);
  world.write('.codegenie/skills/a/SKILL.md', '---\nid: a\n---\nbody\n');
  const readRaw = () =>
    (readdirSync(world.raw, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString('base64')])
      .sort();
  await world.gather({ mode: 'no_cache', now: '2026-05-17T12:00:00Z' });
  const cold = readRaw();
  expect(cold.map(([name]) => name)).toEqual(
    expect.arrayContaining(['external-docs-bm25.sqlite', 'skills-index.json']),
  );
  await world.gather({ now: '2026-05-17T13:00:00Z' });
  expect(readRaw()).toEqual(cold);
  rmSync(join(world.root, '.codegenie/context'), { recursive: true });
  const warm = await world.gather({ now: '2026-05-17T13:30:00Z' });
  expect(recordOf(warm, 'external_docs_index').cache.state).toBe('hit');
  expect(recordOf(warm, 'skills_index').cache.state).toBe('hit');
  expect(readRaw()).toEqual(cold);
});

test('indexes of this layer are fresh after a gather', async () => {
  writeAll(handbook);
  world.write('.codegenie/skills/a/SKILL.md', '---\nid: a\n---\n');
  world.write('.codegenie/conventions/a.yaml', '- {id: a, kind: missing_file, pattern: x}\n');
  world.write('README.md', '# R\n');
  world.git('add', 'README.md');
  world.git('commit', '-qm', 'first');
  const envelope = await world.gather();
  const fresh = { freshness: { kind: 'fresh', indexed_at: '2026-05-17T12:00:00.000Z' }, confidence: 'high' };
  expect(envelope['index_health']).toMatchObject({
    conventions: { ...fresh, detail: { rules_checked: 1, passed: 1 } },
    external_docs_index: { ...fresh, detail: { document_count: 3 } },
    skills: { ...fresh, detail: { skills: 1 } },
  });
});

test('the dates of notes come from git, and a note that is not committed has none', async () => {
  world.write('.codegenie/notes/a.md', '# A\n');
  world.git('add', '-f', '.codegenie/notes/a.md');
  world.git('commit', '-qm', 'a note');
  world.write('.codegenie/notes/b.md', '# B\n');
  const [sha, date] = world.git('log', '-1', '--format=%H %cI').trim().split(' ');
  expect(sectionOf(await world.gather(), 'repo_notes')['files']).toMatchObject([
    { path: '.codegenie/notes/a.md', last_commit: { sha, date } },
    { path: '.codegenie/notes/b.md', last_commit: null },
  ]);
});

test('an exception holds through its last day and has run out the day after, cached or not', async () => {
  world.write(
    '.codegenie/exceptions.yaml',
    '- {repo_glob: repo, task: "*", reason: r, expires: 2026-05-17, approver: a}\n',
  );
  expect(sectionOf(await world.gather({ now: '2026-05-17T23:59:59Z' }), 'exceptions')).toMatchObject({
    active: [{ expires: '2026-05-17' }],
    expired: [],
  });
  const next = await world.gather({ now: '2026-05-18T00:00:00Z' });
  expect(sectionOf(next, 'exceptions')).toMatchObject({ active: [], expired: [{ expires: '2026-05-17' }] });
  expect(recordOf(next, 'exceptions').warnings).toEqual(['exceptions.expired_present']);
});

test('P8 a key in a note, a skill, a record or a document is nowhere in what is published', async () => {
  const key = ['ghp', 'x7Qm2Lr9Zt4Vb8Nc1Ks6Wd3Fh5Jy0Pa7Ge2U'].join('_');
  writeAll({
    ...handbook,
    '~/handbook/leak.md': `# Token ${key}\n\nUse ${key} to log in.\n`,
    '.codegenie/notes/a.md': `# Note ${key}\n`,
    '.codegenie/skills/a/SKILL.md': `---\nid: a\ndescription: use ${key}\n---\n`,
    '.codegenie/exceptions.yaml': `- {repo_glob: "*", task: "*", reason: ${key}, expires: 9999-01-01, approver: a}\n`,
    'docs/adr/0001-a.md': `# Record ${key}\n`,
    'AGENTS.md': `# ${key}\n`,
  });
  await world.gather();
  const places = [join(world.root, '.codegenie/context'), world.stateDir, world.cacheDir];
  const derived = places
    .flatMap((place) => readdirSync(place, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile());
  expect(derived.length).toBeGreaterThan(10);
  for (const entry of derived) {
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    expect(bytes.includes(key), entry.name).toBe(false);
    expect(bytes.includes(key.slice(4)), entry.name).toBe(false);
    expect(bytes.includes(key.slice(4).toLowerCase()), entry.name).toBe(false);
  }
});

test('G8 an edit of a policy, also one of the same length, changes its digest; an empty directory that appears is seen', async () => {
  writeAll({
    '~/.codegenie/config.yaml': 'policy_repos:\n  - {path: ~/p, type: opa}\n  - {path: ~/q, type: opa}\n',
    '~/p/a.rego': 'package a\n',
  });
  const before = sectionOf(await world.gather(), 'policies')['policy_repos'] as {
    digest: string;
    exists_on_disk: boolean;
  }[];
  expect(before.map((repo) => repo.exists_on_disk)).toEqual([true, false]);
  world.write('~/p/a.rego', 'package b\n');
  mkdirSync(join(world.home, 'q'));
  const after = sectionOf(await world.gather(), 'policies')['policy_repos'] as {
    digest: string;
    exists_on_disk: boolean;
  }[];
  expect(after.map((repo) => repo.exists_on_disk)).toEqual([true, true]);
  expect(after[0]?.digest).not.toBe(before[0]?.digest);
});
