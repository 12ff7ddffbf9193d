/**
 * A Dockerfile's text as instructions, cut exactly where the builder cuts it: parser directives, continuation lines with comments
 * between them, here-documents. Never fails, linear in the text; an unterminated here-document costs its own instruction and not the
 * rest of the file. (`dockerfile-ast` takes the rest of the file for the here-document of `RUN echo "a <<EOF"`, does not know
 * `3<<EOF`, and keeps the comments between continuation lines that end in CR LF; the tests hold both readers side by side.)
 */

import { dockerfileLimits } from './limits.ts';
import type { ParseProblem } from './types.ts';
import { splitWords, unquoteWord } from './words.ts';

export type Escape = '\\' | '`';

export type Heredoc = {
  readonly name: string;
  /** Written without quotes: variables in it are expanded. */
  readonly expands: boolean;
  readonly content: string;
};

export type Instruction = {
  /** Upper case. */
  readonly keyword: string;
  /** Everything after the keyword as one line, without the bodies of here-documents. */
  readonly text: string;
  /** 1-based line of the keyword. */
  readonly line: number;
  readonly heredocs: readonly Heredoc[];
};

export type InstructionList = {
  readonly escape: Escape;
  readonly syntax: string | null;
  readonly instructions: readonly Instruction[];
  readonly problems: readonly ParseProblem[];
};

export function readInstructions(source: string): InstructionList {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const problems: ParseProblem[] = [];
  const { escapeChar, syntax } = readDirectives(lines, problems);
  const findLine = lineFinder(lines);
  const instructions: Instruction[] = [];
  let at = 0;
  while (at < lines.length) {
    const start = at;
    let joined = '';
    let open = true;
    while (open && at < lines.length) {
      const line = lines[at] ?? '';
      at += 1;
      // Comments and empty lines between continued lines are dropped, and do not end the instruction.
      if (isBlankOrComment(line)) {
        if (joined === '' && at - 1 === start) break;
        continue;
      }
      const part = withoutContinuation(line, escapeChar);
      open = part !== null;
      joined += part ?? line;
    }
    const parts = /^\s*([^\s]+)(?:\s+([\s\S]*))?$/.exec(joined);
    if (parts === null) continue;
    if (instructions.length >= dockerfileLimits.instructions) {
      problems.push({
        line: start + 1,
        message: `more than ${dockerfileLimits.instructions} instructions: the rest is not read`,
      });
      break;
    }
    const keyword = (parts[1] ?? '').toUpperCase();
    const rest = (parts[2] ?? '').trimEnd();
    const heredocs: Heredoc[] = [];
    for (const opening of heredocOpenings(keyword, rest)) {
      const end = findLine(opening.name, at, opening.stripsTabs);
      if (end === undefined) {
        problems.push({ line: start + 1, message: `unterminated here-document <<${opening.name}` });
        break;
      }
      const body = lines.slice(at, end).map((line) => (opening.stripsTabs ? line.replace(/^\t+/, '') : line));
      heredocs.push({
        name: opening.name,
        expands: opening.expands,
        content: body.map((line) => `${line}\n`).join(''),
      });
      at = end + 1;
    }
    instructions.push({ keyword, text: rest, line: start + 1, heredocs });
  }
  return { escape: escapeChar, syntax, instructions, problems };
}

/** Directives are comments of the form `# name=value` before anything else, each at most once. */
function readDirectives(
  lines: readonly string[],
  problems: ParseProblem[],
): { escapeChar: Escape; syntax: string | null } {
  let escapeChar: Escape = '\\';
  let syntax: string | null = null;
  const seen = new Set<string>();
  for (const [index, line] of lines.slice(0, 20).entries()) {
    // The first line of a file that is to be executable.
    if (index === 0 && line.startsWith('#!')) continue;
    const directive = /^\s{0,80}#\s{0,80}([a-z][a-z0-9]{0,40})\s{0,80}=\s{0,80}(.{1,500}?)\s{0,80}$/i.exec(
      line.slice(0, 800),
    );
    const name = directive?.[1]?.toLowerCase();
    if (name === undefined || !['syntax', 'escape', 'check'].includes(name)) break;
    const value = directive?.[2] ?? '';
    if (seen.has(name)) problems.push({ line: index + 1, message: `directive ${name} is given twice` });
    else if (name === 'syntax') syntax = value;
    else if (name === 'escape') {
      if (value === '`' || value === '\\') escapeChar = value;
      else problems.push({ line: index + 1, message: 'escape must be a backslash or a backtick' });
    }
    seen.add(name);
  }
  return { escapeChar, syntax };
}

function isBlankOrComment(line: string): boolean {
  const trimmed = line.trimStart();
  return trimmed === '' || trimmed.startsWith('#');
}

/** The line without its continuation character; null if it ends the instruction. A doubled escapeChar character continues nothing. */
function withoutContinuation(line: string, escapeChar: Escape): string | null {
  const trimmed = line.trimEnd();
  if (!trimmed.endsWith(escapeChar) || trimmed.at(-2) === escapeChar) return null;
  return trimmed.slice(0, -1);
}

type HeredocOpening = { readonly name: string; readonly stripsTabs: boolean; readonly expands: boolean };

/** Whole words `<<NAME`, `3<<NAME`, `<<-NAME`, `<<"NAME"`; what stands in quotes together with more is no here-document. */
function heredocOpenings(keyword: string, text: string): readonly HeredocOpening[] {
  const [trigger = ''] = keyword === 'ONBUILD' ? text.split(/\s/, 1) : [keyword];
  if (!['RUN', 'COPY', 'ADD'].includes(trigger.toUpperCase()) || !text.includes('<<')) return [];
  return splitWords(text, '\\').flatMap((word) => {
    const opening = /^\d{0,9}<<(-?)([^<]{1,200})$/.exec(word);
    if (opening === null) return [];
    const quoted = opening[2] ?? '';
    const name = unquoteWord(quoted);
    return name === '' ? [] : [{ name, stripsTabs: opening[1] === '-', expands: name === quoted }];
  });
}

/** Finds the first line at or after a place that is exactly this text; an index, because hostile text asks for every line. */
function lineFinder(lines: readonly string[]): (name: string, from: number, stripsTabs: boolean) => number | undefined {
  const places = [new Map<string, number[]>(), new Map<string, number[]>()] as const;
  let filled = false;
  return (name, from, stripsTabs) => {
    if (!filled) {
      for (const [index, line] of lines.entries()) {
        append(places[0], line, index);
        append(places[1], line.replace(/^\t+/, ''), index);
      }
      filled = true;
    }
    const found = places[stripsTabs ? 1 : 0].get(name) ?? [];
    let low = 0;
    let high = found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return found[low];
  };
}

function append(places: Map<string, number[]>, line: string, index: number): void {
  const known = places.get(line);
  if (known === undefined) places.set(line, [index]);
  else known.push(index);
}
