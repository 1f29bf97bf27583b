import { withContext } from "@leeway/shared/context";
import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/digest";

import { findApiKey } from "../store/api-keys.ts";
import { signIn } from "../store/people.ts";
import { findSession } from "../store/sessions.ts";
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
  /** The person whose session has this token, undefined when it is over; as `authenticate`. */
  findSession(token: string): Promise<SignedIn | undefined>;
  /** Makes what has just changed here hold at once in this process. */
  forget(): void;
}

/** Somebody who is signed in to the dashboard. */
export interface SignedIn {
  caller: Caller;
  name: string | undefined;
}

interface Found {
  caller: Caller;
  name?: string | undefined;
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

  async function findSignedIn(token: string): Promise<Found | undefined> {
    const session = await findSession(database.system, sha256(token));
    if (!session) return undefined;
    const { personId: id, roles, name, expiresAt } = session;
    return { caller: { type: "person", id, roles }, name, expiresAt };
  }

  /** Several requests may wait for what is found, so it doesn't end with the one that asked first. */
  function enter(digest: string, find: () => Promise<Found | undefined>): Entry {
    const found = withContext({ requestId: crypto.randomUUID() }, find);
    const entry = { found, until: Date.now() + BELIEVED_MS };
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

  /** What `find` found of a token of this kind a moment ago, or finds now, as long as it holds. */
  async function lookUp(
    kind: string,
    token: string,
    find: (token: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const digest = sha256(`${kind} ${token}`).toString("base64");
    const known = entries.get(digest);
    const entry = known && known.until > Date.now() ? known : enter(digest, () => find(token));
    const found = await entry.found;
    return found && found.expiresAt > Date.now() ? found : undefined;
  }

  return {
    async authenticate(token) {
      const find = looksLikeApiKey(token) ? findKey : findPerson;
      return (await lookUp("bearer", token, find))?.caller;
    },
    async findSession(token) {
      const found = await lookUp("session", token, findSignedIn);
      return found && { caller: found.caller, name: found.name };
    },
    forget: () => entries.clear(),
  };
}
