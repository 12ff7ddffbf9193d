/**
 * The run of components. A part is a directory with a manifest, or with code and a Dockerfile, or one that is named as something that is
 * none of the product (tests, examples, documentation …) and stands directly below a part.
 */

import { posix } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { isProduct, isWithin } from '../../gather/facts/fact.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { parseXml, type XmlElement } from '../../kernel/formats/xml.ts';
import { languageOfShebang } from '../../kernel/tree/content-kind.ts';
import {
  isFixturePath,
  isForeignManifest,
  isGeneratedName,
  isTestFile,
  isVendoredPath,
} from '../../kernel/tree/file-roles.ts';
import type { ScopeFile } from '../../kernel/tree/file-scope.ts';
import { createLanguageResolver, dataLanguages, readExtraExtensions } from '../../languages/file-language.ts';
import { shown } from '../shared/manifest-facts.ts';
import { createFindings, type Findings, manifestLimits, readManifest, readParsed } from '../shared/probe-reading.ts';
import {
  asideOf,
  type Known,
  type PackageFacts,
  plainAsideOf,
  readCargoPackage,
  readNodePackage,
} from './component-kinds.ts';
import { type ComponentRow, starterGlob } from './components-section.ts';
import { type ManifestFiles, readWorkspaces } from './workspaces.ts';

type Context = Pick<ProbeContext<'languages.extra_extensions'>, 'config' | 'parsedManifest'>;

export async function gatherComponents(repo: ProbeRepo, ctx: Context): Promise<ProbeOutput> {
  const findings = createFindings();
  const all = repo.inputs.list().flatMap((id) => repo.scope.find(id) ?? []);
  const files = openFiles(
    repo,
    ctx,
    findings,
    all.map(({ path }) => path),
  );
  const byName = createLanguageResolver(files.paths, readExtraExtensions(ctx.config['languages.extra_extensions']));
  const started = await readStarters(repo);
  const languageOf = (path: string) => started.get(path) ?? byName(path);
  const workspaces = await readWorkspaces(files, isForeignManifest);
  const contexts = await readBuildContexts(files);

  const manifests = new Map<string, string[]>([['.', []]]);
  for (const path of files.paths) {
    if (!manifestName.test(path) || isForeignManifest(path)) continue;
    const dir = posix.dirname(path);
    manifests.set(dir, [...(manifests.get(dir) ?? []), path]);
  }
  const aside = findAside(files.paths, manifests);
  const services = findServices(files.paths, contexts, [...aside.keys()], languageOf);
  const candidates = [...new Set([...manifests.keys(), ...aside.keys(), ...services.keys()])].sort(compareCodeUnits);
  const owned = shareOut(all, candidates);
  // A folder of examples whose files all belong to one of them is no part of its own.
  const dirs = candidates.filter((dir) => dir === '.' || owned.has(dir));

  const described = new Map<string, Known & Pick<PackageFacts, 'name' | 'published'>>();
  for (const dir of dirs) {
    const own = await describePackage(files, manifests.get(dir) ?? []);
    const kind = aside.get(dir) ?? asideOf(dir) ?? services.get(dir) ?? own.known ?? fallback(dir);
    described.set(dir, { name: own.name, published: own.published, ...kind });
  }
  // Where a file for all parts says it, or none does, the parts themselves are silent about it.
  const gradleDirs = dirs.filter((dir) => manifests.get(dir)?.some((path) => /build\.gradle(?:\.kts)?$/.test(path)));
  const saysSo = gradleDirs.filter((dir) => dir !== '.' && described.get(dir)?.published === true);
  if (saysSo.length === 0 || described.get('.')?.published === true)
    for (const dir of gradleDirs) {
      const held = described.get(dir);
      if (held !== undefined) described.set(dir, { ...held, published: null });
    }
  const isPart = (dir: string) => isProduct(described.get(dir) ?? fallback(dir));
  const components = dirs.map((dir): ComponentRow => {
    const { kind, how, name, published } = described.get(dir) ?? { ...fallback(dir), name: null, published: null };
    // A part speaks for the parts of the product below it too: the root for all of them.
    const around = dirs.filter((other) => other === dir || (isWithin(other, dir) && isPart(other)));
    const isAside = !isPart(dir);
    const languages = rank(
      around.flatMap((one) => owned.get(one) ?? []),
      languageOf,
      isAside,
    );
    const alone = around.length === 1 ? languages : rank(owned.get(dir) ?? [], languageOf, isAside);
    return {
      dir,
      name: name === null ? null : shown(name),
      kind,
      language: alone[0]?.language ?? null,
      languages,
      manifests: manifests.get(dir) ?? [],
      published,
      how,
    };
  });
  const [first = null] = workspaces.filter(({ declared_in: path }) => !path.includes('/'));
  return {
    kind: 'ran',
    slice: {
      components: {
        components,
        workspace: first && { tool: first.tool, declared_in: first.declared_in, members: [...first.members] },
        workspaces: workspaces.map((one) => ({ ...one, members: [...one.members] })),
      },
    },
    confidence: findings.warned(unreadable) ? 'medium' : 'high',
    ...findings.report(),
  };
}

/** `bin/profile.pl` may be what a package manager puts there to start a program of that name: its first line says what it is written in. */
async function readStarters(repo: ProbeRepo): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const path of repo.inputs.list([starterGlob])) {
    const head = await repo.inputs.readHead(path, 256);
    const language = head.kind === 'read' ? languageOfShebang(decodeLenient(head.bytes)) : null;
    if (language !== null) found.set(path, language);
  }
  return found;
}

const unreadable = 'components.manifest_unreadable';

function openFiles(repo: ProbeRepo, ctx: Context, findings: Findings, paths: readonly string[]): ManifestFiles {
  const known = new Set(paths);
  const fail = (path: string) => {
    findings.warn(unreadable, { path });
    return null;
  };
  return {
    paths,
    has: (path) => known.has(path),
    async object(path): Promise<JsonObject | null> {
      const read = await readManifest(repo, ctx, path);
      return read.kind === 'read' ? read.value : read.kind === 'absent' ? null : fail(path);
    },
    async text(path): Promise<string | null> {
      const read = await repo.inputs.read(path, limits.manifestBytes);
      return read.kind === 'read' ? decodeLenient(read.bytes) : read.kind === 'absent' ? null : fail(path);
    },
    async xml(path): Promise<XmlElement | null> {
      const read = await readParsed(repo, path, limits.manifestBytes, (bytes) => parseXml(bytes, manifestLimits));
      return read.ok ? read.value : 'absent' in read ? null : fail(path);
    },
  };
}

const manifestName =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.py|requirements\.(?:txt|in)|Pipfile|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|build\.sbt|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|Package\.swift|[^/]+\.(?:cs|fs|vb)proj|[^/]+\.slnx?)$/;

function fallback(dir: string): Known {
  return { kind: 'package', how: dir === '.' ? 'the root' : 'a directory with a manifest' };
}

/** Directories that are none of the product, the outermost of each: below a part by name alone, vendored ones anywhere. */
function findAside(paths: readonly string[], manifests: ReadonlyMap<string, unknown>): ReadonlyMap<string, Known> {
  const found = new Map<string, Known>();
  const judged = new Set<string>();
  const known = new Set(paths);
  const judge = (dir: string): Known | undefined => {
    const name = posix.basename(dir);
    const parent = posix.dirname(dir);
    if (isVendoredPath(`${dir}/`)) return { kind: 'vendored', how: `it is ${name}/` };
    // Maven's and Gradle's layout, beside src/main: test, testDebug, integrationTest.
    if (testSources.test(name) && posix.basename(parent) === 'src' && manifests.has(posix.dirname(parent)))
      return { kind: 'test', how: `it is src/${name}` };
    if (!manifests.has(parent) && parent !== '.') return undefined;
    // An application about documentation is code like any other.
    if (isDocsName.test(name) && known.has(`${dir}/__init__.py`)) return undefined;
    return plainAsideOf(name, () => paths.filter((path) => isWithin(path, dir)));
  };
  for (const path of paths) {
    const segments = path.split('/');
    for (let depth = 1; depth < segments.length; depth += 1) {
      const dir = segments.slice(0, depth).join('/');
      if (found.has(dir)) break;
      if (judged.has(dir)) continue;
      judged.add(dir);
      const its = judge(dir);
      if (its === undefined) continue;
      found.set(dir, its);
      break;
    }
  }
  return found;
}

const isDocsName = /^(?:docs?|documentation)$/;
const testSources = /^(?:tests?|test[A-Z]\w*|[a-z]\w*Test)$/;

const dockerfileName = /^(?:Dockerfile|Containerfile)$|^[^/]+\.dockerfile$/i;

/** Directories with code that an image is built from: a Dockerfile of their own, or the context of a compose or skaffold build. */
function findServices(
  paths: readonly string[],
  contexts: ReadonlyMap<string, string>,
  aside: readonly string[],
  languageOf: (path: string) => string | null,
): ReadonlyMap<string, Known> {
  const found = new Map<string, Known>();
  for (const path of paths) {
    if (!dockerfileName.test(posix.basename(path))) continue;
    found.set(posix.dirname(path), { kind: 'service', how: `an image is built by ${path}` });
  }
  for (const [dir, path] of contexts) found.set(dir, { kind: 'service', how: `${path} builds an image of it` });
  for (const dir of found.keys()) {
    const isAside = dir === '.' || asideOf(dir) !== undefined || aside.some((one) => isWithin(dir, one));
    const hasCode = () =>
      paths.some((path) => isWithin(path, dir) && isProgram(languageOf(path)) && !isGeneratedName(path));
    if (isAside || !hasCode()) found.delete(dir);
  }
  return found;
}

const composeName = /^(?:docker-|podman-)?compose[^/]*\.ya?ml$|^skaffold\.ya?ml$/;

async function readBuildContexts(files: ManifestFiles): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const path of files.paths) {
    if (!composeName.test(posix.basename(path)) || isForeignManifest(path)) continue;
    const document = (await files.object(path)) ?? {};
    const builds = Object.values(objectAt(document, 'services')).flatMap(
      (service) => textAt(service, 'build') ?? textAt(service, 'build', 'context') ?? [],
    );
    const artifacts = listAt(document, 'build', 'artifacts').flatMap((one) => textAt(one, 'context') ?? []);
    for (const context of [...builds, ...artifacts]) {
      const dir = posix.join(posix.dirname(path), context).replace(/(?<=.)\/+$/, '');
      if (!dir.startsWith('..') && !context.includes('$') && !found.has(dir)) found.set(dir, path);
    }
  }
  return found;
}

async function describePackage(files: ManifestFiles, manifests: readonly string[]): Promise<PackageFacts> {
  let facts: PackageFacts = { name: null, published: null, known: null };
  for (const path of manifests) {
    const one = await describeManifest(files, path);
    facts = {
      name: facts.name ?? one.name,
      published: facts.published ?? one.published,
      known: facts.known ?? one.known,
    };
  }
  return facts;
}

/** A plugin that publishes, by its id, its alias or its block; a build has it under a name of its own as often. */
const publishing = /\bmaven[-.]publish\b|\bmavenPublish|[\w.-]*publish[\w.-]*["')]|\bpublishing\s*\{/i;

const silent: PackageFacts = { name: null, published: null, known: null };

async function describeManifest(files: ManifestFiles, path: string): Promise<PackageFacts> {
  const file = posix.basename(path);
  const dir = posix.dirname(path);
  switch (file) {
    case 'package.json':
      return readNodePackage((await files.object(path)) ?? {});
    case 'Cargo.toml':
      return readCargoPackage((await files.object(path)) ?? {}, (one) => files.has(posix.join(dir, one)));
    case 'pyproject.toml': {
      const manifest = (await files.object(path)) ?? {};
      return { ...silent, name: textAt(manifest, 'project', 'name') ?? textAt(manifest, 'tool', 'poetry', 'name') };
    }
    case 'build.gradle':
    case 'build.gradle.kts':
      return {
        ...silent,
        published: publishing.test(((await files.text(path)) ?? '').replace(/^.*\bapply\(?\s*false.*$/gm, '')),
      };
    case 'composer.json':
      return { ...silent, name: textAt((await files.object(path)) ?? {}, 'name') };
    case 'go.mod':
      return { ...silent, name: /^module\s+"?([^\s"]+)/m.exec((await files.text(path)) ?? '')?.[1] ?? null };
    case 'pom.xml': {
      const own = (await files.xml(path))?.children.find(({ name }) => name === 'artifactId')?.text;
      return { ...silent, name: own ?? null };
    }
    default:
      return { ...silent, name: /^(.+)\.(?:cs|fs|vb)proj$/.exec(file)?.[1] ?? null };
  }
}

/** Each file to the deepest directory around it. */
function shareOut(files: readonly ScopeFile[], dirs: readonly string[]): ReadonlyMap<string, readonly ScopeFile[]> {
  const known = new Set(dirs);
  const owned = new Map<string, ScopeFile[]>();
  for (const file of files) {
    let dir = posix.dirname(file.path);
    while (!known.has(dir)) dir = posix.dirname(dir);
    const held = owned.get(dir);
    if (held === undefined) owned.set(dir, [file]);
    else held.push(file);
  }
  return owned;
}

function isProgram(language: string | null): boolean {
  return language !== null && !dataLanguages.has(language) && !supporting.has(language);
}

/** They describe interfaces or drive tools beside the code: they come first only where nothing else is there, or hardly anything. */
const supporting: ReadonlyMap<string, number> = new Map([
  ['proto', Infinity],
  ['graphql', Infinity],
  ['dockerfile', Infinity],
  ['make', Infinity],
  ['shell', 4],
  ['powershell', 4],
  ['terraform', 4],
]);

/** A bundled library does not outweigh the code that uses it. */
const weighedBytes = 64 * 1024;

/** Drives a build, in whatever language the build tool likes: beside a program of its own size it is not the program. */
const toolFile =
  /(?:^|\/)(?:build|gulpfile|Gruntfile|Jakefile|karma\.conf|[\w.-]+\.config|\.eslintrc|setup|noxfile|tasks|fabfile)\.(?:[cm]?[jt]s|py|rb)$/;
const toolFileShare = 4;

/** Code that is shown, in whatever language: `push-examples/java/index.java`. A package of that name may be all there is. */
const shownCode = /(?:^|\/)(?:[^/]+[._-])?(?:examples?|samples?)\//i;

/** In tests and the like, tests count. */
/** Libraries of others that are served as they are: `static/js/lib/x.js`. */
const servedCopy =
  /(?:^|\/)(?:static|public|assets|wwwroot|webroot)\/(?:[^/]+\/){0,3}(?:libs?|plugins?|vendors?|3rdparty|third-party)\/.*\.(?:js|css)$/i;

function rank(
  files: readonly ScopeFile[],
  languageOf: (path: string) => string | null,
  withTests: boolean,
): ComponentRow['languages'] {
  const found = new Map<
    string,
    { files: number; bytes: number; weight: number; sample: string; largest: number; own: number }
  >();
  for (const { path, size, kind } of files) {
    if (kind !== 'file' || isGeneratedName(path)) continue;
    if (!withTests && (isVendoredPath(path) || isTestFile(path) || isFixturePath(path) || servedCopy.test(path)))
      continue;
    const language = languageOf(path);
    if (language === null || dataLanguages.has(language)) continue;
    const held = found.get(language) ?? { files: 0, bytes: 0, weight: 0, sample: path, largest: -1, own: 0 };
    held.files += 1;
    if (withTests || !shownCode.test(path)) held.own += 1;
    const bytes = Math.min(size, weighedBytes);
    held.bytes += bytes;
    held.weight += toolFile.test(path) ? bytes / toolFileShare : bytes;
    if (size > held.largest) [held.sample, held.largest] = [path, size];
    found.set(language, held);
  }
  const weight = (language: string, bytes: number) => bytes / (supporting.get(language) ?? 1);
  return [...found]
    .sort(
      ([a, x], [b, y]) =>
        weight(b, y.weight) - weight(a, x.weight) || y.bytes - x.bytes || y.files - x.files || compareCodeUnits(a, b),
    )
    .filter(([, { own }], at) => at === 0 || own > 0)
    .map(([language, { files: count, bytes, sample }]) => ({ language, files: count, bytes, sample }));
}
