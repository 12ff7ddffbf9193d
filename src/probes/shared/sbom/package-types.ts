/** A package found in an image, whoever found it, and the closed list of what kinds there are. */

export const packageTypes = [
  'deb',
  'apk',
  'rpm',
  'npm',
  'python',
  'go',
  'java',
  'rust',
  'ruby',
  'php',
  'dotnet',
  'other',
] as const;
export type PackageType = (typeof packageTypes)[number];

export type ImagePackage = {
  readonly type: PackageType;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  /** What the distribution built it from; null where that is the package itself, or where there is no such thing. */
  readonly source: { readonly name: string; readonly version: string } | null;
  /** Path in the image of what told of it. */
  readonly location: string;
  readonly reach: Reach;
};

export type ImageOs = { readonly id: string; readonly version: string };

/** `loaded`: it owns a file that the trace saw mapped or executed; `present`: it owns none; `unknown`: no trace, or no list of its files. */
export type Reach = 'loaded' | 'present' | 'unknown';

export const osPackageTypes: ReadonlySet<PackageType> = new Set(['deb', 'apk', 'rpm']);
