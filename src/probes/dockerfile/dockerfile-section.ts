/**
 * The section `containerization`, which files are Dockerfiles, and the section as the probes that build on it are given it. A value is what
 * the build would compute from the text alone: where it hangs on something outside the file (a build argument without default, the
 * environment of the base image) the reference stays as written.
 */

import { namedOnly, type ProbeContext, type Requirement, type Slice } from '../../gather/contract.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { places } from '../shared/place-of.ts';

export const dockerfileGlobs: readonly string[] = [
  '**/{Dockerfile,dockerfile,DOCKERFILE}',
  '**/Dockerfile{.,-,_}*',
  '**/*{.,-,_}{Dockerfile,dockerfile}',
  '**/Containerfile*',
  '**/*.{Containerfile,containerfile}',
];

/** `Dockerfile.dockerignore` belongs to a Dockerfile and is none; neither is a text about one. */
export function isDockerfile(path: string): boolean {
  return !/\.(?:dockerignore|containerignore|md|orig|rej|swp|bak|json|ya?ml|html?|tsx?|snap)$|~$/.test(path);
}

/** `malformed`: meant as a JSON array and none; the builder runs it as shell text. */
export const forms = ['exec', 'shell', 'absent', 'malformed'] as const;

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

const text = namedOnly(z.string());
const form = z.enum(forms);
/** Null: named and not given. Values of ENV, ARG and LABEL may be secrets: all rules of the redactor apply to them. */
const namedValue = z.strictObject({ name: text, value: z.string().nullable() });
/** `argv` is what is executed, so that of the shell form begins with the shell; `command` is the line a person reads. */
const command = z.strictObject({ form, argv: z.array(text), command: text.nullable() });
const healthcheck = z.strictObject({
  kind: z.enum(['none', 'cmd']),
  form,
  command: text,
  options: z.array(namedValue),
});

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
  healthcheck: healthcheck.nullable(),
  entrypoint: command,
  cmd: command,
  /** Where each of these is written; what a stage takes over from another stands where that one says it. */
  lines: z.strictObject({
    from: z.int(),
    user: z.int().nullable(),
    expose: z.array(z.int()),
    entrypoint: z.int().nullable(),
    cmd: z.int().nullable(),
  }),
  /** Of the operating system: apt, apk, dnf …; null if there is none or it cannot be told. */
  package_manager_present: text.nullable(),
});

const runCommand = z.strictObject({
  stage_index: z.int(),
  form,
  command: text,
  line: z.int(),
  purpose: z.enum(runPurposes),
});

/** COPY and ADD. A here-document is the source `<<NAME`. */
const copyDirective = z.strictObject({
  stage_index: z.int(),
  from: text.nullable(),
  from_stage_resolved: z.int().nullable(),
  sources: z.array(text),
  /** Absolute where the working directory is known; ends in `/` where it is surely a directory. */
  destination: text,
  chown: text.nullable(),
  line: z.int(),
});

const dockerfile = z.strictObject({
  path: text,
  /** Whose image it builds, by where it lies and what it is called: the product's, or one for development, tests, examples. */
  place: z.enum(places),
  syntax_directive: text.nullable(),
  escape: z.enum(['\\', '`']),
  global_args: z.array(z.strictObject({ name: text, default: z.string().nullable() })),
  stages: z.array(stage),
  final_stage: z.int().nullable(),
  run_commands: z.array(runCommand),
  copy_directives: z.array(copyDirective),
  parse_problems: z.array(z.strictObject({ line: z.int(), message: text })),
});

export const dockerfileSection = z.strictObject({ dockerfiles: z.array(dockerfile) });

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
export type NamedValue = Frozen<z.output<typeof namedValue>>;
export type Command = Frozen<z.output<typeof command>>;
export type Healthcheck = Frozen<z.output<typeof healthcheck>>;
export type Stage = Frozen<z.output<typeof stage>>;
export type RunCommand = Frozen<z.output<typeof runCommand>>;
export type CopyDirective = Frozen<z.output<typeof copyDirective>>;
/** What one text says; whose image it is, its path says. */
export type DockerfileRow = Omit<Frozen<z.output<typeof dockerfile>>, 'place'>;
export type DockerfileFacts = Omit<DockerfileRow, 'path'>;

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
