/**
 * Languages that look a name up by the name of its file (mutation.md §2.7): a Java type lives in the file of its name, a Rust module in
 * the file or directory of its. Renaming one without the other does not compile, so it is refused rather than half done.
 */

import { basename } from 'node:path/posix';
import type { NameProblem } from './check-name.ts';

const javaTypes: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'record', 'type']);

export function findCoupledFileName(about: {
  readonly language: string;
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  /** Is there a file of this path? */
  readonly hasFile: (path: string) => boolean;
}): NameProblem | undefined {
  const { language, path, name, kind } = about;
  const coupled = (file: string): NameProblem => ({
    reason: 'file_name_coupled',
    detail: `\`${name}\` has to be called as its file ${file} is`,
  });
  if (language === 'java' && javaTypes.has(kind) && basename(path) === `${name}.java`) return coupled(path);
  if (language === 'rust' && (kind === 'module' || kind === 'namespace')) {
    const directory = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    // Beside `main.rs`, `lib.rs` and `mod.rs`; below a directory of the file's own name otherwise.
    const own = /^(?:main|lib|mod)$/.test(basename(path, '.rs')) ? directory : `${directory}${basename(path, '.rs')}/`;
    const file = [`${own}${name}.rs`, `${own}${name}/mod.rs`].find(about.hasFile);
    if (file !== undefined) return coupled(file);
  }
  return undefined;
}
