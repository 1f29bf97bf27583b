import { connect, createServer } from "node:net";

/** Reports whether a server could listen on `port` now. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

/** Returns a free port of 127.0.0.1: `preferred` if it is free, otherwise any. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0) {
    const port = await listenOnce(preferred, "127.0.0.1");
    if (port !== undefined) return port;
  }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    place = (place + 1) % PORTS;
    const port = await listenOnce(FIRST_PORT + place, "127.0.0.1");
    if (port !== undefined) return port;
  }
  throw new Error("the system has no free port left on 127.0.0.1");
}

/** Below the range for outgoing connections, which could take a port before our server listens on it. */
const FIRST_PORT = 15_000;
const PORTS = 17_000;
const MAX_TRIES = 100;
/** Offset of the last port. Ports are handed out in turn, so that none is given twice before a server listens on it. */
let place = Math.floor(Math.random() * PORTS);

/** Reports whether a server accepts connections there within 5 s. */
export function isListening(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, timeout: 5000 });
  socket.once("connect", () => resolve(true));
  for (const end of ["error", "timeout"]) socket.once(end, () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
