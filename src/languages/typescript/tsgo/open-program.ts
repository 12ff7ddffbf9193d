/**
 * The compiler with one program open. Asked for long enough, a checker holds more than the program itself; `renew` puts a new one in its
 * place, over the files that are parsed already; `lighten` keeps it and forgets what this process knows of it. A compiler that died is started again by `reopen`.
 */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createPipeGuard } from '../compiler/compiler-process.ts';
import { API, type Project, type Snapshot } from '../compiler/typescript-api.ts';
import type { TsgoJob } from '../typescript-indexer.ts';

export type OpenProgram = {
  readonly project: Project;
  /** Everything that came from the old checker, nodes and symbols alike, is void afterwards. */
  renew(): OpenProgram;
  /** The same checker; void is the same. */
  lighten(): OpenProgram;
  reopen(): OpenProgram;
  /** Of a careful job: what the compiler wanted to read and that is no regular file, absolute. */
  listPipes(): readonly string[];
  close(): void;
};

/** Undefined where the compiler cannot open it. */
export function openProgram(job: TsgoJob, share: number): OpenProgram | undefined {
  const guard = createPipeGuard();
  const api = new API({ cwd: job.root, ...(job.isCareful ? { fs: { readFile: guard.readFile } } : {}) });
  const config = completeProject(api, job);
  const snapshot = api.updateSnapshot({ openProjects: [config] });
  const project = snapshot.getProject(config);
  if (project === undefined) {
    api.close();
    return undefined;
  }
  return hold({ job, share, api, listPipes: guard.list }, snapshot, project, 0);
}

type Opened = {
  readonly job: TsgoJob;
  readonly share: number;
  readonly api: API;
  readonly listPipes: () => readonly string[];
};

function hold(opened: Opened, snapshot: Snapshot, project: Project, renewals: number): OpenProgram {
  const { job, share, api, listPipes } = opened;
  return {
    project,
    listPipes,
    lighten() {
      const next = api.updateSnapshot({});
      const same = next.getProject(project.configFileName);
      if (same === undefined) throw new Error('the program cannot be found again');
      snapshot.dispose();
      api.clearSourceFileCache();
      return hold(opened, next, same, renewals);
    },
    renew() {
      if (!job.isRendered) return this;
      const config = copyProject(job, `${share}.${renewals + 1}`);
      const next = api.updateSnapshot({ openProjects: [config], closeProjects: [project.configFileName] });
      const renewed = next.getProject(config);
      if (renewed === undefined) throw new Error('the program cannot be opened again');
      snapshot.dispose();
      api.clearSourceFileCache();
      return hold(opened, next, renewed, renewals + 1);
    },
    reopen() {
      closeQuietly(api);
      const again = openProgram(job, share);
      if (again === undefined) throw new Error('the program cannot be opened again');
      return again;
    },
    close: () => closeQuietly(api),
  };
}

function closeQuietly(api: API): void {
  try {
    api.close();
  } catch {
    // It is gone already.
  }
}

/**
 * A second name for the same configuration: what is open under one name is not opened anew under the same. A configuration of the
 * repository itself is not copied, because its place is a part of its meaning.
 */
export function copyProject({ project, isRendered }: TsgoJob, name: string): string {
  if (!isRendered) return project;
  const copy = project.replace(/\.json$/, `.${name}.json`);
  copyFileSync(project, copy);
  return copy;
}

/**
 * Version 7 is strict and brings no `@types` along unless it is told otherwise. What is indexed here is mostly written for versions that are
 * not and do, and a configuration that says nothing means what it meant there.
 */
function completeProject(api: API, { project, isRendered, typeRoots }: TsgoJob): string {
  if (!isRendered) return project;
  const { options } = api.parseConfigFile(project);
  const rendered = JSON.parse(readFileSync(project, 'utf8')) as { compilerOptions?: Record<string, unknown> };
  const added: Record<string, unknown> = {};
  if (options.strict === undefined) added['strict'] = false;
  // Before, variables of scripts had the types that are assigned to them, whatever was configured; now only with this, and those of others
  // have them too.
  added['noImplicitAny'] = true;
  if (options.types === undefined) {
    added['types'] = ['*'];
    if (options.typeRoots === undefined) added['typeRoots'] = typeRoots;
  }
  rendered.compilerOptions = { ...rendered.compilerOptions, ...added };
  writeFileSync(project, JSON.stringify(rendered));
  return project;
}
