import { networkOf } from "@leeway/shared/network";

/** What a request is told of the connection that it came over, by Bun's server. */
export interface Connection {
  requestIP(request: Request): { address: string } | null;
  /** Ends the connection when nothing has passed over it for so long. */
  timeout(request: Request, seconds: number): void;
}

/**
 * The client's address, or network: the peer's, or behind proxies the one that the outermost trusted proxy saw.
 * Whatever stands left of that in `X-Forwarded-For` the client could have written itself.
 */
export function clientAddress(
  request: Request,
  connection: Connection | null,
  trustedProxies: number,
): string {
  const peer = networkOf(connection?.requestIP(request)?.address ?? "") ?? "unknown";
  if (trustedProxies === 0) return peer;
  const seen = (request.headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return networkOf(seen.at(-trustedProxies) ?? "") ?? peer;
}
