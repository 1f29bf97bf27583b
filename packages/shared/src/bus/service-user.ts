import { createHmac } from "node:crypto";

/** Returns a further user of our nats-server, in the account of `user` and with only the rights of `service`. */
export function serviceUser(
  { user, password }: { user: string; password: string },
  service: string,
): { user: string; password: string } {
  const name = `${user}-${service}`;
  return { user: name, password: createHmac("sha256", password).update(name).digest("base64url") };
}

/** Returns `url` with the user of `service` on such a server. */
export function serviceUrl(url: string, service: string): string {
  const changed = new URL(url);
  const { user, password } = serviceUser({ user: changed.username, password: changed.password }, service);
  changed.username = user;
  changed.password = password;
  return changed.href;
}
