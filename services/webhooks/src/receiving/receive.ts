import type { Input } from "@leeway/shared/contracts/contract";
import type { ReceiveDelivery, Receipt } from "@leeway/shared/contracts/webhooks/deliveries";
import { sha256 } from "@leeway/shared/values/digest";
import { AppError } from "@leeway/shared/values/errors";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import { botUsernames, type ActiveConfig, type ActiveConfigs } from "../configs/active-configs.ts";
import type { Activity } from "../configs/activity.ts";
import type { Intake } from "../deliveries/intake.ts";
import { TOO_SLOW } from "../deliveries/read-deliveries.ts";
import { sealBody, type Ended } from "../deliveries/store/incoming.ts";
import type { BodyToRead, Outline } from "../events/read-event.ts";
import type { Reader } from "../events/reader.ts";
import { verified } from "./verify.ts";

export interface ReceiverDependencies {
  active: ActiveConfigs;
  activity: Activity;
  intake: Intake;
  reader: Reader;
  ring: KeyRing;
  log: Logger;
}

type Call = Input<typeof ReceiveDelivery>;

/**
 * Receives one call. A sender without a valid secret is always rejected first. An accepted call is on disk before
 * this returns.
 * @throws {AppError} `unavailable` if a verified call can't be stored, so that the sender retries
 */
export async function receive(deps: ReceiverDependencies, call: Call, body: Uint8Array): Promise<Receipt> {
  const { active, activity, intake, reader, ring, log } = deps;
  const { org_id: orgId, source, credential = "", sender } = call;
  // Fails closed: without the configs the call is rejected as if there were none.
  const configs = await active.of(orgId, source).catch((error: unknown) => {
    log.warn({ error, org_id: orgId }, "couldn't verify a webhook");
    return [];
  });
  const known = await verified(configs, { source, credential, body, now: Date.now() });
  if (known.length === 0) {
    const reason = call.credential === undefined ? "credential_missing" : "credential_wrong";
    // Runs after the response, because its duration would reveal which organizations have a config.
    setImmediate(() => activity.rejected(orgId, idsOf(configs), { reason, sender }));
    return { status: "unauthorized" };
  }
  if (call.over_limit) return { status: "over_limit" };
  const given = { source, body, botUsernames: botUsernames(configs) };
  const { kind, repository, ended } = await outlineOf(reader, orgId, given);
  const config = known.find(({ repoPath }) => repoPath === undefined || repoPath === repository);
  if (!config) {
    activity.rejected(orgId, idsOf(known), { reason: "repository_mismatch", sender });
    return { status: "repository_mismatch" };
  }
  const id = Bun.randomUUIDv7();
  const { deliveryId, isNew } = await intake.store(orgId, {
    id,
    configId: config.id,
    source,
    kind,
    sha256: sha256(body),
    size: body.length,
    ended,
    sealed: sealBody(ring, orgId, id, body),
  });
  const status = isNew ? receiptOf(ended) : "duplicate";
  activity.accepted(orgId, config.id, { status, sender });
  return { status, delivery_id: deliveryId };
}

/** Reads the outline of a body, and the outcome of its delivery if it is known already. */
async function outlineOf(
  reader: Reader,
  orgId: string,
  given: BodyToRead,
): Promise<Outline & { ended?: Ended }> {
  try {
    const outline = await reader.receive(orgId, given);
    const { unwanted: reason } = outline;
    return reason === undefined ? outline : { ...outline, ended: { outcome: "ignored", reason } };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "too_slow_to_read") throw error;
    return { ended: TOO_SLOW };
  }
}

function receiptOf(ended: Ended | undefined): "accepted" | "ignored" {
  return ended?.outcome === "ignored" ? "ignored" : "accepted";
}

function idsOf(configs: readonly ActiveConfig[]): string[] {
  return configs.map(({ id }) => id);
}
