/** One request, as a host received it. */
export interface ReceivedRequest {
  method: string;
  /** Path with its query. */
  path: string;
  headers: Headers;
  body: string;
}

/** Failure of a host. `undefined` lets it answer as usual. */
export type Fault = (
  request: ReceivedRequest,
  usual: () => Promise<Response> | Response,
) => Response | Promise<Response>;

interface Rule {
  fault: Fault;
  matches: RegExp;
  times: number;
}

/** A server at 127.0.0.1 that answers with `usual`, except for the chosen faults. */
export interface FaultyServer {
  url: string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  requests: ReceivedRequest[];
  /** Returns the maximum number of requests in flight. */
  maxAtOnce(): number;
  /** Applies a fault `times` times to requests whose `METHOD path` matches. The latest fault comes first. */
  fail(fault: Fault, matches?: RegExp, times?: number): void;
  /** Clears all faults and the recorded requests. */
  recover(): void;
  stop(): Promise<void>;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** Answers with a status, and with body text that must not be passed on. */
export const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body: unknown = { message: `${code} said the host` },
  ): Fault =>
  () =>
    json(code, body, headers);

/** Never answers. The request may still be handled. */
export const hang: Fault = () => new Promise(() => undefined);

/** Answers as usual, but only with the first half of the gzipped body. */
export const cut: Fault = async (_, usual) => {
  const answer = await usual();
  const packed = Bun.gzipSync(await answer.arrayBuffer());
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  return new Response(packed.subarray(0, packed.length >> 1), { status: answer.status, headers });
};

/** Answers as usual after a delay. */
export const slow =
  (ms: number): Fault =>
  async (_, usual) => {
    await Bun.sleep(ms);
    return usual();
  };

export const redirect =
  (to: string, code = 302): Fault =>
  () =>
    new Response(null, { status: code, headers: { location: to } });

/** Answers with HTML instead of JSON. */
export const page: Fault = () =>
  new Response("<html>We'll be back</html>", { headers: { "content-type": "text/html" } });

export const flood =
  (size: number): Fault =>
  () =>
    new Response(JSON.stringify("x".repeat(size)));

export function startFaultyServer(
  usual: (request: ReceivedRequest) => Response | Promise<Response>,
): FaultyServer {
  const requests: ReceivedRequest[] = [];
  let rules: Rule[] = [];
  let atOnce = 0;
  let most = 0;

  function faultFor(line: string): Fault | undefined {
    const rule = rules.find(({ matches, times }) => times > 0 && matches.test(line));
    if (rule) rule.times -= 1;
    return rule?.fault;
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(raw) {
      const url = new URL(raw.url);
      const path = url.pathname + url.search;
      const request = { method: raw.method, path, headers: raw.headers, body: await raw.text() };
      requests.push(request);
      atOnce += 1;
      most = Math.max(most, atOnce);
      try {
        const fault = faultFor(`${request.method} ${path}`);
        return await (fault ? fault(request, () => usual(request)) : usual(request));
      } finally {
        atOnce -= 1;
      }
    },
  });
  return {
    url: server.url.origin,
    host: server.url.host,
    requests,
    maxAtOnce: () => most,
    fail(fault, matches = /./, times = Infinity) {
      rules = [{ fault, matches, times }, ...rules];
    },
    recover() {
      rules = [];
      requests.length = 0;
      most = 0;
    },
    stop: () => server.stop(true),
  };
}

/** Returns one page of a list, with links to the other pages (RFC 8288). */
export function paged(items: readonly unknown[], request: ReceivedRequest, origin: string): Response {
  const url = new URL(request.path, origin);
  const size = Math.min(Number(url.searchParams.get("per_page") ?? 20), 100);
  const number = Number(url.searchParams.get("page") ?? 1);
  const shown = items.slice((number - 1) * size, number * size);
  const last = Math.max(1, Math.ceil(items.length / size));
  const to = (page: number, rel: string): string => {
    const link = new URL(url);
    link.searchParams.set("page", String(page));
    return `<${link.href}>; rel="${rel}"`;
  };
  const links = [to(1, "first"), ...(number < last ? [to(number + 1, "next")] : []), to(last, "last")];
  return json(200, shown, { link: links.join(", ") });
}
