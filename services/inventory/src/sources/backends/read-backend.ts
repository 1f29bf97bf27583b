import type { Input } from "@leeway/shared/contract";
import type { ReadError } from "@leeway/shared/contracts/inventory/backends";
import type { IacSource, ReadState } from "@leeway/shared/contracts/inventory/sources";
import type { Egress } from "@leeway/shared/egress/egress";
import { eventIdOf } from "@leeway/shared/event-id";
import { SealError } from "@leeway/shared/encryption/envelope";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";
import type { Logger } from "@leeway/shared/telemetry/log";
import { counter } from "@leeway/shared/telemetry/metrics";

import { ConnectorError, type Connector, type KeptState } from "../../connectors/connector.ts";
import { openAccount, type ConnectorDependencies } from "../../connectors/open-account.ts";
import { tell } from "../../notices/notices.ts";
import { takeIn } from "../push-state.ts";
import { findSource } from "../sources.ts";
import { findBackend, noteRead, noteUnread, type KeptBackend, type Reading } from "../store/backends.ts";
import { fetchOverHttp } from "./http-backend.ts";
import { fetchFromWorkspace } from "./remote-backend.ts";

export interface BackendDependencies extends Platform, ConnectorDependencies {
  egress: Egress;
}

const reads = counter("state_reads_total", "Times that a state's backend was read", ["outcome"]);

/** What may pass by itself isn't told. */
const UNREAD_FOR = "1 hour";
/** For all that is asked of a backend. */
const READ_MS = 60_000;

/** Reads a source's state from its backend now; whatever comes of it is in the answer. @throws {AppError} `not_found`, `conflict` */
export async function readState(
  deps: BackendDependencies,
  { org_id, source_id }: Input<typeof ReadState>,
): Promise<IacSource> {
  const { backend } = await findSource(deps.database, org_id, source_id);
  if (!backend) throw new AppError("conflict", "the source has no backend: its state is pushed");
  await readBackend(deps, { orgId: org_id, sourceId: source_id });
  return findSource(deps.database, org_id, source_id);
}

/**
 * Makes a source declare what its backend has, if that is another state than the one before, and notes what came of it:
 * nothing, where `stopping` is why.
 */
export async function readBackend(
  deps: BackendDependencies,
  { orgId, sourceId }: { orgId: string; sourceId: string },
  stopping?: AbortSignal,
): Promise<void> {
  const sql = deps.database.org(orgId);
  const kept = await findBackend(sql, deps.ring, sourceId);
  if (!kept) return;
  const reading = { sourceId, backend: kept.backend, began: kept.began };
  const late = AbortSignal.timeout(READ_MS);
  try {
    const state = await fetchKept(deps, orgId, kept, stopping ? AbortSignal.any([late, stopping]) : late);
    if (state)
      await takeIn(deps, { orgId, sourceId, backend: kept.backend }, new Blob([state.bytes]).stream());
    await noteRead(sql, reading, state?.edition);
    reads.inc({ outcome: state ? "changed" : "same" });
  } catch (error) {
    if (stopping?.aborted) return;
    reads.inc({ outcome: "failed" });
    const { code, message } = late.aborted ? LATE : reasonOf(error, deps.log);
    await tellUnread(deps, orgId, reading, { code, message, at: new Date().toISOString() });
  }
}

/** Notes why a backend wasn't read, and has people told once that has gone on for long: drift is of an older state then. */
async function tellUnread(
  { database }: Platform,
  orgId: string,
  reading: Reading,
  error: ReadError,
): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    const unread = await noteUnread(tx, reading, { error, patience: UNREAD_FOR });
    if (!unread) return;
    const { name, accountId, since, readAt } = unread;
    const unread_since = since.toISOString();
    await tell(tx, accountId, {
      event: {
        id: eventIdOf("iac_source.unreadable", reading.sourceId, unread_since),
        type: "iac_source.unreadable",
        created_at: error.at,
        data: {
          source_id: reading.sourceId,
          source_name: name,
          ...(accountId !== undefined && { account_id: accountId }),
          code: error.code,
          reason: error.message,
          unread_since,
          ...(readAt && { read_at: readAt.toISOString() }),
        },
      },
    });
  });
}

const INTERNAL = { code: "internal", message: "something went wrong here" };
const LATE = { code: "timeout", message: "the backend didn't answer in time" };

async function fetchKept(
  deps: BackendDependencies,
  orgId: string,
  { backend, secret, accountId, edition }: KeptBackend,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  switch (backend.type) {
    case "http":
      return fetchOverHttp(deps.egress, { backend, password: secret() }, edition, signal);
    case "remote":
      return fetchFromWorkspace(deps.egress, { backend, token: secret() ?? "" }, edition, signal);
    case "s3":
    case "gcs":
    case "azurerm": {
      const connector = await connectorOf(deps, orgId, accountId);
      return connector.fetchState(backend, edition, signal);
    }
  }
}

async function connectorOf(
  deps: BackendDependencies,
  orgId: string,
  accountId: string | undefined,
): Promise<Connector> {
  if (accountId === undefined)
    throw new AppError("no_credentials", "the source's cloud account is gone: give it another");
  try {
    return (await openAccount(deps, orgId, accountId)).connector;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "no_credentials") throw error;
    throw new AppError("no_credentials", "the source's cloud account has no credentials that could be used");
  }
}

function reasonOf(error: unknown, log: Logger): { code: string; message: string } {
  if (error instanceof ConnectorError) return error.failure;
  if (error instanceof SealError)
    return { code: "no_credentials", message: "its secret can't be decrypted by this server: give it again" };
  if (error instanceof AppError) return error;
  log.error({ error }, "a state wasn't read");
  return INTERNAL;
}
