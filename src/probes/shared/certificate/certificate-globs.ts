/** What the search for certificates looks at. */

export const certificateFileGlobs: readonly string[] = ['**/*.{crt,pem,cer}'];
export const certificateSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];
/** Where variables and flags of Node are set: CI, compose, package scripts, environment examples. */
export const settingGlobs: readonly string[] = [
  '.github/workflows/*.{yml,yaml}',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  '**/docker-compose*.{yml,yaml}',
  '**/compose*.{yml,yaml}',
  '**/package.json',
];
