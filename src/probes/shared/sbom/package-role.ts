/** What an image has a package of its distribution for, by the trace first and by common knowledge second. */

import type { OsPackageRoles } from '../../catalogs/os-package-roles.ts';
import { type ImagePackage, osPackageTypes } from './package-types.ts';

export const packageRoles = ['runtime_required', 'build_only', 'convenience', 'unknown'] as const;
export type PackageRole = (typeof packageRoles)[number];

/** Null for what is no package of a distribution. */
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
