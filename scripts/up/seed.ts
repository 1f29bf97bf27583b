import { type JsonObject, member, members, text } from "@leeway/shared/values/json";

import { type Api, ApiFailure, createApi } from "./api.ts";
import { type Example, loadExamples } from "./examples.ts";

/** Demo organization, with an admin's API key and a member's, such as a pipeline has. */
export interface Demo {
  org_id: string;
  api_key: string;
  member_key: string;
}

/** Demo of an earlier start, which may have had no member's key. */
export type EarlierDemo = Omit<Demo, "member_key"> & Partial<Pick<Demo, "member_key">>;

export interface SeedContext {
  /** Base URL of the running gateway. */
  baseUrl: string;
  operatorToken: string;
  /** Demo of the last start; its organization may have been deleted, or its key revoked. */
  previous: EarlierDemo | undefined;
  /** Stores the demo for the next start. */
  keep: (demo: Demo) => Promise<void>;
}

const SCAN_PATIENCE_MS = 30_000;
const POLL_MS = 50;

/** Creates the demo organization through the API, or completes the one of an earlier start. */
export async function seed({ baseUrl, operatorToken, previous, keep }: SeedContext): Promise<Demo> {
  const operator = createApi(baseUrl, operatorToken);
  const isKept = previous !== undefined && (await works(baseUrl, previous));
  const org = isKept ? previous : await makeOrganization(operator);
  const demo = { ...org, member_key: org.member_key ?? (await makeMemberKey(operator, org.org_id)) };
  await keep(demo);
  const api = createApi(`${baseUrl}/api/v2/orgs/${demo.org_id}`, demo.api_key);
  const accounts = members(await api.ask("GET", "/cloud-accounts?limit=500"), "data");
  const sources = members(await api.ask("GET", "/iac-sources?limit=500"), "data");
  const jobs = members(await api.ask("GET", "/llm-jobs?kind=analyze&limit=500"), "data");
  for (const example of await loadExamples()) {
    await push(api, example, { accounts, sources });
    await submit(api, example, jobs);
  }
  return demo;
}

async function works(baseUrl: string, { org_id, api_key }: EarlierDemo): Promise<boolean> {
  try {
    await createApi(baseUrl, api_key).ask("GET", `/api/v2/orgs/${org_id}`);
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && [401, 403, 404].includes(error.status)) return false;
    throw error;
  }
}

async function makeOrganization(operator: Api): Promise<EarlierDemo> {
  const made = await operator.ask("POST", "/operator/orgs", { name: "Demo", plan: "team" });
  return { org_id: idOf(member(made, "org")), api_key: text(member(made, "api_key"), "key") ?? "" };
}

async function makeMemberKey(operator: Api, orgId: string): Promise<string> {
  const made = await operator.ask("POST", `/operator/orgs/${orgId}/api-keys`, {
    name: "member",
    role: "member",
  });
  return text(made, "key") ?? "";
}

interface Known {
  accounts: readonly JsonObject[];
  sources: readonly JsonObject[];
}

/** Pushes missing data only, because the user may have changed the rest. */
async function push(api: Api, { account, listing, states }: Example, known: Known): Promise<void> {
  const knownAccount = known.accounts.find(
    (row) =>
      text(row, "provider") === account["provider"] && text(row, "external_id") === account["external_id"],
  );
  const found = knownAccount ?? (await api.ask("POST", "/cloud-accounts", account));
  const accountId = idOf(found);
  for (const { name, document } of states) {
    const knownSource = known.sources.find((row) => text(row, "name") === name);
    if (text(knownSource, "pushed_at") !== undefined) continue;
    const source =
      knownSource ?? (await api.ask("POST", "/iac-sources", { name, cloud_account_id: accountId }));
    await api.ask("PUT", `/iac-sources/${idOf(source)}/state`, document);
  }
  if (text(found, "last_scan_id") !== undefined) return;
  const scan = await api.ask("PUT", `/cloud-accounts/${accountId}/listing`, listing);
  await untilDone(api, idOf(scan));
}

async function submit(api: Api, { plans }: Example, jobs: readonly JsonObject[]): Promise<void> {
  const known = new Set(jobs.map(requestOf));
  for (const plan of plans) if (!known.has(requestOf(plan))) await api.ask("POST", "/analyze", plan);
}

/** Returns a key of a plan's merge request. */
function requestOf(plan: JsonObject): string {
  return JSON.stringify([plan["repository"], member(plan, "change_request")?.["number"]]);
}

/** Waits for a scan, so that the first page already shows its drift. */
async function untilDone(api: Api, scanId: string): Promise<void> {
  const deadline = performance.now() + SCAN_PATIENCE_MS;
  while (performance.now() < deadline) {
    const status = text(await api.ask("GET", `/scans/${scanId}`), "status");
    if (status !== "queued" && status !== "running") return;
    await Bun.sleep(POLL_MS);
  }
}

function idOf(row: JsonObject | undefined): string {
  const id = text(row, "id");
  if (id === undefined) throw new Error("the API answered without an id");
  return id;
}
