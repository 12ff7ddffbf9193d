/**
 * `codegenie diff`: which facts differ between two published contexts. They are read as data, wherever they come from; whether one was
 * gathered here is not asked (`codegenie audit verify` asks that of the context of a tree).
 */

import { defineCommand, printJson } from '../command.ts';

const formats = ['text', 'markdown'];
const named = 'a published context: a tree, its context directory, or a repo-context.yaml';

export default defineCommand({
  name: 'diff',
  says: 'Facts that differ between two contexts: changed, new, gone, and those that one of the two could not see',
  args: [
    { name: '<before>', says: named },
    { name: '<after>', says: named },
  ],
  flags: [
    {
      flags: '--format <form>',
      says: 'text, or markdown for a comment on a change (text)',
      kind: 'text',
      words: formats,
    },
  ],
  async run(invocation) {
    const { args, flags, globals, terminal } = invocation;
    const { endWith } = await import('../ask.ts');
    const format = flags['format'] === 'markdown' ? 'markdown' : 'text';
    const { compareFacts, renderComparison } = await import('../../gather/facts/compare-facts.ts');
    const before = await readFactsOf(terminal.cwd, args[0] ?? '');
    const after = await readFactsOf(terminal.cwd, args[1] ?? '');
    if (typeof before === 'string') return endWith(invocation, 'usage', before);
    if (typeof after === 'string') return endWith(invocation, 'usage', after);
    const comparison = compareFacts(before.facts, after.facts);
    if (globals.json) printJson(terminal, { outcome: 'ok', before: before.about, after: after.about, ...comparison });
    else terminal.stdout.write(`${renderComparison(comparison, format)}\n`);
    return 'ok';
  },
});

type Read = {
  readonly facts: readonly import('../../gather/facts/fact.ts').Fact[];
  readonly about: { readonly path: string; readonly git_commit: string | null; readonly gathered_at: string | null };
};

/** Or the sentence that says why it is none. */
async function readFactsOf(cwd: string, given: string): Promise<Read | string> {
  const { basename, dirname, join, resolve } = await import('node:path');
  const { createDirectoryGuard, readRegular } = await import('../../kernel/tree/safe-read.ts');
  const { limits } = await import('../../kernel/base/limits.ts');
  const { parseYamlObject } = await import('../../kernel/formats/yaml.ts');
  const { quotedPath } = await import('../../kernel/base/text.ts');
  const { readFacts } = await import('../../gather/facts/fact.ts');
  const { DATA_DIR } = await import('../../gather/data-dir.ts');
  const { textAt } = await import('../../gather/report/loose-json.ts');
  const at = resolve(cwd, given);
  const places = [
    [at, `${DATA_DIR}/context/repo-context.yaml`],
    [at, 'repo-context.yaml'],
    [dirname(at), basename(at)],
  ] as const;
  for (const [base, name] of places) {
    const read = readRegular(base, name, limits.toolOutputBytes, createDirectoryGuard(base));
    if (read.kind !== 'read') continue;
    const path = join(base, name);
    const parsed = parseYamlObject(read.bytes, { maxBytes: limits.toolOutputBytes, maxDepth: limits.parseDepth });
    if (!parsed.ok) return `${quotedPath(path)} is no context: ${parsed.failure.kind}`;
    if (!Array.isArray(parsed.value['facts'])) return `${quotedPath(path)} has no facts: a newer program gathers them`;
    const about = {
      path,
      git_commit: textAt(parsed.value, 'repo', 'git_commit'),
      gathered_at: textAt(parsed.value, 'gathered_at'),
    };
    return { facts: readFacts(parsed.value), about };
  }
  return `there is no context at ${quotedPath(given)}: name a tree that was gathered, or a repo-context.yaml`;
}
