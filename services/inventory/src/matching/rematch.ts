import { createMatcher } from "@leeway/clouds/matching/matcher";
import type { Transaction } from "@leeway/shared/database/database";
import { readDeclared } from "@leeway/clouds/matching/declared-texts";
import { verdictOf, type Verdict } from "@leeway/clouds/matching/verdict-lines";

import { openSnapshot } from "../drift/store/snapshots.ts";
import { disabledRules } from "./store/exclusions.ts";
import { lockPrepared } from "./lock-prepared.ts";
import { matchingBasis } from "./store/basis.ts";
import { declaredTexts } from "./store/declared.ts";
import { dropStale, openEdition, removeSuperseded } from "./store/editions.ts";
import { eachLive, takeEdition, takeLiveSide } from "./store/live.ts";
import {
  applyVerdict,
  compareMatches,
  recordMatches,
  rewriteVerdict,
  type ComparedMatches,
} from "./store/matches.ts";
import { recount } from "./store/recount.ts";
import { storeVerdict } from "./store/verdict.ts";

/**
 * Matches accounts again, without a scan, and requests their drift. The caller takes `lockMatching` before it selects
 * the accounts, because a first listing may be stored at any time.
 */
export async function rematch(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  const touched = await matchAnew(tx, accountIds);
  await recount(tx, touched);
  await awaitDrift(tx, touched);
}

/**
 * Matches accounts like `rematch`, but takes `lockMatching` itself, after it has found the matches and written the
 * resources that they change as a new edition.
 * @param sourceId the source whose declarations changed
 * @param accountsOf selects the accounts
 * @returns a function that stores the result, and returns all matched accounts
 */
export async function prepareRematch(
  tx: Transaction,
  sourceId: string,
  accountsOf: () => Promise<string[]>,
): Promise<() => Promise<string[]>> {
  const edition = await openEdition(tx);
  let found = new Map<string, Finding>();
  let rewritten = 0;
  const prepareAgain = async (): Promise<void> => {
    const before = [...found.keys()];
    found = new Map();
    const accountIds = await accountsOf();
    if (rewritten > 0) await dropStale(tx, edition, { from: before, to: accountIds });
    const disabled = await disabledRules(tx);
    for (const accountId of accountIds) {
      const basis = await matchingBasis(tx, accountId);
      await takeEdition(tx, accountId);
      const { ambiguous } = await matchLiveSide(tx, accountId);
      if (rewritten > 0) await applyVerdict(tx, disabled, edition);
      rewritten += await rewriteVerdict(tx, accountId, { edition, disabled });
      found.set(accountId, { basis, ambiguous, changes: await compareMatches(tx, accountId) });
    }
  };
  const basisOf = async (): Promise<string> => {
    const all: string[] = [];
    for (const accountId of await accountsOf())
      all.push(`${accountId} ${(await matchingBasis(tx, accountId)) ?? ""}`);
    return all.join("\n");
  };
  await lockPrepared(tx, basisOf, async () => {
    await prepareAgain();
    return { prepareAgain };
  });
  return async () => {
    const accountIds = [...found.keys()];
    if (rewritten > 0) await removeSuperseded(tx, accountIds, { edition, kept: allEnriched(tx) });
    const touched = await matchAnew(tx, accountIds, found);
    await recount(tx, touched, { sourceId });
    await awaitDrift(tx, touched);
    return touched;
  };
}

const allEnriched = ({ part }: Transaction) => ({
  values: part`
    l.properties, l.redactions, l.enrichment_status, l.enrichment_failure_reason, l.read_at, l.enriched_at
  `,
  from: part``,
});

/** Result of matching an account, and its basis. */
interface Finding extends ComparedMatches {
  basis: string | undefined;
}

/**
 * Matches the stored resources of accounts with the declarations. Then does the same in other accounts where a
 * declaration became contested, or no longer is. That doesn't change which accounts have it.
 * @param found earlier results, used if nothing has changed since
 * @returns all matched accounts
 */
export async function matchAnew(
  tx: Transaction,
  accountIds: readonly string[],
  found: ReadonlyMap<string, Finding> = new Map(),
): Promise<string[]> {
  const waiting = [...accountIds];
  const disabled = waiting.length > 0 ? await disabledRules(tx) : [];
  for (const accountId of waiting) {
    const known = found.get(accountId);
    const isKnown = known && known.basis === (await matchingBasis(tx, accountId));
    const compared = isKnown ? known : await matchStored(tx, accountId, disabled);
    waiting.push(...(await recordMatches(tx, accountId, compared)));
  }
  return [...new Set(waiting)];
}

async function matchStored(tx: Transaction, accountId: string, disabled: string[]): Promise<ComparedMatches> {
  await takeLiveSide(tx, accountId);
  const { ambiguous } = await matchLiveSide(tx, accountId);
  await applyVerdict(tx, disabled);
  return { ambiguous, changes: await compareMatches(tx, accountId) };
}

/** Matches `live_side`, and stores the result in `found`. */
export async function matchLiveSide(tx: Transaction, accountId: string): Promise<Verdict> {
  const declared = await declaredTexts(tx, accountId);
  const matcher = createMatcher(declared.flatMap((text) => readDeclared(text)));
  await eachLive(tx, matcher.see);
  const verdict = verdictOf(matcher);
  await storeVerdict(tx, verdict.lines);
  return verdict;
}

/** Requests drift for accounts whose counts changed without a scan of their own. */
export async function awaitDrift(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  for (const accountId of accountIds) await openSnapshot(tx, { accountId, scanId: undefined });
}
