/**
 * requirements.txt: the packages that are named, with their version specifiers. Hand-written: the one complete reader is
 * pip's own, in Python.
 *
 * Markers, hashes and extras are understood and dropped. What names no package here is noted, never guessed: `nested_file` (a
 * `-r` or `-c` line), `option` (any other option line), `unnamed_requirement` (a bare path or URL).
 */

import { limits as programLimits } from '../base/limits.ts';
import { linesOf, type ParseLimits, type ParseNote, type ParseOutcome, parsed, parseText } from './parse-outcome.ts';

export type Requirement = { readonly name: string; readonly spec: string; readonly line: number };

export function parseRequirements(
  bytes: Uint8Array,
  limits: Pick<ParseLimits, 'maxBytes'>,
): ParseOutcome<readonly Requirement[]> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const requirements: Requirement[] = [];
  const notes: ParseNote[] = [];
  const note = (id: string, line: number, detail: string): void => {
    if (notes.length < programLimits.diagnosticsPerProbe) notes.push({ id, line, detail });
  };

  for (const [logical, line] of logicalLinesOf(text.value)) {
    if (logical === '') continue;
    if (logical.startsWith('-')) {
      const option = firstWord(logical);
      const name = findEgg(logical);
      if (['-e', '--editable'].includes(option) && name !== '') requirements.push({ name, spec: '', line });
      else if (nestedFileOptions.has(option)) note('nested_file', line, option);
      else note('option', line, option);
      continue;
    }
    const requirement = readRequirement(logical, line);
    if (requirement === null) note('unnamed_requirement', line, 'a path or URL without a name');
    else requirements.push(requirement);
  }
  return parsed(requirements, notes);
}

const nestedFileOptions = new Set(['-r', '--requirement', '-c', '--constraint']);

/** Comments taken off, lines that end in a backslash joined; the number is that of the first one. */
function* logicalLinesOf(text: string): Generator<readonly [line: string, number: number]> {
  let parts: string[] = [];
  let first = 1;
  for (const [line, number] of linesOf(text)) {
    if (parts.length === 0) first = number;
    const content = dropComment(line);
    const continues = content.endsWith('\\');
    parts.push(continues ? content.slice(0, -1) : content);
    if (continues) continue;
    yield [parts.join(' ').trim(), first];
    parts = [];
  }
  yield [parts.join(' ').trim(), first];
}

/** `#` begins a comment at the start of a line or after white space; elsewhere it belongs to a URL. */
function dropComment(line: string): string {
  for (let at = line.indexOf('#'); at !== -1; at = line.indexOf('#', at + 1)) {
    const before = line.charCodeAt(at - 1);
    if (at === 0 || before === 0x20 || before === 0x09) return line.slice(0, at).trimEnd();
  }
  return line;
}

function readRequirement(logical: string, line: number): Requirement | null {
  let at = 0;
  while (isNameCharacter(logical.charCodeAt(at))) at += 1;
  const name = logical.slice(0, at);
  let rest = logical.slice(at).trimStart();
  if (rest.startsWith('[')) {
    const close = rest.indexOf(']');
    if (close === -1) return null;
    rest = rest.slice(close + 1).trimStart();
  }
  const options = rest.indexOf(' --');
  if (options !== -1) rest = rest.slice(0, options);
  // In `name @ url ; marker` the semicolon needs white space before it: URLs may hold one.
  const marker = rest.startsWith('@') ? rest.indexOf(' ;') : rest.indexOf(';');
  const spec = (marker === -1 ? rest : rest.slice(0, marker)).trim();
  const isSpec = spec === '' || '=<>!~@('.includes(spec.charAt(0));
  return name === '' || !isSpec ? null : { name, spec, line };
}

/** Letters, digits, `.`, `_`, `-`: what a distribution name is made of. */
function isNameCharacter(code: number): boolean {
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x5f || code === 0x2d;
}

function firstWord(line: string): string {
  let end = 0;
  while (end < line.length && !' \t='.includes(line.charAt(end))) end += 1;
  // `-rother.txt` is allowed too; a long option is never that short.
  return line.startsWith('--') ? line.slice(0, end) : line.slice(0, 2);
}

/** The name after `#egg=`; empty when there is none. */
function findEgg(line: string): string {
  const marker = line.indexOf('egg=');
  const start = marker + 4;
  let end = start;
  while (marker !== -1 && isNameCharacter(line.charCodeAt(end))) end += 1;
  return line.slice(start, end);
}
