/**
 * What a person adds: an address, a clone of this machine, a directory of clones, or a file that lists them. From words to addresses that the one
 * git door admits; what cannot be one is told with its reason, and nothing of it is added.
 */

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareCodeUnits } from '../kernel/base/json.ts';
import { admitRemote, type Remote } from '../kernel/exec/remote-git.ts';

/** A repository under the name that answers tell: `host/path`, or the path of a local one. */
export type Source = { readonly name: string; readonly url: string; readonly host: string };

export type ReadSources = {
  readonly sources: readonly Source[];
  readonly refused: readonly { readonly given: string; readonly why: string }[];
};

const listBytes = 32 * 1024 * 1024;

export function readSources(given: readonly string[], cwd: string): ReadSources {
  const found: { sources: Source[]; refused: { given: string; why: string }[] } = { sources: [], refused: [] };
  for (const one of given) readOne(one, cwd, found, true);
  const distinct = new Map(found.sources.map((source) => [source.url, source]));
  return { sources: [...distinct.values()], refused: found.refused };
}

function readOne(
  given: string,
  cwd: string,
  found: { readonly sources: Source[]; readonly refused: { given: string; why: string }[] },
  listsToo: boolean,
): void {
  const path = resolve(cwd, given);
  const stats = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    if (isRepository(path)) {
      take(given, realpathSync(path), found);
      return;
    }
    const inside = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isRepository(join(path, entry.name)))
      .map(({ name }) => name)
      .sort(compareCodeUnits);
    if (inside.length === 0) found.refused.push({ given, why: 'is no clone, and no directory of clones' });
    for (const name of inside) take(join(given, name), join(realpathSync(path), name), found);
    return;
  }
  if (stats?.isFile() === true && listsToo) {
    if (stats.size > listBytes) {
      found.refused.push({ given, why: 'is too large for a list of repositories' });
      return;
    }
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim());
    for (const line of lines)
      if (line !== '' && !line.startsWith('#')) readOne(line, resolve(path, '..'), found, false);
    return;
  }
  if (stats === undefined && !/[:@]/.test(given)) {
    found.refused.push({ given, why: 'is no directory here, no file, and no address' });
    return;
  }
  take(given, given, found);
}

function take(given: string, address: string, found: Parameters<typeof readOne>[2]): void {
  const remote = admitRemote(address);
  if ('refused' in remote) found.refused.push({ given, why: remote.refused });
  else found.sources.push(sourceOf(remote));
}

function sourceOf(remote: Remote): Source {
  const name = remote.scheme === 'file' ? `/${remote.path}` : `${remote.host}/${remote.path.replace(/\.git$/, '')}`;
  return { name, url: remote.url, host: remote.host };
}

/** With a work tree, or bare. */
function isRepository(path: string): boolean {
  return existsSync(join(path, '.git')) || ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}
