/** The package a file belongs to: the nearest `package.json` at or above it, below the root. Read in the compiler job, once per root. */

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Manifest = {
  /** Root-relative, '' for the root itself. */
  readonly directory: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

const manifestBytesMax = 1_000_000;

/** Undefined: there is none, or it cannot be read as an object. The nearest one counts, also where it is broken. */
export function findManifest(root: string, path: string): Manifest | undefined {
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const relative = directory === '.' ? '' : directory;
    const text = readText(join(root, relative, 'package.json'));
    if (text !== undefined) {
      const fields = parseObject(text);
      return fields === undefined ? undefined : { directory: relative, fields };
    }
    if (relative === '') return undefined;
  }
}

/** Names of everything a package says it needs, whatever for. */
export function dependenciesOf({ fields }: Manifest): ReadonlySet<string> {
  const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return new Set(
    lists.flatMap((list) => {
      const value = fields[list];
      return typeof value === 'object' && value !== null ? Object.keys(value) : [];
    }),
  );
}

function readText(file: string): string | undefined {
  try {
    const found = statSync(file);
    return !found.isFile() || found.size > manifestBytesMax ? '' : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
