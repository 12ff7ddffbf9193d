/** Which files may hold a contract or a client. Contracts in YAML and JSON are known by content, so all of those are candidates. */

import { isFixturePath, isTestFile } from '../../kernel/tree/file-roles.ts';

export const documentGlobs: readonly string[] = ['**/*.{yaml,yml,json}'];
export const protoGlobs: readonly string[] = ['**/*.proto'];
export const graphqlGlobs: readonly string[] = ['**/*.{graphql,gql,graphqls}'];
export const sourceGlobs: readonly string[] = ['**/*.{ts,tsx,js,jsx,mjs,cjs,mts,cts,py,go}'];

export const contractGlobs: readonly string[] = [...documentGlobs, ...protoGlobs, ...graphqlGlobs, ...sourceGlobs];

const never =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|deno\.lock|bun\.lock|composer\.json|tsconfig[^/]*\.json)$/;

/** What tests and fixtures of tests describe is not what the service offers or calls. */
export function mayHoldContract(path: string): boolean {
  return !never.test(path) && !isTestFile(path) && !isFixturePath(path);
}
