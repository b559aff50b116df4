import net from 'node:net';
import { lazily } from '../stream/lazily.ts';

/** How far away a machine is: this one, one of the local network, or one of the internet. */
export type Reach = 'here' | 'near' | 'far';

const ORDER: readonly Reach[] = ['here', 'near', 'far'];
const HERE = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'];
const NEAR = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10', '192.0.0.0/24'],
  ...['198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];
/** Addresses of IPv4 in the clothes of IPv6: what they lead to is told by their end. */
const CLOTHED = /^(?:::ffff:|::|64:ff9b::)(\d{1,3}(?:\.\d{1,3}){3})$/i;

const here = lazily(() => listOf(HERE));
const near = lazily(() => listOf(NEAR));

/** Returns how far away the machine of an address is. What is no address counts as this machine. */
export function reachOf(written: string): Reach {
  const address = net.isIPv6(written) ? clothed(written) : written;
  const family = net.isIP(address);
  if (family === 0) return 'here';
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  return here().check(address, kind) ? 'here' : near().check(address, kind) ? 'near' : 'far';
}

/** Whether somebody who is sent on by a machine may go that far in: never nearer than where it was sent from. */
export function mayReach(from: Reach, to: Reach): boolean {
  return ORDER.indexOf(to) >= ORDER.indexOf(from);
}

function clothed(address: string): string {
  // The form in which an address is compared: `::ffff:7f00:1` and `::ffff:127.0.0.1` are the same.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = /^(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return CLOTHED.exec(address)?.[1] ?? plain;
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, other >> 8, other & 255].join('.');
}

function listOf(ranges: readonly string[]): net.BlockList {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [address = '', length = ''] = range.split('/');
    list.addSubnet(address, Number(length), net.isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}
