/**
 * Who installs what a manifest declares, in every ecosystem. A field or a lock that only one manager writes says it; then a table of the
 * manifest that only one reads; then what CI runs; and last the manager that comes with the toolchain.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import type { PackageManagerDecision } from '../shared/node-packages.ts';
import { type ManagerRow, type ManifestRow, manifestRow } from './node-manifest-section.ts';
import { directoryOf, type OtherManifest } from './other-manifests.ts';

export const hintGlobs: readonly string[] = ['.github/workflows/*.{yml,yaml}', '.gitlab-ci.yml', '.npmrc'];

/** Managers that commands of CI name, each with the place; and whether npm is told to write no lock. */
export type InstallHints = {
  readonly node: readonly Hint[];
  readonly python: readonly Hint[];
  readonly npmWithoutLock: boolean;
};
type Hint = { readonly name: string; readonly path: string; readonly shows: string };

const installs = {
  // What is installed for the whole machine is no dependency of the repository.
  node: /\b(npm (?:ci|install|i)|pnpm (?:install|i)|yarn (?:install|--\S+)|bun (?:install|i))\b(?![^\n;&|]*\s(?:-g|--global)\b)[ \w.-]{0,40}/g,
  python:
    /\b(uv (?:sync|run|pip)|poetry (?:install|run)|pdm (?:install|sync|run)|pipenv (?:install|sync|run)|hatch (?:run|test|env))\b[ \w.-]{0,40}/g,
} as const;

export async function readInstallHints(repo: ProbeRepo): Promise<InstallHints> {
  const hints: Record<keyof typeof installs, Hint[]> = { node: [], python: [] };
  let npmWithoutLock = false;
  for (const path of repo.inputs.list(hintGlobs)) {
    const outcome = await repo.inputs.read(path, limits.textBytes);
    if (outcome.kind !== 'read') continue;
    // What a comment tells of is not run.
    const text = decodeLenient(outcome.bytes).replace(/^[ \t]*#.*$/gm, '');
    if (path === '.npmrc') {
      npmWithoutLock = /^\s*package-lock\s*=\s*false\b/m.test(text);
      continue;
    }
    for (const ecosystem of ['node', 'python'] as const) {
      for (const [line, call = ''] of text.matchAll(installs[ecosystem])) {
        const [name = ''] = call.split(' ');
        if (!hints[ecosystem].some((hint) => hint.name === name))
          hints[ecosystem].push({ name, path, shows: line.trim() });
      }
    }
  }
  return { ...hints, npmWithoutLock };
}

export function nodeManagerOf(
  path: string,
  manifest: JsonObject,
  world:
    | { readonly root: string; readonly manager: PackageManagerDecision; readonly lockPath: string | null }
    | undefined,
  hints: InstallHints,
): ManagerRow {
  const { manager = null, version = null } = world?.manager ?? {};
  if (world !== undefined && manager !== null) {
    const field = world.root === '.' ? 'package.json' : `${world.root}/package.json`;
    const evidence = [
      ...(version === null && world.lockPath !== null ? [] : [{ path: field, shows: 'packageManager' }]),
      ...(world.lockPath === null ? [] : [{ path: world.lockPath, shows: null }]),
    ];
    return { name: manager.replace(/-(?:classic|berry)$/, ''), version, because: 'declared', evidence };
  }
  if (path === 'package.json' && hints.npmWithoutLock)
    return row('npm', 'follows', { path: '.npmrc', shows: 'package-lock' });
  const scripts = JSON.stringify(manifest['scripts'] ?? {});
  const inScripts = ['pnpm', 'yarn', 'bun'].filter((name) => managing(name).test(scripts));
  const [inScript] = inScripts;
  if (inScripts.length === 1 && inScript !== undefined)
    return row(inScript, 'follows', { path, shows: `${inScript} ` });
  const [hint, ...more] = hints.node;
  if (hint !== undefined && more.length === 0) return row(hint.name, 'follows', hint);
  // Node comes with npm; where CI runs several, which of them is the repository's own is not known.
  return row('npm', more.length > 0 || inScripts.length > 1 ? 'resembles' : 'convention', { path, shows: null });
}

/** `bun index.ts` runs a file, as any runtime does. */
const managing = (name: string) => new RegExp(`\\b${name} (?:run |-)?[a-z][\\w:-]*(?![\\w./-]*\\.[cm]?[jt]sx?)`);

export function otherRow(one: OtherManifest, all: readonly OtherManifest[], hints: InstallHints): ManifestRow {
  const { ecosystem, path, facts, lock, lockPath, sharedEngine } = one;
  const plain = manifestRow(ecosystem, path, facts, { lock, lockPath });
  return {
    ...plain,
    declared_engines: sharedEngine
      ? sharedEngine.engines.map((engine) => ({ ...engine, from: sharedEngine.from }))
      : plain.declared_engines,
    manager: otherManagerOf(one, all, hints),
  };
}

/** Where an ecosystem has one manager, the manifest itself names it. */
const onlyManager: Readonly<Record<string, string>> = {
  go_mod: 'go modules',
  cargo_toml: 'cargo',
  pom_xml: 'maven',
  gradle: 'gradle',
  csproj: 'nuget',
  gemfile: 'bundler',
  composer_json: 'composer',
};

function otherManagerOf(one: OtherManifest, all: readonly OtherManifest[], hints: InstallHints): ManagerRow | null {
  const { path, family, facts } = one;
  const only = onlyManager[family];
  if (only !== undefined) return row(only, 'declared', { path, shows: null });
  if (facts.isCompiled === true) return null;
  if (one.lockManager !== null && one.lockPath !== null) {
    const run = hints.python.find(({ name }) => name === one.lockManager);
    if (one.hasRivalLock)
      return row(
        one.lockManager,
        run === undefined ? 'resembles' : 'follows',
        run ?? { path: one.lockPath, shows: null },
      );
    return row(one.lockManager, 'declared', { path: one.lockPath, shows: null });
  }
  if (facts.manager !== undefined) return row(facts.manager.name, 'follows', { path, shows: facts.manager.shows });
  const [hint, ...more] = hints.python;
  if (hint !== undefined && more.length === 0 && directoryOf(path) === '.') return row(hint.name, 'follows', hint);
  const isCompiled = all.some(
    (other) => other.facts.isCompiled === true && directoryOf(other.path) === directoryOf(path),
  );
  if (family === 'requirements' && !isCompiled && hint === undefined)
    return row('pip', 'convention', { path, shows: null });
  // Without a lock, any installer of Python will do.
  const saysNothing = facts.isComplete === false && facts.engines.length === 0 && facts.name === null;
  return saysNothing && family !== 'setup_py' ? null : row('pip', 'resembles', { path, shows: null });
}

function row(
  name: string,
  because: ManagerRow['because'],
  { path, shows }: ManagerRow['evidence'][number],
): ManagerRow {
  return { name, version: null, because, evidence: [{ path, shows }] };
}
