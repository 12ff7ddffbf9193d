/**
 * What could stand at the end of a line that is being typed: made from the same declarations that the parser and the reference are made of.
 * It reads, and writes nothing: no index is built, no lock taken, nothing of the tree is looked at. Where it knows nothing, the shell offers files.
 */

import { type Command, type Flag, globalFlags, type Terminal, type Words } from './command.ts';
import { commands } from './commands.gen.ts';

/** `word` stands in the place of the last word of the line. */
export type Candidate = { readonly word: string; readonly says: string };

export type CompletionWorld = Pick<Terminal, 'cwd' | 'home' | 'environment'>;

export async function completeLine(line: string, world: CompletionWorld): Promise<readonly Candidate[]> {
  const [, ...words] = splitLine(line);
  const current = words.pop() ?? '';
  const read = readWords(words);
  if (read === undefined) return [];
  const { command, path, flag, given, repo } = read;
  const look = (wanted: Words | undefined) => lookUp(wanted, { ...world, repo });
  if (flag !== undefined) return fitting(current, await valuesOf(flag, current, look));
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined && value !== undefined) {
    const named = findFlag(name, command);
    const values = named === undefined ? [] : await valuesOf(named, value, look);
    return fitting(
      current,
      values.map(({ word, says }) => ({ word: `${name}=${word}`, says })),
    );
  }
  if (current.startsWith('-')) return fitting(current, listFlags(command));
  if (command === undefined) return fitting(current, nextWords(path));
  const argument = command.args[Math.min(given, command.args.length - 1)];
  if (argument === undefined || (given >= command.args.length && !argument.name.includes('...'))) return [];
  return fitting(current, await look(argument.words));
}

type ReadWords = {
  readonly command: Command | undefined;
  /** Words of a command that are there and are none by themselves: `plan`. */
  readonly path: string;
  /** The one whose value comes next. */
  readonly flag: FlagHead | undefined;
  /** Arguments that are there. */
  readonly given: number;
  readonly repo: string | undefined;
};
type FlagHead = Pick<Flag, 'flags' | 'says' | 'words'> & { readonly kind?: Flag['kind'] };

/** Undefined where a word is no command. */
function readWords(words: readonly string[]): ReadWords | undefined {
  let command: Command | undefined;
  let path = '';
  let flag: FlagHead | undefined;
  let given = 0;
  let repo: string | undefined;
  for (const word of words) {
    if (flag !== undefined) {
      if (flag.flags.startsWith('-C')) repo = word;
      flag = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      const found = findFlag(word, command);
      if (found?.flags.includes('<') === true) flag = found;
    } else if (command !== undefined) given += 1;
    else {
      path = path === '' ? word : `${path} ${word}`;
      command = commands.find(({ name }) => name === path);
      if (command === undefined && !commands.some(({ name }) => name.startsWith(`${path} `))) return undefined;
    }
  }
  return { command, path, flag, given, repo };
}

function findFlag(word: string, command: Command | undefined): FlagHead | undefined {
  return [...(command?.flags ?? []), ...globalFlags].find(({ flags }) => spellings(flags).includes(word));
}

function spellings(flags: string): readonly string[] {
  return flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];
}

function listFlags(command: Command | undefined): readonly Candidate[] {
  const own = command === undefined ? [{ flags: '--version', says: 'print the version' }] : command.flags;
  return [...own, ...globalFlags, { flags: '--help', says: 'show help' }].flatMap(({ flags, says }) =>
    spellings(flags).map((word) => ({ word, says })),
  );
}

/** A group is offered once, with what is in it. */
function nextWords(path: string): readonly Candidate[] {
  const depth = path === '' ? 0 : path.split(' ').length;
  const below = commands.filter(({ name }) => path === '' || name.startsWith(`${path} `));
  const words = new Map<string, string[]>();
  for (const { name, says } of below) {
    const [word = '', ...rest] = name.split(' ').slice(depth);
    words.set(word, [...(words.get(word) ?? []), rest.length === 0 ? says : rest.join(' ')]);
  }
  return [...words].map(([word, says]) => ({ word, says: says.join(' | ') }));
}

/** A list goes on behind its last comma. */
async function valuesOf(
  flag: FlagHead,
  current: string,
  look: (words: Words | undefined) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const values = await look(flag.words);
  const [before = ''] = flag.kind === 'list' ? (/^.*,/s.exec(current) ?? []) : [];
  const taken = before.split(',');
  return values.flatMap(({ word, says }) => (taken.includes(word) ? [] : [{ word: `${before}${word}`, says }]));
}

function fitting(current: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(current));
}

const bare = (words: readonly string[]): readonly Candidate[] => words.map((word) => ({ word, says: '' }));

type Lookup = Exclude<Words, readonly string[]>;
type LookupWorld = CompletionWorld & { readonly repo: string | undefined };

async function lookUp(words: Words | undefined, world: LookupWorld): Promise<readonly Candidate[]> {
  if (words === undefined) return [];
  return typeof words === 'string' ? lookups[words](world) : bare(words);
}

const lookups: Readonly<Record<Lookup, (world: LookupWorld) => Promise<readonly Candidate[]>>> = {
  probes: async () => (await probes()).map(({ name, says }) => ({ word: name, says })),
  facts: async () => {
    const rules = (await probes()).flatMap((probe) => probe.facts);
    return [...new Map(rules.map(({ id, says }) => [id, { word: id, says }])).values()];
  },
  sections: async () => bare((await import('../serve/workspace/json-schemas.ts')).schemaNames()),
  ids: async () => {
    const { listExplained } = await import('./explained-ids.ts');
    return [...new Map(listExplained().map(({ id, means }) => [id, { word: id, says: means }])).values()];
  },
  'config keys': async () => {
    const { configKeys } = await import('../gather/config.ts');
    return Object.entries(configKeys).map(([word, { says }]) => ({ word, says }));
  },
  'symbol kinds': async () => bare((await import('../languages/facts.ts')).symbolKinds),
  'slice kinds': async () => bare((await import('../serve/operations/slice.ts')).sliceKinds),
  languages: async () => bare([...(await import('../languages/file-language.ts')).knownLanguages]),
  plans: (world) => plans(world, () => true),
  'open plans': (world) => plans(world, (status) => status === 'open'),
};

async function probes() {
  return (await import('../probes/registry.gen.ts')).probes;
}

const plansOffered = 30;

async function plans(world: LookupWorld, isOffered: (status: string) => boolean): Promise<readonly Candidate[]> {
  const { locateRoot } = await import('../serve/workspace/open-workspace.ts');
  const signal = new AbortController().signal;
  const located = await locateRoot(world.repo, world.cwd, { ...world, signal });
  if (located.kind !== 'located') return [];
  const { ownDirsOf } = await import('../kernel/base/own-dirs.ts');
  const { listPlanHeads } = await import('../index/store/ledger/plan-tables.ts');
  const { stateDir } = ownDirsOf({ ...world, root: located.root });
  return listPlanHeads(stateDir, plansOffered)
    .filter(({ status }) => isOffered(status))
    .map(({ id, kind, newName, status }) => ({
      word: id,
      says: `${kind.replaceAll('_', ' ')} → ${newName} · ${status}`,
    }));
}

/** As a shell reads it: blanks part words, quotes and backslashes hold them together. The last word may be empty. */
export function splitLine(line: string): readonly string[] {
  const words: string[] = [''];
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] as string;
    const last = words.length - 1;
    if (quote === '' && /\s/.test(letter)) {
      if (words[last] !== '') words.push('');
    } else if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
    else if (letter === quote) quote = '';
    else if (letter === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      words[last] += line[at] as string;
    } else words[last] += letter;
  }
  return words;
}
