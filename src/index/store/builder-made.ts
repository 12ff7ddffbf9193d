/** Which bytes `artifact-builder.ts` made; apart from it, so that asking loads no database. */

const builderMade = new WeakSet<Uint8Array>();

export function markBuilderMade(bytes: Uint8Array): void {
  builderMade.add(bytes);
}

/** Only these very bytes, not a copy of them: what `gather/redact` asks before it lets a `sqlite` artifact through. */
export function isBuilderMade(bytes: Uint8Array): boolean {
  return builderMade.has(bytes);
}
