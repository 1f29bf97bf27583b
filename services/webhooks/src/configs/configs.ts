import { namesOf } from "@leeway/shared/service/audit/write-audit";
import { broadcast } from "@leeway/shared/bus/broadcast";
import type { Input } from "@leeway/shared/contracts/contract";
import {
  ConfigsChanged,
  type CreateConfig,
  type RotateSecret,
  type UpdateConfig,
  type WebhookConfig,
  type WebhookConfigWithSecret,
} from "@leeway/shared/contracts/webhooks/configs";
import { senderOf, type Source } from "@leeway/shared/contracts/webhooks/events";
import type { Transaction } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { open, seal } from "@leeway/shared/security/encryption/envelope";
import { AppError } from "@leeway/shared/values/errors";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Platform } from "@leeway/shared/service/service";

import { audit } from "../audit.ts";
import { checkBaseUrl } from "../code-host/base-url.ts";
import { TOKENS_TABLE } from "../code-host/open-host.ts";
import { validateToken } from "../code-host/token.ts";
import { purgeNotifications } from "../notifications/store/notifications.ts";
import { secretPlace, type ActiveConfigs } from "./active-configs.ts";
import { makeSecret } from "./secret.ts";
import {
  deleteConfig,
  getConfig,
  insertConfig,
  purgeOrg,
  updateConfig,
  type StoredConfig,
  type StoredToken,
} from "./store/configs.ts";
import { currentSecret, endSecret, holdSecrets, insertSecret } from "./store/secrets.ts";

const DEFAULT_BASE_URL = "https://gitlab.com";
const DEFAULT_OVERLAP_HOURS = 24;

export interface ConfigDependencies extends Platform {
  ring: KeyRing;
  egress: Egress;
  active: ActiveConfigs;
  publicBaseUrl: string;
}

/**
 * Creates a config. If the id exists, returns that config with its secret, because the first response was lost.
 * @throws {AppError} `invalid_parameter` for a rejected token or URL, with a specific text
 */
export async function createConfig(
  deps: ConfigDependencies,
  { org_id: orgId, config_id: id = Bun.randomUUIDv7(), ...given }: Input<typeof CreateConfig>,
): Promise<WebhookConfigWithSecret> {
  const repoPath = given.repo_path === undefined ? undefined : repoPathOf(given.repo_path);
  const host = await codeHostOf(deps, { orgId, id, repoPath, given });
  const raw = await deps.database.transaction(orgId, async (tx) => {
    const { source, name, enabled = true, created_by: createdBy } = given;
    const config = { id, source, name, repoPath, enabled, createdBy, ...host };
    if (await insertConfig(tx, config)) {
      const details = { source, name, enabled, repo_path: repoPath };
      await audit(tx, { action: "webhook_config.create", targetId: id, details });
      return newSecret(deps.ring, tx, id);
    }
    const secret = await currentSecret(tx, id);
    if (!secret)
      throw new AppError(
        "conflict",
        "the organization already has 50 configs of this source; delete one first",
      );
    return open(deps.ring, secretPlace(orgId, id, secret.prefix), secret.sealed);
  });
  changed(deps, orgId);
  return { ...(await findConfig(deps, orgId, id)), raw_secret: raw };
}

/** Returns a config with its URL. @throws {AppError} `not_found` */
export async function findConfig(
  { database, publicBaseUrl }: ConfigDependencies,
  orgId: string,
  configId: string,
): Promise<WebhookConfig> {
  const config = await getConfig(database.org(orgId), configId);
  if (!config) throw noConfig();
  return withUrl(config, publicBaseUrl);
}

/** Updates a config. @throws {AppError} `not_found`, `empty_update`; `invalid_parameter` for a rejected token */
export async function changeConfig(
  deps: ConfigDependencies,
  { org_id: orgId, config_id: id, enabled, api_token: apiToken }: Input<typeof UpdateConfig>,
): Promise<WebhookConfig> {
  if (enabled === undefined && apiToken === undefined) {
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  }
  const config = await findConfig(deps, orgId, id);
  let token: StoredToken | undefined;
  if (apiToken !== undefined) {
    if (!senderOf(config.source).hasApiToken)
      throw refused("api_token", "api_token is only supported on vcs configs");
    const { provider_base_url: baseUrl = DEFAULT_BASE_URL, repo_path: repoPath } = config;
    token = await validatedToken(deps, { orgId, id }, { baseUrl, repoPath, apiToken });
  }
  await deps.database.transaction(orgId, async (tx) => {
    if (!(await updateConfig(tx, id, { enabled, token }))) throw noConfig();
    const { source, name } = config;
    const names = namesOf({ enabled, api_token: apiToken });
    const details = { source, name, enabled: enabled ?? config.enabled, changed: names };
    await audit(tx, { action: "webhook_config.update", targetId: id, details });
  });
  changed(deps, orgId);
  return findConfig(deps, orgId, id);
}

/** Deletes a config. @throws {AppError} `not_found` */
export async function removeConfig(deps: ConfigDependencies, orgId: string, configId: string): Promise<void> {
  await deps.database.transaction(orgId, async (tx) => {
    const config = await getConfig(tx, configId);
    if (!config || !(await deleteConfig(tx, configId))) throw noConfig();
    const { source, name, enabled } = config;
    await audit(tx, {
      action: "webhook_config.delete",
      targetId: configId,
      details: { source, name, enabled },
    });
  });
  changed(deps, orgId);
}

/**
 * Creates a new secret for a config; the previous one stays valid for the overlap. A repeated call with the same
 * rotation id returns the same secret: another rotation would end the previous secret, which is still in use.
 * @throws {AppError} `not_found`
 */
export async function rotateSecret(
  deps: ConfigDependencies,
  {
    org_id: orgId,
    config_id: id,
    overlap_hours: overlapHours = DEFAULT_OVERLAP_HOURS,
    rotation_id: rotationId,
  }: Input<typeof RotateSecret>,
): Promise<WebhookConfigWithSecret> {
  const raw = await deps.database.transaction(orgId, async (tx) => {
    await holdSecrets(tx, id);
    const secret = await currentSecret(tx, id);
    if (secret && rotationId !== undefined && secret.rotation_id === rotationId)
      return open(deps.ring, secretPlace(orgId, id, secret.prefix), secret.sealed);
    if (!(await endSecret(tx, id, overlapHours))) throw noConfig();
    const details = { overlap_hours: overlapHours };
    await audit(tx, { action: "webhook_config.rotate", targetId: id, details });
    return newSecret(deps.ring, tx, id, rotationId);
  });
  changed(deps, orgId);
  return { ...(await findConfig(deps, orgId, id)), raw_secret: raw };
}

export async function purge(deps: ConfigDependencies, orgId: string): Promise<void> {
  await deps.database.transaction(orgId, forgetAll, { lane: "bulk" });
  changed(deps, orgId);
}

async function forgetAll(tx: Transaction): Promise<void> {
  await purgeOrg(tx);
  await purgeNotifications(tx);
}

/** Adds the URL to a config, as the API shows it. */
export function withUrl(config: StoredConfig, publicBaseUrl: string): WebhookConfig {
  return { ...config, url: `${publicBaseUrl}/webhooks/${config.source}/${config.org_id}` };
}

function changed({ bus, active }: ConfigDependencies, orgId: string): void {
  active.forget(orgId);
  broadcast(bus, ConfigsChanged, orgId);
}

async function newSecret(
  ring: KeyRing,
  tx: Transaction,
  configId: string,
  rotationId?: string,
): Promise<string> {
  const { raw, prefix } = makeSecret();
  const place = secretPlace(tx.orgId, configId, prefix);
  await insertSecret(tx, configId, { prefix, sealed: seal(ring, place, raw), rotationId });
  return raw;
}

interface CodeHostInput {
  orgId: string;
  id: string;
  repoPath: string | undefined;
  given: { source: Source; api_token?: string; provider_base_url?: string };
}

/** Validates the URL of a code host and its token; a planner has neither. */
async function codeHostOf(
  deps: ConfigDependencies,
  { orgId, id, repoPath, given }: CodeHostInput,
): Promise<{ baseUrl: string | undefined; token: StoredToken | undefined }> {
  const { api_token: apiToken, provider_base_url: address } = given;
  if (!senderOf(given.source).hasApiToken) {
    if (apiToken !== undefined) throw refused("api_token", "api_token is only supported on vcs configs");
    if (address !== undefined)
      throw refused("provider_base_url", "provider_base_url is only supported on vcs configs");
    return { baseUrl: undefined, token: undefined };
  }
  if (apiToken === undefined) throw refused("api_token", "api_token is required on vcs configs", "required");
  const baseUrl = await checkBaseUrl(deps.egress, address ?? DEFAULT_BASE_URL);
  return { baseUrl, token: await validatedToken(deps, { orgId, id }, { baseUrl, repoPath, apiToken }) };
}

async function validatedToken(
  { egress, ring }: ConfigDependencies,
  { orgId, id }: { orgId: string; id: string },
  { baseUrl, repoPath, apiToken }: { baseUrl: string; repoPath: string | undefined; apiToken: string },
): Promise<StoredToken> {
  const host = { baseUrl, token: apiToken, ...(repoPath !== undefined && { repoPath }) };
  const facts = await validateToken(egress, host, new Date());
  return {
    sealed: seal(ring, { orgId, table: TOKENS_TABLE, rowId: id }, apiToken),
    name: facts.name,
    username: facts.username,
    scopes: facts.scopes,
    expiresOn: facts.expiresAt,
  };
}

function repoPathOf(given: string): string {
  const path = given.replaceAll(/^\/+|\/+$/g, "");
  if (path === "") throw refused("repo_path", "repo_path must name a repository, such as platform/network");
  return path;
}

function refused(field: string, message: string, code = "invalid"): AppError {
  return new AppError("invalid_parameter", message, { details: [{ field, code, message }] });
}

function noConfig(): AppError {
  return new AppError("not_found", "the webhook config doesn't exist");
}
