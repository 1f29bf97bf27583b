import { isUuid } from "@leeway/shared/contracts/contract";
import { text } from "@leeway/shared/values/json";

import { didYouMean, quoted } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { path, type Api } from "./client.ts";
import { listAll } from "./list.ts";
import { expectOk } from "./refusal.ts";

interface Source {
  id: string;
  name: string;
}

/** Finds a source by name or id. @throws {Failure} that says how to create it, if there is none */
export async function findSource(api: Api, wanted: string): Promise<Source> {
  if (isUuid(wanted)) {
    const answer = await api.ask({ method: "GET", path: path`orgs/${api.orgId}/iac-sources/${wanted}` });
    return { id: wanted, name: text(expectOk(answer, "the source").body, "name") ?? wanted };
  }
  const names: string[] = [];
  for await (const row of listAll(api, path`orgs/${api.orgId}/iac-sources`, "sources")) {
    const [id, name] = [text(row, "id"), text(row, "name")];
    if (name === wanted && id !== undefined) return { id, name };
    if (name !== undefined) names.push(name);
  }
  const advice = `create it at ${api.page("sources")}, or with POST /api/v2/orgs/${api.orgId}/iac-sources`;
  const hint = didYouMean(wanted, names) || `; ${advice}`;
  throw new Failure("not_found", `no source named ${quoted(wanted)}${hint}`);
}
