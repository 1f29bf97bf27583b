import { withContext } from "@leeway/shared/context";
import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/digest";

import { findApiKey } from "../store/api-keys.ts";
import { signIn } from "../store/people.ts";
import { isHashOf, looksLikeApiKey, lookupOf } from "./api-key.ts";
import type { Caller } from "./caller.ts";
import type { KeyUse } from "./key-use.ts";
import type { TokenVerifier } from "./oidc.ts";

/** How long what a key or person may do is believed: a revoked key is refused after this, everywhere. */
const BELIEVED_MS = 1_000;
const MOST_ENTRIES = 20_000;

/** Tells who a bearer token belongs to. */
export interface Authenticator {
  /**
   * The caller, undefined when the token isn't good for anything.
   * @throws {AppError} `unavailable` when that can't be told now
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Makes what has just changed here hold at once in this process. */
  forget(): void;
}

interface Found {
  caller: Caller;
  expiresAt: number;
}

interface Entry {
  found: Promise<Found | undefined>;
  until: number;
}

interface AuthenticatorOptions {
  database: Database;
  /** Absent: tokens of people are refused. */
  tokens: TokenVerifier | undefined;
  keyUse: KeyUse;
}

export function createAuthenticator({ database, tokens, keyUse }: AuthenticatorOptions): Authenticator {
  const entries = new Map<string, Entry>();

  async function findKey(key: string): Promise<Found | undefined> {
    const lookup = lookupOf(key);
    const known = lookup && (await findApiKey(database.system, lookup));
    if (!known || !isHashOf(key, known.hash)) return undefined;
    keyUse.note(known.orgId, known.id);
    const roles = new Map([[known.orgId, known.role]]);
    return { caller: { type: "api_key", id: known.id, roles }, expiresAt: known.expiresAt };
  }

  async function findPerson(token: string): Promise<Found | undefined> {
    const identity = await tokens?.verify(token);
    if (!identity) return undefined;
    const { id, roles } = await signIn(database.system, identity);
    return { caller: { type: "person", id, roles }, expiresAt: identity.expiresAt };
  }

  /** Several requests may wait for it, so it doesn't end with the one that asked first. */
  function find(token: string): Promise<Found | undefined> {
    return withContext({ requestId: crypto.randomUUID() }, () =>
      looksLikeApiKey(token) ? findKey(token) : findPerson(token),
    );
  }

  function enter(digest: string, token: string): Entry {
    const entry = { found: find(token), until: Date.now() + BELIEVED_MS };
    entry.found.catch(() => {
      if (entries.get(digest) === entry) entries.delete(digest);
    });
    entries.delete(digest); // moves it to the end: the first is always the oldest
    entries.set(digest, entry);
    if (entries.size > MOST_ENTRIES) {
      const [oldest = ""] = entries.keys();
      entries.delete(oldest);
    }
    return entry;
  }

  return {
    async authenticate(token) {
      const digest = sha256(token).toString("base64");
      const known = entries.get(digest);
      const entry = known && known.until > Date.now() ? known : enter(digest, token);
      const found = await entry.found;
      return found && found.expiresAt > Date.now() ? found.caller : undefined;
    },
    forget: () => entries.clear(),
  };
}
