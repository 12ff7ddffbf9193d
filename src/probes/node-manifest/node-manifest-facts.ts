/** What manifests declare, as facts. */

import {
  type Claim,
  componentAround,
  factsOf,
  isProduct,
  known,
  none,
  type Spine,
  type Statement,
} from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type ManagerRow, type ManifestRow, manifestsSection } from './node-manifest-section.ts';
import { runtimeNamed } from './runtime-pins.ts';

/** Words of which one stands where a manifest of the kind declares a dependency, the best first. */
function wordsOf(path: string): readonly string[] {
  if (path.endsWith('package.json')) return ['"dependencies":', '"devDependencies":', 'ependencies'];
  if (path.endsWith('pom.xml')) return ['<dependencies>', 'ependencies'];
  if (path.endsWith('Cargo.toml')) return ['[dependencies]', 'dependencies', 'ependencies'];
  if (/(?:pyproject\.toml|\.gradle(?:\.kts)?)$/.test(path)) return ['dependencies', 'ependencies', 'dependency-groups'];
  return ['require', 'packages', 'gem ', 'gem(', 'PackageReference'];
}

const isPlainList = /(?:^|\/)requirements[^/]*(?:\/[^/]+)?\.(?:txt|in)$/;

type Section = z.output<typeof manifestsSection>;

export const manifestFacts = factsOf('manifests', manifestsSection, [
  {
    id: 'manifest.dependencies',
    says: 'How many dependencies a manifest declares itself; `indirect` where the ecosystem lists them beside.',
    of: 'a manifest',
    value: z.strictObject({ runtime: z.number(), dev: z.number().optional(), indirect: z.number().optional() }),
    from: 'package.json, pyproject.toml, setup.cfg, Pipfile, requirements, go.mod, Cargo.toml, pom.xml, Gradle, Gemfile, composer.json, project files',
    state: ({ all }) => all.filter(({ compiled }) => !compiled).flatMap(dependenciesOf),
  },
  {
    id: 'lockfile',
    says: 'The file that pins what a manifest resolves to.',
    of: 'a manifest',
    value: z.string(),
    from: 'lock files beside the manifest, or of the workspace it belongs to',
    state: ({ all }) =>
      all
        .filter(({ compiled }) => !compiled)
        .map(({ path, lockfile_path: lock }) =>
          lock === null
            ? none(path, { because: 'looked', how: 'no lock file beside it or of its workspace' })
            : known(path, lock, {
                because: 'follows',
                how: 'the lock file that covers the manifest',
                evidence: [{ path: lock, shows: null }],
              }),
        ),
  },
  {
    id: 'package_manager',
    says: 'What installs the dependencies; with its version where the repository pins one; several where each installs a part.',
    of: 'the repository, or a directory with a manifest',
    value: z.union([managerValue(), z.array(z.string())]),
    from: 'packageManager of package.json, lock files, tables of manifests, what CI runs',
    rollup: 'only',
    noneWithoutSection: true,
    state: ({ all }, spine) => managersOf(all, spine),
  },
  {
    id: 'runtime.pin',
    says: 'The version of the language or runtime that is asked for, as it is written; by name where there are several.',
    of: 'the file that pins it; `.` for the repository',
    value: z.union([z.string(), z.record(z.string(), z.string())]),
    from: 'version files, .tool-versions, mise, rust-toolchain, global.json, gradle-daemon-jvm.properties; engines, requires-python, the go directive, rust-version, … of manifests',
    noneWithoutSection: true,
    state: (section, spine) => {
      const pins = pinsOf(section);
      const files = [...new Set(pins.map(({ scope }) => scope))];
      return [
        ...files.map((file) =>
          pinOf(
            file,
            pins.filter(({ scope }) => scope === file),
          ),
        ),
        ...pinOfRepository(pins, spine),
      ];
    },
  },
]);

function managerValue() {
  return z.union([z.string(), z.strictObject({ name: z.string(), version: z.string() })]);
}

function dependenciesOf(row: ManifestRow): readonly Statement[] {
  const { runtime, dev, indirect, build } = row.direct_dependencies;
  const isEmpty = runtime + dev + (indirect ?? 0) === 0;
  // Nothing is said of a manifest whose dependencies stand elsewhere, unless it names some.
  if (!row.dependencies_complete && isEmpty) return [];
  const value = indirect === null ? { runtime, dev: dev - (build ?? 0) } : { runtime, indirect };
  const shows = isEmpty || isPlainList.test(row.path) ? null : wordsOf(row.path);
  const isProgram = /\.gradle(?:\.kts)?$/.test(row.path);
  return [
    known(row.path, value, {
      because: row.dependencies_complete ? (isProgram ? 'follows' : 'declared') : 'incomplete',
      how: row.dependencies_complete ? 'entries of the manifest itself' : 'some stand elsewhere, or a program decides',
      evidence: [{ path: row.path, shows }],
    }),
  ];
}

// Managers: of each directory with a manifest; of the repository by what lies at its root, else where all parts agree.

const languagesOf: Readonly<Record<ManifestRow['ecosystem'], readonly string[]>> = {
  node: ['javascript', 'typescript', 'vue', 'svelte'],
  python: ['python'],
  go: ['go'],
  rust: ['rust'],
  java: ['java', 'kotlin', 'groovy', 'scala'],
  ruby: ['ruby'],
  php: ['php'],
  dotnet: ['csharp', 'fsharp', 'vb'],
};

const strength = ['resembles', 'convention', 'follows', 'declared'] as const;

type Managed = ManifestRow & { readonly manager: ManagerRow };

function managersOf(all: readonly ManifestRow[], spine: Spine): readonly Statement[] {
  const rows = all.filter((row): row is Managed => row.manager !== null);
  const dirs = [...new Set(rows.map(({ path }) => directoryOf(path)))];
  const stated = dirs.map((dir) => ({
    dir,
    rows: withoutTools(
      rows.filter(({ path }) => directoryOf(path) === dir),
      dir,
      spine,
    ),
  }));
  const statements = stated.map(({ dir, rows: own }) => {
    const statement = managerOf(dir, strongest(own));
    // The code of a part is mostly of one language: whether the manager of another's tools is meant as well is a choice.
    const isMixed = new Set(own.map(({ ecosystem }) => ecosystem)).size > 1;
    return isMixed
      ? { ...statement, because: 'resembles' as const, how: `${statement.how}; one of each ecosystem` }
      : statement;
  });
  const others = spine.components.filter(({ dir }) => !dirs.includes(dir)).flatMap(otherManagerOf);
  if (dirs.includes('.') || others.some(({ scope }) => scope === '.')) return [...statements, ...others];
  const product = rows.filter(({ path }) => isProduct(componentAround(spine, path) ?? { kind: 'package' }));
  const names = new Set(product.map(({ manager }) => manager.name));
  const [first] = product;
  if (first === undefined || names.size !== 1 || others.length > 0) return [...statements, ...others];
  return [
    ...statements,
    known('.', first.manager.name, {
      because: first.manager.because === 'declared' ? 'follows' : first.manager.because,
      how: 'all manifests of the product are installed by it',
      evidence: claimsOf(product.slice(0, 5).map(({ manager }) => manager)),
    }),
  ];
}

/** Ecosystems whose manifests are not read: the file says who installs, and nothing else is known of it. */
const otherManagers: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)mix\.exs$/, 'mix'],
  [/(?:^|\/)build\.sbt$/, 'sbt'],
  [/(?:^|\/)pubspec\.yaml$/, 'pub'],
  [/(?:^|\/)Package\.swift$/, 'swift'],
];

function otherManagerOf(component: Spine['components'][number]): readonly Statement[] {
  if (!isProduct(component)) return [];
  return component.manifests.flatMap((path) => {
    const name = otherManagers.find(([file]) => file.test(path))?.[1];
    const about = { because: 'convention', how: howManaged.convention, evidence: [{ path, shows: null }] } as const;
    return name === undefined ? [] : [known(component.dir, name, about)];
  });
}

/** A manifest that only brings tools for developers is not how a product in another language is installed. */
function withoutTools(rows: readonly Managed[], dir: string, spine: Spine): readonly Managed[] {
  const language = spine.components.find((one) => one.dir === dir)?.language;
  if (typeof language !== 'string') return rows;
  const speaks = (row: Managed) => languagesOf[row.ecosystem].includes(language);
  if (!rows.some(speaks)) return rows;
  return rows.filter((row) => speaks(row) || row.direct_dependencies.runtime > 0);
}

/** One manager for each ecosystem, the one best known; two builds of the JVM side by side are both complete. */
function strongest(rows: readonly Managed[]): readonly ManagerRow[] {
  const best = new Map<string, ManagerRow>();
  for (const { ecosystem, manager } of rows) {
    const key = ecosystem === 'java' ? manager.name : ecosystem;
    const held = best.get(key);
    if (held === undefined || strength.indexOf(manager.because) > strength.indexOf(held.because))
      best.set(key, manager);
  }
  return [...best.values()];
}

function managerOf(dir: string, managers: readonly ManagerRow[]): Statement {
  const [first] = managers;
  const weakest = strength.find((because) => managers.some((one) => one.because === because)) ?? 'resembles';
  const version = first?.version ?? null;
  const name = first?.name ?? '';
  const one = version === null ? name : { name, version };
  return known(dir, managers.length === 1 ? one : managers.map((manager) => manager.name).sort(), {
    because: managers.length > 1 && weakest === 'declared' ? 'follows' : weakest,
    how: howManaged[weakest],
    evidence: claimsOf(managers),
  });
}

const howManaged: Readonly<Record<ManagerRow['because'], string>> = {
  declared: 'the field, the lock file or the manifest that only it has',
  follows: 'its table in the manifest, its settings, or what CI runs',
  convention: 'it comes with the toolchain, and nothing names another',
  resembles: 'nothing names one; it is the usual one',
};

function claimsOf(managers: readonly ManagerRow[]): readonly Claim[] {
  return managers.flatMap(({ evidence }) => evidence.map(({ path, shows }) => ({ path, shows })));
}

// Runtime versions: what a file says, and what follows for the repository from the files at its root.

type Pin = {
  readonly scope: string;
  readonly name: string;
  readonly version: string;
  readonly from: string;
  /** A file made to pin a version comes before a field that states what is supported. */
  readonly isExact: boolean;
};

function pinsOf({ all, runtime_pins: files }: Section): readonly Pin[] {
  const declared = all.flatMap(({ path, declared_engines: engines }) =>
    engines
      .filter(({ name }) => name === 'toolchain' || runtimeNamed(name) !== undefined)
      .map(({ name, range, from }) => ({ scope: path, name, version: range, from: from ?? path, isExact: false })),
  );
  return [
    ...declared,
    ...files.map(({ path, name, version }) => ({ scope: path, name, version, from: path, isExact: true })),
  ];
}

function pinOf(scope: string, pins: readonly Pin[]): Statement {
  const [first] = pins;
  const value =
    pins.length === 1 && first ? first.version : Object.fromEntries(pins.map((pin) => [pin.name, pin.version]));
  return known(scope, value, {
    because: 'declared',
    how: first?.isExact ? 'a file that only pins versions' : 'a field of the manifest',
    evidence: pins.map(({ from, version }) => ({ path: from, shows: version })),
  });
}

function pinOfRepository(pins: readonly Pin[], spine: Spine): readonly Statement[] {
  const ofProduct = pins.filter(({ scope }) => isProduct(componentAround(spine, scope) ?? { kind: 'package' }));
  if (ofProduct.length === 0) return [none('.', { because: 'looked', how: 'no version file, no field of a manifest' })];
  const atRoot = ofProduct.filter(({ scope, name }) => !scope.includes('/') && name !== 'toolchain');
  const byRuntime = Map.groupBy(atRoot, ({ name }) => runtimeNamed(name) ?? name);
  const chosen = [...byRuntime].map(([name, own]) => {
    const exact = own.filter(({ isExact }) => isExact);
    const best = (exact.length > 0 ? exact : own).reduce((a, b) => (b.version.length > a.version.length ? b : a));
    return { ...best, name, agrees: new Set(own.map(({ version }) => version)).size === 1 };
  });
  // What several files say of parts is not a fact of the whole.
  if (chosen.length === 0) return [];
  return [
    {
      ...pinOf('.', chosen),
      because: chosen.every(({ agrees }) => agrees) ? 'declared' : 'follows',
      how: 'version files at the root, else fields of the manifests there',
    },
  ];
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}
