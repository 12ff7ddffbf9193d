/**
 * One envelope with something in every section that a report reads, and the probes it claims to come from.
 * It is data for tests of readers; it does not have to pass the schemas of the probes that would write it.
 */

import type { Layer } from '../../src/gather/contract.ts';
import type { ReportProbe } from '../../src/gather/report/envelope-view.ts';
import type { Json, JsonObject } from '../../src/kernel/base/json.ts';

const commit = '9f1c2ab47d5e6f8091a2b3c4d5e6f7081929a3b4';
const digest = 'sha256:4be1c0ffee0ddba11deadbeef5ca1ab1e00112233445566778899aabbccddeeff';
const when = '2026-05-17T08:30:00Z';

export function sampleProbes(): readonly ReportProbe[] {
  return [
    probe('language_detection', 'A', 'Languages, frameworks and package roots.', ['language_stack']),
    probe('node_build_system', 'A', 'Package manager, workspaces and scripts of a Node repository.', ['build_system'], {
      tools: ['node'],
    }),
    probe('node_manifest', 'A', 'Manifests, lockfiles and native modules.', ['manifests'], {
      requires: [
        {
          probe: 'node_build_system',
          select: (slice) => pick(slice['build_system'], 'package_manager'),
          optional: true,
        },
      ],
    }),
    probe('ci', 'A', 'What continuous integration runs.', ['ci'], {
      declaredInputs: ['.github/workflows/*.yml', '.gitlab-ci.yml'],
    }),
    probe('deployment', 'A', 'How the service is deployed.', ['deployment']),
    probe('test_inventory', 'A', 'Test frameworks, cases and coverage.', ['test_inventory']),
    probe('scip_index', 'B', 'Semantic index of the TypeScript sources.', ['semantic_index'], {
      tools: ['scip-typescript'],
      index: { name: 'scip' },
      requires: ['language_detection'],
      declaredInputs: ['**/*.ts', '**/tsconfig*.json'],
      confidenceRule: 'low on any failure; medium if coverage is below 95 %; else high',
    }),
    probe('tree_sitter_import_graph', 'B', 'Who imports whom.', ['import_graph'], { index: { name: 'import_graph' } }),
    probe('node_reflection', 'B', 'Dynamic code that static reasoning cannot follow.', ['reflection']),
    probe('dep_graph', 'B', 'Resolved dependencies and the build graph.', ['dep_graph', 'build_graph'], {
      index: { name: 'dep_graph' },
    }),
    probe('index_health', 'B', 'Freshness of every index.', ['index_health']),
    probe('dockerfile', 'C', 'Stages and commands of the Dockerfiles.', ['containerization']),
    probe('image_build', 'C', 'Builds the image.', ['image_build'], { tools: ['podman', 'docker'] }),
    probe('runtime_trace', 'C', 'What the container does when it runs.', ['runtime_trace'], {
      index: { name: 'runtime_trace' },
    }),
    probe('sbom', 'C', 'Packages in the image.', ['sbom'], { index: { name: 'sbom' } }),
    probe('cve', 'C', 'Known vulnerabilities in the image.', ['cve_scan'], {
      tools: ['grype'],
      configKeys: ['cve.grype_db_dir'],
    }),
    probe('shell_usage', 'C', 'Where a shell is needed.', ['shell_usage'], { requires: ['dockerfile'] }),
    probe('certificate', 'C', 'Custom certificate authorities.', ['custom_certificates']),
    probe('repo_config', 'D', 'Instruction files for people and agents.', ['organizational.repo_config']),
    probe('dynamic_code', 'B', 'Calls that run code from a string.', ['dynamic_code']),
    probe('skills_index', 'D', 'Installed skills and whether they apply.', ['organizational.skills']),
    probe('adrs', 'D', 'Architecture decisions.', ['organizational.adrs'], { configKeys: ['adrs.paths'] }),
    probe('conventions', 'D', 'Rules checked against the repository.', ['organizational.conventions']),
    probe('exceptions', 'D', 'Approved deviations.', ['organizational.exceptions']),
    probe('external_docs', 'D', 'Documents from outside.', ['organizational.external_docs'], {
      configKeys: ['external_docs'],
    }),
    probe('service_contracts', 'E', 'Contracts offered and used.', ['inter_service']),
    probe('service_topology', 'E', 'Declared edges between services.', ['service_topology']),
    probe('slo', 'E', 'Service level objectives.', ['slo'], {
      declaredInputs: ['**/*.slo.yaml'],
      configKeys: ['slo.files'],
    }),
    probe('semgrep', 'G', 'Hazards found by rules.', ['semgrep_findings'], {
      tools: ['semgrep'],
      index: { name: 'semgrep' },
    }),
    probe('gitleaks', 'G', 'Secrets in the repository.', ['gitleaks_findings'], {
      tools: ['gitleaks'],
      index: { name: 'gitleaks' },
    }),
  ];
}

function probe(
  name: string,
  layer: Layer,
  says: string,
  sections: readonly string[],
  more: Partial<ReportProbe> = {},
): ReportProbe {
  return {
    name,
    layer,
    says,
    // The report reads the names of the sections only.
    sections: Object.fromEntries(sections.map((path) => [path, undefined])) as unknown as ReportProbe['sections'],
    tools: [],
    configKeys: [],
    requires: [],
    declaredInputs: ['package.json'],
    confidenceRule: 'high when every file was read',
    appliesToTasks: ['*'],
    appliesToLanguages: ['*'],
    ...more,
  };
}

function pick(value: Json | undefined, key: string): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ((value as JsonObject)[key] ?? null)
    : null;
}

type RecordOptions = { readonly [field: string]: Json };

function ok(layer: Layer, sections: readonly string[], ms: number, more: RecordOptions = {}): JsonObject {
  return {
    status: 'ok',
    skip: null,
    confidence: 'high',
    version: '0.1.0',
    layer,
    sections,
    warnings: [],
    errors: [],
    diagnostics: [],
    tool_versions: [],
    evidence: [],
    inputs: { digest: 'blake3:5b1d', files: 12 },
    duration_ms: ms,
    cache: { state: 'miss', key: 'sha256:aa11', produced_at: when },
    ...more,
  };
}

function skipped(layer: Layer, reason: string, detail: string | null = null): JsonObject {
  return ok(layer, [], 0, {
    status: 'skipped',
    skip: { reason, detail },
    confidence: null,
    cache: { state: 'none', key: null, produced_at: null },
  });
}

export function sampleEnvelope(): JsonObject {
  return {
    schema_version: '1.0.0',
    schema_versions: { language_stack: '1.0.0', semantic_index: '1.0.0', 'organizational.skills': '1.0.0' },
    repo: {
      id: 'acme/payments-api',
      root: 'payments-api',
      git_commit: commit,
      branch: 'main',
      dirty: true,
      dirty_files: 2,
    },
    gathered_at: when,
    gather_duration_ms: 18_420,
    run_id: '0123456789abcdef',
    gather_status: 'partial',
    probe_failures: [{ probe: 'scip_index', status: 'degraded', reason: null, errors: ['scip_index.index_failed'] }],
    not_looked: [
      { probe: 'semgrep', reason: 'tool_missing', tools: ['semgrep'], delivered: false, enable: 'Install it.' },
      { probe: 'cve', reason: 'db_unavailable', tools: [], delivered: false, enable: 'provide the database' },
    ],
    task_context: {
      task_type: 'base_image_migration',
      options: {},
      cli_version: '0.1.0',
      sandbox: 'bwrap',
      container_engine: 'podman',
    },
    warnings: [{ id: 'config.user_only_key', detail: 'containers.pull in .codegenie/config.yaml is ignored' }],
    redaction: { count: 2, fingerprints: ['1a2b3c4d', '5e6f7081'] },
    facts: [
      {
        ...{ id: 'ci.provider', scope: '.', state: 'known', value: 'github-actions', confidence: 'high' },
        ...{ evidence: ['.github/workflows/ci.yml:1'], how: 'declared: its file' },
      },
      {
        ...{ id: 'dynamic_code', scope: '.', state: 'known', value: ['src/rules.ts:4'], confidence: 'medium' },
        ...{ evidence: ['src/rules.ts:4'], how: 'follows: calls' },
      },
    ],
    raw_artifacts: [
      { name: 'ci.json', probe: 'ci', kind: 'json', size: 2_113, blake3: 'c1'.repeat(32) },
      { name: 'dep-graph.json', probe: 'dep_graph', kind: 'json', size: 1_482_113, blake3: 'd2'.repeat(32) },
      {
        name: 'runtime-trace-startup.strace',
        probe: 'runtime_trace',
        kind: 'strace',
        size: 88_321,
        blake3: 'e3'.repeat(32),
      },
    ],
    dynamic_code: { places: [{ path: 'src/rules.ts', line: 4, call: 'eval' }], unread: 0 },
    probes: { ...sampleRecords(), dynamic_code: ok('B', ['dynamic_code'], 7) },
    ...sampleSections(),
  };
}

function sampleRecords(): JsonObject {
  return {
    language_detection: ok('A', ['language_stack'], 41, {
      evidence: [{ path: 'package.json' }, { path: 'pnpm-workspace.yaml' }],
    }),
    node_build_system: ok('A', ['build_system'], 63, {
      confidence: 'low',
      warnings: ['package_manager.multi_lockfile'],
      version: '0.1.0+node-24.1.0',
      tool_versions: [{ name: 'node', version: '24.1.0', path: '/usr/bin/node' }],
      evidence: [{ path: 'package.json', hash: 'blake3:77', lines: [3, 14] }, { path: 'pnpm-lock.yaml' }],
    }),
    node_manifest: ok('A', ['manifests'], 212, { evidence: [{ path: 'pnpm-lock.yaml', lines: [812, 812] }] }),
    ci: ok('A', ['ci'], 18, {
      evidence: [{ path: '.github/workflows/ci.yml', lines: [1, 40] }, { artifact: 'ci.json' }],
    }),
    deployment: ok('A', ['deployment'], 22, { confidence: 'medium', warnings: ['helm.templated_values'] }),
    test_inventory: ok('A', ['test_inventory'], 131),
    scip_index: ok('B', ['semantic_index'], 6_204, {
      status: 'degraded',
      confidence: 'low',
      version: '0.1.0+scip-typescript-0.4.0',
      warnings: ['scip_index.project_failed'],
      errors: ['scip_index.index_failed'],
      diagnostics: [
        {
          id: 'scip_index.project_failed',
          path: 'packages/ledger/tsconfig.json',
          line: 7,
          detail: 'extends cannot be resolved',
        },
      ],
      tool_versions: [{ name: 'scip-typescript', version: '0.4.0', path: '~/.npm/bin/scip-typescript' }],
    }),
    tree_sitter_import_graph: ok('B', ['import_graph'], 1_310),
    node_reflection: ok('B', ['reflection'], 402),
    dep_graph: ok('B', ['dep_graph', 'build_graph'], 388, { evidence: [{ artifact: 'dep-graph.json' }] }),
    index_health: ok('B', ['index_health'], 34, {
      confidence: 'low',
      cache: { state: 'none', key: null, produced_at: null },
    }),
    dockerfile: ok('C', ['containerization'], 12, { evidence: [{ path: 'Dockerfile', lines: [1, 31] }] }),
    image_build: ok('C', ['image_build'], 7_905, { cache: { state: 'hit', key: 'sha256:bb22', produced_at: when } }),
    runtime_trace: ok('C', ['runtime_trace'], 9_120, {
      confidence: 'medium',
      warnings: ['runtime_trace.scenario_failed'],
    }),
    sbom: ok('C', ['sbom'], 880, { confidence: 'medium', warnings: ['sbom.tool_missing'] }),
    cve: skipped('C', 'db_unavailable', 'no grype database below ~/.cache/grype/db'),
    shell_usage: ok('C', ['shell_usage'], 9),
    certificate: ok('C', ['custom_certificates'], 44),
    repo_config: ok('D', ['organizational.repo_config'], 5),
    skills_index: ok('D', ['organizational.skills'], 14, { warnings: ['skills_index.shadowed'] }),
    adrs: ok('D', ['organizational.adrs'], 6),
    conventions: ok('D', ['organizational.conventions'], 31),
    exceptions: ok('D', ['organizational.exceptions'], 3, { warnings: ['exceptions.expired_present'] }),
    external_docs: skipped('D', 'not_configured'),
    service_contracts: ok('E', ['inter_service'], 154),
    service_topology: ok('E', ['service_topology'], 11, { confidence: 'medium' }),
    slo: skipped('E', 'not_configured'),
    semgrep: {
      ...skipped('G', 'tool_missing', 'semgrep is not on PATH'),
      tool_versions: [{ name: 'semgrep', version: 'absent', path: null }],
    },
    gitleaks: ok('G', ['gitleaks_findings'], 96, {
      confidence: 'medium',
      warnings: ['gitleaks.tool_missing', 'gitleaks.findings_present'],
    }),
  };
}

function sampleSections(): JsonObject {
  return {
    language_stack: {
      counts: {
        typescript: 412,
        json: 61,
        yaml: 38,
        markdown: 24,
        javascript: 19,
        shell: 7,
        sql: 6,
        css: 4,
        dockerfile: 2,
        make: 1,
      },
      bytes: { typescript: 2_214_003, json: 318_221, yaml: 82_114, javascript: 61_202 },
      primary: 'typescript',
      secondary: ['javascript', 'shell'],
      test_files: 96,
      generated_or_vendored: 12,
      framework_hints: ['nestjs', 'express'],
      monorepo: { tool: 'pnpm-workspaces', markers: ['pnpm-workspace.yaml', 'turbo.json'] },
      roots: [{ path: '.', kind: 'node' }],
    },
    build_system: {
      package_manager: 'pnpm',
      package_manager_version: '9.12.0',
      lockfile: 'pnpm-lock.yaml',
      additional_lockfiles: ['package-lock.json'],
      workspaces: [
        { name: '@acme/ledger', path: 'packages/ledger' },
        { name: '@acme/money', path: 'packages/money' },
        { name: '@acme/api', path: 'apps/api' },
      ],
      commands: [
        { name: 'build', command: 'turbo run build' },
        { name: 'lint', command: 'biome ci .' },
        { name: 'typecheck', command: 'tsc -b' },
        { name: 'test', command: 'vitest run' },
      ],
      bundler: 'esbuild',
      bundlers: ['esbuild'],
      node_version_pinned: '22.11.0',
      node_version_constraint: '>=22',
    },
    manifests: {
      primary: {
        ecosystem: 'node',
        path: 'package.json',
        native_modules: {
          detected: true,
          packages: [
            {
              name: 'bcrypt',
              versions: ['5.1.1'],
              requires_node_gyp: true,
              system_deps_required: ['libstdc++'],
              binary_artifacts: [],
            },
            {
              name: 'sharp',
              versions: ['0.33.5'],
              requires_node_gyp: false,
              system_deps_required: ['libvips'],
              binary_artifacts: [],
            },
          ],
        },
      },
      all: [{ ecosystem: 'node', path: 'package.json' }],
      catalog_version: '1',
    },
    ci: {
      provider: 'github_actions',
      jobs: [{ file: '.github/workflows/ci.yml', id: 'test', runs_on: ['ubuntu-24.04'], steps: 6 }],
      unit_test_command: 'pnpm test',
      smoke_test_command: './scripts/smoke.sh --port 8080',
      image_build_command: 'docker build -t payments-api .',
    },
    deployment: { type: 'helm', types: ['helm'], chart_path: 'deploy/helm/payments-api' },
    test_inventory: {
      framework: 'vitest',
      e2e_framework: 'playwright',
      unit_test_file_count: 96,
      test_case_count: { value: 1_204, relation: 'gte' },
      smoke_test_path: 'scripts/smoke.sh',
      coverage_data: { present: true, line_coverage_pct: 81.4 },
    },
    semantic_index: {
      files_indexed: 380,
      files_in_repo: 412,
      indexer_errors: 1,
      last_indexed_commit: commit,
      last_indexed_at: when,
    },
    import_graph: {
      parsed_files: 412,
      top_fan_in: [
        { path: 'packages/money/src/index.ts', importers: 148 },
        { path: 'packages/ledger/src/entry.ts', importers: 91 },
        { path: 'apps/api/src/config.ts', importers: 44 },
        { path: 'apps/api/src/http/errors.ts', importers: 23 },
      ],
      indexed_at: when,
    },
    reflection: {
      eval_usage: 1,
      function_constructor_usage: 0,
      affected_files: ['packages/ledger/src/rules/compile.ts'],
      confidence_impact: 'high',
    },
    dep_graph: { strategy: 'pnpm', nodes_count: 1_288, edges_count: 3_902, indexed_at: when },
    build_graph: {
      build_system: 'pnpm',
      modules: [
        {
          name: '@acme/money',
          path: 'packages/money',
          depends_on: [],
          depended_on_by: ['@acme/api', '@acme/ledger'],
          build_outputs: [],
        },
        {
          name: '@acme/ledger',
          path: 'packages/ledger',
          depends_on: ['@acme/money'],
          depended_on_by: ['@acme/api'],
          build_outputs: [],
        },
        {
          name: '@acme/api',
          path: 'apps/api',
          depends_on: ['@acme/ledger', '@acme/money'],
          depended_on_by: [],
          build_outputs: [],
        },
      ],
      cycles: [],
    },
    index_health: {
      dep_graph: health({ kind: 'fresh', indexed_at: when }, 'high', { nodes: 1_288, edges: 3_902 }),
      gitleaks: health(
        stale({ kind: 'digest_mismatch', expected: '8.30.0+blake3:0a1b2c3d', actual: '8.21.2+blake3:99887766' }),
        'medium',
        {},
      ),
      import_graph: health(
        stale({ kind: 'dirty_worktree', files: ['apps/api/src/config.ts', 'apps/api/src/main.ts'], count: 2 }),
        'medium',
        {
          parsed: 412,
          failed: 0,
        },
      ),
      runtime_trace: health({ kind: 'fresh', indexed_at: when }, 'high', { scenarios: ['startup', 'shutdown'] }),
      sbom: health({ kind: 'fresh', indexed_at: when }, 'high', {}),
      scip: health(stale({ kind: 'indexer_error', message: 'indexer_reported_1_errors' }), 'low', {
        coverage: '92.2 %',
      }),
      semgrep: health(stale({ kind: 'never_ran', reason: 'tool_missing' }), 'low', {}),
    },
    containerization: {
      dockerfiles: [
        {
          path: 'Dockerfile',
          final_stage: 1,
          stages: [
            {
              index: 0,
              base_image: 'node:22-bookworm',
              base_image_resolved: 'node:22-bookworm',
              user: null,
              distroless: false,
            },
            {
              index: 1,
              base_image: 'node:22-bookworm-slim',
              base_image_resolved: 'node:22-bookworm-slim',
              user: 'node',
              distroless: false,
            },
          ],
        },
      ],
    },
    image_build: {
      engine: 'podman',
      dockerfile: 'Dockerfile',
      built_image_digest: digest,
      size_bytes: 241_882_113,
      outcome: { kind: 'built' },
    },
    runtime_trace: {
      scenarios_run: ['startup', 'shutdown', 'error_path'],
      scenarios_failed: ['healthcheck'],
      scenario_results: [
        { kind: 'completed' },
        { kind: 'failed' },
        { kind: 'completed' },
        { kind: 'completed' },
        { kind: 'skipped' },
      ],
      shell_invocations: 2,
      last_traced_at: when,
    },
    sbom: {
      generator: 'builtin',
      package_count: 431,
      os_packages_classification: { runtime_required: 38, build_only: 0, convenience: 3, unknown: 61 },
      outcome: { kind: 'ran' },
      scanned_at: when,
    },
    shell_usage: {
      runtime_trace: { sh_executions: 2, bash_executions: 0, total: 2 },
      touchpoints: [
        {
          where: 'CMD',
          text: 'sh -c "node migrate.js && node dist/main.js"',
          classification: 'chained_commands',
          replacement_known: 'depends',
          replacement: null,
        },
      ],
    },
    custom_certificates: {
      detected: true,
      certificate_source: 'vendored',
      paths: [{ path: 'certs/acme-root.crt', via: 'copy' }],
      programmatic_ca_overrides: [{ path: 'apps/api/src/http/client.ts', line: 18, kind: 'ca_option' }],
    },
    organizational: {
      repo_config: { files: [{ path: 'AGENTS.md' }, { path: 'packages/ledger/AGENTS.md' }], per_file_errors: [] },
      skills: {
        skills: [
          {
            id: 'distroless-node',
            description: 'Move a Node service to a distroless image',
            tier: 'org',
            applies: true,
            why: 'task and language match',
          },
          {
            id: 'pnpm-upgrade',
            description: 'Upgrade pnpm by one major',
            tier: 'user',
            applies: false,
            why: 'task does not match',
          },
        ],
        shadowed_skills: [{ skill_id: 'distroless-node', shadowed_tier: 'repo', winning_tier: 'org' }],
        scanned_at: when,
      },
      adrs: {
        adrs: [
          { id: '0004', title: 'Money is integer minor units', status: 'accepted', path: 'docs/adr/0004-money.md' },
          { id: '0011', title: 'One image for all environments', status: 'superseded', path: 'docs/adr/0011-image.md' },
        ],
        per_file_errors: [],
      },
      conventions: {
        results: [
          { id: 'non-root-user', description: 'Images do not run as root', result: 'pass', evidence: [] },
          {
            id: 'no-latest-tag',
            description: 'Base images are pinned by digest',
            result: 'fail',
            evidence: [{ path: 'Dockerfile', line: 17 }],
          },
          {
            id: 'python-lint',
            description: 'Python is linted',
            result: 'not_applicable',
            evidence: 'file_glob_no_matches',
          },
        ],
        scanned_at: when,
      },
      exceptions: {
        active: [
          {
            repo_glob: 'acme/*',
            task: '*',
            reason: 'vendor CA until Q3',
            expires: '2026-09-30',
            approver: 'security@acme.example',
          },
        ],
        expired: [
          {
            repo_glob: 'acme/payments-*',
            task: 'base_image_migration',
            reason: 'waiting for libvips',
            expires: '2026-04-01',
            approver: 'jo',
          },
        ],
      },
    },
    inter_service: {
      provides: {
        openapi: [
          {
            path: 'openapi.yaml',
            title: 'Payments',
            version: '2',
            operations: [{ method: 'get', path: '/v1/payments', operation_id: 'list' }],
          },
        ],
        proto: [],
        graphql: [],
        asyncapi: [],
        trpc: [],
      },
      consumes: {},
    },
    service_topology: {
      services: [{ name: 'payments-api', source: 'compose.yaml', kind: 'compose' }],
      edges: [
        { from: 'checkout', to: 'payments-api', via: 'dependsOn', evidence: 'catalog-info.yaml' },
        { from: 'payments-api', to: 'ledger-db', via: 'compose_link', evidence: 'compose.yaml' },
      ],
    },
    gitleaks_findings: {
      scanner: 'builtin',
      outcome: { kind: 'ran' },
      findings_count: 1,
      findings: [
        {
          rule_id: 'aws_access_key',
          path: 'scripts/seed.ts',
          line: 12,
          description: 'AWS access key',
          match_fingerprint: '1a2b3c4d',
        },
      ],
      scanned_at: when,
    },
  };
}

function health(freshness: JsonObject, confidence: string, detail: JsonObject): JsonObject {
  return { freshness, confidence, current_commit: commit, last_indexed_at: null, detail };
}

function stale(reason: JsonObject): JsonObject {
  return { kind: 'stale', reason };
}

/** Fields whose words decide which part of a report is shown. */
export const decidingFields = ['status', 'reason', 'kind', 'confidence', 'result', 'sections', 'layer', 'indexed_at'];

/** The same document with every text passed through `change`; keys that are data (languages, index names, details) too. */
export function mapTexts(
  value: Json,
  change: (text: string, key: string) => string,
  path: readonly string[] = [],
): Json {
  const key = path.at(-1) ?? '';
  if (typeof value === 'string') return change(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapTexts(item, change, path));
  const open = key === 'counts' || key === 'bytes' || key === 'detail' || path.join('.') === 'index_health';
  const members = Object.entries(value as JsonObject).map(([name, item], position) => {
    const shown = open ? `${change(name, key)}${position === 0 ? '' : position}` : name;
    return [shown, mapTexts(item, change, [...path, open ? '*' : name])] as const;
  });
  return Object.fromEntries(members);
}
