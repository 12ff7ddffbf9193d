/**
 * The files of an image → its packages, each once, in one order: which files tell of packages, what each of them tells (databases of dpkg
 * and apk, manifests of npm and Python, Go programs, os-release), how a package is named (purl), whether the running program was seen to
 * use it, and what the image has it for. Every reader is total: what a file does not tell is no package.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { textAt } from '../../kernel/base/json-access.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import { parseJsonObject } from '../../kernel/formats/parse-json.ts';
import { collectHead, collectWhole, type EntrySink } from '../../kernel/formats/tar.ts';
import { type GoBuildInfo, scanGoProgram } from './go-build-info.ts';
import type { OsPackageRoles } from './os-package-roles.ts';
import { type ImageOs, type ImagePackage, osPackageTypes, type PackageType, type Reach } from './sbom-section.ts';

export type ImageCatalogue = {
  readonly os: ImageOs | null;
  /** Sorted by type, name, version, location. */
  readonly packages: readonly ImagePackage[];
  /** There is an rpm database, which no reader here knows. */
  readonly hasRpm: boolean;
  /** Paths of files that should have told of a package and did not. */
  readonly unread: readonly string[];
};

/** What one file of an image tells. */
export type ImageFact =
  | { readonly kind: 'dpkg'; readonly packages: readonly DpkgPackage[] }
  /** The files a package owns, as far as they are wanted. */
  | { readonly kind: 'dpkg_files'; readonly files: readonly string[] }
  | { readonly kind: 'apk'; readonly packages: readonly ApkPackage[] }
  | { readonly kind: 'npm'; readonly name: string; readonly version: string }
  | { readonly kind: 'python'; readonly name: string; readonly version: string }
  | { readonly kind: 'python_files'; readonly files: readonly string[] }
  | { readonly kind: 'go'; readonly info: GoBuildInfo }
  | { readonly kind: 'os'; readonly os: ImageOs }
  | { readonly kind: 'rpm' }
  /** A file that should have told something and could not be read: too large, or not what its name says. */
  | { readonly kind: 'unread' };

/** Null: nothing about this file is worth knowing. `keep` may be called once, or not at all. */
export type ReaderFor<Fact> = (path: string, size: number, keep: (fact: Fact) => void) => EntrySink | null;

/** The files that a trace saw mapped or executed. */
export type TracedFiles = {
  /** Of an absolute path as a package manager recorded it. */
  has(path: string): boolean;
  /** Of the directory of an npm package: is one of them in it, and not in a package nested in it? */
  hasInPackage(directory: string): boolean;
};

const databaseBytes = 64 * 1024 * 1024;
const listBytes = 16 * 1024 * 1024;
const manifestBytes = 1024 * 1024;
const headBytes = 64 * 1024;
/** No system opens a longer one. */
const pathChars = 4096;
/** No program of Go is smaller. */
const goProgramBytes = 100 * 1024;

export const packageRoles = ['runtime_required', 'build_only', 'convenience', 'unknown'] as const;
type PackageRole = (typeof packageRoles)[number];

export function catalogueImage(facts: ReadonlyMap<string, ImageFact>, traced: TracedFiles | null): ImageCatalogue {
  const os = osOf(facts);
  const packages: ImagePackage[] = [];
  const unread: string[] = [];
  let hasRpm = false;
  for (const [path, fact] of facts) {
    const location = `/${path}`;
    switch (fact.kind) {
      case 'dpkg':
        for (const each of fact.packages) {
          const named = { ...clean(each), architecture: each.architecture, source: sourceOf(each.source), os };
          packages.push({
            type: 'deb',
            ...nameOf(named),
            purl: packageUrl({ type: 'deb', ...named }),
            source: named.source,
            location,
            reach: reachOf(traced, dpkgFilesOf(facts, path, each.name, each.architecture)),
          });
        }
        break;
      case 'apk':
        for (const each of fact.packages) {
          const named = { ...clean(each), architecture: each.architecture, os };
          const source = each.origin === null ? null : { name: shortLine(each.origin), version: named.version };
          const reach = reachOf(traced, each.files);
          packages.push({
            type: 'apk',
            ...nameOf(named),
            purl: packageUrl({ type: 'apk', ...named, source }),
            source,
            location,
            reach,
          });
        }
        break;
      case 'npm': {
        const named = clean(fact);
        const directory = location.slice(0, -'/package.json'.length);
        const reach = traced === null ? 'unknown' : traced.hasInPackage(directory) ? 'loaded' : 'present';
        packages.push(languagePackage('npm', named, location, reach));
        break;
      }
      case 'python': {
        const named = clean(fact);
        const record = facts.get(path.replace(/METADATA$/, 'RECORD'));
        const reach = reachOf(traced, record?.kind === 'python_files' ? record.files : null);
        packages.push(languagePackage('python', named, location, reach));
        break;
      }
      case 'go': {
        const reach = reachOf(traced, [location]);
        const { main, dependencies, goVersion } = fact.info;
        const modules = [...(main === null ? [] : [main]), ...dependencies, { path: 'stdlib', version: goVersion }];
        for (const module of modules) {
          const named = clean({ name: module.path, version: module.version });
          packages.push(languagePackage('go', named, location, reach));
        }
        break;
      }
      case 'rpm':
        hasRpm = true;
        break;
      case 'unread':
        unread.push(path);
        break;
      case 'dpkg_files':
      case 'python_files':
      case 'os':
        break;
    }
  }
  return { os, packages: sortPackages(packages), hasRpm, unread: unread.sort(compareCodeUnits) };
}

export function sortPackages(packages: readonly ImagePackage[]): ImagePackage[] {
  const key = (each: ImagePackage) => `${each.type}\0${each.name}\0${each.version}\0${each.location}`;
  const byKey = new Map(packages.map((each) => [key(each), each]));
  return [...byKey.keys()].sort(compareCodeUnits).flatMap((each) => byKey.get(each) ?? []);
}

/** `keeps` says which owned files are worth remembering. */
export function imageFactReader(keeps: (path: string) => boolean): ReaderFor<ImageFact> {
  return (path, size, keep) => {
    const text = (maxBytes: number, use: (text: string) => ImageFact | null): EntrySink =>
      collectWhole(maxBytes, (bytes) => {
        const fact: ImageFact | null = bytes === null ? { kind: 'unread' } : use(decodeLenient(bytes));
        if (fact !== null) keep(fact);
      });
    const ofName = fileKind(path);
    switch (ofName) {
      case 'dpkg':
        return text(databaseBytes, (content) => ({ kind: 'dpkg', packages: parseDpkgStatus(content) }));
      case 'dpkg_list':
        return text(listBytes, (content) => ({ kind: 'dpkg_files', files: content.split('\n').filter(keeps) }));
      case 'dpkg_sums':
        return text(listBytes, (content) => ({ kind: 'dpkg_files', files: filesOfSums(content).filter(keeps) }));
      case 'apk':
        return text(databaseBytes, (content) => ({ kind: 'apk', packages: parseApkInstalled(content, keeps) }));
      case 'npm':
        return collectWhole(manifestBytes, (bytes) => keep(bytes === null ? { kind: 'unread' } : npmFact(bytes)));
      case 'python':
        return collectHead(headBytes, (bytes) => keep(pythonFact(decodeLenient(bytes))));
      case 'python_record':
        return text(listBytes, (content) => ({
          kind: 'python_files',
          files: filesOfRecord(path, content).filter(keeps),
        }));
      case 'os':
        return text(headBytes, (content) => {
          const os = parseOsRelease(content);
          return os === null ? null : { kind: 'os', os };
        });
      case 'rpm':
        return collectHead(1, () => keep({ kind: 'rpm' }));
      case null:
        // A hard link is asked about with size 0: whether it is a program is not known until its bytes are read.
        return size < goProgramBytes ? null : scanGoProgram((info) => keep({ kind: 'go', info }));
    }
  };
}

export function tracedFiles(paths: readonly string[]): TracedFiles {
  const known = new Set(paths.flatMap((path) => [path, mergedPath(path), splitPath(path)]));
  const packages = new Set(paths.flatMap((path) => innermostNpmPackage.exec(path)?.[1] ?? []));
  return { has: (path) => known.has(path), hasInPackage: (directory) => packages.has(directory) };
}

/** Null files: no list of what the package owns. */
export function reachOf(traced: TracedFiles | null, files: Iterable<string> | null): Reach {
  if (traced === null || files === null) return 'unknown';
  for (const file of files) if (traced.has(file)) return 'loaded';
  return 'present';
}

/** By the trace first and by common knowledge second; null for what is no package of a distribution. */
export function packageRole(
  { type, name, reach }: Pick<ImagePackage, 'type' | 'name' | 'reach'>,
  catalog: OsPackageRoles,
): PackageRole | null {
  if (!osPackageTypes.has(type)) return null;
  if (reach === 'loaded') return 'runtime_required';
  const bare = name.replace(/-\d+(?:\.\d+)*$/, '');
  const isIn = (role: OsPackageRoles['buildOnly']) =>
    role.names.includes(name) || role.names.includes(bare) || role.suffixes.some((suffix) => name.endsWith(suffix));
  if (isIn(catalog.buildOnly)) return 'build_only';
  return isIn(catalog.convenience) ? 'convenience' : 'unknown';
}

/** Distributions link one of the two to the other; a link has no bytes of its own here. */
function osOf(facts: ReadonlyMap<string, ImageFact>): ImageOs | null {
  for (const path of ['etc/os-release', 'usr/lib/os-release']) {
    const fact = facts.get(path);
    if (fact?.kind === 'os') return { id: shortLine(fact.os.id, 64), version: shortLine(fact.os.version, 64) };
  }
  return null;
}

/** Null where no list is there for the package: what it owns is then not known. */
function dpkgFilesOf(
  facts: ReadonlyMap<string, ImageFact>,
  path: string,
  name: string,
  architecture: string | null,
): readonly string[] | null {
  const places = path.startsWith('var/lib/dpkg/status.d/')
    ? [`${path}.md5sums`]
    : [`var/lib/dpkg/info/${name}.list`, `var/lib/dpkg/info/${name}:${architecture}.list`];
  for (const place of places) {
    const fact = facts.get(place);
    if (fact?.kind === 'dpkg_files') return fact.files;
  }
  return null;
}

type Named = { readonly name: string; readonly version: string };

function languagePackage(type: 'npm' | 'python' | 'go', named: Named, location: string, reach: Reach): ImagePackage {
  return { type, ...named, purl: packageUrl({ type, ...named }), source: null, location, reach };
}

function clean({ name, version }: Named): Named {
  return { name: shortLine(name), version: shortLine(version) };
}

const nameOf = ({ name, version }: Named): Named => ({ name, version });

function sourceOf(source: Named | null): Named | null {
  return source === null ? null : clean(source);
}

type PurlParts = {
  readonly type: Extract<PackageType, 'deb' | 'apk' | 'npm' | 'python' | 'go'>;
  readonly name: string;
  readonly version: string;
  readonly os?: ImageOs | null;
  readonly architecture?: string | null;
  readonly source?: { readonly name: string; readonly version: string } | null;
};

function packageUrl({ type, name, version, os, architecture, source }: PurlParts): string {
  const at = version === '' ? '' : `@${encode(version)}`;
  switch (type) {
    case 'npm':
      return `pkg:npm/${name.split('/').map(encode).join('/')}${at}`;
    case 'python':
      return `pkg:pypi/${encode(name.toLowerCase().replace(/[-_.]+/g, '-'))}${at}`;
    case 'go':
      return `pkg:golang/${name.split('/').map(encode).join('/')}${at}`;
    case 'deb':
    case 'apk': {
      const upstream = source ?? null;
      const qualifiers = [
        ...(architecture === null || architecture === undefined ? [] : [`arch=${encode(architecture)}`]),
        ...(os === null || os === undefined
          ? []
          : [`distro=${encode(os.version === '' ? os.id : `${os.id}-${os.version}`)}`]),
        ...(upstream === null
          ? []
          : [
              `upstream=${encode(upstream.version === version ? upstream.name : `${upstream.name}@${upstream.version}`)}`,
            ]),
      ];
      const namespace = os?.id ?? (type === 'deb' ? 'debian' : 'alpine');
      return `pkg:${type}/${encode(namespace)}/${encode(name)}${at}${qualifiers.length === 0 ? '' : `?${qualifiers.join('&')}`}`;
    }
  }
}

/** A lone surrogate cannot be encoded; it comes from nowhere but a hostile image. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%3A', ':');
}

/** Up to the innermost package. */
const innermostNpmPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

// A trace has the path behind the links. Where /lib is a link to /usr/lib, package managers may still have recorded /lib.
const merged = /^\/(?:bin|sbin|lib|lib32|lib64|libx32)\//;

function mergedPath(path: string): string {
  return merged.test(path) ? `/usr${path}` : path;
}

function splitPath(path: string): string {
  return path.startsWith('/usr/') && merged.test(path.slice('/usr'.length)) ? path.slice('/usr'.length) : path;
}

type FileKind = 'dpkg' | 'dpkg_list' | 'dpkg_sums' | 'apk' | 'npm' | 'python' | 'python_record' | 'os' | 'rpm';

/** By path alone, without the leading slash. */
function fileKind(path: string): FileKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'package.json') return npmPackage.test(path) ? 'npm' : null;
  if (name === 'METADATA') return /\.dist-info\/METADATA$/.test(path) ? 'python' : null;
  if (name === 'RECORD') return /\.dist-info\/RECORD$/.test(path) ? 'python_record' : null;
  if (path === 'var/lib/dpkg/status') return 'dpkg';
  if (path.startsWith('var/lib/dpkg/status.d/')) return name.endsWith('.md5sums') ? 'dpkg_sums' : 'dpkg';
  if (path.startsWith('var/lib/dpkg/info/')) return name.endsWith('.list') ? 'dpkg_list' : null;
  if (path === 'lib/apk/db/installed' || path === 'usr/lib/apk/db/installed') return 'apk';
  if (path === 'etc/os-release' || path === 'usr/lib/os-release') return 'os';
  return rpmDatabase.test(path) ? 'rpm' : null;
}

/** The package's own manifest, not one of a folder within it. */
const npmPackage = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^@/.][^/]*\/package\.json$/;
const rpmDatabase =
  /^(?:var\/lib\/rpm|usr\/lib\/sysimage\/rpm|usr\/share\/rpm)\/(?:Packages|Packages\.db|rpmdb\.sqlite)$/;

function npmFact(bytes: Uint8Array): ImageFact {
  const parsed = parseJsonObject(bytes, { maxBytes: manifestBytes, maxDepth: 64 });
  const name = parsed.ok ? textAt(parsed.value, 'name') : null;
  const version = parsed.ok ? textAt(parsed.value, 'version') : null;
  return name === null || version === null || name === '' ? { kind: 'unread' } : { kind: 'npm', name, version };
}

/** The header ends at the first empty line. */
function pythonFact(text: string): ImageFact {
  const header = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const name = /^Name:(.*)$/m.exec(header)?.[1]?.trim();
  const version = /^Version:(.*)$/m.exec(header)?.[1]?.trim();
  return name === undefined || name === '' || version === undefined
    ? { kind: 'unread' }
    : { kind: 'python', name, version };
}

/** `path,hash,size` relative to the directory of the `.dist-info`; a path with a comma is in quotes. */
function filesOfRecord(recordPath: string, content: string): string[] {
  const base = recordPath.split('/').slice(0, -2);
  return content.split('\n').flatMap((line) => {
    const name = line.startsWith('"') ? line.slice(1, line.indexOf('"', 1)) : line.split(',', 1)[0];
    if (name === undefined || name === '' || name.length > pathChars) return [];
    if (name.startsWith('/')) return [name];
    const folder = [...base];
    const steps = name.split('/');
    while (steps[0] === '..') {
      steps.shift();
      folder.pop();
    }
    return [`/${[...folder, ...steps].join('/')}`];
  });
}

/** `<md5>  usr/lib/x` */
function filesOfSums(content: string): string[] {
  return content.split('\n').flatMap((line) => (line.length > 34 ? [`/${line.slice(34)}`] : []));
}

type DpkgPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string | null;
  readonly source: { readonly name: string; readonly version: string } | null;
};

/** Also one file of distroless images' `status.d`, which have no Status field. */
export function parseDpkgStatus(text: string): DpkgPackage[] {
  return text.split(/\n[ \t\r]*\n/).flatMap((paragraph) => {
    const fields = fieldsOf(paragraph);
    const name = fields.get('package');
    const version = fields.get('version');
    if (name === undefined || version === undefined || !isInstalled(fields.get('status'))) return [];
    return [
      {
        name,
        version,
        architecture: fields.get('architecture') ?? null,
        source: parseSource(fields.get('source'), version),
      },
    ];
  });
}

/** Names of the first line of each field, in lower case; of a field that is there twice the first one counts. */
function fieldsOf(paragraph: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of paragraph.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0 || line.startsWith(' ') || line.startsWith('\t')) continue;
    const key = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (value !== '' && !fields.has(key)) fields.set(key, value);
  }
  return fields;
}

function isInstalled(status: string | undefined): boolean {
  const state = status?.split(/\s+/)[2];
  return state !== 'not-installed' && state !== 'config-files';
}

/** `glibc`, or `glibc (2.36-9)` where the version of the source is another. */
function parseSource(source: string | undefined, version: string): DpkgPackage['source'] {
  if (source === undefined) return null;
  const open = source.indexOf('(');
  if (open < 0) return { name: source.trim(), version };
  const close = source.indexOf(')', open);
  return { name: source.slice(0, open).trim(), version: source.slice(open + 1, close < 0 ? undefined : close).trim() };
}

type ApkPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string | null;
  /** What it was built from, where that has another name. */
  readonly origin: string | null;
  /** Absolute paths, as far as `keeps` wants them. */
  readonly files: readonly string[];
};

export function parseApkInstalled(text: string, keeps: (path: string) => boolean): ApkPackage[] {
  return text.split(/\n\r?\n/).flatMap((paragraph) => {
    const fields = new Map<string, string>();
    const files: string[] = [];
    let folder = '';
    for (const line of paragraph.split('\n')) {
      const value = line.slice(2).trimEnd();
      if (line.startsWith('F:')) folder = value;
      else if (line.startsWith('R:')) {
        const path = folder === '' ? `/${value}` : `/${folder}/${value}`;
        if (keeps(path)) files.push(path);
      } else if (line.charAt(1) === ':' && !fields.has(line.charAt(0))) fields.set(line.charAt(0), value);
    }
    const name = fields.get('P');
    const version = fields.get('V');
    if (name === undefined || name === '' || version === undefined || version === '') return [];
    const origin = fields.get('o') ?? null;
    return [{ name, version, architecture: fields.get('A') ?? null, origin: origin === name ? null : origin, files }];
  });
}

export /** Shell assignments, of which the id and the version of the distribution are wanted. */
function parseOsRelease(text: string): ImageOs | null {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*([A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) fields.set(key, unquote(value.trim()));
  }
  const id = fields.get('ID');
  return id === undefined || id === '' ? null : { id, version: fields.get('VERSION_ID') ?? '' };
}

function unquote(value: string): string {
  const inner = /^"(.*)"$/.exec(value)?.[1] ?? /^'(.*)'$/.exec(value)?.[1];
  return (inner ?? value).replace(/\\(.)/g, '$1');
}
