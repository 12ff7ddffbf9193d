/** One shape for the lockfiles of npm, pnpm, yarn classic, yarn berry and bun. */

export type LockPackage = {
  readonly name: string;
  readonly version: string;
  readonly integrity: string | null;
  /** Comes from a registry and was fetched, so an integrity value is expected where the format has them. */
  readonly fromRegistry: boolean;
  /** `hasInstallScript` (npm), `requiresBuild` (pnpm); null where the format does not say. */
  readonly hasInstallScript: boolean | null;
  readonly dependencies: readonly { readonly name: string; readonly range: string }[];
  readonly optional: boolean;
  readonly dev: boolean;
};

export type LockImporter = {
  /** Root-relative directory of the manifest, `.` for the root. */
  readonly path: string;
  readonly dependencies: readonly {
    readonly name: string;
    readonly range: string;
    /** The version the lock settled on; null when the lock has no answer or it is a link into the workspace. */
    readonly resolved: string | null;
    readonly kind: 'prod' | 'dev' | 'optional' | 'peer';
  }[];
};

export type Lockfile = {
  /** `npm-3`, `pnpm-9.0`, `yarn-classic-1`, `yarn-berry-8`, `bun-1`. */
  readonly format: string;
  readonly packages: readonly LockPackage[];
  /** Empty where the format does not record them (yarn classic). */
  readonly importers: readonly LockImporter[];
  /** Yarn and bun: `name@range` → version; empty for the others. */
  readonly descriptors: ReadonlyMap<string, string>;
  readonly hasIntegrity: boolean;
};

/** Where the bytes of a package come from: a tarball or directory that no registry names is `file`. */
export type LockSource = 'registry' | 'git' | 'file';

/** Where a dependency leads: an entry of `packages`, or the directory of a manifest that the repository holds itself. */
export type LockTarget =
  | { readonly kind: 'package'; readonly id: string }
  | { readonly kind: 'workspace'; readonly path: string };

export type LockEdge = {
  /** As the dependent calls it; an alias differs from the name of the package it leads to. */
  readonly name: string;
  /** As the manifest asked; pnpm records only what a package's own ranges came to. */
  readonly range: string;
  /** Version of the target; null when there is none or it is a workspace. */
  readonly resolved: string | null;
  readonly kind: 'prod' | 'dev' | 'optional' | 'peer';
  /** Null when the lock has no answer: optional packages of other platforms, peers that nobody provides. */
  readonly target: LockTarget | null;
};

export type ResolvedPackage = Omit<LockPackage, 'dependencies'> & {
  /** `name@version`, unique in `packages`: entries that differ only in place or peers are one, with all their dependencies. */
  readonly id: string;
  readonly source: LockSource;
  readonly dependencies: readonly LockEdge[];
};

export type ResolvedImporter = { readonly path: string; readonly dependencies: readonly LockEdge[] };

/** What every parser gives: a `Lockfile`, and usable as one, whose dependencies have been followed to the entries they lead to. */
export type ResolvedLockfile = Omit<Lockfile, 'packages' | 'importers'> & {
  readonly packages: readonly ResolvedPackage[];
  readonly importers: readonly ResolvedImporter[];
  /** What lies in the root's own `node_modules`, by name: of use where a lock does not say what the root asked for (npm's version 1). */
  readonly installed?: ReadonlyMap<string, LockTarget>;
};
