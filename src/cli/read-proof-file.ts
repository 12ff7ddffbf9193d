/** The proof that goes with a commit, from a file or from standard input. That it is the right one is not judged here. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Terminal } from './command.ts';

export type ProofFile =
  | { readonly kind: 'read'; readonly proof: unknown }
  | { readonly kind: 'unreadable'; readonly why: string };

const maxBytes = 1024 * 1024;

export async function readProofFile(named: string | undefined, terminal: Terminal): Promise<ProofFile> {
  if (named === undefined) return { kind: 'read', proof: undefined };
  let text: string;
  try {
    text = named === '-' ? await readStdin(terminal) : readFile(resolve(terminal.cwd, named));
  } catch (error) {
    return {
      kind: 'unreadable',
      why: `${named} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'too large'})`,
    };
  }
  try {
    return { kind: 'read', proof: dropUnfilled(JSON.parse(text)) };
  } catch {
    return {
      kind: 'unreadable',
      why: `${named === '-' ? 'standard input' : named} is not JSON; see plan show --proof-template`,
    };
  }
}

/** A place of the template that was left empty is as if it were not there: what is missing is told better than what is wrong. */
function dropUnfilled(proof: unknown): unknown {
  if (typeof proof !== 'object' || proof === null) return proof;
  const isFilled = (entry: unknown) =>
    !(typeof entry === 'object' && entry !== null && 'text' in entry && entry.text === '' && !('hash' in entry));
  return Object.fromEntries(
    Object.entries(proof).map(([field, value]) => [field, Array.isArray(value) ? value.filter(isFilled) : value]),
  );
}

function readFile(path: string): string {
  if (statSync(path).size > maxBytes) throw new Error('too large');
  return readFileSync(path, 'utf8');
}

async function readStdin({ stdin }: Terminal): Promise<string> {
  let text = '';
  for await (const chunk of stdin ?? []) {
    text += chunk;
    if (text.length > maxBytes) throw new Error('too large');
  }
  return text;
}
