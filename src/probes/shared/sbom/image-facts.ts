/** Which files of an image tell of packages, and what each of them tells. */

import { collectHead, collectWhole } from '../../../kernel/archive/collect-bytes.ts';
import type { EntrySink } from '../../../kernel/archive/read-tar.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { parseJsonObject } from '../../../kernel/parse/json.ts';
import { textAt } from '../json-access.ts';
import { type GoBuildInfo, scanGoProgram } from './go-build-info.ts';
import type { ImageOs } from './package-types.ts';
import { type ApkPackage, parseApkInstalled } from './parse-apk-installed.ts';
import { type DpkgPackage, parseDpkgStatus } from './parse-dpkg-status.ts';
import { parseOsRelease } from './parse-os-release.ts';
import type { ReaderFor } from './read-layers.ts';

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

const databaseBytes = 64 * 1024 * 1024;
const listBytes = 16 * 1024 * 1024;
const manifestBytes = 1024 * 1024;
const headBytes = 64 * 1024;
/** No system opens a longer one. */
const pathChars = 4096;
/** No program of Go is smaller. */
const goProgramBytes = 100 * 1024;

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
