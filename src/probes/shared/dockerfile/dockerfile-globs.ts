/** Which files are Dockerfiles, by name. */

export const dockerfileGlobs: readonly string[] = [
  '**/Dockerfile',
  '**/Dockerfile.*',
  '**/*.Dockerfile',
  '**/Containerfile*',
];

/** `Dockerfile.dockerignore` belongs to a Dockerfile and is none; neither is a text about one. */
export function isDockerfile(path: string): boolean {
  return !/\.(?:dockerignore|md|orig|rej|swp|bak)$|~$/.test(path);
}
