/** The golden sets of a suite of references: what TypeScript 5.9's language service finds at every name of every case. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Golden, type readSuite, treeOf } from '../../test/support/refs-suite.ts';
import { createOracle, type Oracle, type Place } from './oracle.ts';

export function askOracle(cases: ReturnType<typeof readSuite>): Golden {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-refs-suite-')));
  try {
    for (const [path, text] of Object.entries(treeOf(cases))) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const common = createOracle(root, 'tsconfig.json');
    return Object.fromEntries(
      cases.map(({ title, files }) => {
        const own = Object.keys(files).filter((path) => /tsconfig[^/]*\.json$/.test(path));
        return [title, groupsOf(own.length === 0 ? [common] : own.map((config) => createOracle(root, config)), files)];
      }),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The union of what the programs that have a file find there. */
function groupsOf(oracles: readonly Oracle[], files: Readonly<Record<string, string>>): Golden[string] {
  const found = new Map<string, { readonly refs: readonly string[]; readonly from: Set<string> }>();
  const show = ({ path, start }: Place) => {
    const before = (files[path] ?? '').slice(0, start);
    return `${path}:${before.split('\n').length}:${start - before.lastIndexOf('\n')}`;
  };
  for (const path of Object.keys(files)) {
    const starts = new Set(oracles.flatMap((oracle) => oracle.names(path).map(({ start }) => start)));
    for (const start of [...starts].sort((a, b) => a - b)) {
      const places = oracles
        .flatMap((oracle) => oracle.references({ path, start }))
        .filter(({ isDeclared }) => !isDeclared);
      const refs = [...new Set(places.map(show))].sort();
      // What is declared elsewhere means the same in other cases; and the service may find nothing at all.
      if (!refs.includes(show({ path, start })) || places.some((place) => !(place.path in files))) continue;
      const group = found.get(refs.join(' ')) ?? { refs, from: new Set() };
      group.from.add(show({ path, start }));
      found.set(refs.join(' '), group);
    }
  }
  return [...found.values()].map(({ refs, from }) =>
    from.size === refs.length && refs.every((place) => from.has(place)) ? { refs } : { from: [...from].sort(), refs },
  );
}
