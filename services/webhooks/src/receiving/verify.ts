import { timingSafeEqual } from "node:crypto";

import { createGiveWay } from "@leeway/shared/concurrency/give-way";
import { senderOf, type Sender, type Source } from "@leeway/shared/contracts/webhooks/events";
import { sha256 } from "@leeway/shared/values/digest";

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Secret, with its expiry in ms since 1970. */
interface Secret {
  raw: string;
  expiresAt: number;
}

/**
 * Placeholder for organizations without a config, so that their calls take as long as others. Its secret never
 * matches. It has the usual length, because HMAC hashes keys longer than a block first.
 */
const NOBODY: { secrets: Secret[] } = { secrets: [{ raw: "nobody's".padEnd(70), expiresAt: -Infinity }] };

/**
 * Returns the configs whose secret the call proves to know, by an HMAC-SHA-256 of its body or by the secret itself.
 * All secrets are compared in constant time.
 */
export async function verified<C extends { secrets: readonly Secret[] }>(
  configs: readonly C[],
  { source, credential, body, now }: { source: Source; credential: string; body: Uint8Array; now: number },
): Promise<C[]> {
  const matches = MATCHERS[senderOf(source).authentication](credential, body);
  const compared: readonly (C | typeof NOBODY)[] = configs.length === 0 ? [NOBODY] : configs;
  const giveWay = createGiveWay(); // any caller can make us hash a large body with up to a hundred secrets
  const knows = new Set<(typeof compared)[number]>();
  for (const config of compared) {
    for (const { raw, expiresAt } of config.secrets) {
      if (matches(raw) && expiresAt > now) knows.add(config);
      await giveWay();
    }
  }
  return compared.filter((config): config is C => knows.has(config));
}

type Matcher = (secret: string) => boolean;

const MATCHERS: Readonly<
  Record<Sender["authentication"], (credential: string, body: Uint8Array) => Matcher>
> = { signature: signatureMatcher, token: tokenMatcher };

function signatureMatcher(credential: string, body: Uint8Array): Matcher {
  const [, hex] = SIGNATURE.exec(credential) ?? [];
  if (hex === undefined) return () => false;
  const given = Buffer.from(hex, "hex");
  return (secret) => timingSafeEqual(given, new Bun.CryptoHasher("sha256", secret).update(body).digest());
}

function tokenMatcher(credential: string): Matcher {
  const given = sha256(credential);
  return (secret) => timingSafeEqual(given, sha256(secret));
}
