/** The run of components: a directory with a manifest is one, and its name and place say of which kind. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { ComponentKind } from '../../gather/facts/fact.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { isForeignManifest, isGeneratedName, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
import type { ScopeFile } from '../../kernel/tree/file-scope.ts';
import { createLanguageResolver, dataLanguages, readExtraExtensions } from '../../languages/file-language.ts';
import type { ComponentRow } from './components-section.ts';

type Context = Pick<ProbeContext<'languages.extra_extensions'>, 'upstream' | 'config'>;

export async function gatherComponents(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const files = repo.inputs.list().flatMap((id) => repo.scope.find(id) ?? []);
  const directories = new Map<string, string[]>([['.', []]]);
  for (const { path } of files) {
    if (!manifestName.test(path) || isForeignManifest(path)) continue;
    const dir = directoryOf(path);
    directories.set(dir, [...(directories.get(dir) ?? []), path]);
  }
  const dirs = [...directories.keys()].sort(compareCodeUnits);
  const languageOf = createLanguageResolver(
    files.map(({ path }) => path),
    readExtraExtensions(ctx.config['languages.extra_extensions']),
  );
  const owned = shareOut(files, dirs);
  const components = dirs.map((dir): ComponentRow => {
    const { kind, how } = kindOf(dir);
    // The root speaks for the product as a whole.
    const own = dir === '.' ? dirs.filter((other) => isProductDir(other)) : [dir];
    const languages = rank(
      own.flatMap((one) => owned.get(one) ?? []),
      languageOf,
    );
    const alone = dir === '.' ? rank(owned.get('.') ?? [], languageOf) : languages;
    return {
      dir,
      name: null,
      kind,
      language: alone[0]?.language ?? null,
      languages,
      manifests: directories.get(dir) ?? [],
      how,
    };
  });
  return { kind: 'ran', slice: { components: { components, workspace: workspaceOf(ctx) } }, confidence: 'high' };
}

const manifestName =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|requirements\.(?:txt|in)|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|Package\.swift|[^/]+\.(?:cs|fs|vb)proj)$/;

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

const kindByName: readonly (readonly [RegExp, ComponentKind])[] = [
  [/^(?:examples?|samples?|demos?|playground|templates?)$/, 'example'],
  [/^(?:benchmarks?|bench|perf|perf-measures)$/, 'benchmark'],
  [/^(?:tests?|e2e|spec|integration|__tests__|.*-tests?|fuzz)$/, 'test'],
  [/^(?:docs?|www|website|site)$/, 'docs'],
];

function kindOf(dir: string): { readonly kind: ComponentKind; readonly how: string } {
  for (const name of dir.split('/')) {
    const found = kindByName.find(([pattern]) => pattern.test(name));
    if (found !== undefined) return { kind: found[1], how: `it lies in ${name}/` };
  }
  return { kind: 'package', how: dir === '.' ? 'the root' : 'a directory with a manifest' };
}

function isProductDir(dir: string): boolean {
  return kindOf(dir).kind === 'package';
}

/** Each file to the deepest directory around it. */
function shareOut(files: readonly ScopeFile[], dirs: readonly string[]): ReadonlyMap<string, readonly ScopeFile[]> {
  const known = new Set(dirs);
  const owned = new Map<string, ScopeFile[]>();
  for (const file of files) {
    let dir = directoryOf(file.path);
    while (!known.has(dir)) dir = directoryOf(dir);
    const held = owned.get(dir);
    if (held === undefined) owned.set(dir, [file]);
    else held.push(file);
  }
  return owned;
}

function rank(files: readonly ScopeFile[], languageOf: (path: string) => string | null): ComponentRow['languages'] {
  const found = new Map<string, { files: number; bytes: number; sample: string; largest: number }>();
  for (const { path, size, kind } of files) {
    if (kind !== 'file' || isVendoredPath(path) || isGeneratedName(path) || isTestFile(path)) continue;
    const language = languageOf(path);
    if (language === null || dataLanguages.has(language)) continue;
    const held = found.get(language) ?? { files: 0, bytes: 0, sample: path, largest: -1 };
    held.files += 1;
    held.bytes += size;
    if (size > held.largest) [held.sample, held.largest] = [path, size];
    found.set(language, held);
  }
  return [...found]
    .sort(([a, x], [b, y]) => y.files - x.files || y.bytes - x.bytes || compareCodeUnits(a, b))
    .map(([language, { files: count, sample }]) => ({ language, files: count, sample }));
}

function workspaceOf({ upstream }: Context) {
  const monorepo = upstream['language_detection']?.value ?? null;
  const [marker = ''] = listAt(monorepo, 'monorepo', 'markers').filter((one) => typeof one === 'string');
  const members = listAt(upstream['node_build_system']?.value ?? null, 'workspaces')
    .flatMap((one) => textAt(one, 'path') ?? [])
    .filter((path) => path !== '.')
    .sort(compareCodeUnits);
  if (marker === '' || members.length === 0) return null;
  return { tool: textAt(monorepo, 'monorepo', 'tool') ?? '', declared_in: marker.split('#')[0] ?? '', members };
}
