import { lookup } from "node:dns/promises";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createGunzip } from "node:zlib";

import ipaddr from "ipaddr.js";

import { isBadCertificate } from "./bad-certificate.ts";
import { AppError, unavailable } from "../errors.ts";
import { AnswerTooLarge, readAnswer } from "./read-answer.ts";

const USER_AGENT = "Leeway"; // some hosts refuse a request without one
const MOST_BYTES = 1 << 20;
const CONNECT_TIMEOUT_MS = 5_000;
const TIMEOUT_MS = 10_000;
const DEFAULT_PORT: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);
/** Azure's platform answers its machines here, at a public address. */
const AZURE_PLATFORM = "168.63.129.16";
/** All public IPv6 addresses are in here (RFC 4291, 2.4); IPv4 ones in the old "compatible" form aren't. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Nobody outside can look these up (RFC 6761, 6762 and 8375; ICANN keeps `internal` private), nor one word. */
const PRIVATE_NAME = /^[^.]*\.?$|\.(?:localhost|local|internal|home\.arpa)\.?$/;

interface EgressOptions {
  /** `host:port` pairs that may be private or plain http; see `EGRESS_ALLOW`. */
  allow: readonly string[];
  /** Every address of a host name; the system's resolver unless a test brings its own. */
  resolve?: Resolve;
  /** What opens a request; a test's own may lead it to another place than the address that is looked up. */
  open?: Open;
}

interface EgressInit extends RequestInit {
  /** Largest answer that is read, inflated; more is an error. */
  mostBytes?: number;
  /** Of the answer only its head is given; its body, whatever it is, isn't read. */
  onlyHead?: boolean;
  /** Until the host is found, connected to and known by its certificate. */
  connectTimeoutMs?: number;
  /** Until the answer is read to its end. */
  timeoutMs?: number;
}

/** Calls out to addresses that somebody else chose, and to no place that only we could reach. */
export interface Egress {
  /**
   * @throws {AppError} `invalid_parameter` when the address isn't public https and isn't allowed;
   *   `unavailable` when its name can't be resolved
   */
  check(url: string): Promise<void>;
  /**
   * Like `fetch`, but the address is resolved once, checked and then connected to; redirects are answers,
   * not followed; time and size are bounded.
   * @throws {AppError} as `check`; `unavailable` when nobody answers in time, and because of an `AnswerTooLarge`
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
      const { mostBytes = MOST_BYTES, onlyHead = false } = init;
      const connecting = new AbortController();
      const timer = setTimeout(() => connecting.abort(), connectTimeoutMs);
      const signals = [connecting.signal, AbortSignal.timeout(timeoutMs)];
      const signal = AbortSignal.any(init.signal ? [...signals, init.signal] : signals);
      try {
        const target = await vet(raw, allowed, within(signal, resolve));
        const request = new Request(target.url.href, { ...init, signal });
        const onConnect = (): void => clearTimeout(timer);
        return await exchange(target, request, { open, onConnect, mostBytes, onlyHead });
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
  /** Where to connect instead of resolving again; absent for what is allowed by name. */
  addresses?: string[];
}

async function vet(raw: string, allowed: ReadonlySet<string>, resolve: Resolve): Promise<Target> {
  if (!URL.canParse(raw)) throw refusal("is no URL");
  const url = new URL(raw);
  if (url.username !== "" || url.password !== "") throw refusal("must not hold a user or a password");
  const defaultPort = DEFAULT_PORT[url.protocol];
  if (defaultPort === undefined) throw refusal("must be public https");
  if (allowed.has(`${url.hostname.toLowerCase()}:${url.port || defaultPort}`)) return { url };
  return { url, addresses: await publicAddressesOf(url, resolve) };
}

async function publicAddressesOf(url: URL, resolve: Resolve): Promise<string[]> {
  if (url.protocol !== "https:") throw refusal("must be public https");
  const addresses = await addressesOf(url.hostname, resolve);
  if (addresses.length === 0 || !addresses.every(isPublic)) throw refusal("must be public https");
  if (url.port !== "") throw refusal("must be public https at port 443");
  return addresses;
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(literal)) return [literal];
  if (PRIVATE_NAME.test(host)) return [];
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
    signal.throwIfAborted();
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

interface Exchange {
  open: Open;
  onConnect: () => void;
  mostBytes: number;
  onlyHead: boolean;
}

/** Sends the request to the vetted address; `fetch` takes no `lookup`, and doesn't tell when it has connected. */
async function exchange(
  { url, addresses }: Target,
  request: Request,
  { open, onConnect, mostBytes, onlyHead }: Exchange,
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
    agent: false, // a connection is for one exchange
    ...(addresses && { lookup: leadingTo(addresses) }),
  });
  sent.once("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", onConnect);
  });
  try {
    const answer = await answerTo(sent, body);
    return onlyHead ? responseOf(answer, null) : await read(answer, signal, mostBytes);
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
  sent.once("close", () => reject(new Error("no answer")));
  if (body.byteLength > 0) sent.end(body);
  else sent.end();
  return promise;
}

/** The answer with its body read, at most `mostBytes` of it. */
async function read(answer: IncomingMessage, signal: AbortSignal, mostBytes: number): Promise<Response> {
  const isGzip = answer.headers["content-encoding"]?.toLowerCase() === "gzip";
  const inflate = isGzip ? createGunzip() : undefined;
  return responseOf(answer, await readAnswer(answer, { inflate, mostBytes, signal }));
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

/** A failure in our words. The runtime's own may quote the address, and with it what was secret in there. */
function translate(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof AnswerTooLarge) return unavailable(error.message, error);
  const { host } = new URL(url);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const cause = new Error(code || (error instanceof Error ? error.name : "unknown"));
  if (isBadCertificate(code)) return unavailable(`${host} has no valid certificate`, cause);
  return unavailable(`${host} can't be reached`, cause);
}

function refusal(message: string): AppError {
  return new AppError("invalid_parameter", `the address ${message}`);
}
