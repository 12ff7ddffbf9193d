/** The run of frameworks: imports of production code, held against what manifests declare. */

import type { ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { isWithin } from '../../gather/facts/fact.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { objectsAt, textAt } from '../../kernel/base/json-access.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { lineAt } from '../../kernel/formats/parse-outcome.ts';
import { isFixturePath, isGeneratedName, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { type CataloguedFramework, type Ecosystem, frameworkCatalog } from '../shared/framework-catalog.ts';

type Declared = {
  readonly ecosystem: Ecosystem;
  readonly directory: string;
  readonly manifest: string;
  readonly framework: CataloguedFramework;
  readonly shows: string;
  /** Declared for developers (`dev`): only an import makes it part of the product. For those of a library (`tool`): nothing does. */
  readonly slot: string;
};

type Use = Declared & { readonly user: string; readonly at: { readonly path: string; readonly line: number } | null };

/** Imports stand at the top. */
const headBytes = 64 * 1024;

export async function gatherFrameworks(repo: ProbeRepo, manifests: Json): Promise<ProbeOutput> {
  const rows = objectsAt({ rows: manifests }, 'rows').map((row) => ({
    ecosystem: (textAt(row, 'ecosystem') ?? '') as Ecosystem,
    path: textAt(row, 'path') ?? '',
    declared: objectsAt(row, 'frameworks'),
  }));
  const declared = rows.flatMap(({ ecosystem, path, declared: own }) =>
    own.flatMap((each): Declared[] => {
      const framework = frameworkCatalog[ecosystem].find(({ name }) => name === textAt(each, 'name'));
      if (framework === undefined) return [];
      const shows = textAt(each, 'shows') ?? '';
      const slot = textAt(each, 'slot') ?? '';
      return [{ ecosystem, directory: homeOf(path), manifest: path, framework, shows, slot }];
    }),
  );
  const uses: Use[] = declared
    .filter(({ framework, slot }) => framework.isImplicit === true && slot === 'runtime')
    .map((each) => ({ ...each, user: each.directory, at: null }));
  const directories = new Map(
    rows.map(({ path, ecosystem }) => [`${ecosystem} ${homeOf(path)}`, { ecosystem, dir: homeOf(path) }]),
  );
  // What is settled needs no further look; a tool of a library is settled from the start.
  const seen = new Set(
    declared.flatMap((each) => (each.slot === 'tool' ? [`${each.directory} ${each.framework.name}`] : [])),
  );
  for (const path of repo.inputs.list().filter(isProduction)) {
    const language = languageOf(path);
    if (language === undefined || !declared.some(({ ecosystem }) => ecosystem === language)) continue;
    const user = nearest(
      path,
      [...directories.values()].filter(({ ecosystem }) => ecosystem === language).map(({ dir }) => dir),
    );
    if (user === undefined) continue;
    // A package also finds what the directories around it install; a crate does not.
    const wanted = declared.filter(
      (each) =>
        each.ecosystem === language &&
        each.slot !== 'tool' &&
        (language === 'rust' || language === 'go' ? each.directory === user : isWithin(user, each.directory)) &&
        !seen.has(`${user} ${each.framework.name}`),
    );
    if (wanted.length === 0) continue;
    const head = await repo.inputs.readHead(path, headBytes);
    if (head.kind !== 'read') continue;
    const text = decodeLenient(head.bytes);
    const imports = importsIn(language, text);
    for (const each of wanted) {
      const hit = imports.find(({ name }) => isImportOf(each, name));
      if (hit === undefined || seen.has(`${user} ${each.framework.name}`)) continue;
      seen.add(`${user} ${each.framework.name}`);
      uses.push({ ...each, user, at: { path, line: lineAt(text, hit.offset) } });
    }
  }
  const used = uses
    .filter((use, at) => uses.findIndex((other) => other.user === use.user && other.framework === use.framework) === at)
    .map(({ user, manifest, framework, shows, at }) => ({
      framework: framework.name,
      directory: user,
      manifest,
      shows,
      imported_at: at,
    }))
    .sort((a, b) => compareCodeUnits(a.directory, b.directory) || compareCodeUnits(a.framework, b.framework));
  const dirs = [...new Set([...directories.values()].map(({ dir }) => dir))].sort(compareCodeUnits);
  return { kind: 'ran', slice: { frameworks: { directories: dirs, used } }, confidence: 'medium' };
}

/** Whose dependencies a manifest declares: those in `requirements/` are of the directory around it. */
function homeOf(path: string): string {
  const directory = directoryOf(path);
  return /(?:^|\/)requirements$/.test(directory) ? directoryOf(directory) : directory;
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

function nearest(path: string, dirs: readonly string[]): string | undefined {
  return dirs
    .filter((dir) => isWithin(path, dir))
    .reduce<string | undefined>(
      (best, dir) => (best !== undefined && best !== '.' && best.length > dir.length ? best : dir),
      undefined,
    );
}

const sampleDirectory =
  /(?:^|\/)(?:tests?|spec|specs|__mocks__|e2e|cypress|playwright|examples?|samples?|demos?|benchmarks?|bench|benches|docs?|docs_src|website|stories|testing|testutils?|[^/]+[.-]tests?)\//i;
const sampleName =
  /(?:\.stories\.[a-z]+|(?:^|\/)(?:conftest|setup|noxfile|tasks)\.py|\.config\.[a-z]+|(?:^|\/)[^/]*(?:_test\.py|Tests?\.(?:cs|kt|java)))$/;

function isProduction(path: string): boolean {
  return !(
    isTestFile(path) ||
    isVendoredPath(path) ||
    isFixturePath(path) ||
    isGeneratedName(path) ||
    sampleDirectory.test(path) ||
    sampleName.test(path)
  );
}

const byExtension: readonly (readonly [RegExp, Ecosystem])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/, 'node'],
  [/\.py$/, 'python'],
  [/\.go$/, 'go'],
  [/\.rs$/, 'rust'],
  [/\.(?:java|kt)$/, 'java'],
  [/\.(?:cs|fs)$/, 'dotnet'],
];

function languageOf(path: string): Ecosystem | undefined {
  return byExtension.find(([pattern]) => pattern.test(path))?.[1];
}

type Import = { readonly name: string; readonly offset: number };

/** The last group is what is imported. Each begins a line, so that comments hold none. */
const importForms: Partial<Record<Ecosystem, readonly RegExp[]>> = {
  node: [
    /^[ \t]*(?:import|export)\b(?!\s+type\b)(?<clause>[^'"`;]{0,2000}?)\bfrom\s*['"](?<name>[^'"\n]+)['"]/gm,
    /^[ \t]*import\s*['"](?<name>[^'"\n]+)['"]/gm,
    /^(?![ \t]*(?:\/\/|\*|\/\*)).*?\brequire\(\s*['"](?<name>[^'"\n]+)['"]\s*\)/gm,
    /^(?![ \t]*(?:\/\/|\*|\/\*)).*?(?:await|=>|return)\s+import\(\s*['"](?<name>[^'"\n]+)['"]/gm,
  ],
  python: [/^[ \t]*from[ \t]+(?<name>[\w.]+)[ \t]+import\b/gm, /^[ \t]*import[ \t]+(?<name>[\w.]+)/gm],
  go: [/^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"(?<name>[^"\n]+)"[ \t]*(?:\/\/.*)?$/gm],
  rust: [/^[ \t]*(?:pub[ \t]+)?use[ \t]+(?:::)?(?<name>\w+)/gm, /^(?![ \t]*\/\/).*?(?<![\w:])(?<name>[a-z_]\w*)::/gm],
  java: [/^[ \t]*import[ \t]+(?:static[ \t]+)?(?<name>[\w.]+)/gm],
  dotnet: [/^[ \t]*(?:global[ \t]+)?(?:using|open)[ \t]+(?:static[ \t]+)?(?<name>[\w.]+)/gm],
};

function importsIn(language: Ecosystem, text: string): readonly Import[] {
  return (importForms[language] ?? []).flatMap((form) =>
    [...text.matchAll(form)].flatMap((match) => {
      const { name = '', clause = '' } = match.groups ?? {};
      // `import { type A, type B }` leaves nothing behind.
      if (/^\s*\{(?:\s*type\s+[^,{}]+,?)+\s*\}\s*$/.test(clause)) return [];
      return [{ name, offset: match.index + match[0].length - name.length }];
    }),
  );
}

function isImportOf({ ecosystem, framework }: Declared, name: string): boolean {
  const written = framework.imports ?? framework.packages;
  const separators = ecosystem === 'node' || ecosystem === 'go' ? '/' : '.';
  return written.some((each) => {
    const start = ecosystem === 'rust' ? each.replaceAll('-', '_') : each;
    return name === start || name.startsWith(`${start}${separators}`);
  });
}
