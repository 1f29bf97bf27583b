import { lookup } from "node:dns/promises";

import ipaddr from "ipaddr.js";

import { AppError, unavailable } from "./errors.ts";

const MOST_BYTES = 1 << 20;
const TIMEOUT_MS = 10_000;
const DEFAULT_PORT: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);
/** Azure's platform answers its machines here, at a public address. */
const AZURE_PLATFORM = "168.63.129.16";
/** All public IPv6 addresses are in here (RFC 4291, 2.4); IPv4 ones in the old "compatible" form aren't. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const BAD_CERTIFICATE =
  /^(?:ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH)/;

interface EgressOptions {
  /** `host:port` pairs that may be private or plain http; see `EGRESS_ALLOW`. */
  allow: readonly string[];
  /** Every address of a host name; the system's resolver unless a test brings its own. */
  resolve?: (host: string) => Promise<string[]>;
  /** What sends a request to an address that is vetted; `fetch` unless a test looks on. */
  send?: (url: URL, init: BunFetchRequestInit) => Promise<Response>;
}

interface EgressInit extends RequestInit {
  /** Largest answer that is read, inflated; more is an error. */
  mostBytes?: number;
  timeoutMs?: number;
}

/** Calls out to addresses that somebody else chose, and to no place that only we could reach. */
export interface Egress {
  /** @throws {AppError} `invalid_parameter` when the address isn't public https and isn't allowed */
  check(url: string): Promise<void>;
  /**
   * Like `fetch`, but the address is resolved once, checked and then connected to; redirects are answers,
   * not followed; time and size are bounded.
   * @throws {AppError} `invalid_parameter` as `check`; `unavailable` when nobody answers in time
   */
  fetch(url: string, init?: EgressInit): Promise<Response>;
}

export function createEgress({ allow, resolve = resolveHost, send = fetch }: EgressOptions): Egress {
  const allowed = new Set(allow.map((pair) => pair.toLowerCase()));
  return {
    async check(url) {
      await vet(url, allowed, within(AbortSignal.timeout(TIMEOUT_MS), resolve));
    },
    async fetch(raw, { mostBytes = MOST_BYTES, timeoutMs = TIMEOUT_MS, ...init } = {}) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
      const vetted = await vet(raw, allowed, within(signal, resolve));
      try {
        const response = await send(...request(vetted, { ...init, signal }));
        return await read(response, mostBytes);
      } catch (error) {
        throw translate(error, vetted.url);
      }
    },
  };
}

interface Vetted {
  url: URL;
  /** Where to connect instead of resolving again; absent for what is allowed by name. */
  address?: string;
}

type Resolve = (host: string) => Promise<string[]>;

async function vet(raw: string, allowed: ReadonlySet<string>, resolve: Resolve): Promise<Vetted> {
  if (!URL.canParse(raw)) throw refusal("is no URL");
  const url = new URL(raw);
  if (url.username !== "" || url.password !== "") throw refusal("must not hold a user or a password");
  const defaultPort = DEFAULT_PORT[url.protocol];
  if (defaultPort === undefined) throw refusal("must be public https");
  if (allowed.has(`${url.hostname.toLowerCase()}:${url.port || defaultPort}`)) return { url };
  if (url.protocol !== "https:") throw refusal("must be public https");
  const addresses = await addressesOf(url.hostname, resolve);
  const [address] = addresses;
  if (address === undefined || !addresses.every(isPublic)) throw refusal("must be public https");
  return { url, address };
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(literal)) return [literal];
  try {
    return await resolve(host);
  } catch (cause) {
    throw unavailable(`${host} can't be resolved`, cause);
  }
}

async function resolveHost(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** The same, given up when `signal` aborts. */
function within(signal: AbortSignal, resolve: Resolve): Resolve {
  return async (host) => {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    return Promise.race([resolve(host), aborted]);
  };
}

/** Whether an address is reachable for everyone. One that is translated (NAT64, 6to4, Teredo) isn't taken for it. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // an IPv4 address in IPv6 clothes becomes that address
  if (parsed.range() !== "unicast" || parsed.toString() === AZURE_PLATFORM) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** The request to the vetted address; its name stays in the Host header and in the certificate that is asked for. */
function request({ url, address }: Vetted, init: RequestInit): [URL, BunFetchRequestInit] {
  if (address === undefined) return [url, { ...init, redirect: "manual" }];
  const target = new URL(url);
  target.hostname = address.includes(":") ? `[${address}]` : address;
  const headers = new Headers(init.headers);
  headers.set("host", url.host);
  return [target, { ...init, headers, redirect: "manual", tls: { serverName: url.hostname } }];
}

/** The answer with its body read, at most `mostBytes` of it. */
async function read(response: Response, mostBytes: number): Promise<Response> {
  const headers = new Headers(response.headers);
  // `fetch` has inflated the body.
  headers.delete("content-encoding");
  headers.delete("content-length");
  const { status } = response;
  if (!response.body || NO_BODY.has(status)) return new Response(null, { status, headers });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > mostBytes) throw unavailable("the answer is too large");
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status, headers });
}

/** A failure in our words. The runtime's own may quote the address, and with it what was secret in there. */
function translate(error: unknown, { host }: URL): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const cause = new Error(code || (error instanceof Error ? error.name : "unknown"));
  if (BAD_CERTIFICATE.test(code)) return unavailable(`${host} has no valid certificate`, cause);
  return unavailable(`${host} can't be reached`, cause);
}

function refusal(message: string): AppError {
  return new AppError("invalid_parameter", `the address ${message}`);
}
