/**
 * Real TypeScript projects with everything their compiler needs, as committed trees with one `tsconfig.json`. Same package, same bytes;
 * dependencies lie in a git-ignored `node_modules` and are installed once per machine.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cachePackage, commitTree, packageCache } from '../real-corpus.ts';

export type Project = {
  readonly name: string;
  readonly package: string;
  /** Written over the package's own, which extends a file that is not shipped. */
  readonly config: string | null;
  /** Dependencies that the compiler needs. Not all versions that the manifest pins can be had. */
  readonly installs: readonly string[];
};

export const ownConfig = JSON.stringify({
  include: ['./**/*.ts'],
  exclude: ['**/node_modules'],
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2022', 'dom'],
    skipLibCheck: true,
    types: [],
  },
});

export const projects = {
  rxjs: { name: 'rxjs', package: 'rxjs@7.8.2', config: null, installs: [] },
  viem: {
    name: 'viem',
    package: 'viem@2.57.13',
    config: ownConfig,
    installs: [
      '@noble/curves@1',
      '@noble/hashes@1',
      '@scure/bip32@1',
      '@scure/bip39@1',
      'abitype@1',
      'isows@1',
      'ox@1',
      'ws@8',
    ],
  },
} as const satisfies Record<string, Project>;

/** Makes the tree below `scratch`, prints how large it is, and gives its root. */
export function makeProject(project: Project, scratch: string): string {
  const root = join(scratch, project.name);
  mkdirSync(root, { recursive: true });
  copySources(project, root);
  if (project.config !== null) writeFileSync(join(root, 'tsconfig.json'), project.config);
  if (project.installs.length > 0)
    cpSync(installDependencies(project), join(root, 'node_modules'), { recursive: true });
  commitProject(root);
  const { files, lines } = countSources(root);
  console.log(`\n## ${project.package}: ${files} sources, ${lines} lines`);
  return root;
}

/** The sources and manifests, without what was built from them, and of several configs (one per output format) only the first. */
export function copySources(project: Project, root: string): void {
  const place = cachePackage(project.package);
  cpSync(place, root, {
    recursive: true,
    filter(path) {
      const name = basename(path);
      if (/^(?:_cjs|_esm|_types|dist)$/.test(name)) return false;
      if (!name.includes('.') || path === place) return true;
      if (name === 'tsconfig.json' || name === 'package.json') return true;
      return name.endsWith('.ts') && !name.endsWith('.d.ts');
    },
  });
}

/** What a project builds or installs is not part of it. */
export function commitProject(root: string): void {
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n.codegenie/\n');
  commitTree(root);
}

export function listSources(root: string): readonly string[] {
  return execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\0')
    .filter((path) => path.endsWith('.ts'));
}

function countSources(root: string): { readonly files: number; readonly lines: number } {
  const sources = listSources(root);
  const lines = sources.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').split('\n').length - 1, 0);
  return { files: sources.length, lines };
}

/** Installed once, without running scripts. */
function installDependencies({ package: name, installs }: Project): string {
  const place = join(packageCache(), `${name}-dependencies`);
  const made = `${place}.part`;
  if (!existsSync(place)) {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    writeFileSync(join(made, 'package.json'), '{"private":true}');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', ...flags, ...installs], { cwd: made, stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(made, place);
  }
  return join(place, 'node_modules');
}
