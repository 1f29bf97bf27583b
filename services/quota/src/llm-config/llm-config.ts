import { currentContext } from "@leeway/shared/context";
import type { Input, Output } from "@leeway/shared/contract";
import type { LlmConfig, Provider, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import type { ModelFailure } from "@leeway/shared/contracts/quota/completions";
import type { Database } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import { present } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { breakerState } from "../domain/breaker.ts";
import { connectionOf, type Connection } from "../domain/connection.ts";
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
 * Keeps an organization's own key, after it was tried on its provider unless `validate` is false.
 * @throws {AppError} `invalid_parameter`, `credential_rejected`, `provider_unavailable`: nothing is kept
 */
export async function putLlmConfig(
  { database, ring, egress }: KeyDependencies,
  { org_id: orgId, api_key: apiKey, validate = true, ...wish }: Input<typeof PutLlmConfig>,
): Promise<Output<typeof PutLlmConfig>> {
  const wished = connectionOf(wish);
  const { baseUrl } = wished;
  const connection =
    baseUrl === undefined ? wished : { ...wished, baseUrl: await checkBaseUrl(egress, baseUrl) };
  if (validate) await tryKey(egress, { ...connection, apiKey });
  const id = Bun.randomUUIDv7();
  const sealed = sealKey(ring, orgId, id, apiKey);
  const { created, ...key } = await saveKey(database.org(orgId), {
    id,
    connection,
    sealed,
    ...shownOf(apiKey),
  });
  return { ...shown(key), created };
}

/** @throws {AppError} `llm_config_not_found` */
export async function findLlmConfig(database: Database, orgId: string): Promise<LlmConfig> {
  return shown(await findKey(database.org(orgId)));
}

/** Removes the key for good. @throws {AppError} `llm_config_not_found` */
export async function removeLlmConfig(database: Database, orgId: string): Promise<Provider> {
  const provider = await deleteKey(database.org(orgId));
  if (provider === undefined) throw noConfig();
  return provider;
}

/** Has the model say one token. @throws {AppError} when it doesn't */
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
  if (kind === "rejected") return new AppError("credential_rejected", "the provider rejects this api_key");
  if (kind === "unusable") return invalidParameter("base_url", "must be public https", "not_public");
  if (status === 404) return notFound(connection);
  return new AppError("invalid_parameter", `the provider refuses a request to try, with status ${status}`);
}

/** An address that isn't that of a provider's API answers as one that doesn't know the model. */
function notFound({ baseUrl, options }: Connection): AppError {
  const field = options?.deployment === undefined ? "model" : "options.deployment";
  const or = baseUrl === undefined ? "" : ", or nothing is below this base_url";
  return invalidParameter(field, `isn't known to the provider${or}`, "unknown");
}

const UNPAID = "the account of this api_key has no credit left with the provider";

function unpaid(): AppError {
  const details = [{ field: "api_key", code: "unpaid", message: "has no credit left with the provider" }];
  return new AppError("credential_rejected", UNPAID, { details });
}

/** What isn't the key's fault, and may be over in a moment. */
const AWAY: Partial<Readonly<Record<ModelFailure["kind"], string>>> = {
  answer: "the provider's answer can't be read",
  canceled: "the caller is gone",
  network: "the provider can't be reached",
  server: "the provider has a failure of its own",
  throttled: "the provider asks to wait",
  timeout: "the provider didn't answer in time",
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
  return new AppError("llm_config_not_found", "the organization has no model key of its own");
}
