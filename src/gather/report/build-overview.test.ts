import { expect, test } from 'vitest';
import { listOverview, listParts, shortOverview } from './build-overview.ts';
import { viewEnvelope } from './envelope-view.ts';

type Loose = Readonly<Record<string, unknown>>;

function fact(id: string, scope: string, value: unknown, more: Loose = {}) {
  const state = value === null ? 'none' : 'known';
  return { id, scope, state, value, confidence: 'high', evidence: ['a:1'], how: 'declared: x', ...more };
}

const ran = { status: 'ok', confidence: 'high' };

function rows(facts: readonly unknown[], more: Loose = {}): Readonly<Record<string, readonly string[]>> {
  const probes = {
    commands: { ...ran, sections: ['commands'] },
    components: { ...ran, sections: ['components'] },
    ...(more['probes'] as Loose | undefined),
  };
  const envelope = { commands: { left_out: [] }, components: { components: [] }, ...more, facts, probes };
  return Object.fromEntries(listOverview(viewEnvelope(envelope, [])).map(({ label, says }) => [label, says]));
}

const product = [
  fact('components', '.', ['package .', 'service web', 'service worker', 'example demo']),
  fact('language.primary', '.', 'TypeScript'),
  fact('language.primary', 'web', 'TypeScript'),
  fact('language.primary', 'worker', 'Go'),
];

test('parts of the product by kind, the rest counted; what an example does is not told', () => {
  const told = rows([
    ...product,
    fact('build.command', 'demo', { cmd: 'make demo', cwd: 'demo' }),
    fact('build.command', 'stack', { cmd: 'make stack', cwd: 'stack' }),
    fact('build.command', 'worker', { cmd: 'go build ./...', cwd: 'worker' }),
  ]);
  expect(told['parts']).toEqual([
    'the root is a package',
    '2 services: web (TypeScript), worker (Go)',
    'beside it: one example',
  ]);
  expect(told['build']).toEqual(['go build ./... (in worker)']);
});

test('beside the product: what has a manifest is counted, folders are named, and tools of the workplace are nothing', () => {
  const row = (kind: string, dir: string, manifests: readonly string[] = []) => ({ kind, dir, manifests });
  const beside = (...components: readonly ReturnType<typeof row>[]) =>
    rows(product, { components: { components: [row('package', '.', ['p']), ...components] } })['parts']?.at(-1);
  expect(beside(row('docs', 'docs'), row('test', 'tests'), row('infrastructure', '.github'))).toBe(
    'beside it: documentation, tests',
  );
  expect(beside(row('benchmark', 'b'), row('benchmark', 'b/x', ['m']), row('benchmark', 'b/y', ['m']))).toBe(
    'beside it: 2 benchmarks',
  );
  expect(beside(row('example', 'examples'), row('example', 'crates/x/examples', ['m']))).toBe(
    'beside it: at least one example',
  );
  expect(beside(row('test', 'tests'), row('test', 'tests/x', ['m']))).toBe('beside it: tests');
  expect(beside(row('test', 'fuzz', ['m']))).toBe('beside it: one part of tests');
});

test('the root of parts that have the manifests is no package; a part speaks for what lies below it', () => {
  const row = (dir: string, manifests: readonly string[], language: string | null, languages: readonly string[]) => ({
    ...{ dir, kind: 'package', how: 'the root', manifests, language },
    languages: languages.map((one) => ({ language: one })),
  });
  const told = (...components: readonly unknown[]) =>
    listParts(viewEnvelope({ components: { components } }, [])).map((one) => [one.dir, one.title, one.language]);
  expect(told(row('.', [], 'shell', ['python', 'go', 'shell']), row('a', ['m'], null, ['go']))).toEqual([
    ['.', 'repository', 'python'],
    ['a', 'package', 'go'],
  ]);
  expect(told(row('.', [], 'shell', ['shell']))).toEqual([['.', 'package', 'shell']]);
  expect(told(row('.', ['m'], 'go', ['go']), row('a', ['m'], 'go', ['go']))[0]).toEqual(['.', 'package', 'go']);
});

test('equal commands are told once with where they are run, guesses as such, harm beside the command', () => {
  const told = rows([
    ...product,
    fact('test.unit.command', '.', { cmd: 'npm test', cwd: '.' }),
    fact('test.unit.command', 'web', { cmd: 'npm test', cwd: 'web' }),
    fact(
      'start.command',
      'web',
      { cmd: 'make up', cwd: 'web' },
      { confidence: 'low', how: 'resembles: x; network, deploys' },
    ),
  ]);
  expect(told['test']).toEqual(['npm test (also in web)']);
  expect(told['run']).toEqual(['perhaps make up [deploys] (in web)']);
});

test('what the command of a part around it runs as well is told once', () => {
  const facts = [
    ...product,
    fact('lint.command', '.', { cmd: 'turbo lint', cwd: '.' }),
    fact('lint.command', 'web', { cmd: 'npm run lint', cwd: 'web' }),
    fact('lint.command', 'worker', { cmd: 'go vet ./...', cwd: 'worker' }),
  ];
  const row = (component: string, covered_by: string | null) => ({ role: 'lint', component, covered_by });
  const commands = [row('web', '.'), row('web', null), row('worker', null), row('worker', '.')];
  expect(rows(facts, { commands: { left_out: [], commands } })['check']).toEqual([
    'lint: turbo lint',
    'lint: go vet ./... (in worker)',
  ]);
});

test('routes that are not read are said to be there; what may be more is at least that many', () => {
  const http = (more: Loose) => rows([...product, { ...fact('contract.surface', 'http', 3), ...more }])['offers'];
  expect(
    http({ state: 'unknown', value: null, confidence: null, how: 'incomplete: routes of grape are not read' }),
  ).toEqual(['HTTP, not known what: routes of grape are not read']);
  expect(http({ confidence: 'low', how: 'incomplete: at least: routes that the code registers' })).toEqual([
    'at least 3 HTTP routes',
  ]);
  expect(http({ confidence: 'low', how: 'incomplete: routes that the code registers' })).toEqual([
    'perhaps 3 HTTP routes',
  ]);
});

test('the screen lists as not understood only ids that no fact tells of the whole', () => {
  const open = { state: 'unknown', value: null, confidence: null };
  const seen = (whole: unknown) =>
    rows([...product, fact('test.cases', '.', 3, whole as Loose), fact('test.cases', 'web/x/*', 1, open)])['not seen'];
  expect(seen({ confidence: 'low' })).toBeUndefined();
  expect(seen(open)).toEqual(['looked at and not understood: test.cases']);
});

test('P2 "none found" is said where a probe looked, and otherwise what became of it', () => {
  expect(rows(product)['build']).toEqual(['none found']);
  const failed = { commands: undefined, probes: { commands: { status: 'timed_out', sections: ['commands'] } } };
  expect(rows(product, failed)['build']).toEqual(['not known: commands timed out']);
});

test('what comes with the build is no step of its own', () => {
  expect(rows([...product, fact('package_manager', '.', 'cargo')])['install']).toEqual([
    'no step of its own: cargo brings what a build needs',
  ]);
  expect(rows([...product, fact('package_manager', '.', ['gradle', 'maven'])])['install']).toEqual([
    'no step of its own: gradle, maven bring what a build needs',
  ]);
  expect(rows([...product, fact('package_manager', '.', 'npm')])['install']).toEqual(['none found']);
});

test('alarms and commands that do harm are risky; those that need a running system are not', () => {
  const left_out = [
    { cmd: 'npm run e2e', cwd: '.', why: 'needs the running system' },
    { cmd: 'npm run image', cwd: '.', why: 'network, pushes' },
    { cmd: './e2e.sh', cwd: '.', why: 'deploys' },
    { cmd: 'bash e2e.sh', cwd: '.', why: 'deploys' },
  ];
  expect(rows(product, { commands: { left_out } })['risky']).toEqual(['`npm run image` pushes', '`./e2e.sh` deploys']);
  expect(rows(product)['risky']).toBeUndefined();
});

test('without code there is nothing to install, and what lies there instead is told', () => {
  const told = (counts: Loose, files: number) => {
    const probes = { language_detection: { ...ran, sections: ['language_stack'], inputs: { files } } };
    return rows([fact('components', '.', null)], { language_stack: { counts, primary: null }, probes });
  };
  expect(told({}, 0)).toEqual({ what: ['no files'] });
  expect(told({ markdown: 3, yaml: 1 }, 5)).toEqual({ what: ['no source code: 5 files (3 markdown, 1 yaml)'] });
  expect(told({}, 1)).toEqual({ what: ['no source code: 1 file'] });
});

test('a gather of one component speaks of that', () => {
  const facts = [fact('language.primary', 'web', 'Go'), fact('build.command', 'web', { cmd: 'make', cwd: 'web' })];
  expect(rows(facts, { repo: { component: 'web' } })).toMatchObject({ what: ['Go'], build: ['make (in web)'] });
});

test('the short form keeps its size, and says what it left out', () => {
  const many = Array.from({ length: 200 }, (_, at) => `service services/number-${at}`);
  const view = viewEnvelope({ facts: [fact('components', '.', many), ...product.slice(1)] }, []);
  const short = shortOverview(view, 600);
  expect(JSON.stringify(short).length).toBeLessThanOrEqual(600);
  expect(short['parts']).toMatch(/^200 services: services\/number-0.*…$/);
});
