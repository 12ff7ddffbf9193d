/**
 * Which addresses a document may be fetched from: the public internet, and nothing that belongs to this machine or its networks.
 * A host name in configuration says nothing about where it resolves to; this is asked of every resolved address.
 */

import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Everything IANA lists as not globally reachable, with multicast and the reserved end. */
const forbiddenV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

const globalV6 = blockList('ipv6', [['2000::', 3]]);
/** Inside the global range, but special: Teredo and its like, documentation, 6to4 (which embeds any IPv4 address). */
const forbiddenV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Also true for what is no address at all. IPv4 inside IPv6 (`::ffff:…`, NAT64) is outside the global range and so refused. */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return forbiddenV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return true;
  return !globalV6.check(address, 'ipv6') || forbiddenV6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
