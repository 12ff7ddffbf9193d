/** What the writers of one connection share: whether a transaction is open, of which kind, and when it ends. */

export type WriteSession = {
  /** Throws outside of a transaction; with `facts` also inside one that keeps the generation. */
  mustBeInside(kind: 'facts' | 'any'): void;
  /** Called when the work of a transaction is done or has failed, before its end is known. */
  onEnd(forget: () => void): void;
};
