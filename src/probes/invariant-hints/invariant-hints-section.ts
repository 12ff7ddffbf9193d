/** Sources that hints are looked for in. */

export const hintSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,go}'];
