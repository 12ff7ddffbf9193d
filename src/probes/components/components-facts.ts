/** What the tree consists of and is written in, as facts; and the spine that facts of other probes hang on. */

import type { Slice } from '../../gather/contract.ts';
import { type Component, factsOf, known, listed, type Statement } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { findLanguage } from '../../languages/languages.ts';
import { type ComponentRow, componentsSection } from './components-section.ts';

export function spineOf(slice: Slice): readonly Component[] {
  const { components } = slice['components'] as z.output<typeof componentsSection>;
  return components.map(({ dir, name, kind, language, manifests }) => ({ dir, name, kind, language, manifests }));
}

/** As people write it. */
function titleOf(language: string): string {
  return findLanguage(language)?.title ?? language;
}

function perComponent(
  rows: readonly ComponentRow[],
  say: (row: ComponentRow) => Statement | undefined,
): readonly Statement[] {
  return rows.flatMap((row) => say(row) ?? []);
}

const byCount = { because: 'counted', how: 'files and bytes; tests, generated and vendored files aside' } as const;

export const componentFacts = factsOf('components', componentsSection, [
  {
    id: 'components',
    says: 'The parts that the tree consists of: `kind directory`.',
    of: 'the repository',
    value: z.array(z.string()),
    from: 'manifests, workspaces, names of directories',
    state: ({ components }) => {
      const evidence = components.flatMap(({ manifests: [path] }) =>
        path === undefined ? [] : [{ path, shows: null }],
      );
      const rows = components.filter(({ manifests }) => manifests.length > 0).map(({ kind, dir }) => `${kind} ${dir}`);
      return [listed('.', rows, { because: 'follows', how: 'manifests and names of directories', evidence })];
    },
  },
  {
    id: 'language.primary',
    says: 'The language that most of the code is written in.',
    of: 'the repository, or a component',
    value: z.string(),
    from: 'names and sizes of files',
    state: ({ components }) =>
      perComponent(components, ({ dir, languages: [first] }) =>
        first === undefined
          ? undefined
          : known(dir, titleOf(first.language), { ...byCount, evidence: [{ path: first.sample, shows: null }] }),
      ),
  },
  {
    id: 'language.secondary',
    says: 'The other languages of the code, the most used first.',
    of: 'the repository, or a component',
    value: z.array(z.string()),
    from: 'names and sizes of files',
    state: ({ components }) =>
      perComponent(components, ({ dir, languages: [, ...others] }) =>
        listed(
          dir,
          others.map(({ language }) => titleOf(language)),
          { ...byCount, evidence: others.slice(0, 5).map(({ sample: path }) => ({ path, shows: null })) },
        ),
      ),
  },
  {
    id: 'monorepo.packages',
    says: 'The packages of the workspace, by directory; 1 where the repository is a single package.',
    of: 'the repository; `members` without the root; `published` those that are published',
    value: z.union([z.number(), z.array(z.string())]),
    from: 'workspaces',
    state: ({ components, workspace }) => {
      if (workspace !== null) {
        const evidence = [{ path: workspace.declared_in, shows: null }];
        const about = { because: 'declared', how: `members of the ${workspace.tool} workspace`, evidence } as const;
        return [known('.', workspace.members, about), known('members', workspace.members, about)];
      }
      const path = components.find(({ dir }) => dir === '.')?.manifests[0];
      if (path === undefined) return [];
      return [known('.', 1, { because: 'looked', how: 'no workspace is declared', evidence: [{ path, shows: null }] })];
    },
  },
]);
