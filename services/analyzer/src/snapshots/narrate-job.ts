import {
  driftNarrativePrompt,
  driftTemplateNarrative,
  type SnapshotChange,
  type SnapshotFacts,
} from "@leeway/analysis/narrative/drift";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import { GetAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListSnapshotChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";
import {
  GetSnapshot,
  NoteNarrative,
  type DriftSnapshot,
  type TrendPoint,
} from "@leeway/shared/contracts/inventory/posture";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { endJob, keepResult, type Job } from "../jobs/store/jobs.ts";
import type { NarrateSubject } from "../jobs/subject.ts";
import { askModel, type ModelDependencies } from "../narratives/ask-model.ts";

const MAX_CHANGES = 100;
const FAILED = { status: "error" } as const;

/**
 * Writes the narrative of a drift snapshot and stores it in the inventory. If the model fails, the narrative has
 * status `error`, and the snapshot's figures are unaffected.
 */
export async function narrateJob(
  deps: ModelDependencies & { database: Database },
  job: Job & { subject: NarrateSubject },
): Promise<void> {
  const { bus, database } = deps;
  const key = { org_id: job.orgId, snapshot_id: job.subject.snapshot_id };
  const sql = database.org(job.orgId);
  const words: Narrative | { failure: string } =
    job.result === undefined ? await narrativeOf(deps, job) : JSON.parse(job.result);
  if ("failure" in words) {
    await call(bus, NoteNarrative, { ...key, narrative: FAILED });
    await endJob(sql, job.id, { error: { code: "model_failed", message: words.failure } });
    return;
  }
  await note(deps, key, words);
  await endJob(sql, job.id, { result: JSON.stringify(words) });
}

/**
 * Writes a narrative and stores it at once, so that a failing call to the inventory doesn't pay for the model again.
 */
async function narrativeOf(
  deps: ModelDependencies & { database: Database },
  job: Job & { subject: NarrateSubject },
): Promise<Narrative | { failure: string }> {
  const { bus, database } = deps;
  const key = { org_id: job.orgId, snapshot_id: job.subject.snapshot_id };
  const snapshot = judged(await call(bus, GetSnapshot, key));
  const account = await call(bus, GetAccount, { org_id: job.orgId, account_id: snapshot.cloud_account_id });
  const facts: SnapshotFacts = { ...snapshot, account, ...(await worstChanges(bus, key)) };
  const template = { text: driftTemplateNarrative(facts), source: "template" as const };
  const said = await askModel(deps, job, driftNarrativePrompt(facts));
  if (!said.said && said.failed) return { failure: said.note };
  const made = JSON.stringify(said.said ? said.narrative : { ...template, note: said.note });
  return JSON.parse(await keepResult(database.org(job.orgId), job.id, made));
}

/** Stores a narrative with its snapshot. An older inventory doesn't accept `answer`; the text has the same content. */
async function note(
  { bus }: ModelDependencies,
  key: { org_id: string; snapshot_id: string },
  { answer, ...words }: Narrative,
): Promise<void> {
  const status = words.source === "template" ? ("template" as const) : ("ready" as const);
  const narrative = { status, ...words };
  const whole = { ...narrative, ...(answer && { answer }) };
  await call(bus, NoteNarrative, { ...key, narrative: whole }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "invalid_parameter") throw error;
    return call(bus, NoteNarrative, { ...key, narrative });
  });
}

type Judgement = Pick<TrendPoint, "coverage_pct" | "coverage_reliable" | "risk_level" | "risk_counts">;

/** Checks that a snapshot has coverage and risk. Every ready snapshot has them, and only ready ones get a narrative. */
function judged(snapshot: DriftSnapshot): DriftSnapshot & Judgement {
  const { coverage_pct, coverage_reliable, risk_level, risk_counts } = snapshot;
  if (coverage_pct === undefined || coverage_reliable === undefined || !risk_level || !risk_counts) {
    throw new AppError("conflict", `the snapshot has status ${snapshot.status} and must be ready`);
  }
  return { ...snapshot, coverage_pct, coverage_reliable, risk_level, risk_counts };
}

/** Marks the narrative of a snapshot as failed. An error is only logged, because the snapshot may be gone. */
export async function markNarrativeFailed(
  { bus, log }: ModelDependencies,
  { orgId, subject }: { orgId: string; subject: NarrateSubject },
): Promise<void> {
  const key = { org_id: orgId, snapshot_id: subject.snapshot_id };
  await call(bus, NoteNarrative, { ...key, narrative: FAILED }).catch((error: unknown) =>
    log.warn({ error }, "couldn't mark a snapshot's narrative as failed"),
  );
}

/** Returns the changes that count towards the risk, without ignored ones. */
async function worstChanges(
  bus: BusConnection,
  key: { org_id: string; snapshot_id: string },
): Promise<Pick<SnapshotFacts, "changes" | "has_more_changes">> {
  const page = { ...key, limit: MAX_CHANGES, ignored: "exclude" as const };
  const { data, next_cursor } = await call(bus, ListSnapshotChanges, page);
  return { changes: data.map(snapshotChange), has_more_changes: next_cursor !== undefined };
}

function snapshotChange({
  fingerprint,
  address,
  provider_resource_id,
  seen_count,
  attribute_changes,
  ...change
}: DriftChange): SnapshotChange {
  const { kind, resource_type, risk_level, risk_flags } = change;
  return {
    fingerprint,
    kind,
    name: address ?? provider_resource_id ?? "",
    resource_type,
    risk_level,
    risk_flags,
    paths: attribute_changes.map(({ path }) => path),
    is_new: seen_count === 1,
  };
}
