/** `npm run x`, `pnpm -r x`, `yarn workspace a x` → what the script `x` of package.json says, through as many aliases as there are. */

import { listInvocations } from './shell-commands.ts';

/** Script text by name; undefined if there is none. */
export type ScriptLookup = (name: string) => string | undefined;

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const flagsWithValue = new Set(['--filter', '-F', '--prefix', '-w', '--workspace', '-C', '--dir', '--cwd']);
/** npm runs these without `run`; any other bare word is one of npm's own commands. */
const npmShorthands = new Map([
  ['test', 'test'],
  ['t', 'test'],
  ['tst', 'test'],
  ['start', 'start'],
  ['stop', 'stop'],
  ['restart', 'restart'],
]);
const maxExpansions = 20;

/** The script an invocation runs, null when it runs none. */
export function scriptNameOf(words: readonly string[]): string | null {
  const [manager = '', ...rest] = words;
  if (!managers.has(manager)) return null;
  const plain = withoutFlags(rest);
  const [first, second] = plain;
  if (first === undefined) return null;
  if (first === 'run' || first === 'run-script') return second ?? null;
  if (first === 'workspace' && manager === 'yarn') return plain[2] === 'run' ? (plain[3] ?? null) : (plain[2] ?? null);
  if (first === 'workspaces') return plain[plain.indexOf('run') + 1] ?? null;
  return manager === 'npm' ? (npmShorthands.get(first) ?? null) : first;
}

/** The line itself, then everything its scripts stand for. Cycles end because a script is opened once. */
export function expandScripts(line: string, lookup: ScriptLookup): string[] {
  const texts = [line];
  const opened = new Set<string>();
  for (const text of texts) {
    for (const words of listInvocations(text)) {
      const name = scriptNameOf(words);
      if (name === null || opened.has(name) || texts.length > maxExpansions) continue;
      opened.add(name);
      const script = lookup(name);
      if (script !== undefined) texts.push(script);
    }
  }
  return texts;
}

function withoutFlags(words: readonly string[]): string[] {
  const plain: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === '--') break;
    if (flagsWithValue.has(word)) index += 1;
    else if (!word.startsWith('-')) plain.push(word);
  }
  return plain;
}
