/** What a store says right after a change of ours, and what one says that was made from nothing, with real indexers. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { listFactsOfFile } from '../../src/index/store/stored-facts.ts';
import { type IndexSession, openIndexSession } from '../../src/index/sync/index-session.ts';
import { openCodeView } from '../../src/index/view/code-view.ts';
import type { Proof } from '../../src/mutate/answer.ts';
import { renderDump } from './canonical-dump.ts';
import { sessionSettings } from './indexed-tree.ts';
import type { SemanticRepo } from './semantic-repo.ts';

async function withSession<T>(root: string, stateDir: string, use: (session: IndexSession) => T): Promise<T> {
  const opened = await openIndexSession({ ...sessionSettings(root, stateDir, true), waitMs: 100_000 });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  try {
    return use(opened.session);
  } finally {
    await opened.session.close();
  }
}

/** All rows that two stores of the same files must share; invariants hold. Patched facts have no document until the job behind them has run. */
export async function dumpOf(root: string, stateDir: string): Promise<string> {
  return (await wholeDump(root, stateDir))
    .split('\n')
    .filter((line) => !line.startsWith('document '))
    .join('\n');
}

export function wholeDump(root: string, stateDir: string): Promise<string> {
  return withSession(root, stateDir, ({ facts }) => {
    const broken = facts.read(checkInvariants);
    if (broken.length > 0) throw new Error(JSON.stringify(broken));
    return facts.read(renderDump);
  });
}

/** By path: where its facts come from. */
export function origins(root: string, stateDir: string, paths: readonly string[]) {
  return withSession(root, stateDir, ({ facts }) =>
    facts.read((moment) =>
      Object.fromEntries(paths.map((path) => [path, listFactsOfFile(moment, path).map(({ origin }) => origin)])),
    ),
  );
}

/** Of a store beside it, with the same key, into which indexers have looked at the tree of now. */
export async function freshDump(root: string, stateDir: string, base: string, dump = dumpOf): Promise<string> {
  const other = mkdtempSync(join(base, 'fresh-'));
  mkdirSync(join(other, 'state'), { mode: 0o700 });
  cpSync(join(stateDir, 'state/key'), join(other, 'state/key'));
  const semantic = { toolPaths: {}, maxFileMb: 4, onEvent: () => {}, run: { waitMs: null } };
  const opened = await openCodeView({ ...sessionSettings(root, other, true), waitMs: 100_000, semantic });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  await opened.view.close();
  try {
    return await dump(root, other);
  } finally {
    rmSync(other, { recursive: true });
  }
}

/** `path:text` with a name marked `«a»` in a part of the file that is unique, as `path:line:col`. */
export function locate(root: string, at: string): string {
  const colon = at.indexOf(':');
  const path = at.slice(0, colon);
  const [before = '', name = '', after = ''] = at.slice(colon + 1).split(/[«»]/);
  const text = readFileSync(join(root, path), 'utf8');
  const index = text.indexOf(before + name + after);
  if (index < 0) throw new Error(`nothing at ${at}`);
  const lines = text.slice(0, index + before.length).split('\n');
  return `${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

/** Planned and committed as a person does it: every question is answered, every place that is asked for is read. */
export async function rename(repo: SemanticRepo, at: string, to: string, flags: readonly string[] = []): Promise<void> {
  const planned = await repo.run('rename', locate(repo.root, at), to, '--json', ...flags);
  const { outcome } = JSON.parse(planned.stdout);
  const plan = outcome.plan;
  if (plan === undefined || plan === null) throw new Error(`${at}: ${planned.stdout}${planned.stderr}`);
  const groups: readonly { id: string; item?: string }[] = plan.groups;
  const sets: readonly { members: readonly { id: string; means: string }[] }[] = outcome.candidate_sets ?? [];
  const selected = [
    ...groups.filter(({ item }) => item === undefined).map(({ id }) => id),
    ...sets.map(({ members }) => members.find(({ means }) => !/^stop/.test(means))?.id ?? ''),
  ];
  const template = JSON.parse((await repo.run('plan', 'show', plan.id, '--proof-template')).stdout) as Proof;
  const lineOf = (file: string, line: number) =>
    readFileSync(join(repo.root, file), 'utf8').split('\n')[line - 1] ?? '';
  const proof: Proof = {
    identity: plan.symbol.key,
    lines: template.lines.map(({ file, line }) => ({ file, line, text: lineOf(file, line) })),
    anchors: template.anchors.map(({ file, line, col }) => {
      const text = lineOf(file, line);
      const token = /^[\w$#]+/.exec(text.slice(col - 1))?.[0] ?? '';
      const end = col - 1 + token.length;
      const before = text.slice(Math.max(0, col - 17), col - 1);
      return { file, line, col, before, text: token, after: text.slice(end, end + 16) };
    }),
  };
  writeFileSync(join(repo.base, 'proof.json'), JSON.stringify(proof));
  const committed = await repo.run(
    ...['plan', 'commit', plan.id, '--hash', plan.hash, '--select', selected.join(',')],
    ...['--proof', join(repo.base, 'proof.json')],
  );
  if (committed.code !== 0) throw new Error(`${at}: ${committed.stdout}${committed.stderr}`);
}

/** A strict project over `src`. */
export function configOf(more: object = {}): string {
  return JSON.stringify({
    compilerOptions: {
      target: 'esnext',
      lib: ['esnext'],
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      types: [],
    },
    include: ['src'],
    ...more,
  });
}
