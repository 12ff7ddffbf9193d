/** Which kind of place a range, a reference or a `resolved` address points to. */

import type { LockSource } from './lockfile.ts';

export function sourceOfRange(range: string): LockSource {
  if (fileProtocols.some((protocol) => range.startsWith(protocol))) return 'file';
  if (gitProtocols.some((protocol) => range.startsWith(protocol))) return 'git';
  if (range.startsWith('https://') || range.startsWith('http://')) return isGitAddress(range) ? 'git' : 'file';
  // `user/repository` is a GitHub shorthand; ranges hold no slash, aliases begin with `npm:`.
  return range.includes('/') && !range.startsWith('npm:') && !range.startsWith('patch:') ? 'git' : 'registry';
}

const fileProtocols = ['file:', 'link:', 'portal:', './', '../', '/', '~/'];
const gitProtocols = ['git:', 'git+', 'git@', 'ssh:', 'github:', 'gitlab:', 'bitbucket:', 'gist:'];

/** Repositories end in `.git`; the forges serve archives of a commit from hosts and paths of their own. */
export function isGitAddress(address: string): boolean {
  const end = address.indexOf('#');
  const place = end === -1 ? address : address.slice(0, end);
  return (
    place.endsWith('.git') ||
    place.startsWith('https://codeload.github.com/') ||
    place.startsWith('https://bitbucket.org/') ||
    place.startsWith('https://gitlab.com/api/')
  );
}
