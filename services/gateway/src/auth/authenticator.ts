import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/digest";

import { findApiKey } from "../store/api-keys.ts";
import { signIn } from "../store/people.ts";
import { findSession } from "../store/sessions.ts";
import { isHashOf, looksLikeApiKey, lookupOf } from "./api-key.ts";
import { createBeliefs } from "./beliefs.ts";
import type { Caller } from "./caller.ts";
import type { KeyUse } from "./key-use.ts";
import type { TokenVerifier } from "./oidc.ts";

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
interface SignedIn {
  caller: Caller;
  name: string | undefined;
}

interface Found {
  caller: Caller;
  name?: string | undefined;
  expiresAt: number;
}

interface AuthenticatorOptions {
  database: Database;
  /** Absent: tokens of people are refused. */
  tokens: TokenVerifier | undefined;
  keyUse: KeyUse;
}

export function createAuthenticator({ database, tokens, keyUse }: AuthenticatorOptions): Authenticator {
  const beliefs = createBeliefs<Found | undefined>();

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
    const { id, roles } = await signIn(database, identity);
    return { caller: { type: "person", id, roles }, expiresAt: identity.expiresAt };
  }

  async function findSignedIn(token: string): Promise<Found | undefined> {
    const session = await findSession(database.system, sha256(token));
    if (!session) return undefined;
    const { personId: id, roles, name, expiresAt } = session;
    return { caller: { type: "person", id, roles }, name, expiresAt };
  }

  /** Whom a token of this kind belongs to, as long as it holds. */
  async function lookUp(
    kind: string,
    token: string,
    find: (token: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const found = await beliefs.of(kind, token, () => find(token));
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
    forget: () => beliefs.forget(),
  };
}
