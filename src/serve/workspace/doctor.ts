/** What works on this machine, what would do more, and what is broken, with what to do about each. */

import { lstatSync, readdirSync } from 'node:fs';
import type { ConfigOutcome } from '../../gather/config.ts';
import { DATA_DIR, oldDirectories } from '../../gather/data-dir.ts';
import type { IndexExamination } from '../../index/view/examine-index.ts';
import { measureDirectory } from '../../kernel/base/own-dirs.ts';
import { formatBytes } from '../../kernel/base/quantities.ts';
import { plural, quotedPath } from '../../kernel/base/text.ts';
import type { ExecHost } from '../../kernel/exec/exec.ts';
import {
  findTool,
  type PackageManager,
  packageManagers,
  type ToolName,
  toolNames,
  tools,
} from '../../kernel/exec/tools.ts';
import type { Language } from '../../languages/language.ts';
import { familyOf } from '../../languages/language-family.ts';
import { languages } from '../../languages/registry.gen.ts';
import type { Conflict, Left } from '../../mutate/apply/recover.ts';
import type { DaemonSearch } from '../daemon/find-daemon.ts';
import { adviceOn } from '../operations/answer-words.ts';

type Finding = {
  readonly level: 'ok' | 'note' | 'problem';
  readonly what: string;
  readonly remedy: string | null;
};
/** One line for the shell that gets what is missing, as far as a package manager of this machine has it. Printed, never run. */
type InstallAll = { readonly command: string; readonly tools: readonly string[] };

export type DoctorReport = {
  readonly runtime: readonly Finding[];
  readonly tools: readonly (Finding & {
    readonly name: string;
    readonly version: string;
    readonly path: string | null;
    /** What is told or done with it and not without it. */
    readonly gives: string | null;
    /** False for what this tree has no use for: its language is another, or something that is there does the same. */
    readonly needed: boolean;
  })[];
  readonly data: readonly Finding[];
  /** Null where nothing that is needed is missing, or nothing here is known to have it. */
  readonly install: InstallAll | null;
};

/** Without these something that works today does not work. The other tools belong to probes that are skipped by name. */
const wanted: readonly string[] = ['git', 'node', 'bwrap', 'rg', 'tsgo'];

export async function examine(of: {
  readonly root: string;
  readonly home: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly host: ExecHost;
  readonly signal: AbortSignal;
  readonly config: ConfigOutcome;
  readonly isGit: boolean;
  readonly examineIndex: () => Promise<IndexExamination>;
  readonly lookAtJournals: () => Promise<readonly Left[]>;
  readonly findDaemon: () => Promise<DaemonSearch>;
  /** On the user's PATH. */
  readonly hasProgram: (name: string) => boolean;
  readonly isAdministrator: boolean;
}): Promise<DoctorReport> {
  const exec = of.host.bind({ name: 'doctor', signal: of.signal, workspace: of.root });
  const versions = await Promise.all(toolNames.map((name) => exec.toolVersion(name)));
  const sandbox = await of.host.sandbox();
  const { daemonLogPath } = await import('../daemon/daemon-log.ts');
  const index = await of.examineIndex();
  const present = versions.flatMap(({ name, version }) => (version === 'absent' ? [] : [name]));
  const isNeeded = (name: string) => neededHere(name, present, index.kind === 'examined' ? index.languages : null);
  const missing = toolNames.filter((name) => !present.includes(name) && isNeeded(name));
  return {
    runtime: [
      { level: 'ok', what: `Node ${process.version} at ${process.execPath}`, remedy: null },
      sandbox.kind === 'bwrap'
        ? {
            level: 'ok',
            what: 'sandbox: bubblewrap works; analysers run without network and with the repository read-only',
            remedy: null,
          }
        : {
            level: 'problem',
            what: `sandbox: none (${sandbox.reason ?? 'unknown reason'}); external analysers run unconfined`,
            remedy: tools.bwrap.install,
          },
      of.isGit
        ? { level: 'ok', what: 'git work tree', remedy: null }
        : {
            level: 'note',
            what: 'not a git work tree: no commit, branch or dirty state; index freshness cannot be judged',
            remedy: null,
          },
      daemonFinding(await of.findDaemon(), daemonLogPath(of.stateDir)),
      ...configFindings(of.config),
    ],
    tools: versions.map(({ name, version, path, detail }) => ({
      name,
      version,
      path,
      gives: findTool(name)?.gives ?? null,
      needed: isNeeded(name),
      level: version === 'unknown' ? 'note' : version !== 'absent' ? 'ok' : wanted.includes(name) ? 'problem' : 'note',
      what: describeTool(name, version, path, detail),
      remedy:
        version === 'absent' || version === 'unknown' ? (tools[name as keyof typeof tools]?.install ?? null) : null,
    })),
    data: [...dataFindings(of), ...indexFindings(index), ...(await of.lookAtJournals()).map(journalFinding)],
    install: installAll(missing, of.hasProgram, of.isAdministrator),
  };
}

/** Of several that do the same one is enough; what reads a language is of use where the language is. `languages`: null where that is not known. */
function neededHere(name: string, present: readonly string[], languages: readonly string[] | null): boolean {
  if (wanted.includes(name)) return true;
  const same = alternatives.find((names) => names.includes(name)) ?? [];
  if (findTool(name)?.gives === undefined || (!present.includes(name) && same.some((other) => present.includes(other))))
    return false;
  const head = languageHeads.find(({ indexers }) => indexers?.some((id) => id === name) === true);
  if (head === undefined) return true;
  return [...familyOf(head.name).code, ...(head.indexesToo ?? [])].some((one) => languages?.includes(one) === true);
}

const languageHeads: readonly Language[] = languages;
/** The first is the one to install. */
const alternatives: readonly (readonly string[])[] = [['podman', 'docker']];

/** The managers in their order: one of the system has what fits the system. */
export function installAll(
  missing: readonly ToolName[],
  hasProgram: (name: string) => boolean,
  isAdministrator: boolean,
): InstallAll | null {
  const here = (Object.keys(packageManagers) as PackageManager[]).filter(hasProgram);
  const wantedOf = new Map<PackageManager, string[]>();
  const found: string[] = [];
  for (const name of missing) {
    if (alternatives.some(([first, ...others]) => first !== name && others.includes(name))) continue;
    const packages = findTool(name)?.packages ?? {};
    const manager = here.find((one) => packages[one] !== undefined);
    if (manager === undefined) continue;
    found.push(name);
    wantedOf.set(manager, [...(wantedOf.get(manager) ?? []), packages[manager] as string]);
  }
  const commands = here.flatMap((manager) => {
    const { install, atOnce } = packageManagers[manager];
    const how = isAdministrator ? install.replace(/^sudo /, '') : install;
    const packages = wantedOf.get(manager) ?? [];
    if (packages.length === 0) return [];
    return atOnce ? [`${how} ${packages.join(' ')}`] : packages.map((one) => `${how} ${one}`);
  });
  return commands.length === 0 ? null : { command: commands.join(' && '), tools: found };
}

function daemonFinding(found: DaemonSearch, logPath: string): Finding {
  const log = `log: ${logPath}`;
  switch (found.kind) {
    case 'none':
      return { level: 'ok', what: 'daemon: none; each command does its work itself', remedy: null };
    case 'found': {
      const { pid, state } = found.health;
      return { level: 'ok', what: `daemon: process ${pid} is ${state} at ${found.socket}; ${log}`, remedy: null };
    }
    case 'other_version': {
      const { pid, version } = found.health;
      const what = `daemon: process ${pid} is version ${version}, and is not asked; ${log}`;
      return { level: 'note', what, remedy: 'run `codegenie daemon stop`, then `codegenie daemon start`' };
    }
    case 'silent':
      return {
        level: 'problem',
        what: `daemon: process ${found.pid} does not answer; ${log}`,
        remedy: 'run `codegenie daemon stop`',
      };
  }
}

function describeTool(name: string, version: string, path: string | null, detail = 'not found'): string {
  if (version === 'absent') return `${name}: ${detail}`;
  return version === 'unknown' ? `${name}: ${path} does not tell its version` : `${name} ${version}`;
}

function configFindings(config: ConfigOutcome): Finding[] {
  if (config.kind === 'loaded') {
    return config.warnings.map((warning) => ({
      level: 'note',
      what: `${warning.id}: ${warning.detail}`,
      remedy: null,
    }));
  }
  return config.problems.map(({ file, message }) => ({
    level: 'problem',
    what: `${file}: ${message}`,
    remedy: `correct ${file}`,
  }));
}

function dataFindings({ root, cacheDir }: { readonly root: string; readonly cacheDir: string }): Finding[] {
  const inTree = `${root}/${DATA_DIR}`;
  const found = lstatSync(inTree, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory())
    return [{ level: 'problem', what: `${inTree} is not a directory`, remedy: 'move it away' }];
  const cache = measureDirectory(cacheDir);
  const records = count(`${inTree}/context/runs`);
  const left = oldDirectories.filter((name) => lstatSync(`${inTree}/${name}`, { throwIfNoEntry: false }) !== undefined);
  return [
    ...(found === undefined && cache.files === 0
      ? [{ level: 'note' as const, what: 'nothing was gathered yet', remedy: 'run `codegenie gather`' }]
      : []),
    ...(left.length === 0
      ? []
      : [
          {
            level: 'note' as const,
            what: `${DATA_DIR}/ holds ${left.join(', ')}: state of an older version, or what came with the tree; it is not read`,
            remedy: `move ${left.map((name) => `${DATA_DIR}/${name}`).join(' ')} away; an older version finds what it can undo in ${DATA_DIR}/state`,
          },
        ]),
    {
      level: 'ok',
      what: `cache: ${formatBytes(cache.bytes)} in ${plural(cache.files, 'file')} (safe to delete)`,
      remedy: null,
    },
    { level: 'ok', what: plural(records, 'run record'), remedy: null },
  ];
}

function indexFindings(found: IndexExamination): Finding[] {
  if (found.kind === 'absent') return [{ level: 'note', what: 'no code index yet', remedy: 'run `codegenie index`' }];
  const rebuild = 'run `codegenie clean`, then `codegenie index`';
  if (found.kind === 'unusable') {
    return [
      {
        level: 'note',
        what: `code index: ${found.detail}`,
        remedy: `run \`codegenie index\`${adviceOn({ path: '', why: found.detail })}`,
      },
    ];
  }
  const { files, generation, broken, sampled, wrong } = found;
  return [
    { level: 'ok', what: `code index: ${plural(files, 'file')}, generation ${generation}`, remedy: null },
    broken.length === 0
      ? { level: 'ok', what: 'code index: every invariant of the store holds', remedy: null }
      : {
          level: 'problem',
          what: `code index: does not hold: ${broken.map(({ id, says }) => `${id} (${says})`).join(', ')}`,
          remedy: rebuild,
        },
    wrong.length === 0
      ? {
          level: 'ok',
          what: `code index: ${plural(sampled, 'file')} described again from disk, all as stored`,
          remedy: null,
        }
      : {
          level: 'problem',
          what: `code index: of ${sampled} files described again, ${wrong.length} differ: ${wrong.slice(0, 5).join(', ')}`,
          remedy: rebuild,
        },
  ];
}

function journalFinding({ kind, conflict }: Left): Finding {
  const dir = quotedPath(conflict.dir);
  if (kind === 'conflict') return conflictFinding(conflict);
  if (kind === 'pending') {
    return {
      level: 'note',
      what: `plan ${conflict.planId}: its ${conflict.op} is under way or was cut off; the next command that writes settles it`,
      remedy: `if it stays, the disk refuses: look for space and permissions (copies of the files before: ${dir}/backup)`,
    };
  }
  return {
    level: 'problem',
    what: `${dir} is the journal of a change that this user's codegenie did not write for this root; it is not acted upon`,
    remedy: `if another user or a directory of another name made it, let that one finish it; else keep the copies in ${dir}/backup, and move it away`,
  };
}

/** A change that was cut off and then overtaken by an edit: what each file holds, and the two ways out. */
function conflictFinding({ planId, op, dir, files }: Conflict): Finding {
  if (files.length === 0) {
    return {
      level: 'problem',
      what: `plan ${planId}: its journal ${dir} is damaged; no change is made until it is settled`,
      remedy: `compare your files with the copies in ${dir}/backup, then move ${dir} away`,
    };
  }
  const says = { old: 'as before', new: 'changed', other: 'edited since' };
  const listed = files
    .slice(0, shownConflicts)
    .map(({ path, state }) => `${path} (${says[op === 'undo' ? turned[state] : state]})`);
  const more = files.length > shownConflicts ? ` and ${files.length - shownConflicts} more` : '';
  return {
    level: 'problem',
    what: `plan ${planId}: its ${op} was cut off and files were edited since: ${listed.join(', ')}${more}; no change is made until it is settled`,
    remedy: `\`codegenie plan undo ${planId}\` takes back what is changed, \`codegenie plan commit ${planId}\` changes what is as before; neither touches what was edited (copies of the files before: ${dir}/backup)`,
  };
}

const shownConflicts = 20;
/** In an undo the plan's new files are the old ones. */
const turned = { old: 'new', new: 'old', other: 'other' } as const;

function count(directory: string): number {
  return listEntries(directory).length;
}

function listEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
