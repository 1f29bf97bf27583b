/** A request as received. */
export interface Received {
  path: string;
  headers: Headers;
  body: string;
  at: number;
}

/** A receiver of notifications with answers from the test. */
export interface Receiver {
  url: string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  received: Received[];
  answer(by: (request: Received) => Response | Promise<Response>): void;
  stop(): Promise<void>;
}

export function startReceiver(): Receiver {
  const received: Received[] = [];
  let answer: (request: Received) => Response | Promise<Response> = takeIt;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      const one = { path, headers: request.headers, body: await request.text(), at: Date.now() };
      received.push(one);
      return answer(one);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    url: `http://${host}/hook`,
    host,
    received,
    answer(by) {
      answer = by;
    },
    stop: () => server.stop(true),
  };
}

const takeIt = (): Response => new Response();
