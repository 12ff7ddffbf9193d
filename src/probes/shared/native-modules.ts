/**
 * npm packages that carry or build native code, by exact name. Raise `version` with every change of the entries; the version an
 * entry was last changed in is its own, so that a reader can tell which knowledge a finding rests on.
 */

type NativeModuleEntry = {
  readonly name: string;
  /** Catalog version in which this entry was last changed. */
  readonly since: string;
  /** Compiles on install where no prebuilt binary fits. */
  readonly requiresNodeGyp: boolean;
  /** Libraries that must exist in the image at run time, by the name Debian gives them. */
  readonly systemDeps: readonly string[];
  /** Base names of what ends up in the image; `*` stands for platform and version. */
  readonly binaryArtifacts: readonly string[];
};

export type NativeModulesCatalog = { readonly version: string; readonly entries: readonly NativeModuleEntry[] };

export const nativeModulesCatalog: NativeModulesCatalog = {
  version: '1.0.0',
  entries: [
    entry('argon2', { artifacts: ['argon2*.node'] }),
    entry('bcrypt', { systemDeps: ['libstdc++'], artifacts: ['bcrypt*.node'] }),
    entry('better-sqlite3', { artifacts: ['better_sqlite3.node'] }),
    entry('bufferutil', { artifacts: ['bufferutil.node'] }),
    entry('canvas', { systemDeps: ['libcairo2', 'libjpeg', 'libpango-1.0'], artifacts: ['canvas.node'] }),
    entry('keytar', { systemDeps: ['libsecret-1-0'], artifacts: ['keytar.node'] }),
    entry('node-pty', { artifacts: ['pty.node', 'spawn-helper'] }),
    entry('node-rdkafka', { systemDeps: ['librdkafka'], artifacts: ['node-librdkafka.node'] }),
    entry('sharp', { systemDeps: ['libvips'], gyp: false, artifacts: ['sharp*.node', 'libvips-cpp.so*'] }),
    entry('utf-8-validate', { artifacts: ['utf-8-validate.node'] }),
  ],
};

function entry(
  name: string,
  of: { readonly systemDeps?: readonly string[]; readonly gyp?: boolean; readonly artifacts: readonly string[] },
): NativeModuleEntry {
  return {
    name,
    since: '1.0.0',
    requiresNodeGyp: of.gyp ?? true,
    systemDeps: of.systemDeps ?? [],
    binaryArtifacts: of.artifacts,
  };
}
