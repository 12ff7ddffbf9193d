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
