import { Failure } from "./failure.ts";

/** An http or https address without credentials in it. @throws {Error} that says what is wrong. */
export function parseUrl(raw: string): URL {
  const url = URL.canParse(raw) ? new URL(raw) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error("must be an https:// address, such as https://leeway.example.com");
  if (url.username || url.password) throw new Error("must not hold a user or password");
  return url;
}

/** @throws {Failure} `usage`, when what is sent would go over the network in the clear. */
export function requireTls(url: URL): void {
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || isLoopback) return;
  throw new Failure("usage", "--url must be https://, unless it is of this machine or --allow-http is given");
}
