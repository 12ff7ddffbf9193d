/** A raw artifact that people may open: JSON, indented, with a final newline. Large ones are indented less. */
export function jsonBytes(value: unknown, indent: 1 | 2 = 2): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, indent)}\n`);
}
