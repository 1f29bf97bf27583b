import { currentContext } from "@leeway/shared/platform/context";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { LlmConfig, Provider, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import type { ModelFailure } from "@leeway/shared/contracts/quota/completions";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { audit } from "../audit.ts";
import { breakerState } from "./breaker.ts";
import { connectionOf, type Connection } from "../model/connection.ts";
import { askModel } from "../model/ask-model.ts";
import type { OpenConnection } from "../model/language-model.ts";
import { checkBaseUrl } from "./base-url.ts";
import { sealKey, shownOf } from "./key.ts";
import { deleteKey, findKey, saveKey, type StoredKey } from "./store.ts";

export interface KeyDependencies {
  database: Database;
  ring: KeyRing;
  egress: Egress;
}

const TRIAL_MS = 15_000;
const TRIAL = { system: undefined, prompt: "Say ok.", maxTokens: 1 };

/**
 * Stores an organization's own key, after a trial with its provider unless `validate` is false.
 * @throws {AppError} `invalid_parameter`, `credential_rejected`, `provider_unavailable`: nothing is stored
 */
export async function putLlmConfig(
  { database, ring, egress }: KeyDependencies,
  { org_id: orgId, api_key: apiKey, validate = true, ...input }: Input<typeof PutLlmConfig>,
): Promise<Output<typeof PutLlmConfig>> {
  const requested = connectionOf(input);
  const { baseUrl } = requested;
  const connection =
    baseUrl === undefined ? requested : { ...requested, baseUrl: await checkBaseUrl(egress, baseUrl) };
  if (validate) await tryKey(egress, { ...connection, apiKey });
  const id = Bun.randomUUIDv7();
  const sealed = sealKey(ring, orgId, id, apiKey);
  const { created, ...key } = await database.transaction(orgId, async (tx) => {
    const saved = await saveKey(tx, { id, connection, sealed, ...shownOf(apiKey) });
    const action = saved.created ? "llm_config.create" : "llm_config.update";
    await audit(tx, { action, details: { provider: input.provider } });
    return saved;
  });
  return { ...shown(key), created };
}

/**
 * Returns the key's configuration.
 * @throws {AppError} `llm_config_not_found`
 */
export async function findLlmConfig(database: Database, orgId: string): Promise<LlmConfig> {
  return shown(await findKey(database.org(orgId)));
}

/**
 * Deletes the key permanently.
 * @throws {AppError} `llm_config_not_found`
 */
export async function removeLlmConfig(database: Database, orgId: string): Promise<Provider> {
  return database.transaction(orgId, async (tx) => {
    const provider = await deleteKey(tx);
    if (provider === undefined) throw noConfig();
    await audit(tx, { action: "llm_config.delete", details: { provider } });
    return provider;
  });
}

/**
 * Asks the model for one token.
 * @throws {AppError} when it doesn't answer
 */
async function tryKey(egress: Egress, connection: OpenConnection): Promise<void> {
  const asked = await askModel(egress, connection, TRIAL, {
    deadlineMs: TRIAL_MS,
    signal: currentContext()?.signal,
  });
  if (!asked.answered && asked.failure.kind !== "output_limit") throw refusalOf(asked.failure, connection);
}

function refusalOf(
  { kind, status, retry_after_seconds: wait = 1 }: ModelFailure,
  connection: Connection,
): AppError {
  if (kind === "unpaid" && status !== 429) return unpaid();
  const away = AWAY[kind];
  if (away !== undefined)
    return new AppError("provider_unavailable", away, { retryAfterSeconds: Math.max(1, wait) });
  if (kind === "rejected")
    return new AppError(
      "credential_rejected",
      "the provider rejects this api_key; check that it is complete and still valid",
    );
  if (kind === "unusable") return invalidParameter("base_url", "must be public https", "not_public");
  if (status === 404) return notFound(connection);
  return new AppError(
    "invalid_parameter",
    `the provider rejected a test request with status ${status}; check the model and its options`,
  );
}

/** Builds the error for an unknown model; a wrong base URL gets the same answer. */
function notFound({ baseUrl, options }: Connection): AppError {
  const field = options?.deployment === undefined ? "model" : "options.deployment";
  const or = baseUrl === undefined ? "" : ", or base_url is wrong";
  return invalidParameter(field, `isn't available with this api_key${or}`, "unknown");
}

const UNPAID = "the provider account of this api_key has no credit left; add credit or use another key";

function unpaid(): AppError {
  const details = [
    { field: "api_key", code: "unpaid", message: "belongs to a provider account without credit" },
  ];
  return new AppError("credential_rejected", UNPAID, { details });
}

/** Failures that aren't the key's fault and may be temporary. */
const AWAY: Partial<Readonly<Record<ModelFailure["kind"], string>>> = {
  answer: "the provider's answer isn't valid",
  canceled: "the caller disconnected",
  network: "can't reach the provider",
  server: "the provider failed; retry later",
  throttled: "the provider is rate limiting requests; retry later",
  timeout: "the provider didn't answer in time; retry later",
  unpaid: UNPAID,
};

function shown(key: StoredKey | undefined): LlmConfig {
  if (!key) throw noConfig();
  const { connection, breaker, now } = key;
  const { provider, model, baseUrl, options } = connection;
  return {
    provider,
    model,
    ...present({ base_url: baseUrl, options }),
    key_hint: key.hint,
    key_fingerprint: key.fingerprint,
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt.toISOString(),
    ...present({ last_used_at: key.lastUsedAt?.toISOString() }),
    breaker: {
      state: breakerState(breaker, now),
      consecutive_failures: breaker.failures,
      ...present({ retry_at: breaker.retryAt?.toISOString() }),
    },
  };
}

function noConfig(): AppError {
  return new AppError(
    "llm_config_not_found",
    "the organization has no model key; set one with PUT llm-config",
  );
}
