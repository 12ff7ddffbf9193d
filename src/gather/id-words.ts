/**
 * What warnings, errors and reasons of a gather mean, and what to do about each, once: `codegenie explain` and the reference are made of it.
 * Ids of probes are made of a subject and an ending; where the ending says what happened, it has the words. An id of a probe without words
 * fails a test.
 */

import type { SkipReason } from './contract.ts';
import type { StaleReason } from './freshness/index-freshness.ts';
import type { coordinatorErrorIds } from './run/validate-output.ts';

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
const nothing = 'nothing, if that is as it should be';
const again = 'gather again';

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
  absent: { means: 'what the section is about is not there', remedy: nothing },
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

/** Skipped probes: `reason` of a probe in the context. */
export const skipWords: Readonly<Record<SkipReason, IdWords>> = {
  not_selected: { means: 'it was left out by `--only` or `--skip`', remedy: 'gather without them' },
  disabled: { means: 'the configuration switches it off', remedy: 'take it out of `probes.disabled`' },
  task_mismatch: { means: 'it is for other tasks', remedy: 'gather with `--task`, if it is wanted' },
  language_mismatch: { means: 'the repository has none of its languages', remedy: nothing },
  not_applicable: { means: 'there is nothing of its kind in the repository', remedy: nothing },
  not_configured: { means: 'it looks at nothing before it is configured', remedy: 'see [configuration](config.md)' },
  tool_missing: { means: 'the program that it runs is not installed', remedy: '`codegenie doctor` says how to get it' },
  tool_unhealthy: {
    means: 'the program that it runs is there and does not work',
    remedy: 'run it by hand; `codegenie doctor` says which it is',
  },
  db_unavailable: { means: 'there is no data to look in', remedy: 'fetch it, as the detail says' },
  upstream_unavailable: { means: 'a probe that it rests on gave nothing', remedy: 'see to that one first' },
  cache_only_miss: { means: '`--cache-only`, and its answer is not kept', remedy: 'gather without `--cache-only`' },
  cancelled: { means: 'the gather was interrupted', remedy: 'gather again: it goes on' },
};

/** Why an index is not of the tree of now: `[STALE]` in the report. */
export const staleWords: Readonly<Record<StaleReason['kind'], IdWords>> = {
  commits_behind: { means: 'it was made of an earlier commit', remedy: again },
  digest_mismatch: { means: 'what it was made of has another hash now', remedy: again },
  coverage_gap: { means: 'it does not hold all files', remedy: 'see why in its section; then gather again' },
  dirty_worktree: { means: 'files were edited since it was made', remedy: again },
  never_ran: { means: 'it was never made', remedy: 'see why in its section; then gather again' },
  indexer_error: { means: 'what makes it failed, or wrote what cannot be read', remedy: 'see why in its section' },
};

/** Warnings whose ending alone would not tell. */
const own: Readonly<Record<string, readonly [means: string, remedy: string]>> = {
  'ci.multi_provider': ['files of several CI systems are there', 'see which of them runs; remove what is not used'],
  'ci.workflow_parse_error': [
    'a CI file does not parse, and its jobs are unknown',
    'repair it; the diagnostic names it',
  ],
  'ci.empty_workflows_dir': ['`.github/workflows` has no workflow in it', nothing],
  'ci.jenkinsfile_regex_only': [
    'a Jenkinsfile is a program; it was looked at line by line',
    'read its facts with care',
  ],
  'ci.local_action_unparsed': ['an action of the repository could not be read; its steps are unknown', 'repair it'],
  'components.manifest_unreadable': ['a manifest does not parse; its part of the tree may be missing', 'repair it'],
  'kustomization.resource_outside_repo': ['a kustomization names what lies outside the repository', nothing],
  'kustomization.file_cap_exceeded': ['a kustomization reaches more files than are followed', 'split it, or leave it'],
  'helm.chart_parse_error': ['a `Chart.yaml` does not parse', 'repair it; the diagnostic names it'],
  'helm.values_file_parse_error': ['a values file does not parse', 'repair it; the diagnostic names it'],
  'helm.values_filename_unrecognized': ['the name of a values file tells no environment', nothing],
  'helm.no_values_files': ['a chart has no values file', nothing],
  'helm.templated_values': [
    'what a template makes when it is rendered is not known',
    'render it and look, if it matters',
  ],
  'deployment.manifest_parse_error': ['a manifest does not parse', 'repair it; the diagnostic names it'],
  'deployment.raw_no_workloads': ['there are manifests, and none of them runs anything', nothing],
  'deployment.multi_type': ['it is deployed in several ways', 'see which of them is in use'],
  'terraform.paths_only': ['Terraform files are named and not read', nothing],
  'language_detection.manifest_unreadable': ['a manifest does not parse; what it requires is unknown', 'repair it'],
  'language_detection.extra_language_refused': [
    '`languages.extra_extensions` has an entry that is not taken',
    'correct it',
  ],
  'package_manager.multi_lockfile': [
    'lockfiles of several package managers are there',
    'remove those that are not used',
  ],
  'package_manager.declaration_lockfile_disagree': [
    'the declared package manager is not the one whose lockfile is there',
    'declare the one that is used, or make its lockfile',
  ],
  'tsconfig.extends_cycle': ['configurations extend each other in a circle', 'break the circle'],
  'tsconfig.extends_depth_exceeded': ['a chain of `extends` is longer than what is followed', 'shorten it'],
  'tsconfig.options_unknown': [
    'compiler options that are not known were left out',
    'see whether they are spelled right',
  ],
  'node.version_unparseable': ['a file that should name a Node version does not', 'repair it; the diagnostic names it'],
  'node.version_declared_resolved_disagree': [
    'the Node that is here does not fit what the repository declares',
    'install the declared one, or widen the declaration',
  ],
  'node_build_system.yarn_variant_inferred': [
    'which Yarn it is follows from its files, and is not declared',
    'declare it in `packageManager`',
  ],
  'node_build_system.package_manager_field_unparseable': ['`packageManager` is not `<name>@<version>`', 'correct it'],
  'lockfile.multi_present': ['several lockfiles are there, and one was taken', 'remove those that are not used'],
  'lockfile.binary_unsupported': ['a lockfile is binary and not read', 'let Bun write `bun.lock` as text'],
  'test_inventory.no_tests_found': ['no file looks like a test', 'nothing, if there are none'],
  'dep_graph.no_manifest_detected': ['there is no manifest to begin at', nothing],
  'dep_graph.unrecognized_package_manager': ['the package manager is not known here', 'its graph stays unknown'],
  'dep_graph.no_strategy_for_ecosystem': ['lockfiles of this ecosystem are not read yet', 'its graph stays unknown'],
  'dep_graph.no_lockfile': [
    'there is no lockfile: versions are those of the manifests',
    'make one with your package manager',
  ],
  'dep_graph.binary_lockfile_unsupported': ['the lockfile is binary and not read', 'let Bun write `bun.lock` as text'],
  'dep_graph.lockfile_malformed': ['the lockfile does not parse', 'make it anew with your package manager'],
  'dep_graph.edge_unresolved': ['a dependency is in no entry of the lockfile', 'install again, so that both agree'],
  'dep_graph.workspace_outside_repo': ['a workspace lies outside the repository and is not read', nothing],
  'facts_store.reconcile_incomplete': [
    'a part of the tree could not be compared with the code index',
    'make it readable',
  ],
  'facts_store.schema_outdated': ['the code index was made by another version', 'run `codegenie index`'],
  'generated_code.no_markers_detected': ['no file says that it is generated', nothing],
  'index_health.commits_behind_count_unknown': [
    'how far an index is behind cannot be counted',
    'fetch more of the history',
  ],
  'index_health.no_sources_registered': ['there is no index to judge', nothing],
  'scip_index.exit_nonzero': ['the indexer ended with an error', '`codegenie status` says why'],
  'scip_index.no_documents': ['the indexer found nothing to index', 'see whether a project includes the sources'],
  'scip_index.files_skipped': [
    'files are in no project, or too large for the indexer',
    'see `scip.max_file_mb` in [configuration](config.md)',
  ],
  'scip_index.project_failed': ['a project could not be indexed', '`codegenie status` says why'],
  'semantic_index_meta.no_tsconfig': [
    'there is no `tsconfig.json`: the indexer chooses the options',
    'add one, if it matters',
  ],
  'tree_sitter.file_parse_failed': ['a file could not be parsed', 'the diagnostic names it; its imports are unknown'],
  'tree_sitter.parse_failed_count_exceeded': ['more files failed than are named', 'see to those that are named first'],
  'tree_sitter.no_files_to_parse': ['no file is of a language whose imports are read', nothing],
  'cve.db_missing': ['there is no vulnerability data to look in', 'let grype fetch its database, or set `cve.osv_dir`'],
  'cve.db_old': ['the vulnerability data is older than `cve.max_db_age_days`', 'let grype fetch it anew'],
  'cve.grype_failed': ['grype failed', 'run it by hand; what was looked up otherwise stands'],
  'cve.no_packages': ['the bill of materials has no package to look up', nothing],
  'cve.range_unjudged': ['an advisory has versions that cannot be compared', 'look at it by hand'],
  'cve.packages_not_covered': [
    'packages are of an ecosystem without vulnerability data',
    'install grype, which has more',
  ],
  'dockerfile.arg_unresolved': ['a build argument has no value that is known', 'give it a default'],
  'dockerfile.parse_problem': ['a line of a Dockerfile is not understood', 'the diagnostic names it'],
  'dockerfile.stage_reference_unresolved': ['a stage is named that is not there', 'correct its name'],
  'entrypoint.none_declared': [
    'the image declares nothing to start',
    'declare CMD or ENTRYPOINT, or leave it to the base',
  ],
  'image_build.network_disabled': [
    'a step that may want the network failed without it',
    'set `containers.build_network: default`, if you trust it',
  ],
  'runtime_trace.image_digest_unresolved': ['which image was built could not be told', 'see the engine; gather again'],
  'runtime_trace.platform_not_linux': ['programs are traced on Linux alone', nothing],
  'runtime_trace.docker_build_failed_all': ['no image was built, so nothing was run', 'see the section `image_build`'],
  'runtime_trace.scenarios_yaml_malformed': ['the file of scenarios does not parse', 'repair it'],
  'runtime_trace.strace_missing': ['strace is not installed', '`codegenie doctor` says how to get it'],
  'runtime_trace.log_tamperable': [
    'the trace was written inside the container, which could change it',
    'read it with care',
  ],
  'runtime_trace.scenario_failed': ['a scenario did not run to its end', 'the section says which, and why'],
  'sbom.rpm_unsupported': ['RPM packages are not read by the built-in reader', 'install syft'],
  'sbom.image_save_failed': ['the engine did not hand the image over', 'see the engine; gather again'],
  'sbom.syft_failed': ['syft failed, and the built-in reader was used', 'run it by hand on the image'],
  'shell_usage.script_unresolved': ['a script that is started is not in the repository', nothing],
  'shell_usage.unknown_touchpoint': [
    'something that is started could not be told: a shell or none',
    'look at it by hand',
  ],
  'conventions.rule_timeout': ['a rule did not end in its time', 'make its pattern simpler'],
  'exceptions.malformed_entry': ['an exception is not written as it should be, and does not count', 'correct it'],
  'exceptions.expired_present': ['an exception is past its date and does not count', 'renew it or take it out'],
  'external_docs.fetch_failed': ['a document could not be fetched', 'see its address and the network'],
  'external_docs.host_not_allowed': [
    'a document is at a host that is not allowed',
    'add it to `external_docs_egress`, if you trust it',
  ],
  'external_docs.adapter_config_absent': ['a source lacks its address or its key', 'see [configuration](config.md)'],
  'external_docs_index.empty': ['there is no document to index', nothing],
  'policy.repo_absent': ['a directory of `policy_repos` is not there', 'correct its path'],
  'policy.listing_truncated': ['there are more policies than are listed', 'nothing: the count is of all of them'],
  'repo_notes.history_unknown': ['git could not say when the notes were written', 'fetch the history'],
  'skills_index.shadowed': ['a skill has the name of another, which counts', 'rename one of them, if both are wanted'],
  'skills_index.unknown_keys': ['a skill has keys that are not known', 'the diagnostic names them'],
  'ownership.empty_owners': ['a pattern has no owner', 'nothing, if that is meant'],
  'ownership.additional_codeowners_present': [
    'several CODEOWNERS files are there, and one counts',
    'keep the one that counts',
  ],
  'ownership.invalid_pattern': ['the forge skips a pattern that it does not understand', 'correct it'],
  'ownership.invalid_owner': ['a word is no owner to the forge', 'write @name, @org/team or an address'],
  'ownership.catalog_parse_error': ['a catalogue file does not parse', 'repair it; the diagnostic names it'],
  'service_contracts.ref_outside_repo': ['a contract refers to what lies outside the repository', nothing],
  'slo.unrecognized_format': [
    'a file of objectives is in no form that is known',
    'see the forms in [probes](probes.md#slo)',
  ],
  'gitleaks.findings_present': ['credentials stand in the tree', 'rotate them; to take the line out is not enough'],
  'gitleaks.history_not_scanned': [
    '`gitleaks.history` is on, and the history was not scanned',
    'see why in the section',
  ],
  'ripgrep_curated.capped': ['a pattern has more places than are listed', 'nothing: the count says ≥'],
  'ripgrep_curated.pattern_invalid': ['a pattern of `ripgrep.extra_patterns` does not compile', 'correct it'],
  'ripgrep_curated.files_unreadable': ['files could not be read', 'make them readable, and gather again'],
  'semgrep.partial_parse': [
    'files were scanned only in part, because they do not parse whole',
    'the section names them',
  ],
  'coverage.lines_out_of_range': [
    'a coverage report names lines that the file does not have',
    'make it anew with your test runner',
  ],
  'test_coverage_mapping.files_missing': ['a coverage report names files that are not there', 'make it anew'],
  'test_coverage_mapping.no_semantic_index': [
    'without an index, lines cannot be told as functions',
    'gather with `scip_index`',
  ],
};

/** Undefined for ids of foreign probes alone. */
export function wordsOf(id: string): IdWords | undefined {
  const [means, remedy] = own[id] ?? [];
  return means === undefined || remedy === undefined ? endings[id.slice(id.indexOf('.') + 1)] : { means, remedy };
}

/** Words that no id has: of a warning that is gone. */
export function unusedWords(ids: readonly string[]): readonly string[] {
  const ends = new Set(ids.map((id) => id.slice(id.indexOf('.') + 1)));
  return [
    ...Object.keys(own).filter((id) => !ids.includes(id)),
    ...Object.keys(endings).filter((end) => !ends.has(end)),
  ];
}
