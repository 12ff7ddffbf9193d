/**
 * The data dir `<root>/.codegenie`: made once, private, hidden from git by its own ignore file; nothing else in the tree is touched. A
 * person may author a few files below it; everything else there is derived, and no probe may read it.
 */

import { lstatSync } from 'node:fs';
import { ensureOwnDirectory, writeAtomically } from '../kernel/base/write-file.ts';

const authoredFiles = ['config.yaml', 'contexts.json', 'exceptions.yaml', 'scenarios.yaml', 'exclude.txt'] as const;
export const authoredFolders = ['task-classes', 'notes', 'skills', 'conventions'] as const;

/** Takes a path, or a declared pattern, that begins with `.codegenie/`. */
export function isAuthoredPath(path: string): boolean {
  const below = path.slice('.codegenie/'.length);
  return authoredFiles.some((file) => below === file) || authoredFolders.some((name) => below.startsWith(`${name}/`));
}

export const DATA_DIR = '.codegenie';

/** Where older versions kept what they derived. Nothing in these is read any more: a tree can bring them along. */
export const oldDirectories = ['cache', 'index', 'state', 'logs'] as const;

/** Takes a path that begins with `.codegenie/`: what no person writes, and a repository therefore should not track. */
export function isDerivedPath(path: string): boolean {
  return [...oldDirectories, 'run', 'context'].some((name) => path.startsWith(`${DATA_DIR}/${name}/`));
}

const ignoreText = `# Made by codegenie: everything here is derived and private, except the files a person writes.
/*
${authoredFiles.map((name) => `!/${name}\n`).join('')}${authoredFolders.map((name) => `!/${name}/\n`).join('')}`;

/** Throws `OutputRefused` when the directory is a link, a file, or cannot be written. */
export function openDataDir(root: string): string {
  const path = `${root}/${DATA_DIR}`;
  ensureOwnDirectory(path);
  if (lstatSync(`${path}/.gitignore`, { throwIfNoEntry: false }) === undefined) {
    writeAtomically(`${path}/.gitignore`, ignoreText, { durable: false });
  }
  return path;
}
