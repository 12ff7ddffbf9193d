/** Words of freshness, each with a shape of its own: colours are not told apart by everybody. */
export const freshness = {
  clean: { says: 'clean', means: 'what an indexer said is of these bytes', shape: '●', tone: 'good' },
  pending_check: { says: 'pending check', means: 'touched, and not compared yet', shape: '◍', tone: 'soft' },
  stale: { says: 'stale', means: 'something it depends on has changed', shape: '◐', tone: 'warn' },
  dirty: { says: 'dirty', means: 'the file itself has changed', shape: '◆', tone: 'bad' },
  unindexed: {
    says: 'not indexed',
    means: 'no indexer has looked at it as it is configured now',
    shape: '○',
    tone: 'faint',
  },
  unsupported: { says: 'no indexer', means: 'nothing here could look at it by types', shape: '·', tone: 'line' },
} as const;
