/**
 * The touchpoints of a script: the script itself, every line that the catalog knows, and every other line that starts a program.
 * What a shell does by itself (assignments, tests, `set`, `echo`) goes with the script and has no row of its own.
 */

import type { InvokedScript } from '../dockerfile/invoked-scripts.ts';
import { listInvocations } from '../shell-commands.ts';
import { classifyTouchpoint, type Touchpoint } from './classify-touchpoint.ts';

const maxRows = 100;
const maxLines = 5_000;

const builtins = new Set(
  'set unset echo printf export local readonly declare typeset return exit cd pwd shift true false : . source test [ [[ ]] ] if then else elif fi for in do done while until case esac { } function read eval getopts umask ulimit wait break continue alias let command type hash'.split(
    ' ',
  ),
);

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
  rows.push(...found.slice(0, maxRows));
  if (found.length > maxRows) rows.push(classifyTouchpoint(where, `(${found.length - maxRows} more commands)`));
  if (script.text.split('\n', maxLines + 1).length > maxLines)
    rows.push(classifyTouchpoint(where, `(lines beyond the first ${maxLines})`));
  return rows;
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
