import type { Input } from "@leeway/shared/contracts/contract";
import type { ReadError } from "@leeway/shared/contracts/inventory/backends";
import type { IacSource, ReadState } from "@leeway/shared/contracts/inventory/sources";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { SealError } from "@leeway/shared/security/encryption/envelope";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { counter } from "@leeway/shared/platform/telemetry/metrics";
import { ConnectorError, type Connector } from "@leeway/connectors/connector";
import { fetchBackend } from "@leeway/connectors/backends/fetch-backend";

import { openAccount, type ConnectorDependencies } from "../../accounts/open-account.ts";
import { notify } from "../../notices/notices.ts";
import { takeIn } from "../push-state.ts";
import { findSource } from "../sources.ts";
import { findBackend, noteRead, noteUnread, type Reading } from "../store/backends.ts";

export interface BackendDependencies extends Platform, ConnectorDependencies {
  egress: Egress;
}

const reads = counter("state_reads_total", "State reads from backends, by outcome", ["outcome"]);

/** Failures for a shorter time aren't reported, because they may be temporary. */
const UNREAD_FOR = "1 hour";
/** Timeout of all requests to a backend. */
const READ_MS = 60_000;

/**
 * Reads a source's state from its backend now. The answer has the outcome, even a failure. @throws {AppError}
 * `not_found`, `conflict`
 */
export async function readState(
  deps: BackendDependencies,
  { org_id, source_id }: Input<typeof ReadState>,
): Promise<IacSource> {
  const { backend } = await findSource(deps.database, org_id, source_id);
  if (!backend) throw new AppError("conflict", "the source has no backend; push its state instead");
  await readBackend(deps, { orgId: org_id, sourceId: source_id });
  return findSource(deps.database, org_id, source_id);
}

/**
 * Reads a source's backend, stores the state if it has changed, and records the outcome, unless `stopping` is the
 * cause.
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
    const signal = stopping ? AbortSignal.any([late, stopping]) : late;
    const state = await fetchBackend(
      deps.egress,
      kept,
      () => connectorOf(deps, orgId, kept.accountId),
      signal,
    );
    if (state)
      await takeIn(deps, { orgId, sourceId, backend: kept.backend }, new Blob([state.bytes]).stream());
    await noteRead(sql, reading, state?.edition);
    reads.inc({ outcome: state ? "changed" : "same" });
  } catch (error) {
    if (stopping?.aborted) return;
    reads.inc({ outcome: "failed" });
    const { code, message } = late.aborted ? LATE : reasonOf(error, deps.log);
    await recordUnread(deps, orgId, reading, { code, message, at: new Date().toISOString() });
  }
}

/**
 * Records why a backend wasn't read. Notifies people once the failure has lasted long, because drift then uses an old
 * state.
 */
async function recordUnread(
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
    await notify(tx, accountId, {
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

const INTERNAL = { code: "internal", message: "internal error; the inventory's log has the details" };
const LATE = { code: "timeout", message: "the backend didn't answer in time" };

async function connectorOf(
  deps: BackendDependencies,
  orgId: string,
  accountId: string | undefined,
): Promise<Connector> {
  if (accountId === undefined)
    throw new AppError("no_credentials", "the source's cloud account was deleted; set another one");
  try {
    return (await openAccount(deps, orgId, accountId)).connector;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "no_credentials") throw error;
    throw new AppError("no_credentials", "the source's cloud account has no usable credentials; add some");
  }
}

function reasonOf(error: unknown, log: Logger): { code: string; message: string } {
  if (error instanceof ConnectorError) return error.failure;
  if (error instanceof SealError)
    return { code: "no_credentials", message: "the backend's secret can't be decrypted; save it again" };
  if (error instanceof AppError) return error;
  log.error({ error }, "couldn't read a state");
  return INTERNAL;
}
