import { broadcast } from "@leeway/shared/bus/broadcast";
import type { Input } from "@leeway/shared/contract";
import {
  ConfigsChanged,
  type CreateConfig,
  type RotateSecret,
  type UpdateConfig,
  type WebhookConfig,
  type WebhookConfigWithSecret,
} from "@leeway/shared/contracts/webhooks/configs";
import type { Transaction } from "@leeway/shared/database/database";
import type { Egress } from "@leeway/shared/egress/egress";
import { open, seal } from "@leeway/shared/encryption/envelope";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Platform } from "@leeway/shared/service";

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
 * Makes a config; one that was made before under its id is the same, with the secret that nobody was told.
 * @throws {AppError} `invalid_parameter` for a token or an address that is refused, with its own text
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
    if (await insertConfig(tx, config)) return newSecret(deps.ring, tx, id);
    const secret = await currentSecret(tx, id);
    if (!secret) throw new AppError("conflict", "the source has 50 configs already");
    return open(deps.ring, secretPlace(orgId, id, secret.prefix), secret.sealed);
  });
  changed(deps, orgId);
  return { ...(await findConfig(deps, orgId, id)), raw_secret: raw };
}

/** @throws {AppError} `not_found` */
export async function findConfig(
  { database, publicBaseUrl }: ConfigDependencies,
  orgId: string,
  configId: string,
): Promise<WebhookConfig> {
  const config = await getConfig(database.org(orgId), configId);
  if (!config) throw noConfig();
  return withUrl(config, publicBaseUrl);
}

/** @throws {AppError} `not_found`, `empty_update`; `invalid_parameter` for a token that is refused */
export async function changeConfig(
  deps: ConfigDependencies,
  { org_id: orgId, config_id: id, enabled, api_token: apiToken }: Input<typeof UpdateConfig>,
): Promise<WebhookConfig> {
  if (enabled === undefined && apiToken === undefined) {
    throw new AppError("empty_update", "nothing to change was given");
  }
  const config = await findConfig(deps, orgId, id);
  let token: StoredToken | undefined;
  if (apiToken !== undefined) {
    if (config.source !== "vcs") throw refused("api_token", "api_token is only supported on vcs configs");
    const { provider_base_url: baseUrl = DEFAULT_BASE_URL, repo_path: repoPath } = config;
    token = await validatedToken(deps, { orgId, id }, { baseUrl, repoPath, apiToken });
  }
  if (!(await updateConfig(deps.database.org(orgId), id, { enabled, token }))) throw noConfig();
  changed(deps, orgId);
  return findConfig(deps, orgId, id);
}

/** @throws {AppError} `not_found` */
export async function removeConfig(deps: ConfigDependencies, orgId: string, configId: string): Promise<void> {
  if (!(await deleteConfig(deps.database.org(orgId), configId))) throw noConfig();
  changed(deps, orgId);
}

/**
 * Gives a config a new secret; the one before is good for a while yet. Asked again for a rotation whose answer was lost, it
 * gives that secret: another rotation would end the one before, which is still in use.
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

/** A config as it is shown. */
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

interface CodeHostWish {
  orgId: string;
  id: string;
  repoPath: string | undefined;
  given: { source: string; api_token?: string; provider_base_url?: string };
}

/** The address of a code host and the token for it, both checked; a planner has neither. */
async function codeHostOf(
  deps: ConfigDependencies,
  { orgId, id, repoPath, given }: CodeHostWish,
): Promise<{ baseUrl: string | undefined; token: StoredToken | undefined }> {
  const { api_token: apiToken, provider_base_url: address } = given;
  if (given.source !== "vcs") {
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
  if (path === "") throw refused("repo_path", "repo_path must name a repository");
  return path;
}

function refused(field: string, message: string, code = "invalid"): AppError {
  return new AppError("invalid_parameter", message, { details: [{ field, code, message }] });
}

function noConfig(): AppError {
  return new AppError("not_found", "no such webhook config");
}
