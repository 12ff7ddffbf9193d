/** Real TypeScript sources: npm packages that ship them, fetched once into the machine's temporary directory. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const realPackages: readonly string[] = [
  'rxjs@7.8.2',
  'zod@4.6.7',
  'viem@2.57.13',
  'effect@3.22.4',
  'cloudflare@7.3.0',
  'openai@6.49.0',
  '@anthropic-ai/sdk@1.8.0',
  'ox@1.8.3',
  'ai@6.0.326',
  '@wagmi/core@3.6.5',
  'lithic@0.145.0',
  'ethers@6.17.0',
  '@trpc/server@11.23.0',
  '@reduxjs/toolkit@2.14.0',
  '@effect/platform@0.97.2',
];

/** Copies the sources (`.ts` and `.tsx` without declaration files, and every manifest) to `root` and commits them. */
export function makeRealCorpus(root: string): void {
  for (const name of realPackages) {
    cpSync(cachePackage(name), join(root, name.replaceAll('/', '+')), {
      recursive: true,
      filter: (path) =>
        !/\.[^/]+$/.test(path) ||
        /(?:^|\/)(?:package|tsconfig[^/]*)\.json$/.test(path) ||
        (/\.tsx?$/.test(path) && !path.endsWith('.d.ts')) ||
        !isFile(path),
    });
  }
  commitTree(root);
}

export function commitTree(root: string, message = 'sources'): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], {
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

function isFile(path: string): boolean {
  try {
    readdirSync(path);
    return false;
  } catch {
    return true;
  }
}

/** Where everything lies that is fetched once. */
export function packageCache(): string {
  const cache = join(tmpdir(), 'codegenie-bench-packages');
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** The directory of an unpacked package. */
export function cachePackage(name: string): string {
  const cache = packageCache();
  const place = join(cache, name.replaceAll('/', '+'));
  if (!existsSync(place)) fetchPackage(name, place, cache);
  return place;
}

function fetchPackage(name: string, place: string, cache: string): void {
  const packed = execFileSync('npm', ['pack', '--silent', name], { cwd: cache, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1) as string;
  const unpacked = `${place}.part`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['xzf', join(cache, packed), '-C', unpacked, '--strip-components=1']);
  rmSync(join(cache, packed));
  mkdirSync(dirname(place), { recursive: true });
  renameSync(unpacked, place);
}
