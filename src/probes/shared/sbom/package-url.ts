/** Package URLs (purl): how a bill of materials names a package to whoever knows of its faults. */

import type { ImageOs, PackageType } from './package-types.ts';

type Named = {
  readonly type: Extract<PackageType, 'deb' | 'apk' | 'npm' | 'python' | 'go'>;
  readonly name: string;
  readonly version: string;
  readonly os?: ImageOs | null;
  readonly architecture?: string | null;
  readonly source?: { readonly name: string; readonly version: string } | null;
};

export function packageUrl({ type, name, version, os, architecture, source }: Named): string {
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
