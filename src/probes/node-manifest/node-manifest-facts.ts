/** What manifests declare, as facts. */

import { factsOf, known, none } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type ManifestRow, manifestsSection } from './node-manifest-section.ts';

/** Words of which one stands in every manifest that declares a dependency. */
const dependencyWords = ['ependenc', 'require', 'gem ', 'PackageReference', 'implementation', '='];

const isEmpty = ({ direct_dependencies: { runtime, dev } }: ManifestRow): boolean => runtime + dev === 0;

export const manifestFacts = factsOf('manifests', manifestsSection, [
  {
    id: 'manifest.dependencies',
    says: 'How many dependencies a manifest declares itself; `indirect` where the ecosystem lists them beside.',
    of: 'a manifest',
    value: z.strictObject({ runtime: z.number(), dev: z.number().optional(), indirect: z.number().optional() }),
    from: 'package.json, pyproject.toml, requirements, go.mod, Cargo.toml, pom.xml, Gradle, Gemfile, composer.json, project files',
    state: ({ all }) =>
      all.map((row) =>
        known(row.path, row.direct_dependencies, {
          because: 'declared',
          how: 'entries of the manifest itself',
          evidence: [{ path: row.path, shows: isEmpty(row) ? null : dependencyWords }],
        }),
      ),
  },
  {
    id: 'lockfile',
    says: 'The file that pins what a manifest resolves to.',
    of: 'a manifest',
    value: z.string(),
    from: 'lock files beside the manifest, or of the workspace it belongs to',
    state: ({ all }) =>
      all.map(({ path, lockfile }) =>
        lockfile === null
          ? none(path, { because: 'looked', how: 'no lock file beside it or of its workspace' })
          : known(path, lockfile.path, {
              because: 'follows',
              how: 'the lock file that covers the manifest',
              evidence: [{ path: lockfile.path, shows: null }],
            }),
      ),
  },
  {
    id: 'runtime.pin',
    says: 'The version of the language or runtime that is asked for, as it is written; by name where there are several.',
    of: 'the file that pins it; `.` where the whole repository has one',
    value: z.union([z.string(), z.record(z.string(), z.string())]),
    from: 'engines of package.json, requires-python, the go directive, rust-version, …',
    state: ({ all }) =>
      all
        .filter(({ declared_engines: engines }) => engines.length > 0)
        .map(({ path, declared_engines: engines }) => {
          const [first] = engines;
          const value =
            engines.length === 1 && first !== undefined
              ? first.range
              : Object.fromEntries(engines.map(({ name, range }) => [name, range]));
          const evidence = engines.map(({ range }) => ({ path, shows: range }));
          return known(path, value, { because: 'declared', how: 'a field of the manifest', evidence });
        }),
  },
]);
