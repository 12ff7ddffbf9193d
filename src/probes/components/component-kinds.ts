/** Of which kind a part of the tree is: the names on its path say what is none of the product; its manifest says what the rest is. */

import type { ComponentKind } from '../../gather/facts/fact.ts';
import { isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, member, objectAt, textAt } from '../../kernel/base/json-access.ts';

export type Known = { readonly kind: ComponentKind; readonly how: string };

/** Names that say so wherever they stand above a manifest. */
const asideByName: readonly (readonly [RegExp, ComponentKind])[] = [
  [/^(?:vendor|third_party|node_modules|bower_components)$/, 'vendored'],
  [
    /^(?:(?:.+[._-])?(?:examples?|samples?|demos?)|examples?[._-].+|playgrounds?|sandbox(?:es)?|templates?|template[._-].+|\{\{.+\}\}|boilerplates?|starters?|tutorials?|cookbook)$/i,
    'example',
  ],
  [/^(?:(?:.+[._-])?(?:benchmarks?|bench)|bench(?:marks?)?[._-].+|perf|perf-measures|benchsuite)$/i, 'benchmark'],
  [
    /^(?:(?:.+[._-])?(?:unit|integration|functional|acceptance|e2e|smoke)?[._-]?tests?|.+[a-z]Tests|e2e(?:[._-].+)?|spec|integration|__tests__|fuzz|testsuite)$/i,
    'test',
  ],
  [/^(?:docs?|documentation|www|website|site|storybook)$/i, 'docs'],
  [
    /^(?:\.github|\.circleci|\.devcontainer|\.gitlab|\.buildkite|infra|infrastructure|terraform|cdk|pulumi)$/,
    'infrastructure',
  ],
];

/** By the first such name from the root; undefined for what may be the product. */
export function asideOf(dir: string): Known | undefined {
  if (dir === '.') return undefined;
  for (const name of dir.split('/')) {
    const found = asideByName.find(([pattern]) => pattern.test(name));
    if (found !== undefined) return { kind: found[1], how: `it ${dir.endsWith(name) ? 'is' : 'lies in'} ${name}/` };
  }
  return undefined;
}

/** Names that say so without a manifest, directly below the root or a package: others (`templates`, `site`) hold the product's own files as often. */
const plainAside: readonly (readonly [RegExp, ComponentKind])[] = [
  [/^(?:examples?|samples?|demos?)$/, 'example'],
  [/^(?:benchmarks?|bench|benches|benchsuite)$/, 'benchmark'],
  [/^(?:tests?|e2e|__tests__|(?:unit|integration|functional|acceptance|e2e|runtime|smoke)[._-]tests?)$/, 'test'],
  [/^(?:docs?|documentation)$/, 'docs'],
  [/^(?:\.github|\.circleci|\.devcontainer|\.gitlab|\.buildkite)$/, 'infrastructure'],
];

/** `spec/` may hold specifications: its files say which. */
const specFile = /(?:_spec\.(?:rb|lua|cr)|\.spec\.[^./]+|Spec\.(?:php|scala|hs|groovy|kt))$/;

export function plainAsideOf(name: string, someFile: () => readonly string[]): Known | undefined {
  const found = plainAside.find(([pattern]) => pattern.test(name));
  if (found !== undefined) return { kind: found[1], how: `it is ${name}/` };
  return name === 'spec' && someFile().some((path) => specFile.test(path))
    ? { kind: 'test', how: 'it is spec/ and holds specs' }
    : undefined;
}

/** What the manifests of one directory say of the package. */
export type PackageFacts = {
  readonly name: string | null;
  /** Null: its ecosystem does not say. */
  readonly published: boolean | null;
  readonly known: Known | null;
};

const appFrameworks =
  /^(?:next|nuxt|@remix-run\/serve|@sveltejs\/kit|gatsby|expo|electron|@angular\/core|react-scripts|@redwoodjs\/core|@docusaurus\/core)$/;

export function readNodePackage(manifest: JsonObject): PackageFacts {
  const has = (key: string) => manifest[key] !== undefined && manifest[key] !== null;
  const isPrivate = manifest['private'] === true;
  const isImportable = ['main', 'module', 'exports', 'types', 'typings'].some(has);
  const framework = Object.keys(objectAt(manifest, 'dependencies')).find((name) => appFrameworks.test(name));
  const say = (kind: ComponentKind, how: string): Known => ({ kind, how: `package.json: ${how}` });
  const known =
    has('bin') && !isImportable
      ? say('cli', 'bin, and nothing to import')
      : isImportable && !isPrivate
        ? say('library', 'importable and not private')
        : framework !== undefined
          ? say('app', `depends on ${framework}`)
          : null;
  return {
    name: textAt(manifest, 'name'),
    published:
      !isPrivate && textAt(manifest, 'name') !== null && has('version') && (isImportable || has('bin') || has('files')),
    known,
  };
}

export function readCargoPackage(manifest: JsonObject, hasFile: (path: string) => boolean): PackageFacts {
  const publish = member(manifest, 'package', 'publish');
  const isPackage = isJsonObject(manifest['package']);
  const hasLib = isJsonObject(manifest['lib']) || hasFile('src/lib.rs');
  const hasBin = listAt(manifest, 'bin').length > 0 || hasFile('src/main.rs');
  return {
    name: textAt(manifest, 'package', 'name'),
    published: isPackage && publish !== false && !(Array.isArray(publish) && publish.length === 0),
    known: hasLib
      ? { kind: 'library', how: 'Cargo: it has a library' }
      : hasBin
        ? { kind: 'cli', how: 'Cargo: it has binaries and no library' }
        : null,
  };
}
