/** `Class/method`: the names on the way to a symbol. Hostile nesting must not make the paths of a file longer than the file is. */

const maxChars = 1_000;

export function joinNamePath(above: string, name: string): string {
  const path = `${above}/${name}`;
  return path.length <= maxChars ? path : `…/${name}`;
}
