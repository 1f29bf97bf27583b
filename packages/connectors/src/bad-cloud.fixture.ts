import { createServer, type Socket } from "node:net";

const DRIP_MS = 20;
const OK = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Ways in which a cloud misbehaves. */
const ANSWERS = {
  "says nothing": () => undefined,
  "trickles its headers": (socket) => drip(socket, `${OK}x-slow: `),
  "trickles its answer": (socket) => drip(socket, `${OK}content-length: 100000\r\n\r\n{"a":"`),
  "never ends its answer": (socket) => pour(socket, `${OK}\r\n{"a":"`),
  "announces 10 GB": (socket) => pour(socket, `${OK}content-length: 10000000000\r\n\r\n{"a":"`),
  "resets the connection": (socket) => void socket.resetAndDestroy(),
  "resets it in the middle of its answer": (socket) => {
    socket.write(`${OK}content-length: 1000\r\n\r\n{"a":"`);
    setTimeout(() => socket.resetAndDestroy(), DRIP_MS);
  },
  "leads elsewhere": (socket) =>
    void socket.end(
      `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${socket.localPort}/elsewhere\r\ncontent-length: 0\r\n\r\n`,
    ),
} satisfies Record<string, (socket: Socket) => void>;

export type Manner = keyof typeof ANSWERS;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are the keys of the table
export const MANNERS = Object.keys(ANSWERS) as Manner[];

/** Starts a cloud that misbehaves in one way. */
export async function serveBadly(manner: Manner) {
  const sockets = new Set<Socket>();
  const paths: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (bytes) => {
      paths.push(/^\w+ (\S+) HTTP/.exec(bytes.toString())?.[1] ?? "");
      ANSWERS[manner](socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    /** `host:port`, for `EGRESS_ALLOW`. */
    host,
    url: `http://${host}`,
    /** Requested paths. */
    paths,
    /** Resolves once all connections are closed. */
    async closed(): Promise<void> {
      while (sockets.size > 0) await Bun.sleep(5);
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends `start`, then one byte at a time forever. */
function drip(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write("x"), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
}

/** Sends `start`, then data as fast as the client reads it, forever. */
function pour(socket: Socket, start: string): void {
  const more = Buffer.alloc(1 << 16, "x");
  const fill = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on("drain", fill);
  socket.write(start);
  fill();
}
