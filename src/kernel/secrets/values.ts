/**
 * What stands where a secret would stand and is none: references, samples, types, code (gather.md §7.3 note 1).
 * Only the classes that recognise a secret by its surroundings ask; a token known by its own letters has no exemptions.
 */

const references = /\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|<[^<>]*>/g;
const environmentLookup = /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|System\.getenv|Deno\.env|ENV\[)/;
const shellExpansion = /^\$(?:\(|[A-Z_][A-Z0-9_]*$)/;
/** Shortest value that counts as secret; what remains beside references must be as long to count. */
export const MIN_VALUE_CHARS = 8;

/** `${…}`, `{{…}}`, `<…>`, `process.env…` and their like: the value is somewhere else. */
export function isReference(value: string): boolean {
  if (environmentLookup.test(value) || shellExpansion.test(value)) return true;
  if (!/^(?:\$?\{|<)/.test(value)) return false;
  return value.replace(references, '').length < MIN_VALUE_CHARS;
}

const sample = /^(?:change[-_]?me[!0-9]*$|example(?:$|[^A-Za-z0-9]|[-_]?(?:password|secret|token|key))|your[-_])/i;

/** `changeme`, `example`, `xxx…`, `your-…`: what documentation puts in the place of a value. */
export function isKnownSample(value: string): boolean {
  return sample.test(value) || /^(.)\1*$/.test(value);
}

const primitiveTypes = new Set(
  'any array bigint boolean bool bytes char float integer interface never null number object optional secretstr string str symbol undefined unknown'.split(
    ' ',
  ),
);

/** A primitive, also in its plural and array forms. */
export function isPrimitiveType(value: string): boolean {
  return primitiveTypes.has(value.replace(/(?:\[\]|\?)+$/, '').toLowerCase());
}

/** `SyntaxToken`, `vscode.CancellationToken`: a capitalised word in mixed case without digits, where an annotation may stand. */
export function isTypeName(value: string): boolean {
  return /^(?:[A-Za-z_$]{1,64}\.){0,4}[A-Z][A-Z]{0,8}[a-z][A-Za-z]{0,64}(?:\[\])?$/.test(value);
}

/** `^4.0.0 || ^5.0.0`, `npm:x@1.2.3`: what a manifest assigns to packages such as `js-tokens`. */
export function isVersionRange(value: string): boolean {
  return /^(?:npm:|workspace:|[~^]?v?[0-9]{1,6}\.[0-9]{1,6}\.|[<>]=? ?[0-9])/.test(value);
}

/** A call, a subscript or a member: an expression of a program, not a literal. */
export function isExpression(value: string): boolean {
  return /^[A-Za-z_$][\w$]{0,64}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,64}){0,8}[([]/.test(value) || isMember(value);
}

function isMember(value: string): boolean {
  return /^[A-Za-z_$][\w$]{0,64}(?:(?:\??\.|::|->)[A-Za-z_$][\w$]{0,64}){1,8}[!)]*$/.test(value);
}
