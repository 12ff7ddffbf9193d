/**
 * Uses of a shell, each named by the catalog: a command line; `npm start` and its like, resolved to the package script and the scripts that
 * npm runs around it; a script, with every line that the catalog knows or that starts a program. What a shell does by itself (assignments,
 * tests, `set`, `echo`) goes with the script and has no row of its own. What the catalog does not know is `unknown`, never left out.
 */

import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { plainWords } from '../../kernel/formats/shell-words.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import { type InvokedScript, listCopySources } from '../dockerfile/dockerfile-commands.ts';
import { type DockerfileRow, finalStageOf } from '../dockerfile/dockerfile-section.ts';
import { readManifest } from '../shared/probe-reading.ts';
import { listInvocations, scriptNameOf } from '../shared/shell-commands.ts';
import { shellReplacementsCatalog } from './shell-replacements.ts';
import type { Touchpoint } from './shell-usage-section.ts';

/** What only a shell can do in a command line: expand variables and names, join commands. Quotes are respected, nothing is run. */
export type ShellFeatures = { readonly variables: boolean; readonly globs: boolean; readonly chains: boolean };

type PackageScripts = { readonly path: string; readonly scripts: ReadonlyMap<string, string> };

const maxTextChars = 2_000;

const maxPackageRows = 20;

const maxScriptRows = 100;
const maxLines = 5_000;

const entries = shellReplacementsCatalog.entries.map((entry) => ({ ...entry, regex: new RegExp(entry.pattern) }));

const builtins = new Set(
  'set unset echo printf export local readonly declare typeset return exit cd pwd shift true false : . source test [ [[ ]] ] if then else elif fi for in do done while until case esac { } function read eval getopts umask ulimit wait break continue alias let command type hash'.split(
    ' ',
  ),
);

export function classifyTouchpoint(where: string, text: string): Touchpoint {
  const shown = shownCommand(text);
  const entry = entries.find(({ regex }) => regex.test(shown));
  return {
    where,
    text: shown,
    classification: entry?.classification ?? 'unknown',
    replacement_known: entry?.replacement_known ?? 'unknown',
    replacement: entry?.replacement ?? null,
  };
}

/** The package.json that lies in the image's working directory, else the one beside the Dockerfile, else the root's. */
export async function readPackageScripts(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'parsedManifest'>,
  row: DockerfileRow,
): Promise<PackageScripts | null> {
  const workdir = finalStageOf(row)?.workdir;
  const folder = directoryOf(row.path);
  const copied =
    workdir === null || workdir === undefined
      ? []
      : listCopySources(row, `${workdir === '/' ? '' : workdir}/package.json`);
  for (const path of [...copied, folder === '' ? 'package.json' : `${folder}/package.json`, 'package.json']) {
    if (!repo.inputs.has(path)) continue;
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind !== 'read') continue;
    const scripts = manifest.value['scripts'];
    const entries = isJsonObject(scripts) ? Object.entries(scripts) : [];
    return {
      path,
      scripts: new Map(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))),
    };
  }
  return null;
}

/** A row for the package manager and one for every script it runs that needs more than the exec form. */
export function packageStartTouchpoints(
  where: string,
  text: string,
  manifest: PackageScripts | null,
): readonly Touchpoint[] {
  const rows: Touchpoint[] = [];
  const opened = new Set<string>();
  const open = (at: string, line: string): void => {
    const row = classifyTouchpoint(at, line);
    const names = listInvocations(line).flatMap((words) => scriptNameOf(words) ?? []);
    const script = names.length === 1 ? manifest?.scripts.get(names[0] ?? '') : undefined;
    const isPlain =
      row.classification === 'package_manager_at_runtime' && script !== undefined && isSimpleCommand(script);
    rows.push(isPlain ? withScript(row, script, hooksOf(names[0] ?? '', manifest)) : unresolved(row, names, script));
    for (const name of names) {
      for (const each of [`pre${name}`, name, `post${name}`]) {
        const body = manifest?.scripts.get(each);
        if (body === undefined || opened.has(each) || rows.length >= maxPackageRows) continue;
        opened.add(each);
        if (
          each !== name ||
          !isSimpleCommand(body) ||
          listInvocations(body).some((words) => scriptNameOf(words) !== null)
        ) {
          open(`${manifest?.path ?? 'package.json'} scripts.${each}`, body);
        }
      }
    }
  };
  open(where, text);
  return rows;
}

export function scriptTouchpoints(script: InvokedScript): readonly Touchpoint[] {
  const where = script.source ?? script.path;
  const lines = joinedLines(script.text);
  const shebang = /^#![^\n]{0,200}/.exec(script.text)?.[0] ?? '';
  const named = classifyTouchpoint(where, script.path);
  // However it is called: it is run by a shell.
  const isPlain = named.classification === 'unknown' || named.classification === 'exec_wrapper';
  const whole = isPlain ? classifyTouchpoint(where, 'entrypoint.sh') : named;
  const rows = [{ ...whole, text: shebang === '' ? script.path : `${script.path} (${shebang})` }];
  const functions = new Set(lines.flatMap(({ text }) => definition.exec(text)?.[1] ?? []));
  const found = lines.flatMap(({ line, text }) => {
    const row = classifyTouchpoint(placeOf(where, line), text);
    if (row.classification === 'signal_trap' || row.classification === 'startup_orchestration') return [row];
    return !definition.test(text) && startsProgram(text, functions) ? [row] : [];
  });
  rows.push(...found.slice(0, maxScriptRows));
  if (found.length > maxScriptRows)
    rows.push(classifyTouchpoint(where, `(${found.length - maxScriptRows} more commands)`));
  if (script.text.split('\n', maxLines + 1).length > maxLines)
    rows.push(classifyTouchpoint(where, `(lines beyond the first ${maxLines})`));
  return rows;
}

export function shellFeaturesOf(text: string): ShellFeatures {
  const features = { variables: false, globs: false, chains: false };
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote !== '' && char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (quote !== "'" && ((char === '$' && /[A-Za-z_{(@*0-9]/.test(next)) || char === '`'))
      features.variables = true;
    else if (quote !== '') continue;
    else if (char === '*' || char === '?') features.globs = true;
    // `2>&1` joins no commands.
    else if (char === ';' || char === '|' || char === '\n') features.chains = true;
    else if (char === '&' && text.charAt(at - 1) !== '>' && next !== '>') features.chains = true;
  }
  return features;
}

/** Plain words, so that the exec form can hold the same command. */
export function isSimpleCommand(text: string): boolean {
  const { variables, globs, chains } = shellFeaturesOf(text);
  return !variables && !globs && !chains && !/[<>()]/.test(text.replace(/"[^"]*"|'[^']*'/g, ''));
}

export function summarise(touchpoints: readonly Touchpoint[]) {
  const count = (known: Touchpoint['replacement_known']) =>
    touchpoints.filter(({ replacement_known }) => replacement_known === known).length;
  return {
    fully_replaceable: count('yes'),
    partial_or_uncertain: count('depends'),
    blocking: count('no'),
    unknown: count('unknown'),
  };
}

/** Redacted before it is cut: half a secret is not recognised as one. */
function shownCommand(text: string): string {
  const { text: redacted } = redactString(text.slice(0, maxTextChars * 2), { entropy: false });
  return truncate(singleLine(redacted).trim(), maxTextChars);
}

/** The replacement is the script's own words, unless hooks around it do something too. Assignments before them belong in ENV. */
function withScript(row: Touchpoint, script: string, hooks: readonly string[]): Touchpoint {
  const all = plainWords(script);
  const start = all.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word) && word !== 'cross-env');
  const words = start < 0 ? [] : all.slice(start);
  const variables = all.slice(0, Math.max(0, start)).filter((word) => word !== 'cross-env');
  const [program = ''] = words;
  // A program of node_modules/.bin is found by npm alone.
  const isPath = /^(?:node|deno|bun|python3?|java)$/.test(program) || program.includes('/');
  const exec = JSON.stringify(isPath ? words : ['node', `node_modules/.bin/${program}`, ...words.slice(1)]);
  const conditions = [
    ...(variables.length === 0 ? [] : [`ENV ${variables.join(' ')}`]),
    ...(hooks.length === 0 ? [] : [`${hooks.join(' and ')} must run elsewhere`]),
  ];
  return {
    ...shownWith(row, script),
    replacement_known: hooks.length === 0 ? 'yes' : 'depends',
    replacement: [`${exec} in the exec form`, ...conditions].join('; '),
  };
}

function shownWith(row: Touchpoint, script: string): Touchpoint {
  return { ...row, text: shownCommand(`${row.text} → ${script}`) };
}

function unresolved(row: Touchpoint, names: readonly string[], script: string | undefined): Touchpoint {
  if (row.classification !== 'package_manager_at_runtime') return script === undefined ? row : shownWith(row, script);
  if (script !== undefined) {
    return {
      ...shownWith(row, script),
      replacement_known: 'depends',
      replacement:
        'the package script needs a shell itself: rewrite it as one program, then start that in the exec form',
    };
  }
  return names.length === 0
    ? row
    : {
        ...row,
        replacement_known: 'depends',
        replacement: 'the package script was not found: start its program directly',
      };
}

function hooksOf(name: string, manifest: PackageScripts | null): readonly string[] {
  return [`pre${name}`, `post${name}`].filter((hook) => manifest?.scripts.has(hook) === true);
}

function startsProgram(text: string, functions: ReadonlySet<string>): boolean {
  return listInvocations(text).some(
    ([program = '']) => !builtins.has(program) && !functions.has(program) && /^[\w./"$@{-]/.test(program),
  );
}

/** `name() {` and `function name {`: calls of these stay inside the script. */
const definition =
  /^(?:function\s{1,8})?([\w-]{1,100})\s{0,8}(?:\(\s{0,8}\)|(?<=^function\s{1,8}[\w-]{1,100}\s{0,8})\{)/;

/** A script that stands in a Dockerfile begins on the line after the instruction that holds it. */
function placeOf(where: string, line: number): string {
  const inline = /^(.*):(\d{1,9})$/.exec(where);
  return inline === null ? `${where}:${line}` : `${inline[1]}:${Number(inline[2]) + line}`;
}

/** Lines with their numbers, continuations joined, comments and here-documents left out. */
function joinedLines(script: string): readonly { readonly line: number; readonly text: string }[] {
  const lines = script.split('\n', maxLines);
  const lastLines = new Map(lines.map((line, at) => [line.trim(), at]));
  const joined: { line: number; text: string }[] = [];
  let end: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const start = at;
    let text = (lines[at] ?? '').trim();
    if (end !== null) {
      if (text === end) end = null;
      continue;
    }
    while (text.endsWith('\\') && at + 1 < lines.length && text.length < 4_000) {
      at += 1;
      text = `${text.slice(0, -1).trimEnd()} ${(lines[at] ?? '').trim()}`;
    }
    if (text === '' || text.startsWith('#')) continue;
    const name = /(?<!<)<<-?(?!<)\s{0,4}["']?([A-Za-z_]\w{0,40})["']?/.exec(text)?.[1];
    // A shift (`1 << BITS`) looks the same; what has no end is no here-document, and hides no lines.
    end = name !== undefined && (lastLines.get(name) ?? -1) > at ? name : null;
    joined.push({ line: start + 1, text: text.slice(0, 4_000) });
  }
  return joined;
}
