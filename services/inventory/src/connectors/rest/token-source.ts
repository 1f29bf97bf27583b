import type { Clock } from "./clock.ts";

const EARLY_MS = 120_000;

interface Token {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Access tokens of one identity, fetched when needed. */
export interface TokenSource {
  /** @throws {ConnectorError} when the cloud gives none */
  get(signal: AbortSignal): Promise<string>;
  /** The cloud took the last one for expired. */
  renew(): void;
}

/** Who asks while a token is on its way waits for that one. */
export function createTokenSource(
  clock: Clock,
  fetchToken: (signal: AbortSignal) => Promise<Token>,
): TokenSource {
  const never = new AbortController().signal; // a caller that leaves doesn't take the token from the others
  let current: Promise<Token> | undefined;
  let expiresAt = 0;

  function valid(): Promise<Token> {
    if (current && expiresAt - EARLY_MS > clock.now()) return current;
    expiresAt = Number.POSITIVE_INFINITY; // of one that is on its way
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
