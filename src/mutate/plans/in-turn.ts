/** What changes a plan or the tree runs one after the other in a process; between processes the writer lock sees to it. */

const last = new WeakMap<object, Promise<unknown>>();

export function inTurn<T>(of: object, act: () => Promise<T>): Promise<T> {
  const before = last.get(of) ?? Promise.resolve();
  const turn = before.then(act, act);
  last.set(
    of,
    turn.catch(() => {}),
  );
  return turn;
}
