/** From what the files of an image told to its packages: each once, in one order. */

import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { shortLine } from '../json-access.ts';
import type { ImageFact } from './image-facts.ts';
import type { ImageOs, ImagePackage } from './package-types.ts';
import { packageUrl } from './package-url.ts';
import { reachOf, type TracedFiles } from './traced-files.ts';

export type ImageCatalogue = {
  readonly os: ImageOs | null;
  /** Sorted by type, name, version, location. */
  readonly packages: readonly ImagePackage[];
  /** There is an rpm database, which nobody here reads. */
  readonly hasRpm: boolean;
  /** Paths of files that should have told of a package and did not. */
  readonly unread: readonly string[];
};

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
        packages.push({
          type: 'npm',
          ...named,
          purl: packageUrl({ type: 'npm', ...named }),
          source: null,
          location,
          reach,
        });
        break;
      }
      case 'python': {
        const named = clean(fact);
        const record = facts.get(path.replace(/METADATA$/, 'RECORD'));
        const reach = reachOf(traced, record?.kind === 'python_files' ? record.files : null);
        packages.push({
          type: 'python',
          ...named,
          purl: packageUrl({ type: 'python', ...named }),
          source: null,
          location,
          reach,
        });
        break;
      }
      case 'go': {
        const reach = reachOf(traced, [location]);
        const { main, dependencies, goVersion } = fact.info;
        const modules = [...(main === null ? [] : [main]), ...dependencies, { path: 'stdlib', version: goVersion }];
        for (const module of modules) {
          const named = clean({ name: module.path, version: module.version });
          packages.push({
            type: 'go',
            ...named,
            purl: packageUrl({ type: 'go', ...named }),
            source: null,
            location,
            reach,
          });
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

function clean({ name, version }: Named): Named {
  return { name: shortLine(name), version: shortLine(version) };
}

const nameOf = ({ name, version }: Named): Named => ({ name, version });

function sourceOf(source: Named | null): Named | null {
  return source === null ? null : clean(source);
}
