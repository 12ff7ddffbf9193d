/**
 * How a file is spelled (code-plane.md §6.1): the package it belongs to, by the nearest `package.json` above it, and its path below that, one
 * namespace per segment. As scip-typescript has it: a file below no manifest is spelled from the root of the disk on, in a package without
 * a name, and a manifest without a version has version `HEAD`. The compiler's own library is spelled as a part of `typescript`, wherever
 * the package with the native program has it.
 *
 * Unlike there, what is reached through a link within the repository is what the link leads to: it would be a file that nobody defines
 * anything in, and whoever uses it would depend on nothing.
 */

import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';
import { compilerVersion } from '../../../kernel/exec/compiler-packages.ts';

export type SpellFile = (fileName: string) => string;

const anonymous = spellPackage('.', '.');

/** `root` is the realpath of the repository. */
export function createFileSpelling(root: string): SpellFile {
  const known = new Map<string, string>();
  const spell = (path: string): string => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const spelled = spellNew(path);
    known.set(path, spelled);
    return spelled;
  };
  const spellNew = (path: string): string => {
    const library = /\/@typescript\/typescript-[\w-]+\/lib\/(lib\.[\w.-]+)$/.exec(path)?.[1];
    if (library !== undefined) return `${spellPackage('typescript', compilerVersion)}lib/${escapeName(library)}/`;
    const target = path.startsWith(`${root}/`) ? findTarget(path, root) : undefined;
    if (target !== undefined) return spell(target);
    const named = readPackage(`${path}/package.json`);
    if (named !== undefined) return named;
    const parent = dirname(path);
    return parent === path ? anonymous : `${spell(parent)}${escapeName(basename(path))}/`;
  };
  return spell;
}

function spellPackage(name: string, version: string): string {
  return `scip-typescript npm ${name} ${version} `;
}

/** Of a link that leads to another place in the repository, that place. */
function findTarget(path: string, root: string): string | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return undefined;
    const target = realpathSync(path);
    return target.startsWith(`${root}/`) && target !== path ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined without a manifest. */
function readPackage(manifest: string): string | undefined {
  try {
    if (!lstatSync(manifest).isFile()) return undefined;
  } catch {
    return undefined;
  }
  try {
    const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown; version?: unknown };
    if (typeof name !== 'string') return anonymous;
    return spellPackage(name, typeof version === 'string' ? version : 'HEAD');
  } catch {
    return anonymous;
  }
}

/** A descriptor's name, in backticks unless it is made of plain characters. */
export function escapeName(name: string): string {
  return name === '' || /^[\w$+-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
