/** `git log --format=%x01%H%x02%cI --name-only -z`: the newest commit that names each path. */

export type NamedCommit = { readonly sha: string; readonly date: string };

export function parseNameLog(output: string): ReadonlyMap<string, NamedCommit> {
  const commits = new Map<string, NamedCommit>();
  let commit: NamedCommit | undefined;
  for (const field of output.split('\0')) {
    // The first name after a header has the line end of the header before it.
    const text = field.startsWith('\n') ? field.slice(1) : field;
    if (text.startsWith('\x01')) {
      const [sha = '', date = ''] = text.slice(1).split('\x02');
      commit = { sha, date };
    } else if (text !== '' && commit !== undefined && !commits.has(text)) commits.set(text, commit);
  }
  return commits;
}
