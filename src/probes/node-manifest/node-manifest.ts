import { defineProbe, type ProbeExample } from '../../gather/contract.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { nodeLockFamilies } from '../shared/node-lock.ts';
import { nodeLockfiles, packageManagerInputs, workspaceFamilies, workspaceInputs } from '../shared/node-packages.ts';
import { familyIds } from '../shared/probe-reading.ts';
import { manifestFacts } from './node-manifest-facts.ts';
import { manifestsSection } from './node-manifest-section.ts';
import { lockKinds, manifestKinds } from './other-manifests.ts';
import { hintGlobs } from './package-managers.ts';
import { pinGlobs } from './runtime-pins.ts';

/** Has the form of a SHA-512: only the form is checked. */
const checksum = `sha512-${'A'.repeat(86)}==`;

const families = [
  ...new Set([
    ...workspaceFamilies,
    ...Object.values(nodeLockFamilies),
    ...manifestKinds.map((kind) => kind.family),
    ...lockKinds.map((kind) => kind.family),
  ]),
];
const manifestGlobs = ['**/package.json', ...manifestKinds.map((kind) => kind.glob), ...pinGlobs];

export default defineProbe({
  name: 'node_manifest',
  version: '0.4.2',
  layer: 'A',
  says: 'manifests of every ecosystem: dependencies, lockfiles, who installs them, runtime versions; native Node modules',
  heaviness: 'light',
  timeoutSeconds: 30,
  budget: { rawArtifactMb: 64, truncateMb: 16 },
  // Manager and lockfile come from the function that node_build_system asks too, so only its list of members is needed.
  requires: [
    {
      probe: 'node_build_system',
      select: (slice) => (isJsonObject(slice['build_system']) ? (slice['build_system']['workspaces'] ?? []) : []),
      optional: true,
    },
  ],
  catalogs: ['native-modules'],
  declaredInputs: [
    ...packageManagerInputs,
    ...workspaceInputs,
    ...['pnpm-workspace.yaml', 'lerna.json', '.yarnrc.yml'].map((name) => `**/${name}`),
    ...nodeLockfiles.map((name) => `**/${name}`),
    ...manifestKinds.map((kind) => kind.glob),
    ...lockKinds.map((kind) => `**/${kind.path}`),
    ...pinGlobs,
    ...hintGlobs,
  ],
  applies: (repo) =>
    repo.scope.match([...manifestGlobs, ...otherManifestGlobs]).some((file) => !isForeignManifest(file.path))
      ? true
      : 'not_applicable',
  sections: { manifests: manifestsSection },
  facts: manifestFacts,
  warningIds: ['lockfile.multi_present', 'lockfile.absent', 'lockfile.binary_unsupported'],
  errorIds: families.flatMap(familyIds),
  confidenceRule:
    'high; medium when the root package.json has no lockfile or one in a form that cannot be read; low with lockfiles of several managers or an unreadable file',
  examples: examples(),
  async run(repo, ctx) {
    const { gatherNodeManifest } = await import('./gather-node-manifest.ts');
    return gatherNodeManifest(repo, ctx);
  },
});

/** Manifests that are known and not read: who installs what they declare is a fact all the same. */
const otherManifestGlobs = ['**/{mix.exs,build.sbt,pubspec.yaml,Package.swift}'];

function examples(): readonly ProbeExample[] {
  return [
    {
      shows: 'a Node repository: counts, lock coverage and native modules, also transitive ones',
      files: {
        'package.json': json({
          name: 'shop',
          version: '1.2.3',
          dependencies: { bcrypt: '^5.1.0', bcryptjs: '^2.4.3' },
          devDependencies: { '@types/bcrypt': '^5.0.0' },
          optionalDependencies: { leveldown: '^6.0.0' },
          bundledDependencies: ['bcryptjs'],
          engines: { node: '>=18', npm: '>=9' },
        }),
        'package-lock.json': npmLock(
          {
            dependencies: { bcrypt: '^5.1.0', bcryptjs: '^2.4.3' },
            devDependencies: { '@types/bcrypt': '^5.0.0' },
            optionalDependencies: { leveldown: '^6.0.0' },
          },
          {
            'node_modules/bcrypt': { version: '5.1.1', hasInstallScript: true },
            'node_modules/bcryptjs': { version: '2.4.3' },
            'node_modules/@types/bcrypt': { version: '5.0.2', dev: true },
            'node_modules/leveldown': {
              version: '6.1.1',
              hasInstallScript: true,
              optional: true,
              dependencies: { 'node-gyp-build': '^4.3.0' },
            },
            'node_modules/node-gyp-build': { version: '4.8.0', optional: true },
          },
        ),
      },
      gives: {
        manifests: {
          primary: {
            ecosystem: 'node',
            path: 'package.json',
            name: 'shop',
            version: '1.2.3',
            direct_dependencies: { runtime: 2, dev: 1 },
            declared_engines: [
              { name: 'node', range: '>=18' },
              { name: 'npm', range: '>=9' },
            ],
            lockfile: {
              path: 'package-lock.json',
              format: 'npm-3',
              total_packages_resolved: 5,
              integrity_valid: true,
              covers_manifest: true,
            },
            native_modules: {
              detected: true,
              packages: [
                {
                  name: 'bcrypt',
                  versions: ['5.1.1'],
                  requires_node_gyp: true,
                  system_deps_required: ['libstdc++'],
                  binary_artifacts: ['bcrypt*.node'],
                  catalog_entry_version: '1.0.0',
                },
                {
                  name: 'leveldown',
                  versions: ['6.1.1'],
                  requires_node_gyp: true,
                  system_deps_required: [],
                  binary_artifacts: [],
                  catalog_entry_version: 'uncatalogued',
                },
              ],
            },
            optional_dependencies: 1,
            bundled_dependencies: ['bcryptjs'],
          },
          catalog_version: '1.0.0',
        },
      },
      warnings: [],
      errors: [],
      confidence: 'high',
    },
    {
      shows: 'a lock that no longer covers its manifest, with a checksum that is none',
      files: {
        'package.json': json({ dependencies: { left: '^2.0.0' } }),
        'package-lock.json': npmLock(
          { dependencies: { left: '^1.0.0' } },
          { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-short' } },
        ),
      },
      gives: {
        manifests: {
          primary: {
            lockfile: { integrity_valid: false, covers_manifest: false },
            native_modules: { detected: false },
          },
        },
      },
      confidence: 'high',
    },
    {
      shows: 'a pnpm workspace: every member is judged by its own importer',
      files: {
        'package.json': json({ name: 'root', private: true, devDependencies: { sharp: '^0.33.0' } }),
        'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
        'packages/a/package.json': json({ name: '@acme/a', dependencies: { '@acme/b': 'workspace:*', ms: '^2.0.0' } }),
        'packages/b/package.json': json({ name: '@acme/b', dependencies: { ms: '^3.0.0' } }),
        'examples/demo/package.json': json({ name: 'demo', dependencies: { ms: '*' } }),
        'pnpm-lock.yaml': `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      sharp:
        specifier: ^0.33.0
        version: 0.33.2

  packages/a:
    dependencies:
      '@acme/b':
        specifier: workspace:*
        version: link:../b
      ms:
        specifier: ^2.0.0
        version: 2.1.3

  packages/b:
    dependencies:
      ms:
        specifier: ^2.0.0
        version: 2.1.3

packages:

  ms@2.1.3:
    resolution: {integrity: ${checksum}}

  sharp@0.33.2:
    resolution: {integrity: ${checksum}}

snapshots:

  ms@2.1.3: {}

  sharp@0.33.2: {}
`,
      },
      gives: {
        manifests: {
          all: [
            node('examples/demo/package.json', 'demo', 1, 0, null),
            node('package.json', 'root', 0, 1, pnpm(true)),
            node('packages/a/package.json', '@acme/a', 2, 0, pnpm(true)),
            node('packages/b/package.json', '@acme/b', 1, 0, pnpm(false)),
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'yarn classic: the descriptors of the lock decide',
      files: {
        'package.json': json({ dependencies: { ms: '^2.1.0', canvas: '2.11.2' } }),
        'yarn.lock': `# yarn lockfile v1


canvas@2.11.2:
  version "2.11.2"
  resolved "https://registry.yarnpkg.com/canvas/-/canvas-2.11.2.tgz#553d87b1e0228c7ac0fc72887c3adbac4abbd880"
  integrity ${checksum}

ms@^2.0.0, ms@^2.1.0:
  version "2.1.3"
  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.3.tgz#574c8138ce1d2b5861f0b44579dbadd60c6615b2"
  integrity ${checksum}
`,
      },
      gives: {
        manifests: {
          primary: {
            lockfile: {
              path: 'yarn.lock',
              format: 'yarn-classic-1',
              total_packages_resolved: 2,
              integrity_valid: true,
              covers_manifest: true,
            },
          },
        },
      },
      confidence: 'high',
    },
    {
      shows: 'yarn berry',
      files: {
        'package.json': json({ name: 'app', packageManager: 'yarn@4.1.0', dependencies: { ms: '^2.1.0' } }),
        'yarn.lock': `# This file is generated by running "yarn install" inside your project.

__metadata:
  version: 8
  cacheKey: 10c0

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    ms: "npm:^2.1.0"
  languageName: unknown
  linkType: soft

"ms@npm:^2.1.0":
  version: 2.1.3
  resolution: "ms@npm:2.1.3"
  checksum: 10c0/${'0123456789abcdef'.repeat(8)}
  languageName: node
  linkType: hard
`,
      },
      gives: {
        manifests: {
          primary: { lockfile: { format: 'yarn-berry-8', integrity_valid: true, covers_manifest: true } },
        },
      },
      confidence: 'high',
    },
    {
      shows: "bun's text lock",
      files: {
        'package.json': json({ name: 'app', dependencies: { ms: '^2.1.0' } }),
        'bun.lock': `{
  "lockfileVersion": 1,
  "workspaces": { "": { "name": "app", "dependencies": { "ms": "^2.1.0" } } },
  "packages": { "ms": ["ms@2.1.3", "", {}, "${checksum}"], },
}`,
      },
      gives: {
        manifests: {
          primary: {
            lockfile: { format: 'bun-1', total_packages_resolved: 1, integrity_valid: true, covers_manifest: true },
          },
        },
      },
      confidence: 'high',
    },
    {
      shows: "bun's binary lock cannot be read, and that is said",
      files: { 'package.json': json({ dependencies: { argon2: '*' } }), 'bun.lockb': new Uint8Array([35, 33, 0, 1]) },
      gives: { manifests: { primary: { lockfile: null, native_modules: { detected: true } } } },
      warnings: ['lockfile.binary_unsupported'],
      confidence: 'medium',
    },
    {
      shows: 'no lockfile',
      files: { 'package.json': json({ dependencies: { keytar: '^7.9.0' } }) },
      gives: { manifests: { primary: { lockfile: null, native_modules: { detected: true } } } },
      warnings: ['lockfile.absent'],
      confidence: 'medium',
    },
    {
      shows: 'lockfiles of two managers: one is read, confidence is low',
      files: {
        'package.json': json({}),
        'package-lock.json': npmLock({}, {}),
        'yarn.lock': '# yarn lockfile v1\n\n',
      },
      gives: { manifests: { primary: { lockfile: { path: 'yarn.lock', total_packages_resolved: 0 } } } },
      warnings: ['lockfile.multi_present'],
      confidence: 'low',
    },
    {
      shows: 'a broken lock and a broken manifest are errors of their own',
      files: {
        'package.json': json({ name: 'x' }),
        'package-lock.json': '{"lockfileVersion": 3,',
        'sub/package.json': 'not json',
      },
      gives: { manifests: { primary: { name: 'x', lockfile: null } } },
      errors: ['npm_lock.malformed', 'package_json.malformed'],
      confidence: 'low',
    },
    {
      shows: 'a polyglot repository: names and counts of every ecosystem',
      files: {
        'pyproject.toml':
          '[project]\nname = "svc"\nversion = "1.0"\nrequires-python = ">=3.11"\ndependencies = ["django"]\n',
        'uv.lock': 'version = 1\n\n[[package]]\nname = "django"\nversion = "5.0"\nsource = { registry = "x" }\n',
        'tools/requirements-dev.txt': 'pytest==8\nruff\n',
        'go.mod': 'module example.com/m\n\ngo 1.22\n\nrequire a.com/x v1.0.0\n',
        'go.sum': 'a.com/x v1.0.0 h1:AAAA=\na.com/x v1.0.0/go.mod h1:BBBB=\n',
        'Cargo.toml': '[package]\nname = "core"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n',
        'Cargo.lock':
          'version = 3\n\n[[package]]\nname = "core"\nversion = "0.1.0"\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+x"\n',
        'svc/pom.xml': '<project><artifactId>svc</artifactId><version>2</version></project>',
        'build.gradle.kts': 'plugins { java }\n',
        'App/App.csproj':
          '<Project><ItemGroup><PackageReference Include="Serilog" Version="3.0.0" /></ItemGroup></Project>',
        Gemfile: "source 'https://rubygems.org'\ngem 'rails'\n",
        'composer.json': json({ name: 'a/b', require: { php: '>=8', 'monolog/monolog': '^3' } }),
        'vendor/lib/Cargo.toml': '[package]\nname = "copied"\n',
      },
      gives: {
        manifests: {
          primary: null,
          all: [
            other('dotnet', 'App/App.csproj', { direct_dependencies: { runtime: 1, dev: 0 } }),
            other('go', 'go.mod', {
              name: 'example.com/m',
              direct_dependencies: { runtime: 1, dev: 0 },
              declared_engines: [{ name: 'go', range: '1.22' }],
              lockfile: counted('go.sum', 'go-sum', 1),
            }),
            other('java', 'build.gradle.kts', {}),
            other('java', 'svc/pom.xml', { name: 'svc', version: '2' }),
            other('php', 'composer.json', {
              name: 'a/b',
              direct_dependencies: { runtime: 1, dev: 0 },
              declared_engines: [{ name: 'php', range: '>=8' }],
            }),
            other('python', 'pyproject.toml', {
              name: 'svc',
              version: '1.0',
              direct_dependencies: { runtime: 1, dev: 0 },
              declared_engines: [{ name: 'python', range: '>=3.11' }],
              lockfile: counted('uv.lock', 'uv', 1),
            }),
            other('python', 'tools/requirements-dev.txt', { direct_dependencies: { runtime: 0, dev: 2 } }),
            other('ruby', 'Gemfile', { direct_dependencies: { runtime: 1, dev: 0 } }),
            other('rust', 'Cargo.toml', {
              name: 'core',
              version: '0.1.0',
              direct_dependencies: { runtime: 1, dev: 0 },
              lockfile: counted('Cargo.lock', 'cargo', 1),
            }),
          ],
        },
      },
      warnings: [],
      errors: [],
      confidence: 'high',
    },
    {
      shows:
        'dependencies as each ecosystem tells them apart: extras, indirect and build ones are not counted among the others',
      files: {
        'pyproject.toml':
          '[project]\nname = "svc"\ndependencies = ["a", "b"]\n[project.optional-dependencies]\nasync = ["c"]\n[dependency-groups]\ndev = ["pytest"]\n',
        'old/pyproject.toml': '[project]\nname = "old"\ndynamic = ["dependencies"]\n',
        'go/go.mod':
          'module x\n\ngo 1.25.0\n\ntoolchain go1.26.5\n\nrequire a.com/x v1.0.0\n\nrequire b.com/y v1.0.0 // indirect\n',
        'rs/Cargo.toml':
          '[package]\nname = "r"\n[dependencies]\na = "1"\n[build-dependencies]\ncc = "1"\n[dev-dependencies]\nb = "1"\n',
        'jvm/build.gradle':
          "buildscript {\n  dependencies { classpath 'p:plugin:1' }\n}\ndependencies {\n  implementation 'a:b:1'\n  implementation(libs.core) {\n    exclude group: 'x'\n  }\n  testImplementation 'c:d:1'\n}\njava { toolchain { languageVersion = JavaLanguageVersion.of(21) } }\n",
        'lists/build.gradle':
          "dependencies {\n  implementation 'a:b:1',\n      'c:d:1',\n      'e:f:1'\n  runtimeOnly 'g:h:1'\n}\n",
        'kit/requirements.txt': '-e .\nruff\npytest\n',
        'mail/requirements.in': 'flask\njinja2\n',
        'mail/requirements.txt': '# This file is autogenerated by pip-compile\nflask==3\njinja2==3\nmarkupsafe==2\n',
        'task/pyproject.toml': '[project]\nname = "task"\ndependencies = ["celery"]\n',
        'task/requirements.txt':
          '#\n# This file is autogenerated by pip-compile with Python 3.11\n#    pip-compile pyproject.toml\n#\ncelery==5\nkombu==5\n',
        'push/package.json': json({ name: 'push', scripts: { bun: 'bun index.ts', deno: 'deno run index.ts' } }),
        '.github/workflows/ci.yml':
          '# pnpm install is slower\njobs: {a: {steps: [{run: npm install yarn -g}, {run: poetry install, working-directory: both}]}}\n',
        'both/pyproject.toml': '[project]\nname = "both"\ndependencies = ["a"]\n',
        'both/poetry.lock': '[[package]]\nname = "a"\n',
        'both/uv.lock': 'version = 1\n',
      },
      gives: {},
      facts: [
        {
          id: 'manifest.dependencies',
          scope: 'pyproject.toml',
          value: { runtime: 2, dev: 1 },
          evidence: ['pyproject.toml:3'],
        },
        { id: 'manifest.dependencies', scope: 'go/go.mod', value: { runtime: 1, indirect: 1 } },
        { id: 'manifest.dependencies', scope: 'rs/Cargo.toml', value: { runtime: 1, dev: 1 } },
        { id: 'manifest.dependencies', scope: 'jvm/build.gradle', value: { runtime: 2, dev: 1 }, confidence: 'medium' },
        { id: 'manifest.dependencies', scope: 'lists/build.gradle', value: { runtime: 4, dev: 0 } },
        { id: 'manifest.dependencies', scope: 'kit/requirements.txt', confidence: 'low' },
        { id: 'manifest.dependencies', scope: 'mail/requirements.in', value: { runtime: 2, dev: 0 } },
        { id: 'lockfile', scope: 'mail/requirements.in', value: 'mail/requirements.txt' },
        { id: 'lockfile', scope: 'task/pyproject.toml', value: 'task/requirements.txt' },
        { id: 'package_manager', scope: 'push', value: 'npm', confidence: 'medium' },
        {
          id: 'package_manager',
          scope: 'both',
          value: 'poetry',
          confidence: 'medium',
          evidence: ['.github/workflows/ci.yml:2'],
        },
        { id: 'lockfile', scope: 'both/pyproject.toml', value: 'both/poetry.lock' },
        { id: 'runtime.pin', scope: 'go/go.mod', value: { go: '1.25.0', toolchain: 'go1.26.5' } },
        { id: 'runtime.pin', scope: 'jvm/build.gradle', value: '21' },
      ],
    },
    {
      shows: 'a lock lies beside its manifest or at the root of the workspace, and names the manager',
      files: {
        'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
        'uv.lock': 'version = 1\n',
        'backend/pyproject.toml': '[project]\nname = "backend"\ndependencies = []\n',
        'tools/pyproject.toml': '[project]\nname = "tools"\ndependencies = []\n[tool.poetry]\n',
        'core/Cargo.toml': '[workspace]\nexclude = ["alone"]\n[workspace.package]\nrust-version = "1.80"\n',
        'core/Cargo.lock': 'version = 3\n',
        'core/one/Cargo.toml': '[package]\nname = "one"\nrust-version.workspace = true\n',
        'core/alone/Cargo.toml': '[package]\nname = "alone"\n',
        'web/package.json': json({ workspaces: ['app'], packageManager: 'yarn@4.1.0' }),
        'web/yarn.lock': '__metadata:\n  version: 8\n',
        'web/app/package.json': json({ name: 'app' }),
        'bin/package.json': json({ name: 'bin' }),
        'bin/bun.lockb': new Uint8Array([35, 33, 0, 1]),
      },
      gives: {},
      facts: [
        { id: 'lockfile', scope: 'backend/pyproject.toml', value: 'uv.lock' },
        { id: 'package_manager', scope: 'backend', value: 'uv', confidence: 'high' },
        { id: 'lockfile', scope: 'tools/pyproject.toml', state: 'none' },
        { id: 'package_manager', scope: 'tools', value: 'poetry', confidence: 'medium' },
        { id: 'lockfile', scope: 'core/one/Cargo.toml', value: 'core/Cargo.lock' },
        { id: 'runtime.pin', scope: 'core/one/Cargo.toml', value: '1.80', evidence: ['core/Cargo.toml:4'] },
        { id: 'lockfile', scope: 'core/alone/Cargo.toml', state: 'none' },
        { id: 'lockfile', scope: 'web/app/package.json', value: 'web/yarn.lock' },
        { id: 'package_manager', scope: 'web/app', value: { name: 'yarn', version: '4.1.0' } },
        { id: 'lockfile', scope: 'bin/package.json', value: 'bin/bun.lockb' },
        { id: 'package_manager', scope: 'bin', value: 'bun' },
      ],
    },
    {
      shows: 'two builds side by side are two managers, and a version that both ask for is the repository’s',
      files: {
        'pom.xml': `<project><properties><java.version>17</java.version><maven.compiler.release>$\{java.version}</maven.compiler.release></properties></project>`,
        'build.gradle': 'java {\n  toolchain {\n    languageVersion = JavaLanguageVersion.of(17)\n  }\n}\n',
        'src/main/java/App.java': 'class App {}\n',
      },
      gives: {},
      facts: [
        { id: 'package_manager', scope: '.', value: ['gradle', 'maven'] },
        { id: 'runtime.pin', scope: '.', value: '17', confidence: 'high' },
      ],
    },
    {
      shows: 'runtimes are pinned by version files before manifests; a manager is no runtime',
      files: {
        '.tool-versions': 'nodejs 24.7.0\nbun 1.2.19\npnpm 9.0.0\n',
        '.npmrc': 'package-lock=false\n',
        'package.json': json({ name: 'x', engines: { node: '>=20', pnpm: '>=9' } }),
        'api/.python-version': '3.14\n',
        'api/rust-toolchain.toml': '[toolchain]\nchannel = "1.90.0"\n',
        'api/global.json': json({ sdk: { version: '9.0.100' } }),
        'gradle/gradle-daemon-jvm.properties':
          '#This file is generated\ntoolchainVendor=ADOPTIUM\ntoolchainVersion=21\n',
        'api/mise.toml': '[tools]\nruby = "3.4"\njust = "1"\n',
      },
      gives: {},
      facts: [
        { id: 'runtime.pin', scope: '.tool-versions', value: { nodejs: '24.7.0', bun: '1.2.19' } },
        { id: 'runtime.pin', scope: 'package.json', value: '>=20' },
        { id: 'runtime.pin', scope: '.', value: { node: '24.7.0', bun: '1.2.19' }, confidence: 'medium' },
        { id: 'runtime.pin', scope: 'api/.python-version', value: '3.14' },
        { id: 'runtime.pin', scope: 'api/rust-toolchain.toml', value: '1.90.0' },
        { id: 'runtime.pin', scope: 'api/global.json', value: '9.0.100' },
        { id: 'runtime.pin', scope: 'gradle/gradle-daemon-jvm.properties', value: '21' },
        { id: 'runtime.pin', scope: 'api/mise.toml', value: '3.4' },
        { id: 'package_manager', scope: '.', value: 'npm', confidence: 'medium', evidence: ['.npmrc:1'] },
        { id: 'lockfile', scope: 'package.json', state: 'none' },
      ],
    },
    {
      shows: 'a manifest that is not read says who installs; what lies below it is not how the whole is installed',
      beside: ['components'],
      files: {
        'mix.exs': 'defmodule Shop.MixProject do\nend\n',
        'lib/shop.ex': 'defmodule Shop do\nend\n',
        'assets/package.json': '{"name":"assets","dependencies":{"react":"^19.0.0"}}',
        'assets/package-lock.json': '{"lockfileVersion":3,"packages":{}}',
      },
      gives: {},
      facts: [
        { id: 'package_manager', scope: '.', value: 'mix', confidence: 'medium', evidence: ['mix.exs:1'] },
        { id: 'package_manager', scope: 'assets', value: 'npm' },
      ],
    },
    {
      shows: 'nothing to read',
      files: { 'README.md': '# hello\n' },
      gives: {},
      skipped: 'not_applicable',
    },
  ];
}

function json(value: Json): string {
  return JSON.stringify(value);
}

/** `packages` as npm writes them: a registry entry with a checksum unless it says otherwise. */
function npmLock(root: JsonObject, entries: Readonly<Record<string, JsonObject>>): string {
  const packages = Object.entries(entries).map(([key, entry]): [string, JsonObject] => {
    const name = key.slice('node_modules/'.length);
    return [key, { resolved: `https://registry.example.com/${name}/-/x.tgz`, integrity: checksum, ...entry }];
  });
  return json({ lockfileVersion: 3, requires: true, packages: { '': root, ...Object.fromEntries(packages) } });
}

function node(path: string, name: string, runtime: number, dev: number, lockfile: Json): JsonObject {
  return {
    ecosystem: 'node',
    path,
    name,
    version: null,
    direct_dependencies: { runtime, dev },
    declared_engines: [],
    lockfile,
  };
}

function pnpm(covers: boolean): JsonObject {
  return {
    path: 'pnpm-lock.yaml',
    format: 'pnpm-9.0',
    total_packages_resolved: 2,
    integrity_valid: true,
    covers_manifest: covers,
  };
}

function other(ecosystem: string, path: string, known: JsonObject): JsonObject {
  return {
    ecosystem,
    path,
    name: null,
    version: null,
    direct_dependencies: { runtime: 0, dev: 0 },
    declared_engines: [],
    lockfile: null,
    ...known,
  };
}

function counted(path: string, format: string, total: number): JsonObject {
  return { path, format, total_packages_resolved: total, integrity_valid: null, covers_manifest: null };
}
