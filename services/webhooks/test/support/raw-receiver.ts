import { gzipSync } from "node:zlib";

import type { Socket } from "bun";

/** Faults of a receiver, selected by its path. */
export const MANNERS = [
  "trickle-headers",
  "trickle-body",
  "silent",
  "reset",
  "reset-body",
  "garbage",
  "flood",
  "bomb",
] as const;
type Manner = (typeof MANNERS)[number];

export interface RawReceiver {
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  urlOf(manner: Manner): string;
  stop(): void;
}

const TEN_MEGABYTES = 10 << 20;
const DRIP_MS = 100;
const OK = "HTTP/1.1 200 OK\r\n";

/** Starts a receiver that sends raw bytes, as no HTTP server would. */
export function startRawReceiver(): RawReceiver {
  const drips = new Set<Timer>();
  const drip = (socket: Socket, text: string): void => {
    let sent = 0;
    const timer = setInterval(() => {
      if (sent === text.length || socket.write(text.charAt((sent += 1) - 1)) < 0) clearInterval(timer);
    }, DRIP_MS);
    drips.add(timer);
  };
  const answers: Record<Manner, (socket: Socket) => void> = {
    "trickle-headers": (socket) => drip(socket, `${OK}x-slow: ${"y".repeat(10_000)}`),
    "trickle-body": (socket) => {
      socket.write(`${OK}content-length: 10000\r\n\r\n`);
      drip(socket, "z".repeat(10_000));
    },
    silent: () => undefined,
    reset: (socket) => socket.terminate(),
    "reset-body": (socket) => {
      socket.write(`${OK}content-length: 10000\r\n\r\nhalf`);
      setTimeout(() => socket.terminate(), DRIP_MS);
    },
    garbage: (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
    flood: (socket) =>
      void socket.write(`${OK}content-length: ${TEN_MEGABYTES}\r\n\r\n${"f".repeat(1 << 20)}`),
    bomb: (socket) => {
      const body = gzipSync(Buffer.alloc(TEN_MEGABYTES));
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    },
  };
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        const manner = MANNERS.find((name) => bytes.toString().startsWith(`POST /${name} `));
        if (manner) answers[manner](socket);
      },
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    host,
    urlOf: (manner) => `http://${host}/${manner}`,
    stop() {
      for (const timer of drips) clearInterval(timer);
      server.stop(true);
    },
  };
}
