import { createServer } from "node:net";

/** A loopback server that must never be reached, with a count of contacts. */
export interface Canary {
  port: number;
  contacts: number;
  close(): void;
}

export async function startCanary(): Promise<Canary> {
  const server = createServer((socket) => {
    canary.contacts += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const canary: Canary = { port, contacts: 0, close: () => void server.close() };
  return canary;
}
