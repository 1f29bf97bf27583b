import { lookup } from "node:dns/promises";

import ipaddr from "ipaddr.js";

import { AppError, unavailable } from "./errors.ts";

const MOST_BYTES = 1 << 20;
const TIMEOUT_MS = 10_000;

interface EgressOptions {
  /** `host:port` pairs that may be private or plain http; see `EGRESS_ALLOW`. */
  allow: readonly string[];
  /** Every address of a host name; the system's resolver unless a test brings its own. */
  resolve?: (host: string) => Promise<string[]>;
}

interface EgressInit extends RequestInit {
  /** Largest answer that is read; more is an error. */
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

export function createEgress({ allow, resolve = resolveHost }: EgressOptions): Egress {
  const allowed = new Set(allow.map((pair) => pair.toLowerCase()));
  const vet = async (raw: string) => vetted(new URL(raw), allowed, resolve);
  return {
    check: async (url) => {
      await parsed(vet, url);
    },
    fetch: async (url, init = {}) => connect(await parsed(vet, url), init),
  };
}

interface Vetted {
  url: URL;
  /** Where to connect instead of resolving again; absent for what is allowed by name. */
  address?: string;
}

async function parsed(vet: (raw: string) => Promise<Vetted>, url: string): Promise<Vetted> {
  if (!URL.canParse(url)) throw refusal("is no URL");
  return vet(url);
}

async function vetted(
  url: URL,
  allowed: ReadonlySet<string>,
  resolve: (host: string) => Promise<string[]>,
): Promise<Vetted> {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (allowed.has(`${url.hostname.toLowerCase()}:${port}`)) return { url };
  if (url.protocol !== "https:") throw refusal("must be public https");
  if (url.username !== "" || url.password !== "") throw refusal("must not hold a user or a password");
  const addresses = await addressesOf(url.hostname, resolve);
  const [address] = addresses;
  if (address === undefined || !addresses.every(isPublic)) throw refusal("must be public https");
  return { url, address };
}

async function addressesOf(host: string, resolve: (host: string) => Promise<string[]>): Promise<string[]> {
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

/** Whether an address is reachable for everyone; mapped and translated forms count as what they stand for. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

async function connect({ url, address }: Vetted, init: EgressInit): Promise<Response> {
  const { mostBytes = MOST_BYTES, timeoutMs = TIMEOUT_MS, ...rest } = init;
  const headers = new Headers(rest.headers);
  const target = new URL(url);
  if (address !== undefined) {
    headers.set("host", url.host);
    target.hostname = address.includes(":") ? `[${address}]` : address;
  }
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = rest.signal ? AbortSignal.any([rest.signal, timeout]) : timeout;
  try {
    // Bun connects to the literal address and checks the certificate against `serverName`.
    const response = await fetch(target, {
      ...rest,
      headers,
      signal,
      redirect: "manual",
      ...(address !== undefined && { tls: { serverName: url.hostname } }),
    });
    const body = await readAtMost(response, mostBytes);
    return new Response(body, { status: response.status, headers: response.headers });
  } catch (cause) {
    throw cause instanceof AppError ? cause : unavailable(`${url.host} can't be reached`, cause);
  }
}

async function readAtMost(response: Response, mostBytes: number): Promise<Uint8Array | null> {
  if (!response.body || [101, 204, 205, 304].includes(response.status)) return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > mostBytes) throw unavailable("the answer is too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function refusal(message: string): AppError {
  return new AppError("invalid_parameter", `the address ${message}`);
}
