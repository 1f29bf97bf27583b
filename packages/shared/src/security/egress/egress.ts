import { lookup } from "node:dns/promises";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createGunzip } from "node:zlib";

import ipaddr from "ipaddr.js";

import { isBadCertificate } from "./bad-certificate.ts";
import { AppError, unavailable } from "../../values/errors.ts";
import { AnswerTooLarge, readAnswer } from "./read-answer.ts";

const USER_AGENT = "Leeway"; // some hosts refuse requests without a user agent
const MAX_BYTES = 1 << 20;
const CONNECT_TIMEOUT_MS = 5_000;
const TIMEOUT_MS = 10_000;
const DEFAULT_PORT: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);
/** Azure's platform serves its machines at this public address. */
const AZURE_PLATFORM = "168.63.129.16";
/** Range of all public IPv6 addresses (RFC 4291, 2.4). Deprecated IPv4-compatible addresses aren't in it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Names that don't resolve publicly (RFC 6761, 6762 and 8375; ICANN reserves `internal`), including single words. */
const PRIVATE_NAME = /^[^.]*\.?$|\.(?:localhost|local|internal|home\.arpa)\.?$/;

interface EgressOptions {
  /** `host:port` pairs that may be private or plain http; see `EGRESS_ALLOW`. */
  allow: readonly string[];
  /** Resolves a host name to all its addresses; defaults to the system's resolver. Tests may replace it. */
  resolve?: Resolve;
  /** Opens a request. Tests may connect it to another place than the resolved address. */
  open?: Open;
}

interface EgressInit extends RequestInit {
  /** Largest response body that is read, after decompression. A larger one is an error. */
  maxBytes?: number;
  /** Whether to return only the response's head and skip its body. */
  onlyHead?: boolean;
  /** Limit until the host is resolved, connected and authenticated. */
  connectTimeoutMs?: number;
  /** Limit until the response has been read completely. */
  timeoutMs?: number;
}

/** Sends requests to addresses chosen by users, but never to addresses that only our network can reach. */
export interface Egress {
  /**
   * Checks that an address may be requested.
   * @throws {AppError} `invalid_parameter` if the address isn't public https and isn't allowed; `unavailable` if its
   * name can't be resolved
   */
  check(url: string): Promise<void>;
  /**
   * Works like `fetch`, but resolves the address once, checks it, and connects to exactly that address. Redirects are
   * returned, not followed. Time and size are bounded.
   * @throws {AppError} as `check` does; `unavailable` if the host doesn't answer in time, or with cause
   * `AnswerTooLarge`
   */
  fetch(url: string, init?: EgressInit): Promise<Response>;
}

export function createEgress({ allow, resolve = resolveHost, open = openRequest }: EgressOptions): Egress {
  const allowed = new Set(allow.map((pair) => pair.toLowerCase()));
  return {
    async check(url) {
      await vet(url, allowed, within(AbortSignal.timeout(CONNECT_TIMEOUT_MS), resolve));
    },
    async fetch(raw, init = {}) {
      const { connectTimeoutMs = CONNECT_TIMEOUT_MS, timeoutMs = TIMEOUT_MS } = init;
      const { maxBytes = MAX_BYTES, onlyHead = false } = init;
      const connecting = new AbortController();
      const timer = setTimeout(() => connecting.abort(), connectTimeoutMs);
      const signals = [connecting.signal, AbortSignal.timeout(timeoutMs)];
      const signal = AbortSignal.any(init.signal ? [...signals, init.signal] : signals);
      try {
        const target = await vet(raw, allowed, within(signal, resolve));
        const request = new Request(target.url.href, { ...init, signal });
        const onConnect = (): void => clearTimeout(timer);
        return await exchange(target, request, { open, onConnect, maxBytes, onlyHead });
      } catch (error) {
        throw translate(error, raw);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

type Resolve = (host: string) => Promise<string[]>;
type Open = (url: URL, options: RequestOptions) => ClientRequest;

interface Target {
  url: URL;
  /** Addresses to connect to instead of resolving again; absent for hosts in the allow list. */
  addresses?: string[];
}

async function vet(raw: string, allowed: ReadonlySet<string>, resolve: Resolve): Promise<Target> {
  if (!URL.canParse(raw)) throw refusal("isn't a valid URL");
  const url = new URL(raw);
  if (url.username !== "" || url.password !== "") throw refusal("must not contain a user or password");
  const defaultPort = DEFAULT_PORT[url.protocol];
  if (defaultPort === undefined) throw refusal("must be public https");
  if (allowed.has(`${url.hostname.toLowerCase()}:${url.port || defaultPort}`)) return { url };
  return { url, addresses: await publicAddressesOf(url, resolve) };
}

async function publicAddressesOf(url: URL, resolve: Resolve): Promise<string[]> {
  if (url.protocol !== "https:") throw refusal("must be public https");
  const addresses = await addressesOf(url.hostname, resolve);
  if (addresses.length === 0 || !addresses.every(isPublic)) throw refusal("must be public https");
  if (url.port !== "") throw refusal("must be public https on port 443");
  return addresses;
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(literal)) return [literal];
  if (PRIVATE_NAME.test(host)) return [];
  try {
    return await resolve(host);
  } catch (cause) {
    throw unavailable(`can't resolve ${host}`, cause);
  }
}

async function resolveHost(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Resolves as `resolve` does, but rejects when `signal` aborts. */
function within(signal: AbortSignal, resolve: Resolve): Resolve {
  return async (host) => {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    return Promise.race([resolve(host), aborted]);
  };
}

/** Checks whether an address is publicly reachable. Translated addresses (NAT64, 6to4, Teredo) don't count. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // turns an IPv4-mapped address into IPv4
  if (parsed.range() !== "unicast" || parsed.toString() === AZURE_PLATFORM) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

interface Exchange {
  open: Open;
  onConnect: () => void;
  maxBytes: number;
  onlyHead: boolean;
}

/**
 * Sends the request to the checked address. `fetch` isn't used, because it takes no `lookup` and doesn't report when
 * it has connected.
 */
async function exchange(
  { url, addresses }: Target,
  request: Request,
  { open, onConnect, maxBytes, onlyHead }: Exchange,
): Promise<Response> {
  const { method, signal } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = {
    "user-agent": USER_AGENT,
    ...Object.fromEntries(request.headers),
    "accept-encoding": "gzip",
    host: url.host,
  };
  const sent = open(url, {
    method,
    headers,
    signal,
    agent: false, // each connection serves one exchange
    ...(addresses && { lookup: leadingTo(addresses) }),
  });
  sent.once("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", onConnect);
  });
  try {
    const answer = await answerTo(sent, body);
    return onlyHead ? responseOf(answer, null) : await read(answer, signal, maxBytes);
  } finally {
    sent.destroy();
  }
}

function openRequest(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === "https:" ? https.request(url, options) : http.request(url, options);
}

function leadingTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all }, done) =>
    all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family);
}

function answerTo(sent: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once("response", resolve);
  sent.on("error", reject);
  sent.once("close", () => reject(new Error("the connection closed without an answer")));
  if (body.byteLength > 0) sent.end(body);
  else sent.end();
  return promise;
}

/** Reads the response with its body, limited to `maxBytes`. */
async function read(answer: IncomingMessage, signal: AbortSignal, maxBytes: number): Promise<Response> {
  const isGzip = answer.headers["content-encoding"]?.toLowerCase() === "gzip";
  const inflate = isGzip ? createGunzip() : undefined;
  return responseOf(answer, await readAnswer(answer, { inflate, maxBytes, signal }));
}

function responseOf(answer: IncomingMessage, body: Uint8Array<ArrayBuffer> | null): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  headers.delete("content-encoding");
  headers.delete("content-length");
  const status = answer.statusCode ?? 0;
  return new Response(NO_BODY.has(status) ? null : body, { status, headers });
}

/** Translates a failure. The runtime's own message may quote the address, which can contain a secret. */
function translate(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof AnswerTooLarge) return unavailable(error.message, error);
  const { host } = new URL(url);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const cause = new Error(code || (error instanceof Error ? error.name : "unknown"));
  if (isBadCertificate(code)) return unavailable(`${host} has no valid TLS certificate`, cause);
  return unavailable(`can't reach ${host}`, cause);
}

function refusal(message: string): AppError {
  return new AppError("invalid_parameter", `the address ${message}`);
}
