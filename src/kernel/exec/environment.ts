/**
 * The environment of a child, by inclusion: nothing is inherited, so no secret of the user's shell can leak into a
 * tool, and no variable of it can change what a tool does (gather.md §5, rule 4).
 */

import type { Logger } from '../base/log.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The git variables of rule 9; every other `GIT_*` could redirect git and is dropped. */
export const hardenedGitVariables = [
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_GLOBAL',
  'GIT_OPTIONAL_LOCKS',
  'GIT_TERMINAL_PROMPT',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_ALLOW_PROTOCOL',
  'GIT_ATTR_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
] as const;

const engineVariables = ['DOCKER_HOST', 'DOCKER_CONFIG', 'XDG_RUNTIME_DIR', 'CONTAINERS_CONF'] as const;

const sensitive =
  /^(?:SSH_AUTH_SOCK|.*_TOKEN|.*_SECRET.*|.*_PASSWORD|.*_API_KEY|AWS_.*|GOOGLE_.*|AZURE_.*|NODE_OPTIONS|LD_.*|DYLD_.*)$/is;

/** Could this variable carry a secret or make the child load foreign code? Asked in any case of letters. */
export function isSensitiveKey(key: string): boolean {
  if (sensitive.test(key)) return true;
  const upper = key.toUpperCase();
  return upper.startsWith('GIT_') && !hardenedGitVariables.some((allowed) => allowed === upper);
}

export function buildEnvironment(options: {
  readonly path: string;
  readonly workspace: string;
  /** What the program itself decided for this tool; not filtered. */
  readonly fixed?: Readonly<Record<string, string>> | undefined;
  readonly extra: Readonly<Record<string, string>> | undefined;
  readonly logger: Logger;
}): Record<string, string> {
  const { path, workspace, fixed = {}, extra, logger } = options;
  return {
    PATH: path,
    HOME: workspace,
    TMPDIR: workspace,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    ...fixed,
    ...admitEnvironment(extra, logger),
  };
}

/** What a caller asked for, without what is sensitive. */
export function admitEnvironment(
  extra: Readonly<Record<string, string>> | undefined,
  logger: Logger,
): Record<string, string> {
  const admitted: Record<string, string> = {};
  for (const [key, value] of Object.entries(extra ?? {})) {
    if (isSensitiveKey(key)) logger.event('subproc.env_extra.sensitive_key_dropped', { key });
    else admitted[key] = value;
  }
  return admitted;
}

/** What a container engine needs of the user's own environment to find the user's own service and images. */
export function engineEnvironment(environment: Environment): Record<string, string> {
  const found: Record<string, string> = {};
  for (const key of ['HOME', ...engineVariables]) {
    const value = environment[key];
    if (value !== undefined) found[key] = value;
  }
  return found;
}
