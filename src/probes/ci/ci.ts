/**
 * What the pipelines of a repository build and test, from the files CI providers read (probes.md, ci).
 * YAML providers are parsed in full; a Jenkinsfile is a program and is only scanned, which the confidence says.
 */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how GitHub writes expressions

import { defineProbe, type RepoSnapshot } from '../../gather/contract.ts';
import { smokeFileGlobs } from '../shared/shell-commands.ts';
import { ciFacts } from './ci-facts.ts';
import { ciFileGlobs, ciSection, localActionGlobs } from './ci-section.ts';

const files = Object.values(ciFileGlobs).flat();

export default defineProbe({
  name: 'ci',
  version: '0.4.2',
  layer: 'A',
  says: 'CI provider, jobs, the commands that build images and run tests, matrices, referenced secrets, unpinned actions.',
  heaviness: 'light',
  sections: { ci: ciSection },
  facts: ciFacts,
  declaredInputs: [
    ...files,
    ...localActionGlobs,
    '**/package.json',
    'names:**',
    ...smokeFileGlobs.map((glob) => `names:${glob}`),
  ],
  timeoutSeconds: 60,
  artifacts: ['ci.json'],
  warningIds: [
    'ci.multi_provider',
    'ci.workflow_parse_error',
    'ci.empty_workflows_dir',
    'ci.jenkinsfile_regex_only',
    'ci.local_action_unparsed',
  ],
  confidenceRule: 'high; medium when a CI file could not be parsed; low when a Jenkinsfile was scanned by lines',
  applies: (repo) => hasCiFile(repo) || 'not_applicable',
  async run(repo, ctx) {
    const { gatherCi } = await import('./gather-ci.ts');
    return gatherCi(repo, ctx);
  },
  examples: [
    {
      shows:
        'Woodpecker, Drone, Cirrus and AppVeyor: a step is a container, its commands one script; a forge with the workflows of GitHub',
      files: {
        '.woodpecker.yml':
          'steps:\n  unit:\n    image: rust:1\n    commands:\n      - cd api\n      - cargo test --workspace\n  note:\n    image: plugins/slack\n',
        '.drone.yml': 'kind: pipeline\nsteps:\n- name: test\n  image: golang\n  commands: [go test ./...]\n',
        '.cirrus.yml': 'unit_task:\n  container: {image: python}\n  test_script: pytest\n',
        'appveyor.yml': 'image: Windows\ntest_script:\n- cmd: npm test\n- ps: dotnet test\n',
        '.forgejo/workflows/a.yml': 'on: push\njobs:\n  a:\n    steps: [{run: npm run lint}]\n',
        'api/Cargo.toml': '',
      },
      gives: {
        ci: {
          provider: 'woodpecker',
          additional_providers: ['drone', 'forgejo', 'cirrus', 'appveyor'],
        },
      },
      facts: [{ id: 'ci.provider', scope: '.', value: ['woodpecker', 'drone', 'forgejo', 'cirrus', 'appveyor'] }],
    },
    {
      shows: 'a GitHub workflow: jobs, commands, matrix, secrets, pinned and unpinned actions',
      files: {
        '.github/workflows/ci.yml': [
          'name: ci',
          'on: [push]',
          'jobs:',
          '  build:',
          '    runs-on: ubuntu-24.04',
          '    strategy: { matrix: { node: [22, 24], os: [linux] } }',
          '    steps:',
          '      - uses: actions/checkout@v4',
          '      - uses: actions/setup-node@1a4442cacd436585916779262731d5b162bc6ec7',
          '      - run: |',
          '          npm ci',
          '          npm test -- --ci',
          '      - run: docker build -t app:${{ github.sha }} .',
          '        env: { KEY: "${{ secrets.DEPLOY_KEY }}" }',
          '  smoke:',
          '    if: secrets.SMOKE_URL != null',
          '    runs-on: [self-hosted, linux]',
          '    steps: [{ run: ./scripts/smoke.sh }]',
        ].join('\n'),
        'scripts/smoke.sh': 'curl -f "$SMOKE_URL"\n',
      },
      gives: {
        ci: {
          provider: 'github_actions',
          additional_providers: [],
          workflow_files: ['.github/workflows/ci.yml'],
          jobs: [
            { file: '.github/workflows/ci.yml', id: 'build', runs_on: ['ubuntu-24.04'], steps: 4 },
            { file: '.github/workflows/ci.yml', id: 'smoke', runs_on: ['self-hosted', 'linux'], steps: 1 },
          ],
          builds_image: true,
          image_build_command: 'docker build -t app:${{ github.sha }} .',
          unit_test_command: 'npm test -- --ci',
          smoke_test_command: './scripts/smoke.sh',
          smoke_test_present: true,
          smoke_test_path: 'scripts/smoke.sh',
          build_matrix: [
            { name: 'node', values: ['22', '24'] },
            { name: 'os', values: ['linux'] },
          ],
          references_secrets: ['DEPLOY_KEY', 'SMOKE_URL'],
          unpinned_actions: ['actions/checkout@v4'],
          parse_errors: [],
        },
      },
      facts: [
        {
          id: 'ci.matrix',
          scope: '.github/workflows/ci.yml#build',
          value: { node: [22, 24], os: ['linux'] },
          evidence: ['.github/workflows/ci.yml:6'],
        },
      ],
      warnings: [],
      confidence: 'high',
    },
    {
      shows:
        'matrices are expanded with include and exclude, each job its own; variables of the file and known actions are filled in, and a reusable workflow’s commands are the caller’s',
      files: {
        '.github/workflows/ci.yml': [
          'on: { pull_request: {}, push: { tags: [v*] } }',
          'env: { CARGO: cargo }',
          'jobs:',
          '  unit:',
          "    name: 'on ${{ matrix.os }}'",
          '    strategy:',
          '      matrix: { os: [a, b], v: [1, 2], include: [{ os: a, extra: x }, { os: c, v: 3 }], exclude: [{ os: b, v: 2 }] }',
          '    steps:',
          '      - name: ${{ env.CARGO }} test --workspace',
          '        run: ${{ env.CARGO }} test --workspace',
          '      - run: |',
          '          cd tools',
          '          go test \\',
          '            ./...',
          '      - uses: golangci/golangci-lint-action@v8',
          '  rows:',
          '    strategy: { matrix: { include: [{ a: 1 }, { a: 2 }] } }',
          '    steps: [{ run: npm publish }]',
          '  computed:',
          '    strategy: { matrix: "${{ fromJson(needs.x.outputs.y) }}" }',
          '    steps: [{ run: echo test }]',
          '  called:',
          '    uses: ./.github/workflows/shared.yml',
        ].join('\n'),
        '.github/workflows/shared.yml': 'on: workflow_call\njobs:\n  inner:\n    steps:\n      - run: pytest -q\n',
      },
      gives: {
        ci: {
          jobs: [
            {
              id: 'unit',
              triggers: ['pull_request', 'tag'],
              matrix: { expanded: 4, line: 7 },
              commands: [
                { run: '${{ env.CARGO }} test --workspace', resolved: 'cargo test --workspace', line: 10 },
                { run: 'go test ./...', directory: 'tools', line: 13 },
                { run: 'golangci-lint run', action: 'golangci/golangci-lint-action@v8', line: 15, roles: ['lint'] },
              ],
            },
            { id: 'rows', matrix: { expanded: 2 }, commands: [{ run: 'npm publish', roles: [] }] },
            { id: 'computed', matrix: { expanded: null } },
            { id: 'called', commands: [{ run: 'pytest -q', file: '.github/workflows/shared.yml', line: 5 }] },
            { id: 'inner' },
          ],
        },
      },
      facts: [
        { id: 'ci.matrix', scope: '.github/workflows/ci.yml#unit', evidence: ['.github/workflows/ci.yml:7'] },
        { id: 'ci.matrix', scope: '.github/workflows/ci.yml#rows', value: [{ a: 1 }, { a: 2 }] },
        { id: 'ci.matrix', scope: '.github/workflows/ci.yml#computed', state: 'unknown' },
      ],
    },
    {
      shows:
        'a matrix stands for directories, files and scripts of the repository: each is a command; a version or a shard is none of these',
      files: {
        '.github/workflows/ci.yml': [
          'on: pull_request',
          'jobs:',
          '  each:',
          '    strategy: { matrix: { dir: [api, web], shard: [1, 2], include: [{ dir: api, extra: x }] } }',
          '    steps:',
          '      - run: go test ./...',
          '        working-directory: svc/${{ matrix.dir }}',
          '      - run: cargo clippy --manifest-path svc/${{ matrix.dir }}/Cargo.toml -- -D warnings',
          '      - run: npx jest --shard=${{ matrix.shard }}/2',
          '  found:',
          '    strategy: { matrix: { package: "${{ fromJson(needs.find.outputs.list) }}" } }',
          '    steps: [{run: uv run pytest, working-directory: "src/${{ matrix.package }}"}]',
        ].join('\n'),
        'svc/api/Cargo.toml': '',
        'svc/web/go.mod': '',
      },
      gives: {
        ci: {
          jobs: [
            {
              matrix: { expanded: 4 },
              commands: [
                { resolved: 'go test ./...', directory: 'svc/api' },
                { resolved: 'go test ./...', directory: 'svc/web' },
                { resolved: 'cargo clippy --manifest-path svc/api/Cargo.toml -- -D warnings' },
                { resolved: 'cargo clippy --manifest-path svc/${{ matrix.dir }}/Cargo.toml -- -D warnings' },
                { resolved: 'npx jest --shard=${{ matrix.shard }}/2', directories: null },
              ],
            },
            { id: 'found', commands: [{ run: 'uv run pytest', directory: null, directories: 'src/*' }] },
          ],
        },
      },
    },
    {
      shows:
        'the provider is the one that checks, not the one that also has a file; CircleCI multiplies jobs in its workflows',
      files: {
        '.github/workflows/codeql.yml':
          'on: push\njobs: {analyze: {steps: [{run: npm ci}, {uses: github/codeql-action/analyze@v3}]}}\n',
        '.circleci/config.yml': [
          'version: 2.1',
          'parameters: { old-node: { type: string, default: "20.1" } }',
          'jobs: { unit: { parameters: { node: { type: string } }, steps: [{ run: npm test }] } }',
          'workflows:',
          '  all: { jobs: [{ unit: { matrix: { parameters: { node: ["<< pipeline.parameters.old-node >>", "24.1"] } } } }] }',
        ].join('\n'),
      },
      gives: { ci: { provider: 'circleci', additional_providers: ['github_actions'] } },
      facts: [
        { id: 'ci.provider', scope: '.', value: 'circleci', evidence: ['.circleci/config.yml:1'] },
        { id: 'ci.matrix', scope: '.circleci/config.yml#unit', value: { node: ['20.1', '24.1'] } },
      ],
    },
    {
      shows: 'a pipeline of Azure under another name, beside workflows; a file of that name without jobs is none',
      files: {
        'ci.yml': 'trigger: [main]\njobs:\n  - job: Build\n    steps:\n      - script: dotnet build\n',
        'build.yml': 'image: x\nsteps: []\n',
        '.github/workflows/pr.yml': 'on: pull_request\njobs: {a: {steps: [{run: dotnet test}]}}\n',
      },
      gives: { ci: { provider: 'github_actions', additional_providers: ['azure_pipelines'] } },
      facts: [
        {
          id: 'ci.provider',
          scope: '.',
          value: ['github-actions', 'azure-pipelines'],
          evidence: ['.github/workflows/pr.yml:1', 'ci.yml:1'],
        },
      ],
    },
    {
      shows: 'Travis: the phases of the file, and the jobs that it includes',
      files: {
        '.travis.yml':
          'os: linux\ninstall: npm ci\nscript: [npm test]\njobs: {include: [{name: lint, script: eslint .}]}\n',
      },
      gives: {
        ci: {
          provider: 'travis',
          jobs: [
            { id: 'travis', runs_on: ['linux'], steps: 2 },
            { id: 'lint', steps: 1, commands: [{ run: 'eslint .', roles: ['lint'] }] },
          ],
        },
      },
    },
    {
      shows: 'run aliases are resolved through package.json, in the directory the step works in',
      files: {
        '.github/workflows/ci.yaml':
          'jobs: {a: {runs-on: x, steps: [{run: npm run verify, working-directory: ./app}, {run: npm run image}, {run: npm run test:smoke}]}}',
        'app/package.json': '{"scripts":{"verify":"npm run check","check":"vitest run"}}',
        'package.json': '{"scripts":{"image":"docker build .","test:smoke":"node test/smoke.mjs"}}',
      },
      gives: {
        ci: {
          unit_test_command: 'npm run verify',
          image_build_command: 'npm run image',
          smoke_test_command: 'npm run test:smoke',
          smoke_test_path: 'test/smoke.mjs',
        },
      },
    },
    {
      shows:
        'composite actions of the repository are opened, one that is missing is said, build-push-action builds an image',
      files: {
        '.github/workflows/ci.yml':
          'jobs: {a: {runs-on: x, steps: [{uses: ./.github/actions/test}, {uses: ./.github/actions/gone}, {uses: docker/build-push-action@v6}]}}',
        '.github/actions/test/action.yml': 'runs: {using: composite, steps: [{run: pytest -q, shell: bash}]}',
      },
      gives: {
        ci: {
          unit_test_command: 'pytest -q',
          image_build_command: 'docker/build-push-action@v6',
          unpinned_actions: ['docker/build-push-action@v6'],
        },
      },
      warnings: ['ci.local_action_unparsed'],
      confidence: 'high',
    },
    {
      shows: 'a file that does not parse is an entry of its own; the others still count',
      files: {
        '.github/workflows/bad.yml': 'jobs: [unclosed\n  a: {',
        '.github/workflows/good.yml': 'jobs: {a: {runs-on: x, steps: [{run: go test ./...}]}}',
      },
      gives: {
        ci: {
          workflow_files: ['.github/workflows/bad.yml', '.github/workflows/good.yml'],
          unit_test_command: 'go test ./...',
          parse_errors: [{ path: '.github/workflows/bad.yml', kind: 'malformed' }],
        },
      },
      warnings: ['ci.workflow_parse_error'],
      confidence: 'medium',
    },
    {
      shows: 'GitLab: hidden templates are no jobs, extends and defaults are followed; a second provider is additional',
      files: {
        '.gitlab-ci.yml':
          'stages: [test]\ndefault: {tags: [docker]}\n.base: {script: [npm ci, npm test]}\nunit: {extends: .base, parallel: {matrix: [{NODE: ["22", "24"]}]}}\nimage: node:24\nbuild: {tags: [big], script: docker build .}\n',
        '.circleci/config.yml':
          'version: 2.1\ncommands: {setup: {steps: [{run: npm ci}]}}\njobs: {t: {docker: [{image: "cimg/node:24.0"}], steps: [checkout, setup, {run: {command: npx jest}}]}}\n',
      },
      gives: {
        ci: {
          provider: 'gitlab_ci',
          additional_providers: ['circleci'],
          jobs: [
            { file: '.circleci/config.yml', id: 't', runs_on: ['cimg/node:24.0'], steps: 3 },
            { file: '.gitlab-ci.yml', id: 'unit', runs_on: ['docker'], steps: 2 },
            { file: '.gitlab-ci.yml', id: 'build', runs_on: ['big'], steps: 1 },
          ],
          unit_test_command: 'npm test',
          image_build_command: 'docker build .',
          build_matrix: [{ name: 'NODE', values: ['22', '24'] }],
        },
      },
      warnings: ['ci.multi_provider'],
      confidence: 'high',
    },
    {
      shows: 'Azure, Bitbucket and Buildkite',
      files: {
        'azure-pipelines.yml':
          'pool: {vmImage: ubuntu-latest}\nstages: [{stage: s, jobs: [{job: build, steps: [{script: mvn -B test}, {task: Docker@2, inputs: {command: buildAndPush}}]}]}]\n',
        'bitbucket-pipelines.yml':
          'image: node:24\npipelines: {default: [{step: {name: Test, script: [npm test]}}, {parallel: [{step: {script: [ls]}}]}]}\n',
        '.buildkite/pipeline.yml':
          'steps: [{label: unit, command: cargo test, agents: {queue: fast}}, wait, {group: g, steps: [{key: b, commands: [make, ls]}]}]\n',
      },
      gives: {
        ci: {
          provider: 'azure_pipelines',
          additional_providers: ['bitbucket', 'buildkite'],
          jobs: [
            { file: '.buildkite/pipeline.yml', id: 'unit', runs_on: ['queue=fast'], steps: 1 },
            { file: '.buildkite/pipeline.yml', id: 'b', runs_on: [], steps: 2 },
            { file: 'azure-pipelines.yml', id: 'build', runs_on: ['ubuntu-latest'], steps: 2 },
            { file: 'bitbucket-pipelines.yml', id: 'Test', runs_on: ['node:24'], steps: 1 },
            { file: 'bitbucket-pipelines.yml', id: 'default/2', runs_on: ['node:24'], steps: 1 },
          ],
          unit_test_command: 'mvn -B test',
          image_build_command: 'Docker@2 buildAndPush',
        },
      },
      warnings: ['ci.multi_provider'],
    },
    {
      shows: 'a Jenkinsfile is scanned by lines, and the confidence says so',
      files: {
        Jenkinsfile:
          "pipeline {\n  agent { label 'linux' }\n  stages {\n    stage('Build') { steps { sh 'docker build .' } }\n    stage('Test') {\n      steps {\n        sh '''\n          npm ci\n          npm test\n        '''\n      }\n    }\n  }\n}\n",
      },
      gives: {
        ci: {
          provider: 'jenkins',
          jobs: [
            { file: 'Jenkinsfile', id: 'Build', runs_on: ['linux'], steps: 1 },
            { file: 'Jenkinsfile', id: 'Test', runs_on: ['linux'], steps: 1 },
          ],
          image_build_command: 'docker build .',
          unit_test_command: 'npm test',
        },
      },
      warnings: ['ci.jenkinsfile_regex_only'],
      confidence: 'low',
    },
    {
      shows: 'a key of a matrix that is named like a secret is left out, and nothing else with it',
      files: {
        '.github/workflows/ci.yml': [
          'jobs:',
          '  test:',
          '    strategy:',
          '      matrix:',
          '        db: [sqlite, mysql]',
          '        include: [{ db: mysql, db_user: root, db_password: root }, { db: sqlite, extra: [{ api_key: x }] }]',
          '    steps: [{ run: npm test }]',
        ].join('\n'),
      },
      gives: { ci: { provider: 'github_actions', unit_test_command: 'npm test' } },
      facts: [
        {
          id: 'ci.matrix',
          scope: '.github/workflows/ci.yml#test',
          value: { db: ['sqlite', 'mysql'], include: [{ db: 'mysql', db_user: 'root' }, { db: 'sqlite' }] },
        },
      ],
      confidence: 'high',
    },
    {
      shows: 'five thousand openings of a secret reference are text like any other',
      files: {
        '.github/workflows/ci.yml': `jobs: {a: {runs-on: x, env: {K: "${'${{ secrets.'.repeat(5_000)}"}, steps: [{run: "echo \${{ secrets.REAL }}"}]}}`,
      },
      gives: { ci: { references_secrets: ['REAL'], parse_errors: [] } },
      confidence: 'high',
    },
    {
      shows: 'a workflows directory without a workflow',
      files: { '.github/workflows/README.md': 'later' },
      gives: { ci: { provider: null, workflow_files: [], jobs: [], builds_image: false, smoke_test_present: false } },
      warnings: ['ci.empty_workflows_dir'],
    },
    { shows: 'no CI file', files: { 'a.txt': 'x' }, gives: {}, skipped: 'not_applicable' },
  ],
});

function hasCiFile({ scope }: RepoSnapshot): boolean {
  if (scope.match(['.github/workflows/**', ...files]).length > 0) return true;
  return files.some((path) => !path.includes('*') && scope.exists(path));
}
