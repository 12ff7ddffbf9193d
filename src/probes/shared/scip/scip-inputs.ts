/** What the semantic index rests on: the sources, what says how they are compiled, and what is left out. */

export const scipSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts}'];
export const scipConfigGlobs: readonly string[] = ['**/tsconfig*.json', '**/package.json'];
export const scipInputs: readonly string[] = [...scipSourceGlobs, ...scipConfigGlobs, '.codegenie/exclude.txt'];
