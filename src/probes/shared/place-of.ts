/**
 * To what a path belongs: the product, or something beside it (tests, documentation, examples, development, copies of others), told by the
 * words in the names of its directories and its own. Words decide, so `contest/` is no test and `runtime-tests/` is one.
 */

import { basename } from 'node:path/posix';
import {
  isFixturePath,
  isGeneratedName,
  isTestFile,
  isVendoredPath,
  lockfileNames,
} from '../../kernel/tree/file-roles.ts';

export const places = ['product', 'test', 'documentation', 'example', 'development', 'vendored'] as const;
export type Place = (typeof places)[number];

/** `product` where the path says nothing against it. */
export function placeOf(path: string): Place {
  // A lockfile is written by a tool and read at every install: an address with a password in it is a leak.
  if (isVendoredPath(path) || (isGeneratedName(path) && !lockfileNames.has(basename(path)))) return 'vendored';
  if (isTestFile(path) || isFixturePath(path) || /^(?:integration|acceptance|functional)\//.test(path)) return 'test';
  const names = path.toLowerCase().split('/');
  const file = names.pop() ?? '';
  for (const name of names) {
    const words = name.split(/[^a-z0-9]+/);
    if (words.some((word) => testWords.has(word))) return 'test';
    if (words.some((word) => exampleWords.has(word))) return 'example';
    if (words.some((word) => documentationWords.has(word))) return 'documentation';
    if (words.some((word) => developmentWords.has(word))) return 'development';
  }
  if (documentationFile.test(file)) return 'documentation';
  const words = path.slice(path.lastIndexOf('/') + 1).replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  const ofFile = words.toLowerCase().split(/[^a-z0-9]+/);
  if (ofFile.some((word) => exampleWords.has(word))) return 'example';
  if (ofFile.some((word) => testWords.has(word))) return 'test';
  if (ofFile.some((word) => developmentWords.has(word))) return 'development';
  return 'product';
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const testWords = wordsOf(
  'test tests testing tester spec specs testdata testutil testutils testsupport testhelper mock mocks fake fakes stub stubs fixture fixtures e2e cypress playwright integrationtest integrationtests functionaltests unittests bench benchmark benchmarks benches loadtest ci github gitlab circleci story stories storybook',
);
const exampleWords = wordsOf(
  'example examples sample samples demo demos template templates tpl dist skel skeleton tutorial tutorials playground sandbox workshop exercise exercises challenge challenges placeholder dummy',
);
const documentationWords = wordsOf(
  'doc docs documentation javadoc changelog locale locales i18n lang langs translations',
);
const developmentWords = wordsOf(
  'dev devel develop development devcontainer local localhost override debug gitpod snakeoil selfsigned vagrant',
);
const documentationFile =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|ipynb|po|pot|1|http|rest)$|^(?:readme|changelog|changes|contributing|license|history|news)\b|^(?:docusaurus|vitepress|vuepress|mkdocs|typedoc)\b/;
