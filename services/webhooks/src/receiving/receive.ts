import type { Input } from "@leeway/shared/contract";
import type { ReceiveDelivery, Receipt } from "@leeway/shared/contracts/webhooks/deliveries";
import { sha256 } from "@leeway/shared/digest";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Logger } from "@leeway/shared/telemetry/log";

import { botUsernames, type ActiveConfig, type ActiveConfigs } from "../configs/active-configs.ts";
import type { Activity } from "../configs/activity.ts";
import { sealBody } from "../deliveries/body.ts";
import type { FreshReadings } from "../deliveries/fresh.ts";
import type { Intake } from "../deliveries/intake.ts";
import { readEvent } from "../events/read-event.ts";
import type { Reading } from "../events/reading.ts";
import { verified } from "./verify.ts";

export interface ReceiverDependencies {
  active: ActiveConfigs;
  activity: Activity;
  intake: Intake;
  fresh: FreshReadings;
  ring: KeyRing;
  log: Logger;
}

type Call = Input<typeof ReceiveDelivery>;

/**
 * Takes one call: who isn't known by a secret is refused, whatever else is wrong; what is accepted is on
 * disk before this returns.
 * @throws {AppError} `unavailable` when a verified call can't be stored: the sender did nothing wrong
 */
export async function receive(deps: ReceiverDependencies, call: Call, body: Uint8Array): Promise<Receipt> {
  const { active, activity, intake, fresh, ring, log } = deps;
  const { org_id: orgId, source, credential = "" } = call;
  // Fails closed: what can't be looked up is as if it weren't there.
  const configs = await active.of(orgId, source).catch((error: unknown) => {
    log.warn({ error, org_id: orgId }, "a webhook couldn't be verified");
    return [];
  });
  const known = await verified(configs, { source, credential, body, now: Date.now() });
  if (known.length === 0) {
    const reason = call.credential === undefined ? "credential_missing" : "credential_wrong";
    // After the answer: the time that it takes would tell who has a config.
    setImmediate(() => activity.rejected(orgId, idsOf(configs), reason));
    return { status: "unauthorized" };
  }
  if (call.over_limit) return { status: "over_limit" };
  const reading = readEvent(source, body, { botUsernames: botUsernames(configs) });
  const config = known.find(({ repoPath }) => repoPath === undefined || repoPath === reading.repository);
  if (!config) {
    activity.rejected(orgId, idsOf(known), "repository_mismatch");
    return { status: "repository_mismatch" };
  }
  const id = Bun.randomUUIDv7();
  const { deliveryId, isNew } = await intake.store(orgId, {
    id,
    configId: config.id,
    source,
    kind: reading.kind,
    sha256: sha256(body),
    size: body.length,
    ignored: reading.wanted ? undefined : reading.reason,
    sealed: sealBody(ring, orgId, id, body),
  });
  if (isNew && reading.wanted) fresh.keep(id, body.length, reading);
  const status = isNew ? receiptOf(reading) : "duplicate";
  activity.accepted(orgId, config.id, status);
  return { status, delivery_id: deliveryId };
}

function receiptOf({ wanted }: Reading): "accepted" | "ignored" {
  return wanted ? "accepted" : "ignored";
}

function idsOf(configs: readonly ActiveConfig[]): string[] {
  return configs.map(({ id }) => id);
}
