import type { DriftActor, DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import { redactText } from "@leeway/shared/redaction/redact";
import { repeat } from "@leeway/shared/repeat";
import type { Platform } from "@leeway/shared/service";

import { ConnectorError, type AuditEvent, type Connector } from "../../connectors/connector.ts";
import { openAccount, type ConnectorDependencies } from "../../connectors/open-account.ts";
import { dueActors, giveBackTries, giveUpActors, keepActor, soughtOf, type Sought } from "./store.ts";

type ActorDependencies = Platform & ConnectorDependencies;

const LOOK_MS = 5_000;
/** Audit logs come late, CloudTrail's up to a quarter of an hour. */
const PAUSES_SECONDS = [300, 900];
const MOST_AT_ONCE = 100;
/** For all that is due in one account. */
const DEADLINE_MS = 60_000;
const LONGEST_PRINCIPAL = 500;

/** Finds out from the clouds' audit logs who made the changes that drift has found. */
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

/** Looks once for all that is due now; what fails is due again. */
export async function seekActors(
  deps: ActorDependencies,
  stopping: AbortSignal,
  pausesSeconds: readonly number[] = PAUSES_SECONDS,
): Promise<void> {
  const due = await dueActors(deps.database.system, { pausesSeconds, atMost: MOST_AT_ONCE });
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
  } catch (error) {
    // Nobody was asked about what is left: that was no try.
    if (signal.aborted) return giveBackTries(sql, fingerprintsOf(left));
    if (!(error instanceof AppError) && !(error instanceof ConnectorError)) throw error;
    if (isForGood(error)) await giveUpActors(sql, fingerprints);
    deps.log.info({ error, account_id: accountId }, "nobody can tell who made a change");
  }
}

function fingerprintsOf(changes: readonly { fingerprint: string }[]): string[] {
  return changes.map(({ fingerprint }) => fingerprint);
}

/** What is wrong with one resource's lookup alone keeps nobody from asking about the next. */
function unlessAlone(error: unknown): void {
  const code = error instanceof ConnectorError ? error.failure.code : undefined;
  if (code !== "internal" && code !== "unsupported") throw error;
}

/** Whether asking again is of no use. */
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

/** Whoever made what is there and not declared; else whoever had a hand in it last. */
export function doerOf(kind: DriftKind, events: readonly AuditEvent[]): AuditEvent | undefined {
  const inOrder = events.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return kind === "undeclared" ? inOrder[0] : inOrder.at(-1);
}
