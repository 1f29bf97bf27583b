import { readingSize } from "@leeway/rules/condition";
import type { Verdict } from "@leeway/rules/rule-set";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";
import type { Transaction } from "@leeway/shared/database/database";
import { withLookups } from "@leeway/shared/database/with-lookups";
import type { Platform } from "@leeway/shared/service/service";
import { AppError } from "@leeway/shared/values/errors";

import { driftReaders } from "../../readers.ts";
import { announceEnds } from "../../rules/announce.ts";
import { endDueRules } from "../../rules/rules.ts";
import { dueAccounts, dueVersion, finishDue, leaseDue } from "../../rules/store/due-rules.ts";
import { activeRules, orgsWithEndedRules, orgsWithEndingRules } from "../../rules/store/rules.ts";
import { countRisk, lockDrift } from "../store/settle.ts";
import { currentRows, foundRows, ruleCurrent, ruleFound, type Ruled, type RuledRow } from "./store/ruled.ts";

/** Longer than one account takes. */
const LEASE_SECONDS = 60;
const MAX_AT_ONCE = 20;
/** Kinds of drift changes; the others are about plans. */
const DRIFT_SUBJECTS: ReadonlySet<string> = new Set(["undeclared", "changed", "missing"]);

/** Judges the changes in `drift_found` by the organization's rules. Without rules it does nothing. */
export async function ruleFoundChanges(tx: Transaction, accountId: string): Promise<void> {
  const rules = await driftRules(tx);
  if (rules.length === 0) return;
  await withLookups(tx, async () => {
    for await (const rows of foundRows(tx, accountId)) {
      const ruled = changedVerdicts(rows, await verdictsOn(tx.orgId, rules, rows));
      if (ruled.length > 0) await ruleFound(tx, ruled);
    }
  });
}

/** Organizations whose rules this process is applying, and those whose rules have changed since. */
const applying = new Set<string>();
const changed = new Set<string>();

/**
 * Judges the organization's current changes again, in the background, once for several changes of rules. The sweep
 * retries accounts that fail.
 */
export function applyRulesSoon(platform: Platform, orgId: string): void {
  changed.add(orgId);
  if (applying.has(orgId)) return;
  applying.add(orgId);
  void applyWhileChanged(platform, orgId);
}

async function applyWhileChanged(platform: Platform, orgId: string): Promise<void> {
  try {
    while (changed.delete(orgId)) await applyRules(platform, orgId);
  } catch (error) {
    platform.log.warn({ error, org_id: orgId }, "couldn't apply changed rules; retrying later");
  } finally {
    applying.delete(orgId);
  }
}

/** Judges the current changes of all accounts of the organization that are due. */
async function applyRules(platform: Platform, orgId: string): Promise<void> {
  for (const accountId of await dueAccounts(platform.database.org(orgId)))
    await applyInAccount(platform, orgId, accountId);
}

/** Announces and ends rules whose time is over soon or now, and judges due accounts of all organizations. */
export async function sweepRules(platform: Platform): Promise<void> {
  const { database, log } = platform;
  for (const orgId of await orgsWithEndingRules(database.system, MAX_AT_ONCE))
    await announceEnds(database, orgId);
  for (const orgId of await orgsWithEndedRules(database.system, MAX_AT_ONCE))
    await endDueRules(database, orgId);
  for (const { org_id, account_id } of await leaseDue(database.system, {
    seconds: LEASE_SECONDS,
    atMost: MAX_AT_ONCE,
  })) {
    try {
      await applyInAccount(platform, org_id, account_id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ error, account_id }, "couldn't apply changed rules; retrying later");
    }
  }
}

async function applyInAccount({ database }: Platform, orgId: string, accountId: string): Promise<void> {
  const apply = async (tx: Transaction): Promise<void> => {
    await lockDrift(tx, accountId, "decide");
    const version = await dueVersion(tx, accountId);
    if (version === undefined) return;
    // Read after the version: a rule that changes later is another version.
    const rules = await driftRules(tx);
    const which = { accountId, onlyRuled: rules.length === 0 };
    await withLookups(tx, async () => {
      for await (const rows of currentRows(tx, which)) {
        const ruled = changedVerdicts(rows, await verdictsOn(orgId, rules, rows));
        if (ruled.length > 0) await ruleCurrent(tx, accountId, ruled);
      }
    });
    await countRisk(tx, accountId);
    await finishDue(tx, accountId, version);
  };
  await database.transaction(orgId, apply, { lane: "background" });
}

async function driftRules(tx: Transaction): Promise<ActiveRule[]> {
  const rules = await activeRules(tx);
  return rules.filter(({ on }) => on.some((subject) => DRIFT_SUBJECTS.has(subject)));
}

/** Evaluates rules on a thread, which is stopped if conditions take longer than the size of the changes allows. */
async function verdictsOn(
  orgId: string,
  rules: readonly ActiveRule[],
  rows: readonly RuledRow[],
): Promise<Verdict[]> {
  if (rules.length === 0) return rows.map(({ change: { level } }) => ({ level, effects: undefined }));
  const changes = rows.map(({ change }) => change);
  const bytes = changes.reduce((sum, { content }) => sum + content.length, readingSize(rules));
  return driftReaders.do({ orgId, bytes }, "judgeByRules", [rules, changes]);
}

/** Returns the verdicts that differ from what is stored. */
function changedVerdicts(rows: readonly RuledRow[], verdicts: readonly Verdict[]): Ruled[] {
  return rows.flatMap(({ change: { fingerprint }, level, effects }, index) => {
    const verdict = verdicts[index];
    if (!verdict) return [];
    const isSame = verdict.level === level && Bun.deepEquals(verdict.effects ?? null, effects);
    return isSame ? [] : [{ fingerprint, ...verdict }];
  });
}
