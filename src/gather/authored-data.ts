/** What a person may author below the data dir; everything else there is derived, ignored by git, and no probe may read it. */

export const authoredFiles = [
  'config.yaml',
  'contexts.json',
  'exceptions.yaml',
  'scenarios.yaml',
  'exclude.txt',
] as const;
export const authoredFolders = ['task-classes', 'notes', 'skills', 'conventions'] as const;

/** Takes a path, or a declared pattern, that begins with `.codegenie/`. */
export function isAuthoredPath(path: string): boolean {
  const below = path.slice('.codegenie/'.length);
  return authoredFiles.some((file) => below === file) || authoredFolders.some((name) => below.startsWith(`${name}/`));
}
