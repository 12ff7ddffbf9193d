/** What the configurations and the files they mean are read from. Files are only named: nothing of their content matters here. */

export const metaConfigGlobs: readonly string[] = ['**/tsconfig*.json', '**/jsconfig.json'];
export const metaInputs: readonly string[] = [
  ...metaConfigGlobs,
  '**/package.json',
  'names:**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
];
