/**
 * What a repository calls its commands: scripts of manifests, targets of Makefiles and justfiles, tasks of Taskfiles, environments of tox.
 * Each reader is total and linear: what it does not understand is left out.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt, textsOf } from '../../kernel/base/json-access.ts';

type TaskTool = 'npm' | 'composer' | 'make' | 'just' | 'task' | 'rake' | 'tox' | 'hatch' | 'pdm' | 'poe';

export type Task = {
  readonly tool: TaskTool;
  readonly name: string;
  /** Shell lines; what it depends on stands first, as a call of the same tool. */
  readonly lines: readonly string[];
  readonly line: number | null;
  /** What the line holds. */
  readonly shows: string;
};

const maxTasks = 500;

export function readScripts(tool: 'npm' | 'composer', manifest: Json, text: string): Task[] {
  return Object.entries(objectAt(manifest, 'scripts'))
    .slice(0, maxTasks)
    .map(([name, script]) => {
      const shows = JSON.stringify(name);
      return {
        tool,
        name,
        lines: textsOf(script),
        line: lineOf(text, (line) => line.includes(`${shows}:`) || line.includes(`${shows} :`)),
        shows,
      };
    });
}

const target = /^([A-Za-z0-9_][\w./-]*(?:[ \t]+[\w./-]+)*)[ \t]*::?(?!=)[ \t]*(.*)$/;

/** Targets of a Makefile, with the variables filled in that have a plain value. */
export function readMakefile(text: string): Task[] {
  const variables = new Map<string, string>();
  const tasks: { tool: 'make'; name: string; lines: string[]; line: number; shows: string }[] = [];
  let open: typeof tasks = [];
  for (const { text: raw, line } of joinContinued(text)) {
    if (raw.startsWith('\t')) {
      const command = fillIn(raw.trim().replace(/^[@+-]+\s*/, ''), variables);
      if (command !== '' && !command.startsWith('#')) for (const task of open) task.lines.push(command);
      continue;
    }
    const assigned = /^(?:export[ \t]+|override[ \t]+)?([A-Za-z_]\w*)[ \t]*[?:+]{0,3}=[ \t]*(.*)$/.exec(raw);
    if (assigned !== null) {
      if (!variables.has(assigned[1] ?? '')) variables.set(assigned[1] ?? '', (assigned[2] ?? '').trim());
      continue;
    }
    const found = target.exec(raw);
    if (found === null || tasks.length >= maxTasks) continue;
    const [, names = '', rest = ''] = found;
    const needs = (rest.split(/[;#]/)[0] ?? '').split(/\s+/).filter((word) => /^[\w-]+$/.test(word));
    open = names.split(/\s+/).map((name) => ({
      tool: 'make' as const,
      name,
      lines: needs.map((need) => `make ${need}`),
      line,
      shows: name,
    }));
    tasks.push(...open);
  }
  return tasks;
}

function fillIn(command: string, variables: ReadonlyMap<string, string>): string {
  let filled = command;
  for (let depth = 0; depth < 3 && filled.includes('$') && filled.length < 4_000; depth += 1) {
    filled = filled.replace(/\$[({](\w+)[)}]/g, (written, name: string) => {
      const value = name === 'MAKE' ? 'make' : variables.get(name);
      return value === undefined || value.includes('$(shell') ? written : value;
    });
  }
  return filled.replaceAll('$$', '$');
}

export function readJustfile(text: string): Task[] {
  const tasks: { tool: 'just'; name: string; lines: string[]; line: number; shows: string }[] = [];
  for (const { text: raw, line } of joinContinued(text)) {
    if (/^\s+\S/.test(raw)) {
      const command = raw.trim().replace(/^[@-]+\s*/, '');
      if (!command.startsWith('#')) tasks.at(-1)?.lines.push(command);
      continue;
    }
    const found = /^@?([A-Za-z_][\w-]*)((?:[ \t]+[^:=\s]\S*)*)[ \t]*:(?!=)[ \t]*(.*)$/.exec(raw);
    if (found === null || tasks.length >= maxTasks) continue;
    const [, name = '', , rest = ''] = found;
    const needs = (rest.split('#')[0] ?? '').split(/\s+/).filter((word) => /^[\w-]+$/.test(word));
    tasks.push({ tool: 'just', name, lines: needs.map((need) => `just ${need}`), line, shows: name });
  }
  return tasks;
}

export function readTaskfile(document: Json, text: string): Task[] {
  return Object.entries(objectAt(document, 'tasks'))
    .slice(0, maxTasks)
    .map(([name, task]) => {
      const steps = Array.isArray(task)
        ? (task as readonly Json[])
        : [...listAt(task, 'deps').map((need) => ({ task: need })), ...listAt(task, 'cmds')];
      const own = textsOf(isJsonObject(task) ? (member(task, 'cmd') ?? null) : typeof task === 'string' ? task : null);
      const lines = steps.flatMap((step) => {
        if (typeof step === 'string') return [step];
        const called = textAt(step, 'task');
        return called === null ? textsOf(member(step, 'cmd')) : [`task ${called}`];
      });
      return {
        tool: 'task' as const,
        name,
        lines: [...lines, ...own],
        line: lineOf(text, (line) => line.trim().startsWith(`${name}:`)),
        shows: name,
      };
    });
}

const rakeTask = /^[ \t]*task[ (]+:?["']?([\w:]+)["']?(?:[ \t]*=>|:)[ \t]*(.+?)(?:[ \t]+do\b.*)?\)?$/;

/** Tasks of a Rakefile that stand for others; what a task does itself is Ruby. */
export function readRakefile(text: string): Task[] {
  const lines = text.split('\n', 5_000);
  const told = lines
    .flatMap((raw, at): Task[] => {
      const [, name, needs] = rakeTask.exec(raw.slice(0, 1_000).replace(/\r$/, '')) ?? [];
      if (name === undefined || needs === undefined) return [];
      const names = /^(?:\[|%[iw]\[|:|["'])/.test(needs) ? (needs.match(/[A-Za-z_][\w:]*/g) ?? []) : [];
      const calls = names.filter((one) => one !== 'w' && one !== 'i').map((one) => `rake ${one}`);
      return calls.length === 0 ? [] : [{ tool: 'rake', name, lines: calls, line: at + 1, shows: name }];
    })
    .slice(0, maxTasks);
  // The tasks that Rails brings have the tests as their default.
  const loads = lines.findIndex((line) => /^[ \t]*\S{1,80}\.load_tasks\b/.test(line));
  if (loads < 0 || told.some(({ name }) => name === 'default')) return told;
  return [...told, { tool: 'rake', name: 'default', lines: ['rake test'], line: loads + 1, shows: 'load_tasks' }];
}

/** Environments of `tox.ini`, and of `[tool.tox]` in `pyproject.toml`. The base environment has the name `''`. */
export function readToxIni(text: string): Task[] {
  const tasks: { tool: 'tox'; name: string; lines: string[]; line: number; shows: string }[] = [];
  let inCommands = false;
  let at = 0;
  for (const raw of text.split('\n', 5_000)) {
    at += 1;
    const section = /^\[testenv(?::([^\]]{1,100}))?\]/.exec(raw);
    if (raw.startsWith('[')) inCommands = false;
    if (section !== null) tasks.push({ tool: 'tox', name: section[1] ?? '', lines: [], line: at, shows: 'testenv' });
    else if (raw.startsWith('[')) continue;
    else if (/^commands\s*=/.test(raw)) {
      inCommands = true;
      push(raw.replace(/^commands\s*=/, ''));
    } else if (inCommands && /^\s+\S/.test(raw)) push(raw);
    else inCommands = false;
  }
  return tasks;

  function push(raw: string): void {
    const command = raw
      .trim()
      .replace(/\{posargs[^}]*\}/g, '')
      .trim();
    if (command !== '' && !command.startsWith('#')) tasks.at(-1)?.lines.push(command);
  }
}

export function readToxToml(manifest: Json, text: string): Task[] {
  const tox = objectAt(manifest, 'tool', 'tox');
  const commandsOf = (holder: Json | undefined) =>
    listAt(holder, 'commands').map((command) =>
      (Array.isArray(command) ? (command as readonly Json[]) : []).filter((word) => typeof word === 'string').join(' '),
    );
  const found: Task[] = Object.entries(objectAt(tox, 'env')).map(([name, env]) => ({
    tool: 'tox',
    name,
    lines: commandsOf(env),
    line: lineOf(
      text,
      (line) => line.trim() === `[tool.tox.env.${name}]` || line.trim() === `[tool.tox.env."${name}"]`,
    ),
    shows: name,
  }));
  const base = member(tox, 'env_run_base');
  if (base !== undefined)
    found.push({
      tool: 'tox',
      name: '',
      lines: commandsOf(base),
      line: lineOf(text, (line) => line.includes('env_run_base')),
      shows: 'env_run_base',
    });
  const legacy = textAt(tox, 'legacy_tox_ini');
  return legacy === null ? found : [...found, ...readToxIni(legacy).map((task) => ({ ...task, line: null }))];
}

/** Scripts in tables of `pyproject.toml`: of hatch's environments, of pdm, of poethepoet. */
export function readPythonScripts(manifest: Json, text: string): Task[] {
  const tools = objectAt(manifest, 'tool');
  const environments = Object.entries(objectAt(tools, 'hatch', 'envs'));
  const tables: readonly (readonly [TaskTool, string, JsonObject])[] = [
    ...environments.map(
      ([name, env]) => ['hatch', name === 'default' ? '' : `${name}:`, objectAt(env, 'scripts')] as const,
    ),
    ['pdm', '', objectAt(tools, 'pdm', 'scripts')],
    ['poe', '', objectAt(tools, 'poe', 'tasks')],
  ];
  return tables
    .flatMap(([tool, prefix, table]) =>
      Object.entries(table).map(([name, script]): Task => {
        const held = isJsonObject(script)
          ? (member(script, 'cmd') ?? member(script, 'shell') ?? member(script, 'composite') ?? null)
          : script;
        // A list is a sequence; names in it are scripts of the same table.
        const lines = textsOf(held).map((line) => (Object.hasOwn(table, line) ? `${tool} run ${prefix}${line}` : line));
        return {
          tool,
          name: `${prefix}${name}`,
          lines: lines.map((line) => line.replace(/\{args[^}]*\}/g, '').trim()),
          line: lineOf(text, (one) => one.trim().startsWith(`${name} =`) || one.trim().startsWith(`${name}=`)),
          shows: name,
        };
      }),
    )
    .slice(0, maxTasks);
}

function lineOf(text: string, holds: (line: string) => boolean): number | null {
  const at = text.split('\n').findIndex(holds);
  return at < 0 ? null : at + 1;
}

function* joinContinued(text: string): Generator<{ readonly text: string; readonly line: number }> {
  let held = '';
  let start = 0;
  let at = 0;
  for (const raw of text.split('\n', 20_000)) {
    at += 1;
    const line = raw.replace(/\r$/, '').slice(0, 4_000);
    if (held === '') start = at;
    if (line.endsWith('\\')) {
      held += held === '' ? `${line.slice(0, -1)} ` : `${line.slice(0, -1).trim()} `;
      if (held.length < 20_000) continue;
    }
    const whole = held === '' ? line : held + line.trim();
    held = '';
    yield { text: whole, line: start };
  }
}
