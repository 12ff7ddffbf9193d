/**
 * Files of a program that are no members and say something about all of them without being imported: what a package or the configuration
 * brings along that declares globals or adds to modules. By their text, so it is a superset; the compiler's own libraries come by
 * themselves.
 */

import { readFileSync } from 'node:fs';

export function listGlobals(names: readonly string[], members: ReadonlySet<string>): readonly string[] {
  return names.filter((name) => !members.has(name) && !isLibrary(name) && isGlobal(name));
}

function isLibrary(name: string): boolean {
  return /\/@?typescript[^/]*\/(?:[^/]+\/)*lib\.[\w.]+\.d\.ts$|\/lib\.d\.ts$|^bundled:/.test(name);
}

/** A script, or a module that reaches out. */
function isGlobal(name: string): boolean {
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch {
    return false;
  }
  if (/\bdeclare\s+(?:global|module)\b|\bexport\s+as\s+namespace\b/.test(text)) return true;
  return !/^[ \t]*(?:import|export)\b/m.test(text.replace(/\/\*[\s\S]*?\*\//g, ''));
}
