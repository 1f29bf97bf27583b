import type { StateHead } from "@leeway/clouds/states/read-state";
import type { Bodies } from "@leeway/shared/bus/bodies";
import { ownBuffer } from "@leeway/shared/concurrency/serve-tasks";
import type { Input } from "@leeway/shared/contracts/contract";
import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { IacSource, PushState } from "@leeway/shared/contracts/inventory/sources";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";
import type { WholeState } from "@leeway/drift/reading/state-reading";
import { weighed } from "@leeway/shared/concurrency/weighed";

import { audit } from "../audit.ts";
import { changePrepared } from "../matching/change-matching.ts";
import { prepareRematch } from "../matching/rematch.ts";
import { forgetPlan } from "./store/plans.ts";
import { readers, STEP_BYTES } from "../readers.ts";
import { findSource } from "./sources.ts";
import {
  accountsOfGone,
  concernedAccounts,
  holdSource,
  knownState,
  loadDeclared,
  lockSource,
  recordState,
  replaceDeclared,
  type KnownState,
} from "./store/state.ts";

/**
 * Replaces a source's declarations with those of the pushed state, and matches all accounts again that this can
 * concern, in one transaction. An error changes nothing.
 * @throws {AppError} for a state that can't be read or is older than the stored one; `repository_mismatch` if the
 * caller may not speak for the source's repository
 */
export async function pushState(
  { bodies, ...platform }: Platform & { bodies: Bodies },
  { org_id, source_id, speaks_for, body }: Input<typeof PushState>,
): Promise<IacSource> {
  try {
    const { name, backend, repository } = await findSource(platform.database, org_id, source_id); // before anything large is read
    requireSpeaksFor(speaks_for, repository, `the IaC source ${name}`);
    if (backend) throw fromElsewhere();
    const source = { orgId: org_id, sourceId: source_id, backend: null };
    await takeIn(platform, source, await bodies.open(body.ref));
  } finally {
    await bodies.delete(body.ref);
  }
  return findSource(platform.database, org_id, source_id);
}

/** A source, and its state's backend; null if the state is pushed. */
interface Taken {
  orgId: string;
  sourceId: string;
  backend: ShownBackend | null;
}

/**
 * Replaces a source's declarations with those of a state, gzipped or not. A text that is stored already is only hashed.
 * @throws {AppError} as {@link pushState}; `conflict` if the source's backend was changed in the meantime
 */
export async function takeIn(
  platform: Platform,
  source: Taken,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const known = await knownState(platform.database.org(source.orgId), source.sourceId, source.backend);
  const hash = known?.isFromThere && known.isReadSo ? known.contentHash : undefined;
  const state = await readWhole(source.orgId, body, hash);
  if (state) await changePrepared(platform, source.orgId, (tx) => takeState(tx, source, state));
}

function fromElsewhere(): AppError {
  return new AppError(
    "conflict",
    "the source's state is read from its backend; remove the backend to push states",
  );
}

/** Reads a state to its end, on a thread if it is large. @returns undefined if it has the known hash */
async function readWhole(
  orgId: string,
  body: AsyncIterable<Uint8Array>,
  known: Uint8Array | undefined,
): Promise<WholeState | undefined> {
  const { bytes, chunks } = await weighed(body);
  return readers.within({ orgId, bytes }, async (reader) => {
    let read = 0;
    await reader.do("beginState", [known], { bytes: STEP_BYTES });
    for await (const chunk of chunks) {
      read += chunk.length;
      await reader.do("readState", [chunk], { bytes: STEP_BYTES, given: ownBuffer(chunk) });
    }
    return reader.do("closeState", [], { bytes: STEP_BYTES + read });
  });
}

/**
 * Stores and matches the state before it takes `lockMatching`. Only the holder of `lockSource` writes a source's
 * resources.
 * @returns the matched accounts
 */
async function takeState(
  tx: Transaction,
  { sourceId, backend }: Taken,
  { head, chunks }: WholeState,
): Promise<string[]> {
  await lockSource(tx, sourceId);
  if (isKnown(await knownState(tx, sourceId, backend), head)) return [];
  await loadDeclared(tx, chunks);
  const before = await concernedAccounts(tx, sourceId);
  const gone = await replaceDeclared(tx, sourceId);
  const rematchAll = await prepareRematch(tx, sourceId, async () => {
    const after = [...(await concernedAccounts(tx, sourceId)), ...(await accountsOfGone(tx, gone))];
    return [...new Set([...before, ...after])];
  });
  await holdSource(tx, sourceId);
  isKnown(await knownState(tx, sourceId, backend), head); // the source may be gone, or read from elsewhere
  const matched = await rematchAll();
  await recordState(tx, sourceId, head);
  await forgetPlan(tx, sourceId);
  const { lineage, serial } = head;
  const action = backend ? "iac_source.read" : "iac_source.push";
  await audit(tx, { action, targetId: sourceId, details: { lineage, serial } });
  return matched;
}

/**
 * Returns whether this state is already stored, with all that this code reads of it.
 * @throws {AppError} `not_found`, `conflict`, `stale_state`, `serial_conflict`
 */
function isKnown(known: KnownState | undefined, head: StateHead): boolean {
  if (!known) throw new AppError("not_found", "the IaC source doesn't exist");
  if (!known.isFromThere) throw fromElsewhere();
  if (isSameText(known, head)) return known.isReadSo;
  refuseStale(known, head);
  return false;
}

/** @throws {AppError} `stale_state`, `serial_conflict` */
function refuseStale(known: KnownState, { serial, lineage }: StateHead): void {
  if (serial === undefined || known.serial === undefined || lineage !== known.lineage) return;
  const fields = { current_serial: known.serial };
  if (serial < known.serial) {
    const message = `serial ${serial} is older than the current serial ${known.serial}`;
    throw new AppError("stale_state", message, { fields });
  }
  if (serial === known.serial && known.contentHash) {
    const message = `serial ${serial} was already pushed with different content; push a higher serial`;
    throw new AppError("serial_conflict", message, { fields });
  }
}

/** States from before texts were compared have a hash of their bytes. */
function isSameText({ contentHash }: KnownState, { hash: { text, bytes } }: StateHead): boolean {
  return [text, bytes].some((hash) => hash !== undefined && contentHash?.equals(hash) === true);
}
