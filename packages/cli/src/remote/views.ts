import { isUuid } from "@leeway/shared/contracts/contract";
import { VIEW_FILTERS } from "@leeway/shared/contracts/inventory/views";
import { members, text } from "@leeway/shared/values/json";

import { path } from "../api/client.ts";
import { expectOk } from "../api/refusal.ts";
import { didYouMean, quoted } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { filterFlags, filtersOf } from "./filters.ts";
import { listing, orgPath } from "./read.ts";
import type { Remote, RemoteCall } from "./remote.ts";
import { send, shown } from "./send.ts";

export const views = listing({
  command: "views",
  about: "Lists saved filters: the shared ones and your own.",
  what: "views",
  place: "views",
  input: { properties: {} },
  columns: { ID: "id", NAME: "name", PAGE: "page", SHARED: "shared" },
  page: "drift",
});

export const createView: Remote = {
  command: "views create",
  operands: ["NAME"],
  about: "Saves a filter of drift changes under a name.",
  activity: "saving the view",
  flags: filterFlags(VIEW_FILTERS.drift),
  switches: { "--shared": "share it with the organization, so that channels can filter by it" },
  async run(call) {
    const [name = ""] = call.operands;
    const filter = await filtersOf(call, VIEW_FILTERS.drift);
    const made = await send(call, "views", { name, page: "drift", shared: call.isOn("--shared"), filter });
    return shown(call, made, {
      text: `saved ${name}`,
      page: `drift?${new URLSearchParams(filter).toString()}`,
    });
  },
};

export const deleteView: Remote = {
  command: "views delete",
  operands: ["VIEW"],
  about: "Deletes a view, named by its name or id.",
  activity: "deleting the view",
  flags: {},
  async run(call) {
    const [named = ""] = call.operands;
    const id = await viewId(call, named);
    const where = `${orgPath(call.api)}/${path`views/${id}`}`;
    expectOk(await call.api.ask({ method: "DELETE", path: where }), "the view");
    return shown(call, { id, deleted: true }, { text: `deleted ${named}`, page: "drift" });
  },
};

/** Returns the id of a view named by name or id. @throws {Failure} if there is none, or several */
export async function viewId({ api }: Pick<RemoteCall, "api">, named: string): Promise<string> {
  if (isUuid(named)) return named;
  const answer = await api.ask({ method: "GET", path: `${orgPath(api)}/views` });
  const rows = members(expectOk(answer, "the list of views").body, "data");
  const [found, another] = rows.filter((row) => text(row, "name") === named);
  if (another)
    throw new Failure("usage", `several views are named ${quoted(named)}; pass an id of leeway views`);
  const id = found && text(found, "id");
  if (id !== undefined) return id;
  const names = rows.map((row) => text(row, "name") ?? "");
  throw new Failure("not_found", `no view named ${quoted(named)}${didYouMean(named, names)}`);
}
