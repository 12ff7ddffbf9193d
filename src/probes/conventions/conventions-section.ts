/** Why a convention file was not used. Apart from the parser of these files, because a section's schema is loaded at every start. */

export const catalogErrorReasons = [
  'unknown_pattern_type',
  'schema',
  'symlink_refused',
  'unsafe_yaml',
  'size_cap_exceeded',
  'depth_cap_exceeded',
  'catalog_file_unreadable',
  'invalid_regex',
] as const;
