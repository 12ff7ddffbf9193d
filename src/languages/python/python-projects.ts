/**
 * Python: one context per project, and one for what lies in none (code-plane.md §5). A project is a directory with a `pyproject.toml`,
 * `setup.cfg` or `setup.py`; every `.py` and `.pyi` file belongs to the nearest one above it.
 *
 * `config`: `name` of the distribution where it has one, `extraPaths`: directories in which absolute imports begin, in order.
 */

import { textAt } from '../../kernel/base/json-access.ts';
import { linesOf, parseText } from '../../kernel/formats/parse-outcome.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import type { ContextSpec } from '../projects/context-spec.ts';
import {
  type DiscoveryWorld,
  filesIn,
  groupByNearest,
  hashFiles,
  nameOf,
  nearestFiles,
} from '../projects/project-files.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { below, directoryOf } from '../resolving/root-paths.ts';
import { readPythonProject } from './python-places.ts';

const projectFiles = ['pyproject.toml', 'setup.cfg', 'setup.py'];
const lockfiles = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'Pipfile'];

export default function discoverPython({ resolve, languageOf }: DiscoveryWorld): readonly ContextSpec[] {
  const sources = resolve.allFiles().filter((path) => /\.pyi?$/.test(path) && languageOf(path) === 'python');
  if (sources.length === 0) return [];
  const projects = projectFiles.flatMap((name) => resolve.configFilesNamed(name).map(directoryOf));
  const groups = groupByNearest(sources, new Set(['', ...projects]));
  return [...groups].map(([directory, members]) => describeProject(resolve, directory ?? '', members));
}

function describeProject(world: ResolveWorld, directory: string, members: readonly string[]): ContextSpec {
  const manifests = filesIn(world, directory, projectFiles);
  const name = findName(world, directory);
  const extraPaths = readPythonProject(world, directory).roots.filter((path) => world.hasDirectory(path));
  return {
    key: `python:${nameOf(directory)}`,
    family: 'python',
    root: directory,
    configPath: manifests[0] ?? null,
    indexer: 'scip-python',
    members,
    config: { ...(name === null ? {} : { name }), extraPaths },
    configInputs: {
      manifests: hashFiles(world, manifests),
      lockfiles: hashFiles(world, nearestFiles(world, directory, lockfiles)),
      // The indexer is built on pyright and obeys the nearest of these.
      pyright: hashFiles(world, nearestFiles(world, directory, ['pyrightconfig.json'])),
      extraPaths,
    },
    problem: null,
    enabled: true,
  };
}

function findName(world: ResolveWorld, directory: string): string | null {
  const toml = readConfigWith(world, below(directory, 'pyproject.toml'), parseToml) ?? {};
  const name = textAt(toml, 'project', 'name') ?? textAt(toml, 'tool', 'poetry', 'name');
  return name || findMetadataName(readConfigWith(world, below(directory, 'setup.cfg'), parseText) ?? '');
}

/** `name = x` in the `[metadata]` section; a reference (`attr: …`, `file: …`) is no name. */
function findMetadataName(text: string): string | null {
  let isMetadata = false;
  for (const [line] of linesOf(text)) {
    if (line.startsWith('[')) isMetadata = line.startsWith('[metadata]');
    const at = line.indexOf('=');
    if (!isMetadata || at === -1 || line.slice(0, at).trim() !== 'name') continue;
    const value = line.slice(at + 1).trim();
    return value === '' || /^(?:attr|file):/.test(value) ? null : value;
  }
  return null;
}
