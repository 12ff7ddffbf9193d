/**
 * Which Python a project is meant for, and where its libraries lie, found by looking: no interpreter is started. In order: a virtual
 * environment beside the project, the one that is active, the `python3` of PATH.
 */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { findDefaultPyenv } from './find-pyenv.ts';
import { findOnPath, type Machine } from './machine.ts';

const environmentNames = ['.venv', 'venv', 'env'];

export function findPython(machine: Machine, directories: readonly string[]): Record<string, string> {
  const beside = directories.flatMap((directory) => environmentNames.map((name) => join(directory, name)));
  const active = [machine.environment['VIRTUAL_ENV'], machine.environment['CONDA_PREFIX']];
  const prefixes = [...beside.filter(isVirtual), ...active, findOfPath(machine)].filter((path) => path !== undefined);
  for (const prefix of prefixes) {
    const version = findVersion(prefix);
    if (version === undefined) continue;
    const found = [join(prefix, `lib/python${version}/site-packages`), join(prefix, 'lib/python3/dist-packages')];
    return {
      PYTHON_PREFIX: prefix,
      PYTHON_VERSION: version,
      PYTHON_SITE_PACKAGES: found.filter((path) => existsSync(path)).join(':'),
    };
  }
  return {};
}

function isVirtual(prefix: string): boolean {
  return existsSync(join(prefix, 'pyvenv.cfg'));
}

function findOfPath(machine: Machine): string | undefined {
  const found = findOnPath('python3', machine) ?? findOnPath('python', machine);
  if (found === undefined) return undefined;
  const real = basename(dirname(found)) === 'shims' ? findDefaultPyenv(found) : realpathSync(found);
  return real === undefined ? undefined : dirname(dirname(real));
}

/** `3.11`: what its `pyvenv.cfg` says, else the name of its library directory. */
function findVersion(prefix: string): string | undefined {
  try {
    const said = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(readFileSync(join(prefix, 'pyvenv.cfg'), 'utf8'))?.[1];
    if (said !== undefined) return said;
  } catch {
    // Not a virtual environment.
  }
  try {
    const named = readdirSync(join(prefix, 'lib')).flatMap((name) => /^python(3\.\d+)$/.exec(name)?.[1] ?? []);
    // Several versions share /usr: the interpreter's own name says which is meant.
    const linked = /^python(3\.\d+)$/.exec(basename(realpathSync(join(prefix, 'bin/python3'))))?.[1];
    return linked ?? named.sort(compareCodeUnits).at(-1);
  } catch {
    return undefined;
  }
}
