import { createHmac } from "node:crypto";

/** Whom a nats-server of ours lets in beside `user`, in the same account, with the rights of `service` alone. */
export function serviceUser(
  { user, password }: { user: string; password: string },
  service: string,
): { user: string; password: string } {
  const name = `${user}-${service}`;
  return { user: name, password: createHmac("sha256", password).update(name).digest("base64url") };
}

/** `url`, with a user of such a server, as `service` is let in. */
export function serviceUrl(url: string, service: string): string {
  const changed = new URL(url);
  const { user, password } = serviceUser({ user: changed.username, password: changed.password }, service);
  changed.username = user;
  changed.password = password;
  return changed.href;
}
