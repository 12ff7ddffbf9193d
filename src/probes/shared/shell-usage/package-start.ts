/** `npm start` and its like, resolved to what the package script says, with the scripts that npm runs before and after it. */

import type { ProbeContext, ProbeRepo } from '../../../gather/contract.ts';
import { isJsonObject } from '../../../kernel/base/json.ts';
import { listCopySources } from '../dockerfile/copied-from.ts';
import { type DockerfileRow, finalStageOf, folderOf } from '../dockerfile/upstream-dockerfiles.ts';
import { splitWords, unquoteWord } from '../dockerfile/words.ts';
import { readManifest } from '../manifests.ts';
import { scriptNameOf } from '../npm-scripts.ts';
import { listInvocations } from '../shell-commands.ts';
import { classifyTouchpoint, shownCommand, type Touchpoint } from './classify-touchpoint.ts';
import { isSimpleCommand } from './shell-features.ts';

export type PackageScripts = { readonly path: string; readonly scripts: ReadonlyMap<string, string> };

/** The package.json that lies in the image's working directory, else the one beside the Dockerfile, else the root's. */
export async function readPackageScripts(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'parsedManifest'>,
  row: DockerfileRow,
): Promise<PackageScripts | null> {
  const workdir = finalStageOf(row)?.workdir;
  const folder = folderOf(row.path);
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

const maxRows = 20;

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
        if (body === undefined || opened.has(each) || rows.length >= maxRows) continue;
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

/** The replacement is the script's own words, unless hooks around it do something too. Assignments before them belong in ENV. */
function withScript(row: Touchpoint, script: string, hooks: readonly string[]): Touchpoint {
  const all = splitWords(script.trim(), '\\').map((word) => unquoteWord(word));
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
