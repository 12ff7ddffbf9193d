/** The data dir `<root>/.codegenie`: made once, private, hidden from git by its own ignore file; nothing else in the tree is touched. */

import { lstatSync } from 'node:fs';
import { ensureOwnDirectory, writeAtomically } from '../kernel/base/write-file.ts';
import { authoredFiles, authoredFolders } from './authored-data.ts';

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
