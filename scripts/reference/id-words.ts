/**
 * What warnings and errors of a gather mean, and what to do about each. Ids of probes are made of a subject and an ending; the ending says
 * what happened. Every ending of an error is here, or no page is made.
 */

import type { Probe } from '../../src/gather/contract.ts';
import type { coordinatorErrorIds } from '../../src/gather/run/validate-output.ts';

export type IdWords = { readonly means: string; readonly remedy: string };

/** About the gather itself, in `warnings` of the context. */
export const gatherWarnings: Readonly<Record<string, IdWords>> = {
  'config.user_only_key': {
    means: 'the configuration of the repository sets a key that only the user may set; it was ignored',
    remedy: 'set it in `~/.codegenie/config.yaml`, if you want it',
  },
  'repo.git_unreadable': {
    means: 'git is there and could not read the work tree; branch and uncommitted files are unknown',
    remedy: 'run `git status` in the work tree and repair what it says',
  },
  'repo.data_dir_tracked': {
    means: 'the repository tracks derived files below `.codegenie/`; they are not read',
    remedy: 'take them out of version control (`git rm --cached`), and ignore them',
  },
  'repo.scope_gaps': {
    means: 'directories could not be listed; what lies in them is unknown',
    remedy: 'make them readable, and gather again',
  },
};

const bug = 'report it: this is a bug';

/** Said in `diagnostics` of a probe, beside its own ids. */
export const coordinatorDiagnostics: Readonly<Record<string, IdWords>> = {
  'input.changed': {
    means: 'a file was edited between snapshot and read; the answer is about the newer bytes and was not cached',
    remedy: 'gather again when no file is being edited',
  },
  'facts.evidence_missing': {
    means: 'a fact was dropped: a file or a line that it gives as evidence does not hold what it says',
    remedy: 'gather again while no file is edited; report it if it stays: a rule of the probe is wrong',
  },
  'facts.invalid': { means: 'a fact was dropped: its value is not of the shape that its id declares', remedy: bug },
  'facts.stated_twice': { means: 'a fact was stated twice for one scope; the first was kept', remedy: bug },
  'facts.rule_threw': { means: 'a rule of the probe failed; its facts are unknown', remedy: bug },
};

export const coordinatorErrors: Readonly<Record<(typeof coordinatorErrorIds)[number], IdWords>> = {
  'probe.timeout': { means: 'the probe did not end in its time', remedy: 'gather again when the machine is less busy' },
  'probe.threw': { means: 'the probe threw: a bug of the probe', remedy: bug },
  'output.invalid': { means: 'the output does not fit its schema', remedy: bug },
  'output.not_json': { means: 'the output holds a value that is not JSON', remedy: bug },
  'output.secret_field_name': {
    means: 'the output has a field whose name looks like a secret; the gather ends with exit code 6',
    remedy: bug,
  },
  'output.section_not_owned': { means: 'the output has a section that belongs to another probe', remedy: bug },
  'output.undeclared_id': {
    means: 'the output has a warning or error id that the probe does not declare',
    remedy: bug,
  },
  'artifact.undeclared': { means: 'the output has an artifact that the probe does not declare', remedy: bug },
  'artifact.too_large': {
    means: 'an artifact is larger than the budget of the probe',
    remedy: 'leave out what is not yours with a `.gitignore`, or report it',
  },
};

/** By the ending of an id. */
const endings: Readonly<Record<string, IdWords>> = {
  symlink_refused: {
    means: 'the file is a link, or is reached through one, and links are not followed',
    remedy: 'put the file itself there',
  },
  size_cap_exceeded: {
    means: 'the file is larger than what is read of its kind',
    remedy: 'make it smaller; what it would say is unknown until then',
  },
  depth_cap_exceeded: {
    means: 'the file is nested deeper than any honest one',
    remedy: 'look at it: a generator may have gone wrong',
  },
  malformed: { means: 'the file does not parse', remedy: 'repair it; the diagnostic names the file' },
  parse_error: { means: 'a file does not parse', remedy: 'repair it; the diagnostic names the file' },
  unreadable: { means: 'a file could not be read', remedy: 'make it readable, and gather again' },
  file_unread: { means: 'a file could not be read', remedy: 'make it readable, and gather again' },
  file_too_large: { means: 'a file is larger than what is read of its kind', remedy: 'make it smaller, or leave it' },
  per_file_errors_present: {
    means: 'some files of the section could not be understood, and each says why',
    remedy: 'read the errors of the files in the section',
  },
  tool_missing: {
    means: 'the program that the probe runs is not installed; nothing was looked at, which is not nothing found',
    remedy: '`codegenie doctor` says how to install it',
  },
  not_configured: {
    means: 'the probe looks at nothing before it is configured',
    remedy: 'see [configuration](config.md)',
  },
  scan_failed: {
    means: 'the program that the probe runs failed',
    remedy: 'run it by hand on the tree; the diagnostic has its last words',
  },
  timeout: { means: 'it did not end in its time', remedy: 'gather again when the machine is less busy' },
  truncated: { means: 'there is more than is listed', remedy: 'nothing: the counts are of all of it' },
  files_left_out: { means: 'files were not given to the program', remedy: 'the diagnostic names them and why' },
  extends_unresolved: {
    means: 'a configuration extends one that is not there',
    remedy: 'install it, or repair the path',
  },
  ambiguous: {
    means: 'several answers are possible, and none was taken',
    remedy: 'look which of them the project uses; nothing has to be removed',
  },
  absent: { means: 'what the section is about is not there', remedy: 'nothing, if that is as it should be' },
  head_unresolvable: { means: 'git could not say what HEAD is', remedy: 'run `git status`, and repair what it says' },
  grammar_unavailable: {
    means: 'a grammar that is installed with codegenie is missing',
    remedy: 'install codegenie anew',
  },
  grammar_pin_mismatch: {
    means: 'a grammar is not the one that was installed with codegenie',
    remedy: 'install codegenie anew',
  },
  package_json_unparseable: { means: 'a `package.json` does not parse', remedy: 'repair it' },
  lcov_parse_error: { means: 'a coverage report does not parse', remedy: 'make it anew with your test runner' },
  upstream_runtime_trace_unavailable: {
    means: 'no trace of the running program was made, so this rests on the files alone',
    remedy: 'see why in the section `runtime_trace`',
  },
  walk_incomplete: { means: 'a part of the tree could not be walked', remedy: 'make it readable, and gather again' },
  tsconfig_unparseable: { means: 'a `tsconfig.json` does not parse', remedy: 'repair it' },
  raw_artifact_dir_unwritable: {
    means: 'what a program said could not be written below `.codegenie/`',
    remedy: 'make the directory writable; look for space',
  },
  output_undecodable: { means: 'what a program said is no text', remedy: 'update the program, or report it' },
  index_failed: { means: 'the indexer failed', remedy: '`codegenie status` says why' },
  failed: { means: 'it failed as a whole', remedy: 'the diagnostic says why' },
  corrupt: { means: 'a stored index is damaged', remedy: 'delete it; it is made anew' },
};

/** Subject, ending, words if there are any. Throws for an error without words. */
export function wordsOf(id: string, kind: 'warning' | 'error', probe: Probe): IdWords | undefined {
  const words = endings[id.slice(id.indexOf('.') + 1)];
  if (words === undefined && kind === 'error') throw new Error(`id-words.ts: no words for ${id} of ${probe.name}`);
  return words;
}
