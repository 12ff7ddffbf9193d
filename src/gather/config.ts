/**
 * Configuration: defaults < user file < repository file < command line (gather.md §11). Every key stands here once, with its default, its
 * schema and whether the repository may set it: `userOnly` keys reach outside the repository or cause execution, and are ignored with a
 * warning in the repository's file. Every problem names file, key and remedy.
 */

import { isJsonObject, type Json, type JsonObject } from '../kernel/base/json.ts';
import { limits } from '../kernel/base/limits.ts';
import { z } from '../kernel/base/schema.ts';
import { didYouMean } from '../kernel/base/text.ts';
import { findTool, toolNames } from '../kernel/exec/tools.ts';
import { createDirectoryGuard, readRegular } from '../kernel/tree/safe-read.ts';
import { typeScriptIndexers } from '../languages/projects/context-spec.ts';

type ConfigKeyDefinition = {
  readonly schema: z.ZodType;
  readonly default: unknown;
  readonly userOnly: boolean;
  readonly says: string;
};

function key<S extends z.ZodType>(schema: S, fallback: z.output<S>, says: string, userOnly = false) {
  return { schema, default: fallback, userOnly, says };
}
const user = true;
const path = z.string().min(1);
const paths = z.array(path);
const positive = z.int().min(1);
/** Some 23 days: a timer holds no more milliseconds than fit in 31 bits, and fires at once where there are more. */
const seconds = positive.max(2_000_000);

const externalDocsSource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('filesystem'), path, include: z.array(z.string()).optional() }),
  z.strictObject({ type: z.literal('url_list'), urls: z.array(z.string()) }),
  z.strictObject({
    type: z.literal('confluence'),
    base_url: z.string(),
    space: z.string(),
    labels: z.array(z.string()).optional(),
  }),
  z.strictObject({ type: z.literal('notion'), database_id: z.string() }),
]);

export const configKeys = {
  default_task: key(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), 'general', 'task type of a gather without --task'),
  max_concurrent_probes: key(positive, 8, 'upper bound of probes that run at once'),
  publish_wait_s: key(z.int().min(0), 30, 'how long a gather waits for another one that is publishing'),
  'logs.keep': key(positive, 20, 'how many gather logs are kept'),
  'daemon.idle_exit_minutes': key(
    z.int().min(0).max(20_000),
    30,
    'a daemon in the background ends after so long without a question; 0: never',
    user,
  ),
  cache_ttl_hours: key(z.int().min(0), 24, 'age at which a cached result is looked for again'),
  'cache.max_age_days': key(positive, 30, 'entries older than this are removed'),
  'cache.max_mb': key(positive, 2048, 'the cache is trimmed below this size'),
  'probes.disabled': key(z.array(z.string()), [], 'probes that are not run'),
  'probes.paths': key(
    paths,
    [],
    'folders with probes of your own, absolute or below `~/`; they run beside ours, and the document marks them as foreign',
    user,
  ),
  'probes.timeouts': key(z.record(z.string(), seconds), {}, 'seconds per probe name'),
  'tools.paths': key(
    z.record(z.string(), path),
    {},
    'absolute path per tool name (written as tools.<name>.path)',
    user,
  ),
  'scip.max_file_mb': key(positive, 4, 'larger source files are not given to the indexer'),
  'scip.indexer': key(
    z.enum(typeScriptIndexers),
    typeScriptIndexers[0],
    'which indexer reads TypeScript and JavaScript, for the code index and for the gather',
  ),
  'scip.extra_projects': key(paths, [], 'further TypeScript projects to index'),
  'languages.extra_extensions': key(z.record(z.string(), z.string()), {}, 'extension → language, added to the table'),
  'containers.engine': key(z.enum(['auto', 'podman', 'docker', 'none']), 'auto', 'container engine', user),
  'containers.build': key(z.enum(['auto', 'never']), 'auto', 'whether images are built', user),
  'containers.build_network': key(z.enum(['none', 'default']), 'none', 'network during image builds', user),
  'containers.pull': key(z.enum(['never', 'missing']), 'never', 'whether base images are pulled', user),
  'containers.memory_mb': key(positive, 512, 'memory of a traced container', user),
  'containers.pids': key(positive, 128, 'processes of a traced container', user),
  'containers.cpus': key(z.number().positive(), 2, 'processors of a traced container', user),
  'image_build.dockerfile': key(path, 'Dockerfile', 'the Dockerfile that is built'),
  'image_build.target': key(z.string().nullable(), null, 'build stage'),
  'image_build.args': key(z.array(z.string()), [], 'build arguments NAME=value'),
  'runtime_trace.scenarios': key(
    z.array(z.string()),
    ['startup', 'smoke_test', 'healthcheck', 'shutdown', 'error_path'],
    'scenarios that are traced',
  ),
  'runtime_trace.scenario_timeout_s': key(seconds, 120, 'time of one scenario'),
  'runtime_trace.aggregate_timeout_s': key(seconds, 600, 'time of all scenarios'),
  'runtime_trace.ready_after_s': key(seconds, 10, 'when a container without health check counts as ready'),
  'runtime_trace.smoke_test_command': key(z.string().nullable(), null, 'command of the smoke test'),
  'runtime_trace.strace_static': key(path.nullable(), null, 'static strace binary to use', user),
  'sbom.generator': key(z.enum(['auto', 'syft', 'builtin']), 'auto', 'source of the bill of materials'),
  'cve.grype_db_dir': key(path, '~/.cache/grype/db', 'vulnerability database', user),
  'cve.osv_dir': key(path.nullable(), null, 'OSV export', user),
  'cve.max_db_age_days': key(positive, 7, 'older vulnerability data is expired', user),
  'semgrep.config': key(paths, ['~/.codegenie/semgrep-rules'], 'rule directories', user),
  'ast_grep.config': key(path, '~/.codegenie/ast-grep-rules/sgconfig.yml', 'ast-grep configuration', user),
  'ripgrep.extra_patterns': key(z.array(z.string()), [], 'further patterns'),
  'gitleaks.history': key(z.boolean(), false, 'scan the commit history too'),
  'gitleaks.config': key(path.nullable(), null, 'gitleaks rules', user),
  'skills.user_path': key(path, '~/.codegenie/skills', 'your skills', user),
  'skills.org_path': key(path, '~/.codegenie/skills-org', "your organisation's skills", user),
  'skills.repo_path': key(path, '.codegenie/skills', 'skills of the repository'),
  'conventions.user_path': key(path, '~/.codegenie/conventions', 'your conventions', user),
  'conventions.repo_path': key(path, '.codegenie/conventions', 'conventions of the repository'),
  'exceptions.user_path': key(path, '~/.codegenie/exceptions.yaml', 'your exceptions', user),
  'exceptions.repo_path': key(path, '.codegenie/exceptions.yaml', 'exceptions of the repository'),
  'rename.trust': key(
    z.record(path, z.array(z.string())),
    {},
    'of a project, by its absolute path or one below `~/`: reasons to doubt that it has decided once, which a rename there no longer asks about',
    user,
  ),
  'plans.life_hours': key(
    positive.max(8_760),
    24,
    'how long a plan that is not used can still be committed; whatever it is, a commit looks at every byte again',
    user,
  ),
  policy_repos: key(z.array(z.strictObject({ path, type: z.string() })), [], 'directories that hold policies', user),
  'repo_config.max_bytes': key(positive, 65536, 'largest instruction file that is read'),
  'adrs.paths': key(paths, ['docs/adr', 'docs/decisions', 'docs/architecture'], 'where decision records live'),
  external_docs: key(z.array(externalDocsSource), [], 'sources of external documents', user),
  external_docs_egress: key(z.array(z.string()), [], 'hosts that documents may be fetched from', user),
  'ownership.files': key(paths, [], 'further CODEOWNERS files'),
  'service_topology.files': key(paths, [], 'files that declare services'),
  'slo.files': key(paths, [], 'files that declare objectives'),
  'production_config.files': key(paths, [], 'environment files, one per environment'),
  'coverage.paths': key(
    paths,
    ['coverage/lcov.info', 'coverage/coverage-final.json', 'coverage/coverage-summary.json'],
    'coverage reports',
  ),
} as const satisfies Record<string, ConfigKeyDefinition>;

export type ConfigKey = keyof typeof configKeys;
export type ConfigValues = { readonly [K in ConfigKey]: z.output<(typeof configKeys)[K]['schema']> };

export type ConfigProblem = { readonly file: string; readonly key: string | null; readonly message: string };
type ConfigWarning = { readonly id: 'config.user_only_key'; readonly detail: string };
export type ConfigOutcome =
  | {
      readonly kind: 'loaded';
      readonly values: ConfigValues;
      /** Where the value of each key comes from. */
      readonly origins: Readonly<Record<ConfigKey, ConfigOrigin>>;
      readonly warnings: readonly ConfigWarning[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** `default`, a file as a person calls it, or `command line`. */
type ConfigOrigin = 'default' | (typeof configFiles)[keyof typeof configFiles] | 'command line';

const configFiles = { user: '~/.codegenie/config.yaml', repository: '.codegenie/config.yaml' } as const;

type Origin = { readonly label: (typeof configFiles)[keyof typeof configFiles]; readonly trusted: boolean };

export async function loadConfig(world: {
  readonly root: string;
  readonly home: string;
  readonly overrides: Partial<ConfigValues>;
}): Promise<ConfigOutcome> {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigWarning[] = [];
  const values: Record<string, unknown> = {};
  const from = Object.fromEntries(Object.keys(configKeys).map((name) => [name, 'default'])) as Record<
    ConfigKey,
    ConfigOrigin
  >;
  for (const [name, definition] of Object.entries(configKeys))
    values[name] = expandHome(definition.default, world.home);

  const origins: [base: string, path: string, origin: Origin][] = [
    [world.home, '.codegenie/config.yaml', { label: configFiles.user, trusted: true }],
    [world.root, '.codegenie/config.yaml', { label: configFiles.repository, trusted: false }],
  ];
  for (const [base, path, origin] of origins) {
    // A repository that is the home directory has one file for both roles, and the user's role is the one it was written in.
    if (base === world.root && world.root === world.home) continue;
    const document = await readConfigFile(base, path, origin, problems);
    if (document === undefined) continue;
    for (const { name, value } of flatten(document, origin, problems)) {
      if (configKeys[name].userOnly && !origin.trusted) {
        const remedy = `${name} is only honoured in ~/.codegenie/config.yaml or on the command line; ignored in ${origin.label}`;
        warnings.push({ id: 'config.user_only_key', detail: remedy });
        continue;
      }
      const checked = configKeys[name].schema.safeParse(value);
      if (checked.success) {
        values[name] = origin.trusted ? expandHome(checked.data, world.home) : checked.data;
        from[name] = origin.label;
      } else problems.push({ file: origin.label, key: name, message: `${name}: ${z.prettifyError(checked.error)}` });
    }
  }
  if (problems.length > 0) return { kind: 'invalid', problems };
  for (const name of Object.keys(world.overrides)) from[name as ConfigKey] = 'command line';
  return { kind: 'loaded', values: { ...values, ...world.overrides } as ConfigValues, origins: from, warnings };
}

/** Every probe that the configuration names: the caller, which knows the probes, refuses names of none. */
export function probeNamesIn(values: ConfigValues): readonly string[] {
  return [...values['probes.disabled'], ...Object.keys(values['probes.timeouts'])];
}

/** The keys as a person writes them. */
const writtenKeys = Object.keys(configKeys).flatMap((name) =>
  name === 'tools.paths' ? toolNames.map((tool) => `tools.${tool}.path`) : [name],
);

function flatten(document: JsonObject, origin: Origin, problems: ConfigProblem[]): { name: ConfigKey; value: Json }[] {
  const found: { name: ConfigKey; value: Json }[] = [];
  const toolPaths: Record<string, string> = {};
  const visit = (value: Json, path: string): void => {
    if (path === 'tools' || path.startsWith('tools.')) {
      if (!found.some((other) => other.name === 'tools.paths')) found.push({ name: 'tools.paths', value: toolPaths });
      visitTool(value, path, toolPaths, (key, message) => problems.push({ file: origin.label, key, message }));
    } else if (Object.hasOwn(configKeys, path)) {
      // Nested or with dots: two ways to write one key, and the second would silently win.
      if (found.some((other) => other.name === path))
        problems.push({ file: origin.label, key: path, message: `${path} is written twice` });
      found.push({ name: path as ConfigKey, value });
    } else if (isJsonObject(value) && isPrefix(path)) {
      for (const [name, member] of Object.entries(value)) visit(member, path === '' ? name : `${path}.${name}`);
    } else {
      problems.push({ file: origin.label, key: path, message: `unknown key ${path}${didYouMean(path, writtenKeys)}` });
    }
  };
  const { $schema, ...keys } = document;
  if ($schema !== undefined && typeof $schema !== 'string')
    problems.push({ file: origin.label, key: '$schema', message: '$schema: expected the address of a JSON Schema' });
  visit(keys, '');
  return found;
}

/** `tools: {<name>: {path: …}}`, also with dots at any step; anything else below `tools` is a problem. */
function visitTool(
  value: Json,
  key: string,
  paths: Record<string, string>,
  tell: (key: string, message: string) => void,
): void {
  const [, tool, member, ...deeper] = key.split('.');
  if (tool !== undefined && findTool(tool) === undefined) {
    tell(
      key,
      `${key}: unknown tool ${tool}${didYouMean(tool, toolNames)}; expected tools: {<name>: {path: <absolute path>}}`,
    );
  } else if (tool === undefined || member === undefined) {
    const members = isJsonObject(value) ? Object.entries(value) : [];
    if (!isJsonObject(value) || (tool !== undefined && members.length === 0))
      tell(
        key,
        `${key}: expected ${tool === undefined ? '{<name>: {path: <absolute path>}}' : '{path: <absolute path>}'}`,
      );
    for (const [name, below] of members) visitTool(below, `${key}.${name}`, paths, tell);
  } else if (member !== 'path' || deeper.length > 0) {
    tell(key, `unknown key ${key}; write tools: {${tool}: {path: <absolute path>}}`);
  } else if (typeof value !== 'string') tell(key, `${key}: expected an absolute path`);
  else if (Object.hasOwn(paths, tool)) tell(key, `${key} is written twice`);
  else paths[tool] = value;
}

function isPrefix(path: string): boolean {
  return path === '' || Object.keys(configKeys).some((name) => name.startsWith(`${path}.`));
}

async function readConfigFile(
  base: string,
  path: string,
  origin: Origin,
  problems: ConfigProblem[],
): Promise<JsonObject | undefined> {
  const outcome = readRegular(base, path, limits.yamlSmallBytes, createDirectoryGuard(base));
  if (outcome.kind === 'absent') return undefined;
  if (outcome.kind === 'failed') {
    problems.push({ file: origin.label, key: null, message: `cannot be read (${outcome.failure.kind})` });
    return undefined;
  }
  const { parseYaml } = await import('../kernel/formats/yaml.ts');
  const parsed = parseYaml(outcome.bytes, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  if (!parsed.ok) {
    const { failure } = parsed;
    const where =
      failure.kind === 'malformed'
        ? `${failure.line === undefined ? '' : `line ${failure.line}: `}${failure.detail}`
        : failure.kind;
    problems.push({ file: origin.label, key: null, message: `is not valid YAML: ${where}` });
    return undefined;
  }
  if (parsed.value === null) return {};
  if (isJsonObject(parsed.value)) return parsed.value;
  problems.push({ file: origin.label, key: null, message: 'must hold a mapping of keys' });
  return undefined;
}

/** `~/` at the start of any string of a trusted value is the home directory; there is no other expansion. */
function expandHome(value: unknown, home: string): unknown {
  if (typeof value === 'string') return value.startsWith('~/') ? `${home}/${value.slice(2)}` : value;
  if (Array.isArray(value)) return value.map((item) => expandHome(item, home));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expandHome(member, home)]));
  }
  return value;
}
