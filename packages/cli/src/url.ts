import { Failure } from "./failure.ts";

/**
 * Parses an http or https URL without credentials.
 * @throws {Error} whose message completes "--url …"
 */
export function parseUrl(raw: string): URL {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error("must be an https:// address, such as https://leeway.example.com");
  if (url.username || url.password) throw new Error("must not contain a user or password");
  return url;
}

/**
 * Requires TLS except on loopback.
 * @throws {Failure} `usage` for a URL that would send secrets unencrypted over the network
 */
export function requireTls(url: URL, name = "--url"): void {
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || isLoopback) return;
  const advice = name === "--url" ? "; --allow-http sends everything unencrypted" : "";
  throw new Failure("usage", `${name} must be https://, not ${url.origin}${advice}`);
}
