/** The flags that every command understands, once: the parser and the reference page are made from this table. */

export const globalFlags: readonly { readonly flags: string; readonly says: string }[] = [
  { flags: '-C, --repo <dir>', says: 'the repository (default: the work tree around the current directory)' },
  { flags: '--json', says: 'exactly one JSON document on stdout' },
  { flags: '--quiet', says: 'no progress, no summary' },
  { flags: '--verbose', says: 'more detail' },
  { flags: '--no-color', says: 'no colours' },
];
