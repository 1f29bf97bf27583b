import {
  checkedDriftNarrative,
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
import { GetSnapshot, NoteNarrative } from "@leeway/shared/contracts/inventory/posture";
import type { Database } from "@leeway/shared/database/database";

import { endJob, keepResult, type Job } from "../jobs/store/jobs.ts";
import type { NarrateSubject } from "../jobs/subject.ts";
import { askModel, type ModelDependencies } from "../narratives/ask-model.ts";

const MOST_CHANGES = 100;
const FAILED = { status: "error" } as const;

/**
 * Tells a snapshot in words, and has the inventory keep them with it. When a model was to be asked and
 * failed, the snapshot's narrative is in error, and its figures stand.
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
  const status = words.source === "template" ? ("template" as const) : ("ready" as const);
  await call(bus, NoteNarrative, { ...key, narrative: { status, ...words } });
  await endJob(sql, job.id, { result: JSON.stringify(words) });
}

/** What a model was paid for is kept at once: it isn't asked again where the inventory can't be told. */
async function narrativeOf(
  deps: ModelDependencies & { database: Database },
  job: Job & { subject: NarrateSubject },
): Promise<Narrative | { failure: string }> {
  const { bus, database } = deps;
  const key = { org_id: job.orgId, snapshot_id: job.subject.snapshot_id };
  const snapshot = await call(bus, GetSnapshot, key);
  const account = await call(bus, GetAccount, { org_id: job.orgId, account_id: snapshot.cloud_account_id });
  const facts: SnapshotFacts = { ...snapshot, account, ...(await worstChanges(bus, key)) };
  const template = { text: driftTemplateNarrative(facts), source: "template" as const };
  const said = await askModel(deps, job, driftNarrativePrompt(facts));
  if (!said.said) return said.failed ? { failure: said.note } : { ...template, note: said.note };
  const made = JSON.stringify(worded(said, facts, template));
  return JSON.parse(await keepResult(database.org(job.orgId), job.id, made));
}

/** The snapshot says that it gets no words, unless it is gone. It is only told, so it may be missed. */
export async function tellSnapshotOfFailure(
  { bus, log }: ModelDependencies,
  { orgId, subject }: { orgId: string; subject: NarrateSubject },
): Promise<void> {
  const key = { org_id: orgId, snapshot_id: subject.snapshot_id };
  await call(bus, NoteNarrative, { ...key, narrative: FAILED }).catch((error: unknown) =>
    log.warn({ error }, "a snapshot couldn't be told that it gets no words"),
  );
}

/** What people left in the risk. */
async function worstChanges(
  bus: BusConnection,
  key: { org_id: string; snapshot_id: string },
): Promise<Pick<SnapshotFacts, "changes" | "has_more_changes">> {
  const page = { ...key, limit: MOST_CHANGES, ignored: "exclude" as const };
  const { data, next_cursor } = await call(bus, ListSnapshotChanges, page);
  return { changes: data.map(told), has_more_changes: next_cursor !== undefined };
}

function told({
  address,
  provider_resource_id,
  seen_count,
  attribute_changes,
  ...change
}: DriftChange): SnapshotChange {
  const { kind, resource_type, risk_level, risk_flags } = change;
  return {
    kind,
    name: address ?? provider_resource_id ?? "",
    resource_type,
    risk_level,
    risk_flags,
    paths: attribute_changes.map(({ path }) => path),
    is_new: seen_count === 1,
  };
}

type Said = Extract<Awaited<ReturnType<typeof askModel>>, { said: true }>;

function worded(said: Said, facts: SnapshotFacts, template: Narrative): Narrative {
  const checked = checkedDriftNarrative(said.text, facts);
  if (!checked.ok) return { ...template, note: `the model's answer was thrown away: ${checked.reason}` };
  return { text: checked.text, source: said.source, model: said.model };
}
