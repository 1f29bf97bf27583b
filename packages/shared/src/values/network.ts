import ipaddr from "ipaddr.js";

/** An address with a port, or of IPv6 in brackets, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;
/** Prefix length of the networks that are assigned as a whole, so that their addresses have one owner. */
const IPV6_NETWORK = 64;

/** Returns the network of an IP address: itself, or its /64 for IPv6; undefined if `text` isn't an address. */
export function networkOf(text: string): string | undefined {
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const [address = ""] = (inBrackets ?? beforePort ?? text).split("%"); // without its zone
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address); // an IPv4-mapped IPv6 address becomes the IPv4 address
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = `${parsed.toString()}/${IPV6_NETWORK}`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(network).toString()}/${IPV6_NETWORK}`;
}
