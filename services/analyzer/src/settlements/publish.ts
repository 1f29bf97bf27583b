import { describeRequest, type DescribedChange } from "@leeway/analysis/settle/describe";
import type { Promised } from "@leeway/analysis/settle/promise";
import { call } from "@leeway/shared/bus/request";
import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";
import { CloseChangeRequest, PutChangeRequest, type CodeFile } from "@leeway/shared/contracts/webhooks/code";
import type { OrgStatements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { fixesOf, type RequestedFix } from "./fix-store.ts";
import { messageOf, throwForNow } from "./problems.ts";
import { settleAll, type Decided } from "./settle-all.ts";
import { withFixes } from "./requested-fixes.ts";
import { presentChange, readFolder, type CodeSource, type SettleDependencies } from "./source.ts";
import {
  branchOf,
  claimBranch,
  dropBranch,
  dropSettlements,
  noteProblem,
  noteRequest,
  settlementsOf,
  type StoredSettlement,
} from "./store.ts";

/** More changes in one request aren't reviewed. The oldest decisions come first. */
const MAX_CHANGES = 100;
/** Tries while the branch or the decisions change at the same time. */
const TRIES = 3;

interface Decisions {
  settlements: readonly StoredSettlement[];
  fixes: readonly RequestedFix[];
}

/**
 * Makes the merge or pull request of a source say what is decided about its drift and noise now: opens, updates or
 * closes it. Running it twice changes nothing more. Returns undefined if there is nothing to request.
 * @throws {AppError} `unavailable`
 */
export async function publish(
  deps: SettleDependencies,
  orgId: string,
  source: CodeSource,
): Promise<ChangeRequest | undefined> {
  const sql = deps.database.org(orgId);
  let request: ChangeRequest | "moved" | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const decisions = await decisionsOf(sql, source);
    // A repetition finds nothing to close if this closed it.
    request = (await publishOnce(deps, sql, source, decisions)) ?? request;
    const isStale = JSON.stringify(decisions) !== JSON.stringify(await decisionsOf(sql, source));
    if (attempt < TRIES && (isStale || request === "moved")) continue;
    return request === "moved" ? movedAgain(sql, source) : request;
  }
}

async function decisionsOf(sql: OrgStatements, { id }: CodeSource): Promise<Decisions> {
  return {
    settlements: await settlementsOf(sql, id, MAX_CHANGES),
    fixes: await fixesOf(sql, id, MAX_CHANGES),
  };
}

async function movedAgain(sql: OrgStatements, { id, repository }: CodeSource): Promise<ChangeRequest> {
  const branch = (await branchOf(sql, id, repository)) ?? "";
  return { branch, status: "refused", problem: messageOf({ done: false, problem: "moved" }, repository) };
}

async function publishOnce(
  deps: SettleDependencies,
  sql: OrgStatements,
  source: CodeSource,
  { settlements, fixes }: Decisions,
): Promise<ChangeRequest | "moved" | undefined> {
  const { orgId } = sql;
  const decided = await stillPresent(deps, sql, settlements);
  if (decided.length + fixes.length === 0) return close(deps, sql, source);
  const folder = await readFolder(deps.bus, orgId, source.repository);
  if ("refused" in folder) return { branch: "", status: "refused", problem: folder.refused };
  const settled = await settleAll(deps, { orgId, source, folder }, decided);
  const fixed = await withFixes(
    { sql, reader: deps.reader, sourceId: source.id, repository: source.repository },
    withFiles(folder.files, settled.files),
    fixes,
  );
  const changed = fixed.files.filter((file, index) => file.text !== folder.files[index]?.text);
  const files = [...changed, ...settled.added];
  if (files.length === 0) return close(deps, sql, source);
  const described = decided.flatMap(({ declared: { change }, ...decision }): DescribedChange[] => {
    const outcome = settled.outcomes.get(change.fingerprint);
    return outcome ? [{ change, address: outcome.address ?? change.address, ...decision, outcome }] : [];
  });
  const all = { changes: described, fixes: fixed.described };
  return put(deps, sql, source, {
    commit: folder.commit,
    files,
    title: titleOf(source, all),
    body: describeRequest(source, all, `${deps.publicBaseUrl}/drift`),
    promised: described.flatMap(({ address, how, outcome }) =>
      outcome.kind === "changed" && address !== undefined ? [{ address, how }] : [],
    ),
  });
}

function titleOf(
  { name }: CodeSource,
  { changes, fixes }: { changes: readonly object[]; fixes: readonly object[] },
) {
  const what = [...(changes.length > 0 ? ["drift"] : []), ...(fixes.length > 0 ? ["plan noise"] : [])];
  return `Settle ${what.join(" and ")} of ${name}`.slice(0, 255);
}

function withFiles(files: readonly CodeFile[], changed: readonly CodeFile[]): CodeFile[] {
  const texts = new Map(changed.map(({ path, text }) => [path, text]));
  return files.map(({ path, text }) => ({ path, text: texts.get(path) ?? text }));
}

/** Returns the decisions about changes that accounts still have, and deletes the others. */
async function stillPresent(
  { bus }: SettleDependencies,
  sql: OrgStatements,
  decisions: readonly StoredSettlement[],
): Promise<Decided[]> {
  const decided: Decided[] = [];
  const gone: string[] = [];
  for (const decision of decisions) {
    const declared = await presentChange(bus, sql.orgId, decision.fingerprint);
    if (declared) decided.push({ ...decision, declared });
    else gone.push(decision.fingerprint);
  }
  if (gone.length > 0) await dropSettlements(sql, gone);
  return decided;
}

interface Requested {
  commit: string;
  files: readonly CodeFile[];
  title: string;
  body: string;
  promised: readonly Promised[];
}

async function put(
  { bus }: SettleDependencies,
  sql: OrgStatements,
  source: CodeSource,
  { commit, files, title, body, promised }: Requested,
): Promise<ChangeRequest | "moved"> {
  const { repository } = source;
  const branch = await ensureBranch(sql, source);
  const answer = await call(bus, PutChangeRequest, {
    org_id: sql.orgId,
    repository,
    branch,
    commit,
    title,
    body,
    files: [...files],
  });
  if (answer.done) {
    const { number, url } = answer;
    await noteRequest(sql, source.id, { promised, number, url });
    return { branch, status: answer.outcome, number, url };
  }
  if (answer.problem === "moved") return "moved";
  throwForNow(answer);
  const problem = messageOf(answer, repository);
  await noteProblem(sql, source.id, problem);
  return { branch, status: "refused", problem };
}

/** Returns the branch of a source. A new one has today's date, and a number if another source has that. */
async function ensureBranch(sql: OrgStatements, { id, repository }: CodeSource): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  for (let number = 1; ; number += 1) {
    const known = await branchOf(sql, id, repository);
    if (known !== undefined) return known;
    const branch = `leeway/settle-${date}${number === 1 ? "" : `-${number}`}`;
    if (await claimBranch(sql, id, { branch, repository })) return branch;
  }
}

/** Closes the request of a source that has nothing left to settle. */
async function close(
  { bus }: SettleDependencies,
  sql: OrgStatements,
  { id, repository }: CodeSource,
): Promise<ChangeRequest | undefined> {
  const branch = await branchOf(sql, id, repository);
  if (branch === undefined) return undefined;
  const answer = await call(bus, CloseChangeRequest, { org_id: sql.orgId, repository, branch });
  if (!answer.done) {
    throwForNow(answer);
    return { branch, status: "refused", problem: messageOf(answer, repository) };
  }
  await dropBranch(sql, id);
  return { branch, status: "closed", ...present({ url: answer.url }) };
}
