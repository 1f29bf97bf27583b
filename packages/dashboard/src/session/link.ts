const LINK = /^#link=([\w-]{43})$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns the token in the link that `bun run up` prints, which signs in to the demo. Browsers never send a fragment to
 * a server. Only loopback addresses are accepted: elsewhere such a link could sign people in to an attacker's
 * organization.
 */
export function tokenOfLink({ hash, hostname }: { hash: string; hostname: string }): string | undefined {
  return LOOPBACK.has(hostname) ? LINK.exec(hash)?.[1] : undefined;
}
