import { expect } from "bun:test";
import https from "node:https";
import type { LookupFunction } from "node:net";

import { createEgress, type Egress } from "./egress.ts";
import { createAuthority } from "../../testing/certificate.ts";

export const PUBLIC = "93.184.215.14";
export const HOST = "peer.example.com";

export const authority = createAuthority();

export type Peer = ReturnType<typeof Bun.serve>;

/** Starts a loopback server whose `/redirect` leads to `elsewhere`. */
export function startPeer(elsewhere: string): Peer {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: authority.issue(HOST),
    idleTimeout: 30,
    routes: {
      "/echo": async (request) =>
        Response.json({
          host: request.headers.get("host"),
          token: request.headers.get("private-token"),
          body: await request.text(),
        }),
      "/headers": (request) => Response.json(Object.fromEntries(request.headers)),
      "/redirect": () => Response.redirect(elsewhere, 302),
      "/late": async () => {
        await Bun.sleep(500);
        return new Response("late");
      },
      "/silent": () => new Promise<Response>(() => undefined),
      "/large": () => new Response(new Uint8Array(2 * 1024 * 1024)),
      "/endless": () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })),
      "/trickle": () =>
        new Response(
          new ReadableStream({
            async pull(c) {
              await Bun.sleep(20);
              c.enqueue(new Uint8Array(1));
            },
          }),
        ),
      "/bomb": () => gzipped(Bun.gzipSync(new Uint8Array(64 * 1024 * 1024))),
      "/long-bomb": () => gzipped(Bun.gzipSync(new Uint8Array(112 * 1024 * 1024))),
      "/small": () => gzipped(Bun.gzipSync(Buffer.from("hello"))),
      "/nothing": () => new Response(null, { status: 204 }),
      "/refusal": () => new Response("no", { status: 403 }),
    },
  });
}

function gzipped(body: Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-encoding": "gzip" } });
}

export const publicly = async (): Promise<string[]> => [PUBLIC];

/** Creates an egress to the peer, which appears to be at a public address. */
export function toPeer({ port }: Peer, resolve = publicly): { egress: Egress; sentTo: string[] } {
  const sentTo: string[] = [];
  const egress = createEgress({
    allow: [],
    resolve,
    open: (url, options) => {
      const { lookup } = options;
      if (!lookup) throw new Error("the address that was checked isn't the one that is connected to");
      lookup(url.hostname, { all: true }, (_, found) => {
        sentTo.push(...(Array.isArray(found) ? found.map(({ address }) => address) : []));
      });
      return https.request(url, { ...options, port, ca: authority.cert, lookup: toLoopback });
    },
  });
  return { egress, sentTo };
}

export const toLoopback: LookupFunction = (_, { all }, done) =>
  all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

/** Error for an address that egress may not reach. */
export const refused = { code: "invalid_parameter", message: expect.stringMatching(/^the address /) };
