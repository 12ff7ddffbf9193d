/** The address in an argument, as far as it is written down. */

export type Address = { readonly literal: boolean; readonly base_url: string | null };

/** Text of an argument: all of it, or what stands before the first part that is computed. */
export type WrittenText = { readonly text: string; readonly complete: boolean };

export const unknownAddress: Address = { literal: false, base_url: null };

const withHost = /^([a-z][a-z0-9+.-]{0,20}:\/\/)([^/?#\s]{1,253})([/?#]?)/i;

/** `https://user:pw@api.example.com/v1/${id}` → `https://api.example.com`. */
export function httpAddress(written: WrittenText | undefined): Address {
  if (written === undefined) return unknownAddress;
  const match = withHost.exec(written.text);
  if (match === null) {
    // `/users/${id}` is relative and as such written down; `${base}/users` is not.
    return { literal: written.complete || written.text.startsWith('/'), base_url: null };
  }
  const [, scheme = '', authority = '', end] = match;
  if (!written.complete && end === '') return unknownAddress;
  return { literal: true, base_url: scheme + authority.slice(authority.lastIndexOf('@') + 1) };
}

/** gRPC targets have no scheme of their own: `localhost:50051`, `dns:///api:443`. */
export function grpcTarget(written: WrittenText | undefined): Address {
  return written?.complete ? { literal: true, base_url: written.text } : unknownAddress;
}
