/**
 * Probes that the user adds without a fork (gather.md §11, `probes.paths`). Each folder holds probes as ours does: `<name>.mjs`, or `<name>/<name>.mjs`
 * (also `.js`, `.ts`, `.mts`), whose default export is a definition, or a function that is given `defineProbe` and its like and returns one.
 * Only the user's configuration is asked: a folder inside the tree that is looked at is refused, because what lies there is the repository's.
 * A probe that cannot be loaded, or that claims what another has, is left out with a warning that names it; no other probe suffers.
 * The hash of the whole folder is part of the version, and so of the cache key: code that changed is run again.
 */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { shortLine, singleLine } from '../../kernel/base/text.ts';
import { toolNames } from '../../kernel/exec/tools.ts';
import { defineProbe, namedOnly, type Probe, type ProbeDefinition } from '../contract.ts';
import { factsOf, known, listed, none, unknown } from '../facts/fact.ts';
import { type RegisteredProbe, registryProblems } from './registry-problems.ts';

type ForeignWarning = { readonly id: 'probes.foreign_refused'; readonly detail: string };
type ProbeList = { readonly probes: readonly Probe[]; readonly warnings: readonly ForeignWarning[] };

/** What a definition is written with: a folder of the user's has no other way to reach them. */
const kit = Object.freeze({ defineProbe, namedOnly, z, factsOf, known, none, unknown, listed });

const loadWithinMs = 10_000;
const maxFiles = 2_000;
const moduleName = /\.(?:mjs|js|mts|ts)$/;

export async function addForeignProbes(
  world: {
    readonly root: string;
    readonly home: string;
    readonly probes: readonly Probe[];
    readonly catalogs: Readonly<Record<string, Json>>;
  },
  folders: readonly string[],
): Promise<ProbeList> {
  const probes = [...world.probes];
  const declared: RegisteredProbe[] = world.probes.map((probe) => ({ probe, origin: `built in: /${fileName(probe)}` }));
  const warnings: ForeignWarning[] = [];
  const refuse = (where: string, why: string): void => {
    const shown = tilde(where, world.home);
    warnings.push({ id: 'probes.foreign_refused', detail: shortLine(singleLine(`${shown}: ${why}`), 500) });
  };
  const names = { catalogs: Object.keys(world.catalogs), tools: toolNames };
  for (const folder of folders) {
    const found = openFolder(folder, world.root);
    if (typeof found === 'string') {
      refuse(folder, found);
      continue;
    }
    for (const file of found.files) {
      try {
        const probe = defineProbe(await loadDefinition(file, found.hash));
        const [problem] = registryProblems([...declared, { probe, origin: file }], names);
        if (problem === undefined) {
          declared.push({ probe, origin: file });
          probes.push(mark(probe, found.hash, tilde(folder, world.home)));
        } else refuse(file, problem);
      } catch (error) {
        refuse(file, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return { probes, warnings };
}

function fileName({ name }: Probe): string {
  return `${name.replaceAll('_', '-')}.ts`;
}

function tilde(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}

type Folder = { readonly files: readonly string[]; readonly hash: string };

/** The modules that are probes, and a hash of everything in the folder; or why it is not opened. */
function openFolder(folder: string, root: string): Folder | string {
  if (!isAbsolute(folder)) return 'is not absolute: write the whole path, or begin with ~/';
  if (!existsSync(folder)) return 'does not exist';
  const real = realpathSync(folder);
  const tree = realpathSync(root);
  if (real === tree || real.startsWith(tree + sep))
    return 'lies in the repository that is looked at, which may not bring probes';
  const paths = readdirSync(real, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && (moduleName.test(entry.name) || entry.name.endsWith('.json')))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(real.length).includes(`${sep}node_modules${sep}`))
    .sort(compareCodeUnits);
  if (paths.length > maxFiles) return `holds more than ${maxFiles} files`;
  const hash = blake3Hex(
    paths.map((path) => `${path.slice(real.length)}\0${blake3Hex(readFileSync(path))}\n`).join(''),
  );
  const files = paths.filter((path) => {
    const parts = path.slice(real.length + 1).split(sep);
    const [first = '', second] = parts;
    if (!moduleName.test(path) || /\.(?:test|d)\.\w+$/.test(path)) return false;
    return parts.length === 1 || (parts.length === 2 && second?.replace(moduleName, '') === first);
  });
  return files.length === 0 ? 'holds no probe: expected <name>.mjs or <name>/<name>.mjs' : { files, hash };
}

async function loadDefinition(file: string, hash: string): Promise<ProbeDefinition> {
  const ended = new AbortController();
  const late = delay(loadWithinMs, 'late' as const, { signal: ended.signal }).catch(() => 'late' as const);
  try {
    // The hash in the address: code that changed under a running daemon is another module.
    const loading = import(`${pathToFileURL(file).href}?${hash.slice(0, 16)}`) as Promise<{ default?: unknown }>;
    const module = await Promise.race([loading, late]);
    if (module === 'late') throw new Error(`was not loaded within ${loadWithinMs / 1000} s`);
    const given: unknown = typeof module.default === 'function' ? await module.default(kit) : module.default;
    return checkDefinition(given);
  } finally {
    ended.abort();
  }
}

function checkDefinition(given: unknown): ProbeDefinition {
  if (typeof given !== 'object' || given === null) throw new Error('has no definition of a probe as default export');
  const definition = given as Partial<ProbeDefinition>;
  const missing = (['name', 'version', 'layer', 'says', 'heaviness', 'confidenceRule'] as const).find(
    (field) => typeof definition[field] !== 'string',
  );
  if (missing !== undefined) throw new Error(`declares no ${missing}`);
  if (typeof definition.run !== 'function') throw new Error('declares no run');
  if (typeof definition.timeoutSeconds !== 'number') throw new Error('declares no timeoutSeconds');
  if (!Array.isArray(definition.declaredInputs)) throw new Error('declares no declaredInputs');
  if (typeof definition.sections !== 'object' || Object.keys(definition.sections).length === 0)
    throw new Error('declares no sections');
  for (const [path, schema] of Object.entries(definition.sections))
    if (typeof (schema as { safeParse?: unknown }).safeParse !== 'function')
      throw new Error(`the section ${path} is no zod schema`);
  for (const own of ['final', 'spine', 'imageDigest', 'index'] as const)
    if (definition[own] !== undefined && definition[own] !== false)
      throw new Error(`declares ${own}, which only a probe of the program may`);
  return definition as ProbeDefinition;
}

function mark(probe: Probe, hash: string, folder: string): Probe {
  return Object.freeze({ ...probe, version: `${probe.version}+foreign-${hash.slice(0, 16)}`, foreign: folder });
}
