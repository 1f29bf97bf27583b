import { nameUpTo, Timestamp, Uuid } from "@leeway/shared/contracts/common";
import { sha256 } from "@leeway/shared/values/digest";
import { AppError } from "@leeway/shared/values/errors";
import { Type as t } from "@sinclair/typebox";

import { makeApiKey } from "../auth/api-key.ts";
import { KeyRole, reaches, type Role } from "../auth/roles.ts";
import { deleteApiKey, insertApiKey } from "../auth/store/api-keys.ts";
import { noteExchange } from "../auth/store/ci-identities.ts";
import { signIn, type SignedIn } from "../auth/store/people.ts";
import { writeAudit } from "../audit/store/audit-log.ts";
import { API_KEY_WITH_SECRET, ID, LATER } from "../examples/common.ts";
import type { DeviceSignIn, Gateway } from "../gateway.ts";
import { limitSignIns } from "../http/access.ts";
import { json, NO_CONTENT } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { listOrganizations, lockOrganization, noOrganization } from "../organizations/store.ts";

const PATH = "/api/v2/auth/device";
const TAG = "API keys";
const SECONDS = 30 * 24 * 60 * 60;
/** Organizations that an error lists. */
const SHOWN = 20;

const Provider = t.Object({
  issuer: t.String({ description: "OpenID Connect provider with the device flow (RFC 8628)" }),
  client_id: t.String(),
});

const show = endpoint({
  method: "GET",
  path: PATH,
  operationId: "getDeviceSignIn",
  tag: TAG,
  summary: "Get the identity provider of the command line",
  description: "Returns the provider and client with which `leeway login` starts the device flow.",
  who: "public",
  success: {
    status: 200,
    description: "The provider",
    schema: Provider,
    example: { issuer: "https://login.example.com", client_id: "leeway-cli" },
  },
  errors: ["not_found"],
  async handle(_, gateway) {
    const { issuer, clientId } = providerOf(gateway);
    return json({ issuer, client_id: clientId });
  },
});

const create = endpoint({
  method: "POST",
  path: PATH,
  operationId: "signInDevice",
  tag: TAG,
  summary: "Sign in with the command line",
  description:
    "Exchanges an id token from the device flow for a key that acts as the member for 30 days, in one organization. Each id token works once. The key has the member's current role, at most `role`, and ends with the membership. It is listed with the API keys.",
  who: "public",
  body: t.Object({
    id_token: t.String({ minLength: 1, maxLength: 16_000, writeOnly: true }),
    org_id: t.Optional(Uuid),
    role: t.Optional({ ...KeyRole, description: "Highest role of the key. Default: admin" }),
    name: nameUpTo(100, "leeway on ada-laptop"),
  }),
  bodyExample: { id_token: "eyJhbGciOiJSUzI1NiJ9.…", org_id: ID.org, name: "leeway on ada-laptop" },
  success: {
    status: 201,
    description: "The key, which is shown only once",
    schema: t.Object({ key: t.String(), expires_at: Timestamp, org_id: Uuid, role: KeyRole }),
    example: { key: API_KEY_WITH_SECRET.key, expires_at: LATER, org_id: ID.org, role: "admin" },
  },
  errors: ["conflict", "not_found", "org_required", "rate_limited", "unauthenticated", "unavailable"],
  async handle(call, gateway) {
    const { tokens } = providerOf(gateway);
    const { id_token: token, org_id: wanted, role: highest = "admin", name } = call.body;
    return limitSignIns(call, gateway, async () => {
      const identity = await tokens.verify(token);
      if (!identity)
        throw refused("the id token is invalid or expired, or comes from another provider; sign in again");
      const person = await signIn(gateway.database, identity);
      const orgId = await organizationOf(gateway, person, wanted?.toLowerCase());
      const role = lower(person.roles.get(orgId) ?? "viewer", highest);
      const made = await issue(gateway, { token, expiresAt: identity.expiresAt, orgId, person, role, name });
      return json({ ...made, org_id: orgId, role }, 201);
    });
  },
});

const remove = endpoint({
  method: "DELETE",
  path: PATH,
  operationId: "signOutDevice",
  tag: TAG,
  summary: "Sign out with the command line",
  description: "Deletes the key of `leeway login` that the request carries.",
  who: "caller",
  success: { status: 204, description: "Deleted" },
  errors: ["forbidden"],
  async handle({ caller: { id, keyId, roles } }, { database, authenticator }) {
    const [orgId = ""] = roles.keys();
    if (keyId === undefined)
      throw new AppError("forbidden", "only a key of leeway login can sign itself out");
    await database.transaction(orgId, async (tx) => {
      const name = await deleteApiKey(tx, keyId);
      if (name === undefined) return;
      const actor = { type: "person" as const, id };
      await writeAudit(tx, { actor, action: "api_key.delete", targetId: keyId, details: { name } });
    });
    authenticator.forget();
    return NO_CONTENT;
  },
});

export const deviceSignIn: readonly Endpoint[] = [show, create, remove];

function providerOf({ deviceSignIn: provider }: Gateway): DeviceSignIn {
  if (provider) return provider;
  throw new AppError(
    "not_found",
    "people can't sign in with the command line on this server; use an API key",
  );
}

/** Returns the person's organization: the wanted one, or their only one. */
async function organizationOf(
  { database }: Gateway,
  { roles }: SignedIn,
  wanted: string | undefined,
): Promise<string> {
  const ids = wanted === undefined ? [...roles.keys()] : [wanted].filter((id) => roles.has(id));
  const [orgId, ...others] = ids;
  if (orgId === undefined) throw noOrganization();
  if (others.length === 0) return orgId;
  const known = await listOrganizations(database.system, ids.toSorted().slice(0, SHOWN));
  const names = known.map(({ id, name }) => `${name} (${id})`).join(", ");
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : "";
  throw new AppError("org_required", `you belong to several organizations; choose one: ${names}${more}`);
}

function lower(role: Role, highest: KeyRole): KeyRole {
  return role === "owner" || reaches(role, highest) ? highest : role;
}

interface NewKey {
  token: string;
  /** Expiry of the id token, in ms since 1970. */
  expiresAt: number;
  orgId: string;
  person: SignedIn;
  role: KeyRole;
  name: string;
}

/** Exchanges an id token for a key. @throws {AppError} `unauthenticated` if it was exchanged before */
function issue(
  { database }: Gateway,
  { token, expiresAt: tokenExpiresAt, orgId, person, role, name }: NewKey,
): Promise<{ key: string; expires_at: string }> {
  const id = Bun.randomUUIDv7();
  const secret = { ...makeApiKey(), attemptId: id };
  const expiresAt = new Date(Date.now() + SECONDS * 1000).toISOString();
  const actor = { type: "person" as const, id: person.id };
  return database.transaction(orgId, async (tx) => {
    const exchanged = { tokenHash: sha256(token), expiresAt: new Date(tokenExpiresAt) };
    if (!(await noteExchange(tx, exchanged)))
      throw refused("the id token was already exchanged; sign in again");
    await lockOrganization(tx);
    const key = { id, name, role, expiresAt, createdBy: actor, personId: person.id, secret };
    await insertApiKey(tx, key);
    const details = { name, role, signed_in: true, expires_at: expiresAt };
    await writeAudit(tx, { actor, action: "api_key.create", targetId: id, details });
    return { key: secret.key, expires_at: expiresAt };
  });
}

function refused(message: string): AppError {
  return new AppError("unauthenticated", message);
}
