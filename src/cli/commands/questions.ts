/** The commands that ask the code index one question: what each takes, and which operation answers. */

import type { Operation } from '../../serve/operations/operation.ts';
import { type Command, type Flag, fileArgument, type Invocation, pageFlags, targetArgument } from '../command.ts';

/** An answer at once, for a caller who does not wait for compilers. */
const asIndexed: Flag = {
  flags: '--as-indexed',
  says: 'from what is indexed already: no compiler is asked for what is missing',
  kind: 'boolean',
};

export default [
  question({
    name: 'def',
    says: 'Show where the thing at a place, or of a name, is declared, through imports and re-exports',
    args: [targetArgument],
    flags: [asIndexed, ...pageFlags('definitions')],
    load: () => import('../../serve/operations/def.ts'),
    input: aboutTarget,
  }),
  question({
    name: 'refs',
    says: 'List the references to the thing at a place, or of a name, and apart from them what could be one',
    args: [targetArgument],
    flags: [asIndexed, ...pageFlags('references')],
    load: () => import('../../serve/operations/refs.ts'),
    input: aboutTarget,
  }),
  question({
    name: 'implementations',
    says: 'Show what implements or overrides the thing at a place, or of a name',
    args: [targetArgument],
    flags: [asIndexed, ...pageFlags('implementations')],
    load: () => import('../../serve/operations/implementations.ts'),
    input: aboutTarget,
  }),
  question({
    name: 'deps',
    says: 'Show the imports of one file and where they lead, or with --reverse the files that import it',
    args: [fileArgument],
    flags: [{ flags: '--reverse', says: 'who imports it', kind: 'boolean' }, ...pageFlags('imports')],
    load: () => import('../../serve/operations/deps.ts'),
    input: ({ args, flags, globals, terminal }) => ({
      path: args[0],
      cwd: terminal.cwd,
      reverse: flags['reverse'],
      limit: flags['limit'],
      continue: flags['continue'],
      candidates: globals.verbose || globals.json ? true : undefined,
    }),
  }),
  question({
    name: 'outline',
    says: 'Show the declarations of one file as a tree with line ranges',
    args: [fileArgument],
    flags: [],
    load: () => import('../../serve/operations/outline.ts'),
    input: ({ args, terminal }) => ({ path: args[0], cwd: terminal.cwd }),
  }),
  question({
    name: 'symbols',
    says: 'Find symbols by name or name path (Class/method), by any part of the name unless --exact',
    args: [{ name: '<query>', says: 'a name, its beginning, a part of it, or its initials: gUN for getUserName' }],
    flags: [
      {
        flags: '--kind <kinds>',
        says: 'only these kinds, comma-separated: class, function, method, …',
        kind: 'list',
        words: 'symbol kinds',
      },
      { flags: '--path <glob>', says: 'only below these paths: src, src/**/*.ts; !glob excludes', kind: 'text' },
      { flags: '--exact', says: 'only this very name', kind: 'boolean' },
      ...pageFlags('symbols'),
    ],
    load: () => import('../../serve/operations/symbols.ts'),
    input: ({ args, flags }) => ({
      query: args[0],
      kind: flags['kind'],
      path: flags['path'] === undefined ? undefined : [flags['path']],
      exact: flags['exact'],
      limit: flags['limit'],
      continue: flags['continue'],
    }),
  }),
  question({
    name: 'search',
    says: 'Search the text of all files in scope, verified against the disk',
    args: [{ name: '<text>', says: 'what to look for; case counts' }],
    flags: [
      {
        flags: '--regex',
        says: 'the text is a regular expression (JavaScript), matched line by line',
        kind: 'boolean',
      },
      { flags: '--ignore-case', says: 'upper and lower case are the same', kind: 'boolean' },
      { flags: '--word', says: 'whole words only', kind: 'boolean' },
      {
        flags: '--path <glob>',
        says: 'only these paths: src, src/**/*.ts; without a slash at any depth; !glob excludes',
        kind: 'text',
      },
      {
        flags: '--lang <languages>',
        says: 'only these languages, comma-separated: typescript or ts',
        kind: 'list',
        words: 'languages',
      },
      ...pageFlags('hits'),
    ],
    load: () => import('../../serve/operations/search.ts'),
    input: ({ args, flags }) => ({
      query: args[0],
      regex: flags['regex'],
      ignore_case: flags['ignoreCase'],
      word: flags['word'],
      path: flags['path'] === undefined ? undefined : [flags['path']],
      lang: flags['lang'],
      limit: flags['limit'],
      continue: flags['continue'],
    }),
  }),
  question({
    name: 'slice',
    says: 'Show an extract for reading: a variable, the imports of a file, or what a definition leans on',
    args: [{ name: '<target>', says: 'file:line:col, or a name path; for imports a file is enough' }],
    flags: [
      {
        flags: '--kind <kind>',
        says: 'def-use (default), imports or dependency-chain',
        kind: 'text',
        words: 'slice kinds',
      },
    ],
    load: () => import('../../serve/operations/slice.ts'),
    input: ({ args, flags, terminal }) => ({
      target: args[0],
      cwd: terminal.cwd,
      kind: flags['kind'] ?? 'def-use',
    }),
  }),
  question({
    name: 'status',
    says: 'Show what the index holds, how fresh it is, and who keeps it; --verbose names skipped files',
    args: [],
    flags: [],
    load: () => import('../../serve/operations/status.ts'),
    input: ({ globals }) => (globals.verbose ? { skipped_limit: 1_000 } : {}),
  }),
];

function question<I, O extends object>({
  load,
  input,
  ...declared
}: Omit<Command, 'run'> & {
  readonly load: () => Promise<{ readonly default: Operation<I, O> }>;
  /** Fields of the operation; a flag that was not given may be undefined. */
  readonly input: (invocation: Invocation) => Readonly<Record<string, unknown>>;
}): Command {
  return {
    ...declared,
    async run(invocation) {
      const { default: operation } = await load();
      const { askQuestion } = await import('../ask.ts');
      return askQuestion(invocation, operation, input(invocation));
    },
  };
}

function aboutTarget({ args, flags, terminal }: Invocation): Readonly<Record<string, unknown>> {
  return {
    target: args[0],
    cwd: terminal.cwd,
    limit: flags['limit'],
    continue: flags['continue'],
    as_indexed: flags['asIndexed'],
  };
}
