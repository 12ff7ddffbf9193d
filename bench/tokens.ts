/**
 * What an agent pays: tokens (o200k) of the answers over the protocol, as a model reads them, and of the schemas of all tools. A tree is
 * copied first, so that a rename can be written.
 *   --tree=<dir>          a tree as a person has it; several may be given
 *   --callers=<name>      a function with about twenty uses, of every tree
 *   --rename=<name>:<to>  a name with about thirty places
 * Without the last two, those that are known for hono and rxjs.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { schemaTokens } from '../src/serve/mcp/tool-list.ts';
import { buildProgram } from './build-program.ts';

type Subjects = { readonly callers: string; readonly rename: string };

const known: Readonly<Record<string, Subjects>> = {
  hono: { callers: 'getMimeType', rename: 'joinPaths:joinAllPaths' },
  rxjs: { callers: 'executeSchedule', rename: 'executeSchedule:runSchedule' },
};

/** Measured by hand on hono, one call each as the peer's own tools answer it; a dash was not measured. */
const peers = [
  {
    name: 'jCodeMunch 1.108.399',
    schemas: 1_044,
    understand: 543,
    callers: '86, names two files and no place',
    rename: '–',
  },
  { name: 'CodeGraph 1.6.1', schemas: 399, understand: 5_389, callers: '5162', rename: '–' },
  {
    name: 'Serena 2.1.0',
    schemas: 6_757,
    understand: '–',
    callers: '315, 3 of 24 places',
    rename: '17, 8 of 29 places',
  },
] as const;

const targets = { understand: 600, callers: 500, rename: 1_000, schemas: schemaTokens } as const;

const waitMs = 600_000;

export async function benchTokens(flags: readonly string[]): Promise<void> {
  const trees = flags.filter((flag) => flag.startsWith('--tree=')).map((flag) => flag.slice('--tree='.length));
  if (trees.length === 0) throw new Error('name a tree: --tree=<dir>, for example a clone of hono');
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-bench-')));
  try {
    const program = buildProgram(join(base, 'program'));
    console.log('| tree | what | tokens | target | |\n|---|---|---|---|---|');
    for (const tree of trees) await benchTree(tree, flags, base, program);
    console.log('\nPeers, measured by hand on hono and not in this run (o200k):');
    for (const { name, schemas, understand, callers, rename } of peers)
      console.log(`  ${name}: schemas ${schemas}, understand ${understand}, callers ${callers}, rename ${rename}`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function benchTree(tree: string, flags: readonly string[], base: string, program: string): Promise<void> {
  const name = nameOf(tree);
  const callers = readFlag(flags, 'callers') ?? known[name]?.callers;
  const [from, to] = (readFlag(flags, 'rename') ?? known[name]?.rename ?? '').split(':');
  const root = join(base, name);
  const home = join(base, `${name}-home`);
  cpSync(tree, root, { recursive: true, verbatimSymlinks: true });
  mkdirSync(home);
  const env = { PATH: '', ...process.env, HOME: home } as Record<string, string>;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, '-C', root, 'mcp', '--no-daemon'],
    env,
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name: tool, arguments: args }, { timeout: waitMs });
    return (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');
  };
  const tell = (what: string, tokens: number, most: number) =>
    console.log(`| ${name} | ${what} | ${tokens} | ≤ ${most} | ${tokens <= most ? 'reached' : '**missed**'} |`);
  try {
    tell('schemas of all tools', countTokens(JSON.stringify(await client.listTools())), targets.schemas);
    // Gathering is not what is asked: a person has done it.
    await call('repo_context', { gather: true });
    tell('understand the repository, one call', countTokens(await call('repo_context', {})), targets.understand);
    if (callers !== undefined) {
      const text = await call('navigate', { op: 'refs', target: callers });
      const [count = ''] = /\d[\d,]* references/.exec(text) ?? [];
      tell(`callers of \`${callers}\` (${count})`, countTokens(text), targets.callers);
    }
    if (to === undefined) return;
    const planned = await call('plan_refactor', { kind: 'rename', target: from, to, public_names: 'rename' });
    const [plan] = /p-[0-9a-f]{24}/.exec(planned) ?? [];
    const written = plan === undefined ? '' : await call('commit_plan', { plan });
    const [edits = 'no edit'] = /\d[\d,]* edits?/.exec(planned) ?? [];
    const done = written.startsWith('ok') ? 'plan and commit' : `not written: ${(written || planned).split('\n')[0]}`;
    tell(`rename \`${from}\` (${edits}), ${done}`, countTokens(planned) + countTokens(written), targets.rename);
  } finally {
    await client.close();
  }
}

/** As its package is called, or its directory. */
function nameOf(tree: string): string {
  try {
    const { name } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { readonly name?: string };
    return basename(name ?? tree);
  } catch {
    return basename(tree);
  }
}

function readFlag(flags: readonly string[], name: string): string | undefined {
  return flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
}
