import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Behaviour of the link. */
export type LinkMode =
  | "open"
  /** Accepts every byte and never forwards it. */
  | "black hole"
  /** Refuses new connections and cuts existing ones. */
  | "refusing"
  /** Accepts connections and closes them at once. */
  | "hanging up"
  /** Delays every chunk by 50 ms. */
  | "slow"
  /** Forwards one byte per millisecond. */
  | "trickling";

/** A TCP link to a server, with switchable faults. */
export interface Link {
  /** Address of the server through this link. */
  url: string;
  set(mode: LinkMode): Promise<void>;
  close(): Promise<void>;
}

const DELAY_MS = 50;

/** Opens a link to the server of `target`; clients connect to its `url`. */
export async function openLink(target: string): Promise<Link> {
  const { hostname, port } = new URL(target);
  const state: { mode: LinkMode } = { mode: "open" };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (state.mode === "hanging up") return void client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      carry(from, to, state);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listening = await listen(server, 0);
  const cut = (): void => sockets.forEach((socket) => void socket.destroy());
  const url = new URL(target);
  url.port = String(listening);
  return {
    url: url.href,
    async set(mode) {
      const before = state.mode;
      state.mode = mode;
      if (mode === "refusing") await unlisten(server);
      if (mode === "refusing" || mode === "hanging up") cut();
      if (before === "refusing" && mode !== before) await listen(server, listening);
    },
    async close() {
      if (server.listening) await unlisten(server);
      cut();
    },
  };
}

function carry(from: Socket, to: Socket, state: { mode: LinkMode }): void {
  const held: Buffer[] = [];
  const trickle = setInterval(() => {
    const [first] = held;
    if (!first) return;
    const bytes = state.mode === "trickling" ? 1 : first.length;
    to.write(first.subarray(0, bytes));
    if (bytes < first.length) held[0] = first.subarray(bytes);
    else held.shift();
  }, 1);
  from.on("close", () => clearInterval(trickle));
  from.on("data", (chunk: Buffer) => {
    if (state.mode === "black hole") return;
    if (state.mode === "slow") setTimeout(() => to.write(chunk), DELAY_MS);
    else if (state.mode === "trickling" || held.length > 0) held.push(chunk);
    else to.write(chunk);
  });
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return (server.address() as AddressInfo).port;
}

function unlisten(server: Server): Promise<unknown> {
  return new Promise((resolve) => {
    server.close(resolve);
    // `close` waits for the last connection, which the caller ends.
    setTimeout(resolve, 0);
  });
}
