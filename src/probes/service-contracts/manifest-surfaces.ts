/** What manifests offer to others: modules (`exports`), commands (`bin`, `scripts`). */

import type { ProbeRepo } from '../../gather/contract.ts';
import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { member, objectAt, objectsAt, textAt } from '../../kernel/base/json-access.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { type ManifestContext, readManifest } from '../shared/probe-reading.ts';
import { goMains, surfaceGlobs } from './service-contracts-section.ts';

type Entry = { readonly name: string; readonly target: string | null };
type Surface = {
  readonly file: string;
  readonly key: 'exports' | 'bin' | 'scripts';
  readonly entries: readonly Entry[];
};

/** A manifest that cannot be read is told by the probe that reads them for their own sake. */
export async function readSurfaces(repo: ProbeRepo, ctx: ManifestContext): Promise<readonly Surface[]> {
  const found: Surface[] = [];
  for (const file of repo.inputs.list(surfaceGlobs)) {
    if (isForeignManifest(file)) continue;
    const manifest = await readManifest(repo, ctx, file);
    if (manifest.kind !== 'read') continue;
    const has = (path: string) => repo.inputs.has(path);
    const list = (globs: readonly string[]) => repo.inputs.list(globs);
    for (const [key, entries] of surfacesOf(file, manifest.value, has, list))
      if (entries.length > 0) found.push({ file, key, entries: entries.map(short) });
  }
  for (const file of repo.inputs.list(goMains)) {
    const name = file.split('/').at(-2) ?? '';
    if (isForeignManifest(file) || /(?:^|\/)internal\//.test(file)) continue;
    const head = await repo.inputs.readHead(file, 16_384);
    if (head.kind !== 'read' || !/^package main\b/m.test(decodeLenient(head.bytes))) continue;
    found.push({ file, key: 'bin', entries: [short({ name, target: null })] });
  }
  return found;
}

const short = ({ name, target }: Entry): Entry => ({
  name: shortLine(name, 200),
  target: target === null ? null : shortLine(target, 200),
});

function surfacesOf(
  file: string,
  manifest: JsonObject,
  has: (path: string) => boolean,
  list: (globs: readonly string[]) => readonly string[],
): readonly (readonly [Surface['key'], readonly Entry[]])[] {
  if (file.endsWith('package.json')) {
    return [
      ['exports', exportsOf(manifest)],
      ['bin', binsOf(manifest)],
    ];
  }
  if (file.endsWith('Cargo.toml')) return [['bin', crateBins(file, manifest, has, list)]];
  const scripts = { ...objectAt(manifest, 'tool', 'poetry', 'scripts'), ...objectAt(manifest, 'project', 'scripts') };
  return [['scripts', textEntries(scripts)]];
}

/** Conditions at the top mean the package itself. */
function exportsOf(manifest: JsonObject): readonly Entry[] {
  const exports = member(manifest, 'exports');
  if (typeof exports === 'string') return [{ name: '.', target: exports }];
  if (!isJsonObject(exports)) return [];
  const names = Object.keys(exports);
  if (!names.some((name) => name.startsWith('.'))) return names.length === 0 ? [] : [{ name: '.', target: null }];
  return names.map((name) => ({ name, target: textAt(exports, name) }));
}

function binsOf(manifest: JsonObject): readonly Entry[] {
  const bin = member(manifest, 'bin');
  if (isJsonObject(bin)) return textEntries(bin);
  const name = textAt(manifest, 'name')?.replace(/^@[^/]*\//, '');
  return typeof bin === 'string' && name !== undefined ? [{ name, target: bin }] : [];
}

const textEntries = (from: JsonObject): readonly Entry[] =>
  Object.entries(from).map(([name, target]) => ({ name, target: typeof target === 'string' ? target : null }));

/** As cargo finds them: those that are named, and by their place those that are not. */
function crateBins(
  file: string,
  manifest: JsonObject,
  has: (path: string) => boolean,
  list: (globs: readonly string[]) => readonly string[],
): readonly Entry[] {
  const name = textAt(manifest, 'package', 'name');
  if (name === null) return [];
  const directory = file.slice(0, file.length - 'Cargo.toml'.length);
  const bins = new Map(objectsAt(manifest, 'bin').map((one) => [textAt(one, 'name') ?? name, textAt(one, 'path')]));
  if (member(manifest, 'package', 'autobins') !== false) {
    const taken = new Set(bins.values());
    if (has(`${directory}src/main.rs`) && !taken.has('src/main.rs') && !bins.has(name)) bins.set(name, 'src/main.rs');
    for (const path of list([`${directory}src/bin/*.rs`, `${directory}src/bin/*/main.rs`])) {
      const own = path.slice(directory.length);
      const bin = own.slice('src/bin/'.length).replace(/(?:\/main)?\.rs$/, '');
      if (!taken.has(own) && !bins.has(bin)) bins.set(bin, own);
    }
  }
  return [...bins].map(([bin, target]) => ({ name: bin, target }));
}
