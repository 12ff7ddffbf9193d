/** The section about how the parts of the repository are installed, built, tested and checked. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { commandEffects, commandRoles } from '../shared/command-deeds.ts';

const path = namedOnly(z.string());
const text = namedOnly(z.string());

/** Where a command is known from, the most trusted first. */
export const commandSources = [
  'ci',
  'task',
  'inside_task',
  'script',
  'release_ci',
  'documentation',
  'convention',
] as const;
export type CommandSource = (typeof commandSources)[number];

/** Guides for developers, in which commands are looked for. */
export const guideGlobs = [
  '**/{CONTRIBUTING,Contributing,contributing}.{md,rst}',
  '**/{AGENTS,CLAUDE,DEVELOPMENT,DEVELOPING,HACKING,development,developing}.md',
  '**/{README,Readme,readme}.{md,rst}',
] as const;

const command = z.strictObject({
  role: z.enum(commandRoles),
  /** The component that it is a command of. */
  component: path,
  cmd: text,
  /** Where it is run. */
  cwd: path,
  source: z.enum(commandSources),
  /** True where nothing but the name of a script or target says what it does. */
  by_name: z.boolean(),
  effects: z.array(z.enum(commandEffects)),
  path,
  line: z.int().nullable(),
  /** What the line holds; null where the file itself is the evidence. */
  shows: text.nullable(),
  /** The part around it whose command of the same role runs this one too; null where none does. */
  covered_by: path.nullable(),
});
export type CommandRow = Readonly<z.output<typeof command>>;

export const commandsSection = z.strictObject({
  /** By component and role, the one to use first; the others are alternatives. */
  commands: z.array(command),
  /** What shows a change to be right, in the order to run it, by component. */
  plan: z.array(z.strictObject({ component: path, role: z.enum(commandRoles), cmd: text, cwd: path, source: text })),
  /** What would have been proposed but for what it does. */
  left_out: z.array(z.strictObject({ cmd: text, cwd: path, role: z.enum(commandRoles), why: text })),
  /** Lines of CI jobs that lead to tests, as they are written. */
  ci_tests: z.array(z.strictObject({ file: path, job: text, run: text, path, line: z.int().nullable(), shows: text })),
});
export type CommandsSection = Readonly<z.output<typeof commandsSection>>;
