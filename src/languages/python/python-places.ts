/**
 * Where absolute imports of Python may begin (code-plane.md §3.4): the source roots of the nearest project, those of the repository,
 * and those of other projects here whose name says that they hold the package. A function of configuration files and paths alone.
 */

import type { JsonObject } from '../../kernel/base/json.ts';
import { objectAt, objectsAt, textAt, textsAt } from '../../kernel/base/json-access.ts';
import { linesOf, parseText } from '../../kernel/formats/parse-outcome.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { readConfigWith } from '../resolving/config-files.ts';
import type { ResolveWorld } from '../resolving/resolution.ts';
import { ancestorsOf, below, directoryOf, joinInRoot } from '../resolving/root-paths.ts';

const mostPlaces = 8;

/** Paths without ending at which the module may lie (`src/acme/orders` for `acme.orders`), in order. */
export type PythonPlaces = (fromDirectory: string, segments: readonly string[]) => readonly string[];

type PythonProject = {
  readonly directory: string;
  /** As importable text: `acme_orders` for `acme-orders`. */
  readonly name: string | null;
  readonly roots: readonly string[];
  /** Packages that lie elsewhere than their name says (setuptools `package-dir`). */
  readonly packages: ReadonlyMap<string, string>;
};

export function readPythonPlaces(world: ResolveWorld): PythonPlaces {
  const projects = new Map<string, PythonProject>();
  for (const name of ['pyproject.toml', 'setup.cfg', 'setup.py']) {
    for (const path of world.configFilesNamed(name)) {
      const directory = directoryOf(path);
      if (!projects.has(directory)) projects.set(directory, readPythonProject(world, directory));
    }
  }
  const byPackage = indexByPackage(projects);
  return (fromDirectory, segments) => {
    const [top = '', ...rest] = segments;
    const places = new Set<string>();
    const add = (project: PythonProject) => {
      const elsewhere = project.packages.get(top);
      if (elsewhere !== undefined) places.add(below(elsewhere, rest.join('/')));
      for (const root of project.roots) places.add(below(root, segments.join('/')));
    };
    for (const directory of ancestorsOf(fromDirectory)) {
      const project = projects.get(directory);
      if (project !== undefined) add(project);
      else if (directory === '') add({ directory, name: null, roots: ['src', ''], packages: new Map() });
    }
    for (const project of byPackage.get(top) ?? []) add(project);
    return [...places].slice(0, mostPlaces);
  };
}

/** `acme-orders` may hold `acme_orders`, and `acme` as a namespace. */
function indexByPackage(projects: ReadonlyMap<string, PythonProject>): ReadonlyMap<string, readonly PythonProject[]> {
  const index = new Map<string, PythonProject[]>();
  for (const project of projects.values()) {
    const namespace = project.name?.split('_')[0];
    for (const name of new Set([project.name, namespace, ...project.packages.keys()])) {
      if (name === null || name === undefined || name === '') continue;
      const known = index.get(name);
      if (known === undefined) index.set(name, [project]);
      else if (known.length < mostPlaces) known.push(project);
    }
  }
  return index;
}

export function readPythonProject(world: ResolveWorld, directory: string): PythonProject {
  const toml = readConfigWith(world, below(directory, 'pyproject.toml'), parseToml) ?? {};
  const ini = readSetupCfg(world, below(directory, 'setup.cfg'));
  const name = textAt(toml, 'project', 'name') ?? textAt(toml, 'tool', 'poetry', 'name') ?? ini.name;
  const packages = new Map<string, string>();
  const roots: string[] = [];
  const addRoot = (relative: string) => {
    const root = joinInRoot(directory, relative);
    if (root !== null && !roots.includes(root) && roots.length < mostPlaces) roots.push(root);
  };
  for (const [key, place] of [
    ...Object.entries(objectAt(toml, 'tool', 'setuptools', 'package-dir')),
    ...ini.packageDirs,
  ]) {
    const elsewhere = typeof place === 'string' ? joinInRoot(directory, place) : null;
    if (key === '' && typeof place === 'string') addRoot(place);
    else if (elsewhere !== null) packages.set(key, elsewhere);
  }
  for (const root of [...configuredRoots(toml), ...ini.where, 'src', '']) addRoot(root);
  return { directory, name: name === null ? null : name.toLowerCase().replace(/[-.]+/g, '_'), roots, packages };
}

function configuredRoots(toml: JsonObject): readonly string[] {
  const tool = objectAt(toml, 'tool');
  const wheel = objectAt(tool, 'hatch', 'build', 'targets', 'wheel');
  const sources = wheel.sources ?? objectAt(tool, 'hatch', 'build').sources;
  return [
    ...textsAt(tool, 'setuptools', 'packages', 'find', 'where'),
    ...objectsAt(tool, 'poetry', 'packages').flatMap((item) => textsAt(item, 'from')),
    // A package given by its path begins in the directory above it.
    ...textsAt(wheel, 'packages').map((path) => directoryOf(path.replace(/\/+$/, ''))),
    ...(Array.isArray(sources) ? textsAt({ sources }, 'sources') : Object.keys(objectAt(sources))),
    ...textsAt(tool, 'pdm', 'build', 'package-dir'),
    ...textsAt(tool, 'maturin', 'python-source'),
    ...textsAt(tool, 'uv', 'build-backend', 'module-root'),
    ...textsAt(tool, 'pytest', 'ini_options', 'pythonpath'),
  ];
}

type SetupCfg = {
  readonly name: string | null;
  readonly where: readonly string[];
  readonly packageDirs: readonly (readonly [name: string, directory: string])[];
};

/** The three entries that matter, `key = value` or one value per indented line. */
function readSetupCfg(world: ResolveWorld, path: string): SetupCfg {
  const where: string[] = [];
  const packageDirs: [string, string][] = [];
  let name: string | null = null;
  let entry = '';
  let section = '';
  for (const [line] of linesOf(readConfigWith(world, path, parseText) ?? '')) {
    const header = /^\[([^\]]*)\]/.exec(line);
    const started = /^([\w-]+)\s*=(.*)$/.exec(line);
    if (header !== null) [section, entry] = [header[1] ?? '', ''];
    else if (started !== null) entry = (started[1] ?? '').replaceAll('-', '_');
    const value = (started === null ? line : (started[2] ?? '')).trim();
    if (header !== null || value === '' || value.startsWith('#')) continue;
    if (section === 'metadata' && entry === 'name') name ??= value;
    else if (section === 'options.packages.find' && entry === 'where')
      where.push(...value.split(/[,\s]+/).slice(0, mostPlaces));
    else if (section === 'options' && entry === 'package_dir') {
      const at = value.indexOf('=');
      if (at !== -1) packageDirs.push([value.slice(0, at).trim(), value.slice(at + 1).trim()]);
    }
  }
  return { name, where, packageDirs };
}

/** Top-level names of Python's standard library (`sys.stdlib_module_names` of 3.11 and what 3.14 added), private ones left out. */
export const pythonStdlib: ReadonlySet<string> = new Set(
  `
  __future__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
  imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap
  marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
  opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
  posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline
  reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr
  socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
  subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading
  time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
  unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
  zipimport zlib zoneinfo
  annotationlib compression pathlib string tomllib
  `
    .trim()
    .split(/\s+/),
);
