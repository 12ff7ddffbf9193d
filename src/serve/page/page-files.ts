/**
 * The files of the page, all of them in memory: what a request names is looked up and never opened, so no address leads to a file of the
 * machine. A package carries them built; a clone builds them of `page/` when they are first wanted, once for each state of its sources.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { packageDirectory } from '../../kernel/base/package-files.ts';

type PageFile = { readonly bytes: Buffer; readonly type: string };
/** By address: `/assets/main-x.js`. Every room is at `/`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const sources = `${packageDirectory}/page`;
const shipped = `${packageDirectory}/dist/page`;

/** Undefined where nothing is built yet. */
export function findPageFiles(): PageFiles | undefined {
  const directory = builtDirectory();
  if (!existsSync(`${directory}/index.html`)) return undefined;
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const address = path === `${directory}/index.html` ? '/' : path.slice(directory.length);
      return [address, { bytes: readFileSync(path), type: types[extname(name)] ?? 'application/octet-stream' }];
    }),
  );
}

/** `onStep`: what a person who waits is told. Does nothing where it is built. */
export async function ensurePageBuilt(onStep: (says: string) => void): Promise<void> {
  const directory = builtDirectory();
  if (existsSync(`${directory}/index.html`)) return;
  const temporary = `${directory}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  await buildPage(temporary, onStep);
  try {
    renameSync(temporary, directory);
  } catch (error) {
    // Another process was first, with the same sources.
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(`${directory}/index.html`)) throw error;
  }
}

/** Into this directory; `scripts/build.ts` does so for the package. Gives the files it is made of. */
export async function buildPage(
  directory: string,
  onStep: (says: string) => void = () => {},
): Promise<readonly string[]> {
  // A tool of those who build: what is published has no need of it.
  const { build } = await import('vite');
  const modules: string[] = [];
  onStep('building the page');
  await build({
    root: sources,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: directory,
      emptyOutDir: true,
      target: 'es2023',
      // The policy allows no address of another kind, and no script that is not a file.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_000,
    },
    plugins: [
      {
        name: 'tell-progress',
        transform(_, id) {
          modules.push(id);
          if (modules.length % 20 === 0) onStep(`building the page: ${modules.length} modules`);
          return null;
        },
      },
    ],
  });
  return modules;
}

function builtDirectory(): string {
  if (!existsSync(`${sources}/index.html`)) return shipped;
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const parts = [...files, `${packageDirectory}/package-lock.json`].map(
    (path) => `${path.slice(packageDirectory.length)}\0${sha256Hex(readFileSync(path))}`,
  );
  return `${packageDirectory}/node_modules/.cache/codegenie-page/${sha256Hex(parts.join('\n')).slice(0, 16)}`;
}
