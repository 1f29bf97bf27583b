import { members, text, type JsonObject } from "@leeway/shared/values/json";
import { integer } from "@leeway/shared/platform/config";
import type { TObject } from "@sinclair/typebox";

import { path, type Api } from "../api/client.ts";
import { listAll } from "../api/list.ts";
import { expectOk } from "../api/refusal.ts";
import { flag } from "../arguments.ts";
import { filterFlags, filtersOf } from "./filters.ts";
import type { Remote, RemoteCall } from "./remote.ts";
import { described, tableOf, type Columns } from "./table.ts";

const LIMIT = flag("COUNT", integer("rows to print, 0 for all", 100, 0, 1_000_000));

/** A list of the API. */
interface Listing {
  command: string;
  about: string;
  /** Noun for messages, in the plural. */
  what: string;
  /** Path below the organization. */
  place: string;
  /** Contract whose input has the filters. */
  input: Pick<TObject, "properties">;
  columns: Columns;
  page: string;
  /** Filters that the command sets itself. */
  fixed?: Readonly<Record<string, string>>;
  /** Returns the page of a row; by default there is none. */
  rowPage?: (row: JsonObject) => string;
}

export function listing(about: Listing): Remote {
  const { command, what, place, input, columns, page, fixed = {}, rowPage } = about;
  const filters = { properties: without(input.properties, Object.keys(fixed)) };
  return {
    command,
    about: about.about,
    activity: `reading ${what}`,
    flags: { ...filterFlags(filters), "--limit": LIMIT },
    async run(call) {
      const query = { ...(await filtersOf(call, filters)), ...fixed };
      const list = {
        place: `${orgPath(call.api)}/${place}`,
        what,
        query,
        isPaged: "limit" in input.properties,
      };
      const { rows, hasMore } = await someOf(call, list);
      return {
        json: rows.map((row) => withPage(row, call.api, rowPage?.(row) ?? page)),
        text: rows.length === 0 ? `no ${what}\n` : tableOf(rows, columns),
        page: call.api.page(page),
        ...(hasMore && { note: `only the first ${rows.length} ${what} are shown; pass --limit 0 for all` }),
      };
    },
  };
}

/** An object of the API, shown by its id. */
interface Showing {
  command: string;
  about: string;
  operand: string;
  what: string;
  place: string;
  page: (id: string, found: JsonObject) => string;
  /** Returns the id of what was named; by default it is the id. */
  resolve?: (call: RemoteCall, named: string) => Promise<string> | string;
}

export function showing({ command, about, operand, what, place, page, resolve }: Showing): Remote {
  return {
    command,
    about,
    operands: [operand],
    activity: `reading the ${what}`,
    flags: {},
    async run(call) {
      const [named = ""] = call.operands;
      const id = resolve ? await resolve(call, named) : named;
      const where = `${orgPath(call.api)}/${place}/${path`${id}`}`;
      const { body } = expectOk(await call.api.ask({ method: "GET", path: where }), `the ${what}`);
      const at = page(text(body, "id") ?? id, body);
      return { json: withPage(body, call.api, at), text: described(body), page: call.api.page(at) };
    },
  };
}

export function orgPath(api: Api): string {
  return path`orgs/${api.orgId}`;
}

export function withPage(row: JsonObject, api: Api, page: string): JsonObject {
  return { ...row, dashboard_url: api.page(page) };
}

interface List {
  place: string;
  what: string;
  query: Readonly<Record<string, string>>;
  isPaged: boolean;
}

/** Reads rows up to the limit of the command. */
async function someOf(
  { api, values }: Pick<RemoteCall, "api" | "values">,
  { place, what, query, isPaged }: List,
): Promise<{ rows: JsonObject[]; hasMore: boolean }> {
  const limit = Number(values["--limit"] ?? 0) || Infinity;
  const rows: JsonObject[] = [];
  for await (const row of isPaged ? listAll(api, place, what, query) : await allAtOnce(api, place, what)) {
    if (rows.length === limit) return { rows, hasMore: true };
    rows.push(row);
  }
  return { rows, hasMore: false };
}

async function allAtOnce(api: Api, place: string, what: string): Promise<JsonObject[]> {
  const answer = await api.ask({ method: "GET", path: place });
  return members(expectOk(answer, `the list of ${what}`).body, "data");
}

function without(properties: TObject["properties"], names: readonly string[]): TObject["properties"] {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}
