import type { DriftActor, DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { redactText } from "@leeway/shared/security/redaction/redact";
import { repeat } from "@leeway/shared/platform/repeat";
import type { Platform } from "@leeway/shared/service/service";

import { ConnectorError, type AuditEvent, type Connector } from "@leeway/connectors/connector";
import { openAccount, type ConnectorDependencies } from "../../accounts/open-account.ts";
import { markActorDue } from "../../rules/store/due-rules.ts";
import { dueActors, refundAttempts, giveUpActors, keepActor, soughtOf, type Sought } from "./store.ts";

type ActorDependencies = Platform & ConnectorDependencies;

const LOOK_MS = 5_000;
/** Pauses between the tries of a change. Audit logs are delayed, CloudTrail's by up to 15 minutes. */
const PAUSES_SECONDS = [300, 900];
const MAX_AT_ONCE = 100;
/** Timeout of one run over all accounts. */
const DEADLINE_MS = 60_000;
const LONGEST_PRINCIPAL = 500;

/** Starts a loop that looks up the authors of found changes in the clouds' audit logs. */
export function startActors(deps: ActorDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const looking = repeat({
    name: "actors",
    everyMs: LOOK_MS,
    log: deps.log,
    work: () => seekActors(deps, stopping.signal),
  });
  return async () => {
    stopping.abort();
    await looking.stop();
  };
}

/** Runs one lookup of all changes that are due. Failed lookups are due again later. */
export async function seekActors(
  deps: ActorDependencies,
  stopping: AbortSignal,
  pausesSeconds: readonly number[] = PAUSES_SECONDS,
): Promise<void> {
  const due = await dueActors(deps.database.system, { pausesSeconds, atMost: MAX_AT_ONCE });
  const byAccount = Map.groupBy(due, ({ account_id }) => account_id);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(DEADLINE_MS)]);
  await Promise.all(
    [...byAccount].map(([accountId, changes]) => {
      const [orgId = ""] = changes.map(({ org_id }) => org_id);
      return seekIn(deps, { orgId, accountId, fingerprints: fingerprintsOf(changes) }, signal);
    }),
  );
}

async function seekIn(
  deps: ActorDependencies,
  { orgId, accountId, fingerprints }: { orgId: string; accountId: string; fingerprints: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const sql = deps.database.org(orgId);
  let left: Sought[] = [];
  try {
    const { connector } = await openAccount(deps, orgId, accountId);
    left = await soughtOf(sql, fingerprints);
    for (let sought = left.shift(); sought; sought = left.shift())
      await seek(sql, connector, sought, signal).catch(unlessAlone);
    await markActorDue(sql, accountId);
  } catch (error) {
    // The audit log wasn't queried for these changes, so the try doesn't count.
    if (signal.aborted) return refundAttempts(sql, fingerprintsOf(left));
    if (!(error instanceof AppError) && !(error instanceof ConnectorError)) throw error;
    if (isForGood(error)) await giveUpActors(sql, fingerprints);
    deps.log.info({ error, account_id: accountId }, "couldn't find the authors of changes");
  }
}

function fingerprintsOf(changes: readonly { fingerprint: string }[]): string[] {
  return changes.map(({ fingerprint }) => fingerprint);
}

/** Ignores an error that concerns a single lookup, so that the remaining lookups still run. */
function unlessAlone(error: unknown): void {
  const code = error instanceof ConnectorError ? error.failure.code : undefined;
  if (code !== "internal" && code !== "unsupported") throw error;
}

/** Returns whether a retry would fail in the same way. */
function isForGood(error: AppError | ConnectorError): boolean {
  return error instanceof AppError
    ? error.code !== "unavailable"
    : error.failure.code === "permission_denied";
}

async function seek(
  sql: OrgStatements,
  connector: Connector,
  sought: Sought,
  signal: AbortSignal,
): Promise<void> {
  const found = doerOf(sought.kind, await connector.audit(sought.resource, sought.between, signal));
  if (!found) return;
  const actor: DriftActor = {
    principal: redactText(found.principal).slice(0, LONGEST_PRINCIPAL),
    event: redactText(found.event).slice(0, LONGEST_PRINCIPAL),
    source: connector.auditLog,
    at: found.at.toISOString(),
  };
  await keepActor(sql, sought, actor);
}

/** Returns the first event of an undeclared resource, which created it, and the latest event of any other change. */
export function doerOf(kind: DriftKind, events: readonly AuditEvent[]): AuditEvent | undefined {
  const inOrder = events.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return kind === "undeclared" ? inOrder[0] : inOrder.at(-1);
}
