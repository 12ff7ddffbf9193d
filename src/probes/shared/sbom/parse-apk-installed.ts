/** The database of apk: one paragraph per package, one letter per field, with the files it owns. Total. */

export type ApkPackage = {
  readonly name: string;
  readonly version: string;
  readonly architecture: string | null;
  /** What it was built from, where that has another name. */
  readonly origin: string | null;
  /** Absolute paths, as far as `keeps` wants them. */
  readonly files: readonly string[];
};

export function parseApkInstalled(text: string, keeps: (path: string) => boolean): ApkPackage[] {
  return text.split(/\n\r?\n/).flatMap((paragraph) => {
    const fields = new Map<string, string>();
    const files: string[] = [];
    let folder = '';
    for (const line of paragraph.split('\n')) {
      const value = line.slice(2).trimEnd();
      if (line.startsWith('F:')) folder = value;
      else if (line.startsWith('R:')) {
        const path = folder === '' ? `/${value}` : `/${folder}/${value}`;
        if (keeps(path)) files.push(path);
      } else if (line.charAt(1) === ':' && !fields.has(line.charAt(0))) fields.set(line.charAt(0), value);
    }
    const name = fields.get('P');
    const version = fields.get('V');
    if (name === undefined || name === '' || version === undefined || version === '') return [];
    const origin = fields.get('o') ?? null;
    return [{ name, version, architecture: fields.get('A') ?? null, origin: origin === name ? null : origin, files }];
  });
}
