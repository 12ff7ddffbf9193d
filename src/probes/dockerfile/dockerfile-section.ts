/**
 * What a Dockerfile says, as the section holds it. A value is what the build would compute from the text alone: where it hangs on
 * something outside the file (a build argument without default, the environment of the base image) the reference stays as written.
 */

import { namedOnly, type ProbeContext, type Requirement, type Slice } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import type { ParseProblem } from '../../kernel/formats/dockerfile-instructions.ts';

export const forms = ['exec', 'shell', 'absent', 'malformed'] as const;
/** `malformed`: meant as a JSON array and none; the builder runs it as shell text. */
type Form = (typeof forms)[number];

const runPurposes = [
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

const stagePurposes = ['build', 'runtime', 'test', 'unused'] as const;
export type StagePurpose = (typeof stagePurposes)[number];

/** Programs that are process 1 only to pass signals on. */
export const inits = ['tini', 'dumb-init', 's6', 'catatonit', 'none'] as const;
export type Init = (typeof inits)[number];

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

const text = namedOnly(z.string());
const form = z.enum(forms);
/** Values of ENV, ARG and LABEL may be secrets: all rules of the redactor apply to them. */
const namedValue = z.strictObject({ name: text, value: z.string().nullable() });
const command = z.strictObject({ form, argv: z.array(text), command: text.nullable() });

const stage = z.strictObject({
  index: z.int(),
  name: text.nullable(),
  platform: text.nullable(),
  /** As written. */
  base_image: text,
  /** The image outside the file that the stage stands on, through other stages; null when the text alone does not tell. */
  base_image_resolved: text.nullable(),
  base_image_registry: text.nullable(),
  base_digest: text.nullable(),
  distroless: z.boolean(),
  inherits_from: z.int().nullable(),
  purpose: z.enum(stagePurposes),
  user: text.nullable(),
  workdir: text.nullable(),
  env: z.array(namedValue),
  labels: z.array(namedValue),
  args: z.array(namedValue),
  expose: z.array(text),
  stop_signal: text.nullable(),
  shell: z.array(text).nullable(),
  healthcheck: z
    .strictObject({ kind: z.enum(['none', 'cmd']), form, command: text, options: z.array(namedValue) })
    .nullable(),
  /** `argv` as it is executed: that of the shell form begins with the shell. */
  entrypoint: command,
  cmd: command,
  /** Of the operating system. */
  package_manager_present: text.nullable(),
});

export const dockerfileSection = z.strictObject({
  dockerfiles: z.array(
    z.strictObject({
      path: text,
      syntax_directive: text.nullable(),
      escape: z.enum(['\\', '`']),
      global_args: z.array(z.strictObject({ name: text, default: z.string().nullable() })),
      stages: z.array(stage),
      final_stage: z.int().nullable(),
      run_commands: z.array(
        z.strictObject({ stage_index: z.int(), form, command: text, line: z.int(), purpose: z.enum(runPurposes) }),
      ),
      /** COPY and ADD. A here-document is the source `<<NAME`. */
      copy_directives: z.array(
        z.strictObject({
          stage_index: z.int(),
          from: text.nullable(),
          from_stage_resolved: z.int().nullable(),
          sources: z.array(text),
          /** Absolute where the working directory is known. */
          destination: text,
          chown: text.nullable(),
          line: z.int(),
        }),
      ),
      parse_problems: z.array(z.strictObject({ line: z.int(), message: text })),
    }),
  ),
});

// Which files are Dockerfiles, by name.

export const dockerfileGlobs: readonly string[] = [
  '**/Dockerfile',
  '**/Dockerfile.*',
  '**/*.Dockerfile',
  '**/Containerfile*',
];

/** `Dockerfile.dockerignore` belongs to a Dockerfile and is none; neither is a text about one. */
export function isDockerfile(path: string): boolean {
  return !/\.(?:dockerignore|md|orig|rej|swp|bak)$|~$/.test(path);
}

// The section of the dockerfile probe, as the probes that build on it are given it.

export type DockerfileRow = { readonly path: string } & DockerfileFacts;

export const dockerfileRequirement = {
  probe: 'dockerfile',
  select: (slice: Slice): Json => slice['containerization'] ?? null,
} as const satisfies Requirement;

/** Validated against its schema before it was handed on, so its shape is known. */
export function upstreamDockerfiles(ctx: Pick<ProbeContext<never>, 'upstream'>): readonly DockerfileRow[] {
  const section = ctx.upstream['dockerfile']?.value;
  const rows = isJsonObject(section) ? section['dockerfiles'] : undefined;
  return Array.isArray(rows) ? (rows as unknown as readonly DockerfileRow[]) : [];
}

export function finalStageOf(row: DockerfileRow): Stage | undefined {
  return row.final_stage === null ? undefined : row.stages[row.final_stage];
}

/** `''` for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
