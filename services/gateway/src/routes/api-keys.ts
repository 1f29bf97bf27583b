import { nameUpTo, page, RepositoryPattern, Timestamp, Uuid } from "@leeway/shared/contracts/common";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";
import { Type as t, type TObject } from "@sinclair/typebox";

import { makeApiKey } from "../auth/api-key.ts";
import { actorOf } from "../auth/caller.ts";
import { KeyRole } from "../auth/roles.ts";
import type { Gateway } from "../gateway.ts";
import { json, NO_CONTENT, type Answer } from "../http/answer.ts";
import { endpoint, type Call, type Endpoint } from "../http/endpoint.ts";
import { pageAnswer, pageStart } from "../http/page.ts";
import { ListQuery } from "../http/parameters.ts";
import { ApiKey, ApiKeyWithSecret } from "../identity.ts";
import { API_KEY, API_KEY_WITH_SECRET, pageOf } from "../examples/common.ts";
import {
  deleteApiKey,
  getApiKey,
  insertApiKey,
  listApiKeys,
  lockApiKey,
  renewSecret,
  rotateSecret,
} from "../auth/store/api-keys.ts";
import { writeAudit } from "../audit/store/audit-log.ts";
import { lockOrganization } from "../organizations/store.ts";

const TAG = "API keys";
const COLLECTION = "/api/v2/orgs/:id/api-keys";
const ONE = `${COLLECTION}/:key_id`;
const KeyId = t.Object({ key_id: Uuid });
const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 168;

const list = endpoint({
  method: "GET",
  path: COLLECTION,
  operationId: "listApiKeys",
  tag: TAG,
  summary: "List API keys",
  description: "Lists the organization's keys without secrets, oldest first.",
  who: "viewer",
  query: t.Object(ListQuery),
  success: { status: 200, description: "The keys", schema: page(ApiKey), example: pageOf(API_KEY) },
  errors: ["invalid_cursor"],
  async handle(call, gateway) {
    const after = pageStart(gateway, call, "api_keys");
    const rows = await listApiKeys(gateway.database.org(call.orgId), { after, limit: call.query.limit + 1 });
    return pageAnswer(gateway, call, { collection: "api_keys", rows });
  },
});

export const NewApiKey = t.Object({
  name: nameUpTo(100, "ci"),
  role: KeyRole,
  repositories: t.Optional(
    t.Array(RepositoryPattern, {
      maxItems: 100,
      description:
        "Repositories the key may speak for, as paths or patterns with `*`. Default: all. A limited key only reads, submits plans and noise fixes, and pushes states",
    }),
  ),
  expires_at: t.Optional(Timestamp),
});

const create = endpoint({
  method: "POST",
  path: COLLECTION,
  operationId: "createApiKey",
  tag: TAG,
  summary: "Create an API key",
  description: "The response contains the key, which is shown only once and stored as a hash.",
  who: "admin",
  only: "person",
  body: NewApiKey,
  bodyExample: { name: API_KEY.name, role: API_KEY.role, repositories: API_KEY.repositories },
  success: { status: 201, description: "The key", schema: ApiKeyWithSecret, example: API_KEY_WITH_SECRET },
  errors: ["conflict"],
  creates: true,
  handle: createKey,
});

/** Creates a key of an organization. A retry of the same attempt gets the key with a new secret. */
export async function createKey(
  { orgId, caller, body, attemptId }: Call<TObject, TObject, typeof NewApiKey>,
  { database }: Pick<Gateway, "database">,
): Promise<Answer> {
  const { name, role } = body;
  const repositories = body.repositories?.length ? [...new Set(body.repositories)] : undefined;
  const expiresAt = futureDate(body.expires_at);
  const secret = { ...makeApiKey(), attemptId };
  const made = await database.transaction(orgId, async (tx) => {
    await lockOrganization(tx);
    if (await renewSecret(tx, attemptId, secret)) return getApiKey(tx, attemptId);
    if (await getApiKey(tx, attemptId))
      throw new AppError("conflict", "the key was already created and has been rotated since");
    const actor = actorOf(caller);
    const newKey = { id: attemptId, name, role, repositories, expiresAt, createdBy: actor, secret };
    const key = await insertApiKey(tx, newKey);
    const speaksFor = repositories?.join(", ") ?? "all";
    const details = present({ name, role, repositories: speaksFor, expires_at: expiresAt });
    await writeAudit(tx, { actor, action: "api_key.create", targetId: key.id, details });
    return key;
  });
  return json({ ...made, key: secret.key }, 201, {
    location: `/api/v2/orgs/${orgId}/api-keys/${attemptId}`,
  });
}

const get = endpoint({
  method: "GET",
  path: ONE,
  operationId: "getApiKey",
  tag: TAG,
  summary: "Get an API key",
  description: "Returns a key without its secret.",
  who: "viewer",
  params: KeyId,
  success: { status: 200, description: "The key", schema: ApiKey, example: API_KEY },
  async handle({ orgId, params }, { database }) {
    const key = await getApiKey(database.org(orgId), params.key_id);
    if (!key) throw noKey();
    return json(key);
  },
});

const rotate = endpoint({
  method: "POST",
  path: `${ONE}/rotate`,
  operationId: "rotateApiKey",
  tag: TAG,
  summary: "Rotate an API key",
  description:
    "Creates a new secret, shown only once. The previous secret stays valid for `overlap_hours`; one left by an earlier rotation ends now. Expired keys can't be rotated.",
  who: "admin",
  only: "person",
  params: KeyId,
  body: t.Object({
    overlap_hours: t.Optional(
      t.Integer({ minimum: 0, maximum: MAX_OVERLAP_HOURS, default: DEFAULT_OVERLAP_HOURS }),
    ),
  }),
  bodyExample: { overlap_hours: DEFAULT_OVERLAP_HOURS },
  success: { status: 200, description: "The key", schema: ApiKeyWithSecret, example: API_KEY_WITH_SECRET },
  errors: ["conflict"],
  creates: true,
  async handle({ orgId, caller, params, body, attemptId }, { database, authenticator }) {
    const { overlap_hours: overlapHours = DEFAULT_OVERLAP_HOURS } = body;
    const secret = { ...makeApiKey(), attemptId };
    const rotated = await database.transaction(orgId, async (tx) => {
      await lockOrganization(tx);
      const key = await lockApiKey(tx, params.key_id);
      if (!key) throw noKey();
      if (key.signed_in)
        throw new AppError("conflict", "a key of leeway login can't be rotated; its owner signs in again");
      if (key.expired) throw new AppError("conflict", "the key has expired; create a new one");
      if (await renewSecret(tx, params.key_id, secret)) return getApiKey(tx, params.key_id);
      await rotateSecret(tx, params.key_id, { secret, overlapHours });
      const details = { overlap_hours: overlapHours };
      await writeAudit(tx, {
        actor: actorOf(caller),
        action: "api_key.rotate",
        targetId: params.key_id,
        details,
      });
      return getApiKey(tx, params.key_id);
    });
    authenticator.forget();
    return json({ ...rotated, key: secret.key });
  },
});

const remove = endpoint({
  method: "DELETE",
  path: ONE,
  operationId: "deleteApiKey",
  tag: TAG,
  summary: "Delete an API key",
  description: "Deletes the key. It is rejected everywhere within one second.",
  who: "admin",
  only: "person",
  params: KeyId,
  success: { status: 204, description: "Deleted" },
  async handle({ orgId, caller, params }, { database, authenticator }) {
    await database.transaction(orgId, async (tx) => {
      const name = await deleteApiKey(tx, params.key_id);
      if (name === undefined) throw noKey();
      await writeAudit(tx, {
        actor: actorOf(caller),
        action: "api_key.delete",
        targetId: params.key_id,
        details: { name },
      });
    });
    authenticator.forget();
    return NO_CONTENT;
  },
});

export const apiKeys: readonly Endpoint[] = [list, create, get, rotate, remove];

/** Returns a future date in a form that PostgreSQL accepts: it rejects February 30, which `Date` reads as March 2. */
function futureDate(expiresAt: string | undefined): string | undefined {
  if (expiresAt === undefined) return undefined;
  const date = new Date(expiresAt);
  if (date.getTime() <= Date.now()) throw invalidParameter("expires_at", "must be in the future");
  return date.toISOString();
}

function noKey(): AppError {
  return new AppError("not_found", "the API key doesn't exist");
}
