/**
 * Which Python a project is meant for, and where its libraries lie, found by looking: no interpreter is started. In order: a virtual
 * environment beside the project, the one that is active, the `python3` of PATH. Of an environment that lies in the repository nothing is
 * taken through a link: its libraries are shown to the indexer, and must not become a way to a directory that is not.
 */

import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { findDefaultPyenv } from './find-pyenv.ts';
import { findOnPath, type Machine } from './machine.ts';
import { isPlainDirectory, readBounded } from './read-bounded.ts';

const environmentNames = ['.venv', 'venv', 'env'];
const maxSettingsBytes = 65_536;

export function findPython(machine: Machine, directories: readonly string[]): Record<string, string> {
  const beside = directories.flatMap((directory) => environmentNames.map((name) => join(directory, name)));
  const active = [machine.environment['VIRTUAL_ENV'], machine.environment['CONDA_PREFIX']];
  const isVirtual = (prefix: string) => readSettings(prefix, machine) !== undefined;
  const prefixes = [...beside.filter(isVirtual), ...active, findOfPath(machine)].filter((path) => path !== undefined);
  for (const prefix of prefixes) {
    const version = findVersion(prefix, machine);
    if (version === undefined) continue;
    const found = [join(prefix, `lib/python${version}/site-packages`), join(prefix, 'lib/python3/dist-packages')];
    // A colon separates them: one in the name of a directory would make others of it.
    const isUsable = (path: string) => !path.includes(':') && isPlainDirectory(path, machine.repoRoot);
    return {
      PYTHON_PREFIX: prefix,
      PYTHON_VERSION: version,
      PYTHON_SITE_PACKAGES: found.filter(isUsable).join(':'),
    };
  }
  return {};
}

function readSettings(prefix: string, machine: Machine): string | undefined {
  return readBounded(join(prefix, 'pyvenv.cfg'), maxSettingsBytes, machine.repoRoot);
}

function findOfPath(machine: Machine): string | undefined {
  const found = findOnPath('python3', machine) ?? findOnPath('python', machine);
  if (found === undefined) return undefined;
  const real = basename(dirname(found)) === 'shims' ? findDefaultPyenv(found) : realpathSync(found);
  return real === undefined ? undefined : dirname(dirname(real));
}

/** `3.11`: what its `pyvenv.cfg` says, else the name of its library directory. */
function findVersion(prefix: string, machine: Machine): string | undefined {
  const said = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(readSettings(prefix, machine) ?? '')?.[1];
  if (said !== undefined) return said;
  const libraries = join(prefix, 'lib');
  if (!isPlainDirectory(libraries, machine.repoRoot)) return undefined;
  try {
    const named = readdirSync(libraries).flatMap((name) => /^python(3\.\d+)$/.exec(name)?.[1] ?? []);
    // Several versions share /usr: the interpreter's own name says which is meant.
    const linked = /^python(3\.\d+)$/.exec(basename(realpathSync(join(prefix, 'bin/python3'))))?.[1];
    return linked ?? named.sort(compareCodeUnits).at(-1);
  } catch {
    return undefined;
  }
}
