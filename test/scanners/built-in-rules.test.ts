/**
 * Every built-in rule on a line that it is for and on one that only looks like it. Lines that a rule is for end with `hit:` and its
 * id; every other line is one that no rule may hit. semgrep is the real one; skipped by name without.
 */

import { afterEach, expect, test } from 'vitest';
import { astGrepRulesCatalog } from '../../src/probes/ast-grep/ast-grep-catalog.ts';
import { semgrepRulesCatalog } from '../../src/probes/semgrep/semgrep-catalog.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';
import { astGrepSamples, semgrepSamples } from './rule-samples.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

test.skipIf(!hasTool('semgrep'))('semgrep: the built-in rules hit what they are for and nothing else', async () => {
  await check('semgrep', 'semgrep_findings', semgrepSamples);
  expect(listExpected(semgrepSamples).map(({ rule_id }) => rule_id)).toEqual(
    expect.arrayContaining(semgrepRulesCatalog.rules.map((rule) => String(rule['id']))),
  );
});

test('ast-grep: the built-in rules hit what they are for and nothing else', async () => {
  await check('ast_grep', 'ast_grep_findings', astGrepSamples);
  expect(listExpected(astGrepSamples).map(({ rule_id }) => rule_id)).toEqual(
    expect.arrayContaining(astGrepRulesCatalog.rules.map(({ id }) => id)),
  );
});

type Hit = { readonly path: string; readonly line: number; readonly rule_id: string };

async function check(probe: string, section: string, samples: Readonly<Record<string, string>>): Promise<void> {
  repo = createFixtureRepo(samples);
  const { envelope } = await repo.publish({ only: [probe] });
  const { findings } = envelope[section] as { readonly findings: readonly Hit[] };
  const seen = findings.map(({ path, line, rule_id }) => ({ path, line, rule_id }));
  expect(seen).toEqual(listExpected(samples));
}

function listExpected(samples: Readonly<Record<string, string>>): Hit[] {
  return Object.keys(samples)
    .sort()
    .flatMap((path) =>
      (samples[path] ?? '').split('\n').flatMap((text, at) => {
        const [, next, rule] = /(next )?hit: ([a-z-]+)/.exec(text) ?? [];
        return rule === undefined ? [] : [{ path, line: at + (next === undefined ? 1 : 2), rule_id: rule }];
      }),
    );
}
