import { SOURCES, type Source } from "@leeway/shared/contracts/webhooks/events";
import type { Database } from "@leeway/shared/database/database";
import { open as openSealed, SealError, type SealedPlace } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Logger } from "@leeway/shared/telemetry/log";

import { liveSecrets, type LiveSecret } from "./store/secrets.ts";

/** Where a secret of a config is sealed. */
export function secretPlace(orgId: string, configId: string, prefix: string): SealedPlace {
  return { orgId, table: "webhooks.secrets", rowId: `${configId} ${prefix}` };
}

/** An enabled config, as far as a call needs it. */
export interface ActiveConfig {
  id: string;
  repoPath: string | undefined;
  botUsername: string | undefined;
  /** In the order of the database; expiry in milliseconds since 1970. */
  secrets: { raw: string; expiresAt: number }[];
}

/**
 * The enabled configs of an organization, kept for a while, so that a database that is away for a moment
 * turns no good call away: a code host disables a hook whose calls are refused.
 */
export interface ActiveConfigs {
  /** @throws {AppError} `unavailable` when nothing fresh is known and the database can't be asked */
  of(orgId: string, source: Source): Promise<readonly ActiveConfig[]>;
  /** What is known of an organization is wrong from now on. */
  forget(orgId: string): void;
}

interface Entry {
  configs: readonly ActiveConfig[];
  at: number;
}

const KEEP_MS = 30_000;
/** From then on it is asked for again, while what is known still serves. */
const REFRESH_MS = 15_000;
/** Anybody can ask for organizations that aren't there: those are kept too, but not all of them. */
const MOST_ENTRIES = 10_000;

interface ActiveConfigsOptions {
  database: Database;
  ring: KeyRing;
  log: Logger;
  /** Milliseconds that only grow. */
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
    if (changes !== before) return load(key, orgId, source); // it may be of before the change
    const configs = grouped(secrets, (secret) => opened({ ring, log }, orgId, secret));
    const entry = { configs, at };
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST_ENTRIES) break;
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
      if (age > REFRESH_MS) reload(key, orgId, source).catch(() => undefined); // until it is too old
      return known.configs;
    },
    forget(orgId) {
      changes += 1;
      for (const source of SOURCES) entries.delete(`${orgId} ${source}`);
    },
  };
}

/** Undefined for a secret that doesn't open: nothing can be verified with it. */
function opened(
  { ring, log }: { ring: KeyRing; log: Logger },
  orgId: string,
  { config_id, prefix, sealed }: LiveSecret,
): string | undefined {
  try {
    return openSealed(ring, secretPlace(orgId, config_id, prefix), sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ error, org_id: orgId, config_id }, "a webhook secret doesn't open");
    return undefined;
  }
}

/** Users that GitLab itself makes, for the tokens of projects and groups and for service accounts. */
const BOT = /^(?:(?:project|group)_\d+_bot|service_account)(?:_|$)/i;

/**
 * The bots by whom the comments of an organization's own tokens are: they must not set off others. A person whose token
 * it is gives commands like anybody else: our comments begin with a marker, which is none.
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
