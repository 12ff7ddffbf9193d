/** Item 31: what a repository writes into its files, or calls them, hides nothing from a scanner. Real tools; skipped by name without. */

import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const key = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
const other = ['AKIA', 'R7ZX3MWLPD2NVB6K'].join('');
const hazards = `eval(code);\ntry { go(); } catch {}\nspawn('/bin/sh');\n`;
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Paths of findings, each once. */
function placesIn(envelope: Envelope, section: string): string[] {
  const { findings } = envelope[section] as { findings: { path: string; rule_id: string }[] };
  const own = findings.filter(({ rule_id }) => rule_id === 'a');
  return [...new Set((own.length > 0 ? own : findings).map(({ path }) => path))];
}

const disguises = {
  '-e.js': hazards,
  'a\nb.js': hazards,
  'glob[1]*.js': hazards,
  'ignored.js': `// ast-grep-ignore\n\n// nosemgrep\n${hazards}`,
  'latin.js': latin1(`// caf\u00e9\neval(code); // \u00e9\ntry { go(); } catch {}\nspawn('/bin/sh'); // \u00e9\n`),
  'nul.js': `// \0\n${hazards}`,
  'utf16.js': Buffer.from(`\ufeff${hazards}`, 'utf16le'),
};

const scanners = [
  ['semgrep', 'semgrep', 'semgrep_findings'],
  ['ast-grep', 'ast_grep', 'ast_grep_findings'],
  ['built-in rules', 'ast_grep', 'ast_grep_findings'],
  ['rg', 'ripgrep_curated', 'grep_findings'],
] as const;
/** The program is asked for it alone. */
const userRule = {
  '~/.codegenie/ast-grep-rules/sgconfig.yml': 'ruleDirs: [rules]\n',
  '~/.codegenie/ast-grep-rules/rules/a.yml': 'id: a\nlanguage: JavaScript\nmessage: m\nrule: {pattern: eval($CODE)}\n',
};
for (const [tool, probe, section] of scanners) {
  test.skipIf(tool !== 'built-in rules' && !hasTool(tool))(
    `G31 ${tool}: no comment, name or stray byte keeps a file from being scanned`,
    async () => {
      repo = createFixtureRepo({ ...disguises, ...(tool === 'ast-grep' ? userRule : {}) });
      const { envelope } = await repo.publish({ only: [probe] });
      expect(recordOf(envelope, probe)).toMatchObject({ status: 'ok', warnings: [], confidence: 'high' });
      expect(placesIn(envelope, section)).toEqual(Object.keys(disguises).sort());
    },
  );
}

test('G31 ast-grep: lines are those of the file, not of what was made of it', async () => {
  repo = createFixtureRepo({ 'a.js': latin1('// \u00e9\n// ast-grep-ignore\ntry { go(); } catch {}\n') });
  const { envelope } = await repo.publish({ only: ['ast_grep'] });
  expect(envelope['ast_grep_findings']).toMatchObject({ findings: [{ path: 'a.js', line: 3 }], findings_total: 1 });
});

test.skipIf(!hasTool('semgrep'))(
  'G31 semgrep: a language is told as we tell it, whatever a file is called',
  async () => {
    const image = 'FROM node\nUSER node\nRUN curl https://example.com/x | bash\n';
    const files = {
      Containerfile: image,
      'Dockerfile.prod': image,
      'a.cts': 'eval(code);\n',
      'a.mts': 'eval(code);\n',
      'bin/serve': '#!/usr/bin/env node\neval(code);\n',
      'bin/setup': '#!/bin/sh\ncurl https://example.com/x | bash\n',
    };
    repo = createFixtureRepo(files);
    const { envelope } = await repo.publish({ only: ['semgrep'] });
    expect(envelope['semgrep_findings']).toMatchObject({ outcome: { kind: 'ran' }, files_scanned: 6 });
    expect(placesIn(envelope, 'semgrep_findings')).toEqual(Object.keys(files).sort());
  },
);

const packed = {
  'large.js': `${'// nothing to see here\n'.repeat(100_000)}${hazards}`,
  'minified.js': `/*${'x'.repeat(60_000)}*/\n${hazards}`,
};

test.skipIf(!hasTool('semgrep'))('G31 semgrep: a file that is left out is named and costs confidence', async () => {
  repo = createFixtureRepo({ ...packed, 'a.js': 'eval(code);\n' });
  const record = recordOf((await repo.publish({ only: ['semgrep'] })).envelope, 'semgrep');
  expect(record).toMatchObject({ confidence: 'medium', warnings: ['semgrep.partial_parse'] });
  expect(record.diagnostics.map(({ path, detail }) => [path, detail])).toEqual([
    ['large.js', 'too large'],
    ['minified.js', 'minified'],
  ]);
});

test('G31 ast-grep: a file that is left out is named and costs confidence', async () => {
  repo = createFixtureRepo({ ...packed, 'a.js': 'eval(code);\n' });
  const record = recordOf((await repo.publish({ only: ['ast_grep'] })).envelope, 'ast_grep');
  expect(record).toMatchObject({ confidence: 'medium', warnings: ['ast_grep.files_left_out'] });
  expect(record.diagnostics.map(({ path }) => path)).toEqual(['large.js', 'minified.js']);
});

test.skipIf(!hasTool('rg'))(
  'G31 rg: a text that is not searched makes the total a lower bound; a picture does not',
  async () => {
    repo = createFixtureRepo({ 'large.js': packed['large.js'], 'a.js': 'spawn(x);\n' });
    const { envelope } = await repo.publish({ only: ['ripgrep_curated'] });
    expect(envelope['grep_findings']).toMatchObject({ findings_total: { value: 1, relation: 'gte' } });
    expect(recordOf(envelope, 'ripgrep_curated').warnings).toEqual(['ripgrep_curated.capped']);
    repo.dispose();
    repo = createFixtureRepo({ 'large.png': new Uint8Array(3_000_000), 'a.js': 'spawn(x);\n' });
    const pictured = await repo.publish({ only: ['ripgrep_curated'] });
    expect(pictured.envelope['grep_findings']).toMatchObject({ findings_total: { value: 1, relation: 'eq' } });
  },
);

test.skipIf(!hasTool('gitleaks'))(
  'G31 gitleaks: no name and no first bytes keep a secret from being found',
  async () => {
    const files = {
      '.env': `MZ_KEY=${key}\n`,
      'drawing.svg': `<svg>${key}</svg>\n`,
      'jquery.js': `const key = "${key}";\n`,
      'my-gitleaks.toml.py': `key = "${key}"\n`,
      'paper.txt': `%PDF-1.4\n${key}\n`,
      'sixteen.txt': Buffer.from(`\ufeffkey ${key}\n`, 'utf16le'),
      'yarn.lock': `# ${key}\n`,
    };
    repo = createFixtureRepo(files);
    const { envelope } = await repo.publish({ only: ['gitleaks'] });
    expect(envelope['gitleaks_findings']).toMatchObject({ scanner: 'gitleaks', files_scanned: 7 });
    expect(placesIn(envelope, 'gitleaks_findings').sort()).toEqual(Object.keys(files).sort());
    expect(JSON.stringify(repo.written())).not.toContain(key);
  },
);

test.skipIf(!hasTool('gitleaks'))('G31 gitleaks: two secrets in a line are two', async () => {
  repo = createFixtureRepo({ 'a.json': `{"a": "${key}", "b": "${other}"}\n` });
  const { envelope } = await repo.publish({ only: ['gitleaks'] });
  expect(envelope['gitleaks_findings']).toMatchObject({
    findings_count: 2,
    findings: [{ line: 1 }, { line: 1 }],
  });
});

test.skipIf(!hasTool('gitleaks') || !hasTool('bwrap'))(
  'G31 gitleaks: what git ignores today is found where it was committed once',
  async () => {
    repo = createFixtureRepo({ 'a.py': 'x = 1\n', 'out/old.py': `key = "${key}"\n` });
    repo.git('rm', '-rq', '--cached', 'out');
    repo.write('.gitignore', 'out/\n');
    repo.commit();
    repo.write('~/.codegenie/config.yaml', 'gitleaks.history: true\n');
    mkdirSync(join(repo.root, 'out'), { recursive: true });
    writeFileSync(join(repo.root, 'out/old.py'), 'x = 1\n');
    const { envelope } = await repo.publish({ only: ['gitleaks'] });
    expect(envelope['gitleaks_findings']).toMatchObject({
      history_scanned: true,
      findings: [{ path: 'out/old.py', commit: expect.stringMatching(/^[0-9a-f]{40}$/) }],
    });
  },
);
