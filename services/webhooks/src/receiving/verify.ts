import { sha256 } from "@leeway/shared/digest";
import { createGiveWay } from "@leeway/shared/fairness/give-way";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { timingSafeEqual } from "node:crypto";

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** A secret, and until when it is good (milliseconds since 1970). */
interface Secret {
  raw: string;
  expiresAt: number;
}

/**
 * Stands for the config where there is none, so that an organization without one takes as long as one with.
 * Its secret is as long as a real one, since HMAC hashes a key first that is longer than a block, and is
 * never good.
 */
const NOBODY: { secrets: Secret[] } = { secrets: [{ raw: "nobody's".padEnd(70), expiresAt: -Infinity }] };

/**
 * Those of `configs` that the call proves to know a secret of: by the HMAC-SHA-256 of its body, or by the
 * secret itself. All secrets are compared, each in a time that tells nothing.
 */
export async function verified<C extends { secrets: readonly Secret[] }>(
  configs: readonly C[],
  { source, credential, body, now }: { source: Source; credential: string; body: Uint8Array; now: number },
): Promise<C[]> {
  const matches = source === "planner" ? signatureMatcher(credential, body) : tokenMatcher(credential);
  const compared: readonly (C | typeof NOBODY)[] = configs.length === 0 ? [NOBODY] : configs;
  const giveWay = createGiveWay(); // anybody can have a large body hashed under each of a hundred secrets
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
