import { SOURCES, type Source } from "@leeway/shared/contracts/webhooks/events";
import type { Database } from "@leeway/shared/database/database";
import { open as openSealed, SealError, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import { liveSecrets, type LiveSecret } from "./store/secrets.ts";

/** Returns the place that a config's secret is sealed for. */
export function secretPlace(orgId: string, configId: string, prefix: string): SealedPlace {
  return { orgId, table: "webhooks.secrets", rowId: `${configId} ${prefix}` };
}

/** Enabled config, with the fields that a call needs. */
export interface ActiveConfig {
  id: string;
  repoPath: string | undefined;
  botUsername: string | undefined;
  /** Secrets in database order, with their expiry in ms since 1970. */
  secrets: { raw: string; expiresAt: number }[];
}

/**
 * Cache of organizations' enabled configs. With it a short database outage rejects no valid call: a code host
 * disables a hook whose calls are rejected.
 */
export interface ActiveConfigs {
  /**
   * Returns the enabled configs. @throws {AppError} `unavailable` if the cache is stale and the database is
   * unavailable
   */
  of(orgId: string, source: Source): Promise<readonly ActiveConfig[]>;
  /** Drops the cached configs of an organization after a change. */
  forget(orgId: string): void;
}

interface Entry {
  configs: readonly ActiveConfig[];
  at: number;
}

const KEEP_MS = 30_000;
/** Age at which a call refreshes an entry in the background. */
const REFRESH_MS = 15_000;
/** Maximum of entries. Callers can name organizations that don't exist, and those are cached too. */
const MAX_ENTRIES = 10_000;

interface ActiveConfigsOptions {
  database: Database;
  ring: KeyRing;
  log: Logger;
  /** Monotonic clock, in ms. */
  now?: () => number;
}

export function createActiveConfigs({
  database,
  ring,
  log,
  now = () => performance.now(),
}: ActiveConfigsOptions): ActiveConfigs {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry>>();
  let changes = 0;

  async function load(key: string, orgId: string, source: Source): Promise<Entry> {
    const at = now();
    const before = changes;
    const secrets = await liveSecrets(database.org(orgId), source);
    if (changes !== before) return load(key, orgId, source); // it may have read the state before the change
    const configs = grouped(secrets, (secret) => opened({ ring, log }, orgId, secret));
    const entry = { configs, at };
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) break;
      entries.delete(oldest);
    }
    return entry;
  }

  function reload(key: string, orgId: string, source: Source): Promise<Entry> {
    const underWay = loading.get(key);
    if (underWay) return underWay;
    const work = load(key, orgId, source).finally(() => loading.delete(key));
    loading.set(key, work);
    return work;
  }

  return {
    async of(orgId, source) {
      const key = `${orgId} ${source}`;
      const known = entries.get(key);
      const age = known ? now() - known.at : Infinity;
      if (!known || age > KEEP_MS) return (await reload(key, orgId, source)).configs;
      // a failure is ignored until the entry is too old
      if (age > REFRESH_MS) reload(key, orgId, source).catch(() => undefined);
      return known.configs;
    },
    forget(orgId) {
      changes += 1;
      for (const source of SOURCES) entries.delete(`${orgId} ${source}`);
    },
  };
}

/** Decrypts a secret; undefined if that fails, because it can't verify anything then. */
function opened(
  { ring, log }: { ring: KeyRing; log: Logger },
  orgId: string,
  { config_id, prefix, sealed }: LiveSecret,
): string | undefined {
  try {
    return openSealed(ring, secretPlace(orgId, config_id, prefix), sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ error, org_id: orgId, config_id }, "a webhook secret can't be decrypted");
    return undefined;
  }
}

/** Usernames that GitLab gives to project tokens, group tokens and service accounts. */
const BOT = /^(?:(?:project|group)_\d+_bot|service_account)(?:_|$)/i;

/**
 * Returns the bots of an organization's own tokens: their comments must not trigger replies. A person whose token is
 * used can give commands like any other user. Leeway's comments start with a marker, so they aren't commands.
 */
export function botUsernames(configs: readonly ActiveConfig[]): string[] {
  return configs.flatMap(({ botUsername = "" }) => (BOT.test(botUsername) ? botUsername : []));
}

function grouped(
  secrets: readonly LiveSecret[],
  open: (secret: LiveSecret) => string | undefined,
): ActiveConfig[] {
  const configs = new Map<string, ActiveConfig>();
  for (const secret of secrets) {
    const raw = open(secret);
    if (raw === undefined) continue;
    const config = configs.get(secret.config_id) ?? {
      id: secret.config_id,
      repoPath: secret.repo_path ?? undefined,
      botUsername: secret.token_username ?? undefined,
      secrets: [],
    };
    configs.set(config.id, config);
    config.secrets.push({ raw, expiresAt: secret.expires_at?.getTime() ?? Infinity });
  }
  return [...configs.values()];
}
