/**
 * What a Dockerfile says, as the section holds it. A value is what the build would compute from the text alone: where it hangs on
 * something outside the file (a build argument without default, the environment of the base image) the reference stays as written.
 */

export const forms = ['exec', 'shell', 'absent', 'malformed'] as const;
/** `malformed`: meant as a JSON array and none; the builder runs it as shell text. */
export type Form = (typeof forms)[number];

export const runPurposes = [
  'package_install',
  'native_module_build_deps',
  'dependency_install',
  'build',
  'signal_handling',
  'nonroot_user',
  'certificates',
  'cleanup',
  'other',
] as const;
export type RunPurpose = (typeof runPurposes)[number];

export const stagePurposes = ['build', 'runtime', 'test', 'unused'] as const;
export type StagePurpose = (typeof stagePurposes)[number];

/** `value: null`: named and not given. */
export type NamedValue = { readonly name: string; readonly value: string | null };

/** `argv` is what is executed, so that of the shell form begins with the shell; `command` is the line a person reads. */
export type Command = { readonly form: Form; readonly argv: readonly string[]; readonly command: string | null };

export type Healthcheck = {
  readonly kind: 'none' | 'cmd';
  readonly form: Form;
  readonly command: string;
  readonly options: readonly NamedValue[];
};

export type Stage = {
  readonly index: number;
  readonly name: string | null;
  readonly platform: string | null;
  /** As written. */
  readonly base_image: string;
  /** The image outside this file that the stage stands on, through however many stages; null if the text does not tell. */
  readonly base_image_resolved: string | null;
  readonly base_image_registry: string | null;
  readonly base_digest: string | null;
  readonly distroless: boolean;
  readonly inherits_from: number | null;
  readonly purpose: StagePurpose;
  readonly user: string | null;
  readonly workdir: string | null;
  readonly env: readonly NamedValue[];
  readonly labels: readonly NamedValue[];
  readonly args: readonly NamedValue[];
  readonly expose: readonly string[];
  readonly stop_signal: string | null;
  readonly shell: readonly string[] | null;
  readonly healthcheck: Healthcheck | null;
  readonly entrypoint: Command;
  readonly cmd: Command;
  /** Of the operating system: apt, apk, dnf …; null if there is none or it cannot be told. */
  readonly package_manager_present: string | null;
};

export type RunCommand = {
  readonly stage_index: number;
  readonly form: Form;
  readonly command: string;
  readonly line: number;
  readonly purpose: RunPurpose;
};

/** COPY and ADD. A here-document is the source `<<NAME`. */
export type CopyDirective = {
  readonly stage_index: number;
  readonly from: string | null;
  readonly from_stage_resolved: number | null;
  readonly sources: readonly string[];
  /** Absolute where the working directory is known; ends in `/` where it is surely a directory. */
  readonly destination: string;
  readonly chown: string | null;
  readonly line: number;
};

export type ParseProblem = { readonly line: number; readonly message: string };

export type DockerfileFacts = {
  readonly syntax_directive: string | null;
  readonly escape: '\\' | '`';
  readonly global_args: readonly { readonly name: string; readonly default: string | null }[];
  readonly stages: readonly Stage[];
  readonly final_stage: number | null;
  readonly run_commands: readonly RunCommand[];
  readonly copy_directives: readonly CopyDirective[];
  readonly parse_problems: readonly ParseProblem[];
};

/** What the section has no place for; the artifact keeps it. */
export type DockerfileDetail = {
  /** ONBUILD triggers, which run in images built on a stage and not in the stage. */
  readonly onbuild: readonly { readonly stage_index: number; readonly instruction: string; readonly line: number }[];
  readonly volumes: readonly { readonly stage_index: number; readonly path: string }[];
  /** `--mount`, `--network`, `--security` of RUN; `--chmod`, `--link`, `--exclude`, `--checksum` … of COPY and ADD. */
  readonly flags: readonly {
    readonly line: number;
    readonly instruction: string;
    readonly flags: readonly NamedValue[];
  }[];
  readonly heredocs: readonly { readonly line: number; readonly name: string; readonly content: string }[];
};

export type UnresolvedReference = { readonly line: number; readonly name: string };

export type DockerfileReading = {
  readonly facts: DockerfileFacts;
  readonly detail: DockerfileDetail;
  /** Build arguments without a value that something needs. */
  readonly unresolvedArgs: readonly UnresolvedReference[];
  /** Names of stages that are none, or not yet. */
  readonly unresolvedStages: readonly UnresolvedReference[];
};
