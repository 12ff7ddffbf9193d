/** Everything that is kept of a file, as lines that two readings of it can be compared by. */

import { describeInterface } from '../../src/index/text/interface-hash.ts';
import type { SourceTree } from '../../src/languages/facts.ts';
import { analyseScopes, extractFacts } from '../../src/languages/readers.ts';
import { listTokens } from '../../src/languages/tokens.ts';

export type ToldSource = {
  readonly hasErrors: boolean;
  readonly told: Readonly<Record<string, readonly string[]>>;
};

export function tellSource(source: SourceTree, language: string): ToldSource {
  const facts = extractFacts(source, language);
  const scopes = analyseScopes(source, language);
  const lines = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each));
  const described = describeInterface(facts);
  return {
    hasErrors: source.hasErrors,
    told: {
      symbols: facts.symbols.map(({ name, kind, parent, exported, nameStart, nameEnd, start, end }) =>
        [name, kind, parent, exported, nameStart, nameEnd, start, end].join(' '),
      ),
      imports: lines(facts.imports),
      exports: lines(facts.exports),
      sites: lines(facts.dynamicSites),
      interface: [JSON.stringify([described?.core, described?.closed])],
      provides: facts.provides,
      scopes: lines(scopes.scopes),
      bindings: lines(scopes.bindings),
      labels: lines(scopes.labels),
      unbound: lines(scopes.unbound),
      flags: [JSON.stringify([scopes.dynamic, scopes.isModule])],
      tokens: listTokens(source, language).map((token) => JSON.stringify(token)),
    },
  };
}
