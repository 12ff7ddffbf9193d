/**
 * The configuration gitleaks is given: its own default rules, and what is not in scope left out. The repository's is never read.
 * Rules are not ours, so that their version is that of the binary which carries them.
 */

/** Raised when the same binary is asked for something else. */
export const gitleaksConfigVersion = '1';

/** `ignored`: directories that git ignores, root-relative. gitleaks would walk through them, and none of them is in scope. */
export function renderGitleaksConfig(ignored: readonly string[]): string {
  const head = 'title = "codegenie"\n[extend]\nuseDefault = true\n';
  if (ignored.length === 0) return head;
  const names = ignored.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return `${head}[[allowlists]]\ndescription = "not in scope"\npaths = [${JSON.stringify(`^(?:${names})(?:/|$)`)}]\n`;
}
