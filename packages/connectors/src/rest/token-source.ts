import type { Clock } from "./clock.ts";

const EARLY_MS = 120_000;

interface Token {
  token: string;
  /** Expiry time in ms since 1970. */
  expiresAt: number;
}

/** Access tokens of one identity, fetched when needed. */
export interface TokenSource {
  /** @throws {ConnectorError} when the cloud returns no token */
  get(signal: AbortSignal): Promise<string>;
  /** Drops a token that the cloud rejected as expired. */
  renew(): void;
}

/** Creates a token source. Concurrent callers share one request for a token. */
export function createTokenSource(
  clock: Clock,
  fetchToken: (signal: AbortSignal) => Promise<Token>,
): TokenSource {
  const never = new AbortController().signal; // a caller that aborts must not cancel the token for others
  let current: Promise<Token> | undefined;
  let expiresAt = 0;

  function valid(): Promise<Token> {
    if (current && expiresAt - EARLY_MS > clock.now()) return current;
    expiresAt = Number.POSITIVE_INFINITY; // while the token is being fetched
    current = fetchToken(never).then(
      (token) => {
        expiresAt = token.expiresAt;
        return token;
      },
      (error: unknown) => {
        current = undefined;
        throw error;
      },
    );
    return current;
  }

  return {
    async get(signal) {
      signal.throwIfAborted();
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const leave = (): void => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      try {
        const { token } = await Promise.race([valid(), aborted]);
        return token;
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
    renew() {
      current = undefined;
    },
  };
}
