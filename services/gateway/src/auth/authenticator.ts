import type { Database } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/values/digest";

import { findApiKey, type KnownKey } from "./store/api-keys.ts";
import { findCiToken } from "./store/ci-identities.ts";
import { signIn } from "./store/people.ts";
import { findSession } from "./store/sessions.ts";
import { isHashOf, looksLikeApiKey, lookupOf } from "./api-key.ts";
import { createBeliefs } from "./beliefs.ts";
import type { Caller } from "./caller.ts";
import type { KeyUse } from "./key-use.ts";
import type { TokenVerifier } from "./oidc.ts";
import { reaches, type Role } from "./roles.ts";

/** Finds the caller of a bearer token. */
export interface Authenticator {
  /**
   * Returns the caller; undefined if the token isn't valid.
   * @throws {AppError} `unavailable` if the token can't be checked now
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Returns the person with this session token; undefined if the session ended. Throws as `authenticate` does. */
  findSession(token: string): Promise<SignedIn | undefined>;
  /** Drops the cache, so that a change takes effect in this process at once. */
  forget(): void;
}

/** Person who is signed in to the dashboard. */
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
  /** Verifier of people's tokens; undefined if they are rejected. */
  tokens: TokenVerifier | undefined;
  keyUse: KeyUse;
}

/** Finds the caller of an API key or of a CI job's token. */
function keyFinder({ database, keyUse }: Pick<AuthenticatorOptions, "database" | "keyUse">) {
  async function findKey(key: string): Promise<Found | undefined> {
    const lookup = lookupOf(key);
    if (lookup === undefined) return undefined;
    const known = await findApiKey(database.system, lookup);
    if (!known) return findJob(key, lookup);
    if (!isHashOf(key, known.hash)) return undefined;
    keyUse.note(known.orgId, known.id);
    if (known.member) return { caller: memberWith(known, known.member), expiresAt: known.expiresAt };
    const roles = new Map([[known.orgId, known.role]]);
    const { id, repositories } = known;
    const caller = {
      type: "api_key" as const,
      id,
      roles,
      ...(repositories && { speaksFor: { repositories } }),
    };
    return { caller, expiresAt: known.expiresAt };
  }

  /** Finds the caller of a CI job's token, which has the form of an API key. */
  async function findJob(token: string, lookup: string): Promise<Found | undefined> {
    const known = await findCiToken(database.system, lookup);
    if (!known || !isHashOf(token, known.hash)) return undefined;
    const { orgId, identityId: id, role, subject, repository, host, expiresAt } = known;
    const speaksFor = { repositories: [repository], host };
    const roles = new Map([[orgId, role]]);
    return { caller: { type: "ci", id, roles, speaksFor, job: { subject, host } }, expiresAt };
  }

  return findKey;
}

/** Returns the member that a key of `leeway login` acts as, never with more than the member's own role. */
function memberWith({ orgId, id: keyId, role }: KnownKey, member: { personId: string; role: Role }): Caller {
  const lower = reaches(member.role, role) ? role : member.role;
  return { type: "person", id: member.personId, roles: new Map([[orgId, lower]]), keyId };
}

export function createAuthenticator({ database, tokens, keyUse }: AuthenticatorOptions): Authenticator {
  const beliefs = createBeliefs<Found | undefined>();
  const findKey = keyFinder({ database, keyUse });

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

  /** Finds the caller of a valid token of this kind. */
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
