/** What the tree consists of and is written in, as facts; and the spine that facts of other probes hang on. */

import type { Slice } from '../../gather/contract.ts';
import { type Component, factsOf, isProduct, known, listed, type Statement, unknown } from '../../gather/facts/fact.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { findLanguage } from '../../languages/languages.ts';
import { type ComponentRow, componentsSection } from './components-section.ts';

export function spineOf(slice: Slice): readonly Component[] {
  const { components } = slice['components'] as z.output<typeof componentsSection>;
  return components.map(({ dir, name, kind, language, manifests }) => ({ dir, name, kind, language, manifests }));
}

/** As people write it. */
function titleOf(language: string): string {
  return (
    findLanguage(language)?.title ?? titles.get(language) ?? language.replace(/^./, (first) => first.toUpperCase())
  );
}

/** Of languages that are not parsed, where it is not the name with a capital. */
const titles: ReadonlyMap<string, string> = new Map([
  ['fsharp', 'F#'],
  ['objc', 'Objective-C'],
  ['ocaml', 'OCaml'],
  ['powershell', 'PowerShell'],
  ['graphql', 'GraphQL'],
  ['proto', 'Protocol Buffers'],
  ['make', 'Makefile'],
]);

function perComponent(
  rows: readonly ComponentRow[],
  say: (row: ComponentRow) => Statement | undefined,
): readonly Statement[] {
  return rows.flatMap((row) => say(row) ?? []);
}

const byCount = {
  because: 'counted',
  how: 'bytes of code; tests, vendored files and what is named like generated code aside',
} as const;
/** Of what is beside the product: tests count in a directory of tests. */
const byCountAside = { because: 'counted', how: 'bytes of code; what is named like generated code aside' } as const;

function aboutCount({ kind }: Pick<ComponentRow, 'kind'>) {
  return isProduct({ kind }) ? byCount : byCountAside;
}

/** Where most files and most bytes are of different languages, either could be meant. */
function aboutFirst({ languages, ...row }: ComponentRow) {
  const [first, second] = languages;
  const isClose = first !== undefined && second !== undefined && second.bytes > 0.8 * first.bytes;
  const isFewer = first !== undefined && second !== undefined && second.files > 3 * first.files;
  return (isClose && second.files > first.files) || (isFewer && second.bytes > 0.4 * first.bytes)
    ? ({ because: 'resembles', how: `most bytes of code; ${titleOf(second.language)} has more files` } as const)
    : aboutCount(row);
}

export const componentFacts = factsOf('components', componentsSection, [
  {
    id: 'components',
    says: 'The parts with a manifest that the tree consists of, and the root: `kind directory`.',
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
      perComponent(components, (row) => {
        const { dir, languages } = row;
        const [first] = languages;
        const evidence = first === undefined ? [] : [{ path: first.sample, shows: null }];
        return first && known(dir, titleOf(first.language), { ...aboutFirst(row), evidence });
      }),
  },
  {
    id: 'language.secondary',
    says: 'The other languages of the code, the most used first.',
    of: 'the repository, or a component',
    value: z.array(z.string()),
    from: 'names and sizes of files',
    state: ({ components }) =>
      perComponent(
        components,
        ({ dir, kind, languages: [first, ...others] }) =>
          first &&
          listed(
            dir,
            others.map(({ language }) => titleOf(language)),
            {
              ...aboutCount({ kind }),
              evidence: others.slice(0, 5).map(({ sample: path }) => ({ path, shows: null })),
            },
          ),
      ),
  },
  {
    id: 'monorepo.packages',
    says: 'The packages of the workspace, by directory; 1 where the repository is a single package.',
    of: 'the repository, or the directory of another workspace; `members` without the root; `published` those that are published',
    value: z.union([z.number(), z.array(z.string())]),
    from: 'workspaces',
    state: ({ components, workspaces }) => {
      const ofRoot = workspaces.filter(({ declared_in: path }) => !path.includes('/'));
      const others = Map.groupBy(
        workspaces.filter((one) => !ofRoot.includes(one)),
        ({ declared_in: path }) => path.slice(0, path.lastIndexOf('/')),
      );
      return [
        ...(ofRoot.length > 0 ? membersOf(ofRoot, components) : withoutWorkspace(components)),
        ...[...others].flatMap(([dir, own]) => membersIn(dir, own)),
      ];
    },
  },
]);

/** A workspace below the root: examples, a front end. */
function membersIn(dir: string, workspaces: z.output<typeof componentsSection>['workspaces']): readonly Statement[] {
  if (!workspaces.every(({ complete }) => complete)) return [];
  const members = [...new Set(workspaces.flatMap((one) => one.members))].sort(compareCodeUnits);
  const evidence = workspaces.map(({ declared_in: path, shows }) => ({ path, shows }));
  return [
    known(dir, members, { because: 'declared', how: 'members of the workspace that is declared there', evidence }),
  ];
}

function membersOf(
  workspaces: z.output<typeof componentsSection>['workspaces'],
  components: readonly ComponentRow[],
): readonly Statement[] {
  const members = [...new Set(workspaces.flatMap((one) => one.members))].sort(compareCodeUnits);
  const evidence = workspaces.map(({ declared_in: path, shows }) => ({ path, shows }));
  const tools = [...new Set(workspaces.map(({ tool }) => tool))].join(', ');
  const isWhole = workspaces.every(({ complete }) => complete);
  if (!isWhole && members.length === 0) return [unknown('.', { because: 'incomplete', how: 'members are computed' })];
  // A solution names projects, tests among them: which of them people call packages is their choice.
  const isPlain = workspaces.every(({ tool }) => tool !== 'dotnet');
  const because = !isWhole ? 'incomplete' : isPlain ? 'declared' : 'follows';
  const about = { because, how: `members of the workspace (${tools})`, evidence } as const;
  const rows = members.map((dir) => components.find((one) => one.dir === dir));
  const open = rows.filter((row) => row?.published && isProduct(row)).flatMap((row) => row ?? []);
  // A member among fixtures is no part of the product, and its package is not published.
  const isSaid =
    isWhole &&
    rows.every((row, at) =>
      row === undefined ? isForeignManifest(`${members[at]}/`) : row.published !== null || !isProduct(row),
    );
  return [
    known('.', members, about),
    known('members', members, about),
    ...(isSaid
      ? [
          listed(
            'published',
            open.map(({ dir }) => dir),
            {
              because: 'follows',
              how: 'members of the product that their manifests let be published',
              evidence: open.flatMap(({ manifests: [path] }) =>
                path === undefined ? [] : [{ path, shows: ['"name"', 'name =', 'ublish'] }],
              ),
            },
          ),
        ]
      : []),
  ];
}

function withoutWorkspace(components: readonly ComponentRow[]): readonly Statement[] {
  const path = components.find(({ dir }) => dir === '.')?.manifests[0];
  const parts = components.filter((row) => row.dir !== '.' && row.manifests.length > 0 && isProduct(row));
  if (path !== undefined) {
    const evidence = [{ path, shows: null }];
    return parts.length === 0
      ? [known('.', 1, { because: 'looked', how: 'no workspace is declared', evidence })]
      : [
          known('.', 1, {
            because: 'resembles',
            how: 'no workspace is declared; parts have manifests of their own',
            evidence,
          }),
        ];
  }
  if (parts.length === 0) return [];
  const evidence = parts.flatMap(({ manifests: [one] }) => (one === undefined ? [] : [{ path: one, shows: null }]));
  const how = 'no workspace is declared; these directories have a manifest';
  return [
    known(
      '.',
      parts.map(({ dir }) => dir),
      { because: 'resembles', how, evidence },
    ),
  ];
}
