import ipaddr from "ipaddr.js";

/** With a port, and of IPv6 in brackets, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;
/** What is given out as a whole, so that who has one address of it has all. */
const IPV6_NETWORK = 64;

/** The network of whoever has an IP address: itself, or of IPv6 its /64; undefined for what is no address. */
export function networkOf(text: string): string | undefined {
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? [];
  const [address = ""] = (inBrackets ?? beforePort ?? text).split("%"); // without its zone
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address); // an IPv4 address in IPv6 clothes becomes that address
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = `${parsed.toString()}/${IPV6_NETWORK}`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(network).toString()}/${IPV6_NETWORK}`;
}
