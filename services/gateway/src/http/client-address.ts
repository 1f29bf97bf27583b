import { networkOf } from "@leeway/shared/values/network";

/** Connection of a request, provided by Bun's server. */
export interface Connection {
  requestIP(request: Request): { address: string } | null;
  /** Sets the idle timeout of the connection, in seconds. */
  timeout(request: Request, seconds: number): void;
}

/**
 * Returns the client's address, or network: the peer's, or behind proxies the one seen by the outermost trusted
 * proxy. Entries left of that in `X-Forwarded-For` could be forged by the client.
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
