// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how GitHub writes expressions

import { expect, test } from 'vitest';
import type { Json } from '../../kernel/base/json.ts';
import {
  listExpressionTexts,
  listSecretNames,
  readAzurePipelines,
  readBuildkite,
  readCircleci,
  readGithubWorkflow,
  readGitlabCi,
  readJenkinsfile,
} from './ci-providers.ts';

test('G16 five thousand openings of a secret reference are read in one pass and name nothing', () => {
  expect(listSecretNames(['${{ secrets.'.repeat(5_000)])).toEqual([]);
  expect(listSecretNames([`${'${{ secrets.'.repeat(5_000)}A }}`])).toEqual(['A']);
  expect(listSecretNames(['${{ secrets.A }}'.repeat(5_000)])).toEqual(['A']);
  expect(listSecretNames([`\${{ secrets[${' '.repeat(50_000)}'A'] }}`])).toEqual([]);
});

test('secret names: closed expressions, both notations, conditions; text outside is no reference', () => {
  const document = {
    if: 'secrets.IN_CONDITION != null',
    env: {
      a: "${{ format('{0}', secrets['INDEXED']) }} ${{ secrets.B }}",
      b: 'secrets.NOT_THIS',
      c: '${{ secrets.OPEN',
    },
    list: ['${{ github.token || secrets.C }}'],
  };
  expect(listSecretNames(listExpressionTexts(document))).toEqual(['B', 'C', 'INDEXED', 'IN_CONDITION']);
});

test('GitHub: what runs in the work tree of another repository is none of ours', () => {
  const checkout = (more: Record<string, string>) => ({ uses: 'actions/checkout@v5', with: more });
  const at = (dir: string) => ({ run: `test in ${dir}`, 'working-directory': dir });
  const steps = [
    checkout({}),
    checkout({ repository: '${{ github.repository }}', path: 'own' }),
    checkout({ repository: 'acme/plugin', path: './plugin' }),
    ...['.', 'own', 'plugin', 'plugin/deep', 'plugins'].map(at),
  ];
  const { jobs } = readGithubWorkflow({ jobs: { a: { 'runs-on': 'x', steps } } });
  expect(jobs[0]?.steps.flatMap(({ run }) => run ?? [])).toEqual(['test in .', 'test in own', 'test in plugins']);
});

test('GitHub: groups, reusable workflows, include-only matrices, odd shapes', () => {
  const { jobs, matrix } = readGithubWorkflow({
    jobs: {
      a: {
        'runs-on': { group: 'big', labels: ['x', 'y'] },
        strategy: { matrix: { include: [{ os: 'linux', node: 24 }] } },
      },
      b: { uses: './.github/workflows/shared.yml' },
      c: 'not a job',
      d: { 'runs-on': '${{ matrix.os }}', steps: 'none', strategy: { matrix: '${{ fromJson(x) }}' } },
    },
  });
  expect(jobs.map(({ id, runsOn, steps }) => [id, runsOn, steps.length])).toEqual([
    ['a', ['big', 'x', 'y'], 0],
    ['b', [], 1],
    ['d', ['${{ matrix.os }}'], 0],
  ]);
  expect(matrix).toEqual([
    { name: 'os', values: ['linux'] },
    { name: 'node', values: ['24'] },
  ]);
});

test('GitLab: an extends cycle ends; CircleCI: commands that call each other end; Azure: conditional insertions are opened', () => {
  expect(
    readGitlabCi({ a: { extends: '.b' }, '.b': { extends: 'a' }, c: { script: [['x'], 'y'] } }).jobs.map(
      (job) => job.id,
    ),
  ).toEqual(['c']);
  const circle = readCircleci({ commands: { x: { steps: ['x', { run: 'ls' }] } }, jobs: { a: { steps: ['x'] } } });
  expect(circle.jobs[0]?.steps.filter((step) => step.run === 'ls')).toHaveLength(5);
  const azure = readAzurePipelines({ steps: [{ '${{ if eq(a, b) }}': [{ bash: 'npm test' }] }, { script: 'ls' }] });
  expect(azure.jobs[0]?.steps.map((step) => step.run)).toEqual(['npm test', 'ls']);
  const wrapped = readAzurePipelines({
    extends: { parameters: { stages: [{ jobs: [{ job: 'Build', steps: [{ script: 'dotnet build' }] }] }] } },
  });
  expect(wrapped.jobs.map(({ id, steps }) => [id, steps[0]?.run])).toEqual([['Build', 'dotnet build']]);
  const given = readAzurePipelines({ extends: { parameters: { steps: [{ script: 'make' }] } } });
  expect(given.jobs.map(({ steps }) => steps[0]?.run)).toEqual(['make']);
});

test('GitLab: what a job inherits from the defaults, and what makes it a job', () => {
  const { jobs } = readGitlabCi({
    default: { image: 'node:24', before_script: ['npm ci'], script: ['never'] },
    template: { stage: 'test' },
    unit: { script: ['npm test'] },
  });
  expect(jobs.map(({ id, steps }) => [id, steps.map(({ run }) => run)])).toEqual([['unit', ['npm ci', 'npm test']]]);
});

test('Buildkite: groups in groups end', () => {
  let steps: Json[] = [{ command: 'deepest' }];
  for (let depth = 9; depth >= 0; depth -= 1) steps = [{ command: `at ${depth}`, steps }];
  expect(
    readBuildkite({ steps })
      .jobs.map((job) => job.steps[0]?.run)
      .sort(),
  ).toEqual(['at 0', 'at 1', 'at 2', 'at 3', 'at 4']);
});

test('Buildkite: bare lists, matrices with and without names', () => {
  expect(readBuildkite([{ command: 'a', matrix: ['x', 'y'] }]).matrix).toEqual([
    { name: 'matrix', values: ['x', 'y'] },
  ]);
  expect(readBuildkite({ steps: [{ command: 'a', matrix: { setup: { os: ['l'] } } }] }).matrix).toEqual([
    { name: 'os', values: ['l'] },
  ]);
});

test('Jenkinsfile: comments are not commands, commands are bounded, an open block ends with the file', () => {
  expect(
    readJenkinsfile('// sh \'rm -rf x\'\nsh(script: "npm test", returnStdout: true)\n').jobs[0]?.steps.map(
      (step) => step.run,
    ),
  ).toEqual(['npm test']);
  expect(readJenkinsfile(`sh '${'x'.repeat(600)}'`).jobs[0]?.steps).toEqual([]);
  expect(readJenkinsfile("sh '''\nnpm test\n").jobs[0]?.steps).toEqual([]);
  expect(readJenkinsfile("sh '".repeat(5_000)).jobs).toHaveLength(1);
});
