/** Bugs throw. Expected failures are values and never come here. */

class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new AssertionFailure(why);
}

/** The end of an exhaustive `switch`: a new kind does not compile until every reader handles it. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`);
}
