/** The database of dpkg: what is installed, and what each package was built from. Total. */

export type DpkgPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string | null;
  readonly source: { readonly name: string; readonly version: string } | null;
};

/** Also one file of distroless images' `status.d`, which have no Status field. */
export function parseDpkgStatus(text: string): DpkgPackage[] {
  return text.split(/\n[ \t\r]*\n/).flatMap((paragraph) => {
    const fields = fieldsOf(paragraph);
    const name = fields.get('package');
    const version = fields.get('version');
    if (name === undefined || version === undefined || !isInstalled(fields.get('status'))) return [];
    return [
      {
        name,
        version,
        architecture: fields.get('architecture') ?? null,
        source: parseSource(fields.get('source'), version),
      },
    ];
  });
}

/** Names of the first line of each field, in lower case; of a field that is there twice the first one counts. */
function fieldsOf(paragraph: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of paragraph.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0 || line.startsWith(' ') || line.startsWith('\t')) continue;
    const key = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (value !== '' && !fields.has(key)) fields.set(key, value);
  }
  return fields;
}

function isInstalled(status: string | undefined): boolean {
  const state = status?.split(/\s+/)[2];
  return state !== 'not-installed' && state !== 'config-files';
}

/** `glibc`, or `glibc (2.36-9)` where the version of the source is another. */
function parseSource(source: string | undefined, version: string): DpkgPackage['source'] {
  if (source === undefined) return null;
  const open = source.indexOf('(');
  if (open < 0) return { name: source.trim(), version };
  const close = source.indexOf(')', open);
  return { name: source.slice(0, open).trim(), version: source.slice(open + 1, close < 0 ? undefined : close).trim() };
}
