/** What to do next, for who has tools and no command line: sentences of the core name commands, and these are the calls they mean. */

/** Each command with the call that does the same. What stays a command has no tool. */
const calls: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [
    /`codegenie plan commit (\S+) --hash (\S+) --select ([^`]*?)( --proof -)?`/g,
    (_, id, hash, select = '', proof) =>
      `call commit_plan {op: "commit", plan_id: "${id}", plan_hash: "${hash}", root_hash: repo.root_hash, selections: ${listOf(select)}${proof === undefined ? '' : ', proof'}}`,
  ],
  [/`codegenie plan (undo|show|cancel|commit) (\S+)`/g, (_, op, id) => `commit_plan {op: "${op}", plan_id: "${id}"}`],
  [/`codegenie (move|rename)`/g, (_, kind) => `plan_refactor {kind: "${kind}"}`],
  [/`codegenie plan (list|show)`/g, (_, op) => `commit_plan {op: "${op}"}`],
  [/`codegenie (status|symbols|search)`/g, (_, name) => `the tool ${name}`],
  [/`--mode force_syntactic`/g, () => 'mode "force_syntactic"'],
  [/`--public-names (\w+)`/g, (_, policy) => `public_names "${policy}"`],
  [/`--wait`/g, () => 'wait_ms'],
  [/\brun call\b/g, () => 'call'],
  [/\bplan_show\b/g, () => 'commit_plan {op: "show"}'],
  [/`(codegenie (?:index|doctor)[^`]*)`/g, (_, command) => `\`${command}\` in a shell`],
];

export function sayForTools(next: string): string {
  return calls.reduce((text, [pattern, say]) => text.replace(pattern, say), next);
}

function listOf(select: string): string {
  const ids = select.split(',').map((id) => (id.startsWith('<') ? id : `"${id}"`));
  return `[${ids.join(', ')}]`;
}
