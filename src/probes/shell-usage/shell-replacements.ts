/**
 * What a shell is used for when a container starts, and what can stand in its place on an image that has none. The first entry whose
 * pattern fits names a text, so the order is part of the catalog: what is hard to replace before what is easy. Raise `version` with
 * every change. Patterns are regular expressions over one command line of at most a few thousand characters.
 */

export const shellClassifications = [
  'env_var_interpolation',
  'package_manager_at_runtime',
  'startup_orchestration',
  'exec_wrapper',
  'chained_commands',
  'signal_trap',
  'script_entrypoint',
] as const;
type ShellClassification = (typeof shellClassifications)[number];

type ShellReplacementEntry = {
  readonly pattern: string;
  readonly classification: ShellClassification;
  readonly replacement_known: 'yes' | 'no' | 'depends';
  readonly replacement: string;
};

type ShellReplacementsCatalog = { readonly version: string; readonly entries: readonly ShellReplacementEntry[] };

const waits =
  'start when dependencies are ready: retry in the program, or let the orchestrator order it (init container, depends_on with a condition)';

export const shellReplacementsCatalog: ShellReplacementsCatalog = {
  version: '1.0.0',
  entries: [
    {
      pattern: '^(?:/(?:usr/)?bin/)?(?:ba|da|a|z|k)?sh(?: -[a-z]{1,8})*$',
      classification: 'script_entrypoint',
      replacement_known: 'no',
      replacement: 'the shell itself is what is started: name the program, or keep a base image with a shell',
    },
    {
      pattern: '(?:^|[;&|{(\\s])trap\\s',
      classification: 'signal_trap',
      replacement_known: 'depends',
      replacement:
        'handle the signal in the program, or start it under an init that passes signals on (tini, dumb-init)',
    },
    {
      pattern:
        '\\bwait[-_]for(?:[-_]\\w{1,20})?(?:\\.sh)?\\b|\\bdockerize\\b.{0,200}-wait\\b|\\b(?:until|while)\\s.{0,300}\\b(?:nc|pg_isready|mysqladmin|redis-cli|curl|wget|ping|sleep)\\b',
      classification: 'startup_orchestration',
      replacement_known: 'depends',
      replacement: waits,
    },
    {
      pattern:
        '\\b(?:pg_isready|mysqladmin ping|nc -\\w{0,6}z)|\\bmigrat(?:e|ion|ions)\\b|\\b(?:alembic|flask db) upgrade\\b|\\bdb:(?:migrate|seed|prepare|setup)\\b|\\bmigrate deploy\\b|\\bdb push\\b',
      classification: 'startup_orchestration',
      replacement_known: 'depends',
      replacement:
        'run migrations and checks as a step of their own before the service starts (job, init container, release phase)',
    },
    {
      pattern: '^(?:exec )?(?:"\\$@"|\\$@|\\$\\*|"\\$\\*")$|^(?:exec )?(?:gosu|su-exec|setpriv|runuser|chroot|sudo)\\b',
      classification: 'exec_wrapper',
      replacement_known: 'yes',
      replacement: 'name the program in the exec form of ENTRYPOINT; set the user with USER',
    },
    {
      pattern:
        '^(?:exec )?(?:/\\S{1,200}/)?(?:npm|npx|pnpm|pnpx|yarn|bunx|corepack)(?: |$)|^(?:exec )?bun (?:run|start)\\b',
      classification: 'package_manager_at_runtime',
      replacement_known: 'yes',
      replacement: 'start the program of the package script directly in the exec form',
    },
    {
      pattern: '^(?:curl|wget|nc)\\b.{0,500}\\|\\|\\s*(?:exit|false)\\b',
      classification: 'chained_commands',
      replacement_known: 'depends',
      replacement:
        'a health check in the exec form with a program that the image has, or the HTTP probe of the orchestrator',
    },
    {
      pattern: '\\benvsubst\\b',
      classification: 'env_var_interpolation',
      replacement_known: 'depends',
      replacement: 'let the program read its variables, or write the configuration when the image is built or deployed',
    },
    {
      pattern: '&&|\\|\\||[;|]|(?:^|[^&>])&(?:[^&>]|$)',
      classification: 'chained_commands',
      replacement_known: 'depends',
      replacement:
        'one program per container start: move what comes before it into the build, the program or a step of its own',
    },
    {
      pattern: '\\$(?:\\{|\\w|\\()|`',
      classification: 'env_var_interpolation',
      replacement_known: 'depends',
      replacement:
        'read the variable in the program (process.env, NODE_OPTIONS, JAVA_TOOL_OPTIONS …), or fix the value in the exec form',
    },
    {
      pattern: '\\.(?:sh|bash|ash|zsh|ksh)(?:["\'\\s]|$)|(?:^|/)(?:docker-)?entrypoint(?:\\s|$)',
      classification: 'script_entrypoint',
      replacement_known: 'depends',
      replacement: 'move what the script does into the program or the build, then start the program in the exec form',
    },
    {
      pattern:
        '^(?:exec )?[\\w@%+:,./=-]{1,500}(?: (?:[\\w@%+:,./=-]{1,500}|"[^"$`\\\\]{0,500}"|\'[^\']{0,500}\')){0,60}$',
      classification: 'exec_wrapper',
      replacement_known: 'yes',
      replacement: 'the same words in the exec form',
    },
  ],
};
