/**
 * What part a file has in its repository, told by its name alone: vendored copies, generated output, fixtures, tests.
 * They are counted apart from a repository's own code; headers inside files are another matter (`generated_code`, the code plane).
 */

const vendoredDirectories: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'third_party', 'vendor']);

export function isVendoredPath(path: string): boolean {
  return hasDirectory(path, vendoredDirectories);
}

const fixtureDirectories: ReadonlySet<string> = new Set(
  'fixture fixtures __fixtures__ testdata __testdata__ snapshots __snapshots__'.split(' '),
);

/** Input of tests: projects and documents in there are samples, not parts of the repository. */
export function isFixturePath(path: string): boolean {
  return hasDirectory(path, fixtureDirectories);
}

/** A manifest there says nothing about this repository: another project's code, or a sample. */
export function isForeignManifest(path: string): boolean {
  return isVendoredPath(path) || isFixturePath(path);
}

function hasDirectory(path: string, names: ReadonlySet<string>): boolean {
  let start = 0;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', start)) {
    if (names.has(path.slice(start, slash))) return true;
    start = slash + 1;
  }
  return false;
}

export function isGeneratedName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return lockfileNames.has(name) || generatedName.test(name);
}

export const lockfileNames: ReadonlySet<string> = new Set(
  `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock Cargo.lock go.sum go.work.sum
  poetry.lock uv.lock pdm.lock Pipfile.lock Gemfile.lock composer.lock packages.lock.json pubspec.lock mix.lock Podfile.lock
  Package.resolved flake.lock gradle.lockfile .terraform.lock.hcl`.split(/\s+/),
);

// One alternative per pattern of code-plane.md §1.4 and of language_detection; every one is anchored at the end of the name.
const generatedName = new RegExp(
  `(?:${[
    '\\.snap',
    '\\.min\\.(?:js|css)',
    '\\.pb\\..+',
    '_pb2(?:_grpc)?\\.pyi?',
    '_pb\\.ts',
    '\\.g\\.(?:cs|dart)',
    '\\.Designer\\.cs',
    '\\.gen\\..+',
    '\\.generated\\..+',
    '\\.tab\\.c',
    '\\.graphql\\.ts',
    '^moc_[^/]*\\.cpp',
  ].join('|')})$`,
  's',
);

/** By name alone: files that belong to tests, helpers among them. Which of them hold tests is another question (probes.md, test_inventory). */
export function isTestFile(path: string): boolean {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  if (path.startsWith('__tests__/') || path.slice(0, slash + 1).includes('/__tests__/')) return true;
  return namePatterns.some((pattern) => pattern.test(name));
}

const namePatterns: readonly RegExp[] = [
  /\.(test|spec)\.[^/]+$/s,
  /\.cy\.[cm]?[jt]sx?$/s,
  /^test_[^/]*\.py$/s,
  /_test\.go$/s,
  /Test\.java$/s,
];
