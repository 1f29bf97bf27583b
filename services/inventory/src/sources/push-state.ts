import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Input } from "@leeway/shared/contract";
import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { IacSource, PushState } from "@leeway/shared/contracts/inventory/sources";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";
import type { Platform } from "@leeway/shared/service";

import { cloudOfType } from "../clouds/clouds.ts";
import { comparableAttributes } from "../drift/compare/comparable-attributes.ts";
import { changeMatching } from "../matching/change-matching.ts";
import { forgetPlan } from "../plans/store.ts";
import { declaredLines } from "../states/declared-line.ts";
import { readState, type StateHead } from "../states/read-state.ts";
import { changeDeclared } from "./change-declared.ts";
import { findSource } from "./sources.ts";
import { holdState, loadDeclared, recordState, replaceDeclared, type KnownState } from "./store/state.ts";

/** A state as sent, and as inflated. */
const MOST_BYTES = 256 << 20;

/**
 * Makes a source declare what the pushed state says and matches every account anew that this can
 * concern, all in one transaction.
 * @throws {AppError} for a state that can't be read, or is older than what is known: nothing has changed
 */
export async function pushState(
  { bodies, ...platform }: Platform & { bodies: Bodies },
  { org_id, source_id, body }: Input<typeof PushState>,
): Promise<IacSource> {
  try {
    const { backend } = await findSource(platform.database, org_id, source_id); // before anything large is read
    if (backend) throw fromElsewhere();
    const source = { orgId: org_id, sourceId: source_id, backend: null };
    await takeIn(platform, source, await bodies.open(body.ref));
  } finally {
    await bodies.delete(body.ref);
  }
  return findSource(platform.database, org_id, source_id);
}

/** A source, and where its state comes from; null: it was pushed. */
interface Taken {
  orgId: string;
  sourceId: string;
  backend: ShownBackend | null;
}

/**
 * Makes a source declare what a state says, gzipped or not.
 * @throws {AppError} as {@link pushState}; `conflict` where the source's state is to come from elsewhere meanwhile
 */
export async function takeIn(
  platform: Platform,
  source: Taken,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const { head, chunks } = await readLines(inflated(body, MOST_BYTES));
  await changeMatching(platform, source.orgId, (tx) => takeState(tx, source, { head, chunks }));
}

function fromElsewhere(): AppError {
  return new AppError("conflict", "the source's state is read from its backend, and not pushed");
}

/** Reads the state to its end: what it declares, as text for COPY, packed since all of it waits for the end. */
async function readLines(
  body: AsyncIterable<Uint8Array>,
): Promise<{ head: StateHead; chunks: Uint8Array[] }> {
  const chunks: Uint8Array[] = [];
  const lines: string[] = [];
  const flush = async (): Promise<void> => {
    if (lines.length > 0)
      chunks.push(await Bun.zstdCompress(`${lines.splice(0).join("\n")}\n`, { level: 1 }));
  };
  const head = await readState(body, {
    take(resource) {
      const cloud = cloudOfType(resource.type);
      lines.push(...declaredLines(resource, cloud, comparableAttributes(resource, cloud)));
    },
    drain: flush,
  });
  await flush();
  return { head, chunks };
}

async function takeState(
  tx: Transaction,
  { sourceId, backend }: Taken,
  { head, chunks }: { head: StateHead; chunks: Iterable<Uint8Array> },
): Promise<void> {
  const known = await holdState(tx, sourceId, backend);
  if (!known) throw new AppError("not_found", "no such IaC source");
  if (!known.isFromThere) throw fromElsewhere();
  if (isKnown(known, head)) return;
  await loadDeclared(tx, chunks);
  await changeDeclared(tx, sourceId, async () => {
    await replaceDeclared(tx, sourceId);
    await recordState(tx, sourceId, head);
    await forgetPlan(tx, sourceId);
  });
}

/**
 * Whether the very state is there already.
 * @throws {AppError} `stale_state`, `serial_conflict`
 */
function isKnown(known: KnownState, head: StateHead): boolean {
  // States of before texts were compared are known by their bytes.
  const same = [head.hash.text, head.hash.bytes].some((hash) => hash && known.contentHash?.equals(hash));
  if (head.serial === undefined || known.serial === undefined || head.lineage !== known.lineage) return same;
  const fields = { current_serial: known.serial };
  if (head.serial < known.serial) {
    throw new AppError("stale_state", `serial ${head.serial} is older than ${known.serial}`, { fields });
  }
  if (head.serial === known.serial && known.contentHash && !same) {
    throw new AppError("serial_conflict", `another state with serial ${head.serial} is known`, { fields });
  }
  return same;
}
