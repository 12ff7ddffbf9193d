/**
 * What a free query sees (fleet.md section 5): two views whose columns stay, over tables that may change. They are made anew for every query,
 * over the facts that the question is about and no others, so that what it could have read is known.
 */

export const viewColumns = {
  repositories: 'name, url, host, state, reason, commit_id, head, head_seen_at, published_at, failure, failure_detail',
  facts: 'repo, commit_id, component, id, scope, state, value, confidence, evidence, repo_state',
} as const;

/** One statement that reads, whatever stands in it: it is made the inner part of another. */
export function wrapQuery(sql: string, rows: number): string {
  const bare = sql.trim().replace(/;\s*$/, '');
  return `SELECT * FROM (\n${bare}\n) AS asked LIMIT ${rows + 1}`;
}

/** Undefined where it may be asked. */
export function whyNoQuery(sql: string): string | undefined {
  const bare = sql.trim().replace(/^(?:--[^\n]*\n\s*|\/\*.*?\*\/\s*)*/s, '');
  if (!/^(?:select|with|values)\b/i.test(bare)) return 'a query begins with SELECT, WITH or VALUES';
  if (/fleet_/i.test(sql))
    return 'tables whose names begin with fleet_ are private; ask the views repositories and facts';
  if (/\bpragma_|\bsqlite_(?:schema|master|temp)/i.test(sql)) return 'what the database is made of cannot be asked';
  return undefined;
}
