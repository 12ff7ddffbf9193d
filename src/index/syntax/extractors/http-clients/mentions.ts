/** A cheap look at the text, so that files which cannot hold a client are not parsed at all. No false negatives. */

const words =
  /\bfetch\b|\baxios\b|\bgot\b|\bky\b|\bnew URL\b|\bhttps?\b|grpc|Client\b|graphql|HttpLink|rocedure|\brequests\b|\bhttpx\b|\bhttp\.(?:Get|Post|Head|NewRequest)|HTTPTransport|urlopen|aiohttp/i;

export function mentionsHttpClients(text: string): boolean {
  return words.test(text);
}
