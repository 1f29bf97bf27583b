import { isUuid } from "@leeway/shared/contracts/contract";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import type { TObject } from "@sinclair/typebox";

import { findAccount, parseWanted } from "../api/accounts.ts";
import { findSource } from "../api/sources.ts";
import { flag, maybe, oneOf, usage, type Flags } from "../arguments.ts";
import { Failure } from "../failure.ts";
import type { RemoteCall } from "./remote.ts";

const NOT_FILTERS: ReadonlySet<string> = new Set(["org_id", "limit", "cursor", "total"]);
const REFERENCES: ReadonlySet<string> = new Set(["account_id", "source_id"]);
const ABOUT: Readonly<Record<string, string>> = {
  account_id: "only this account: PROVIDER:EXTERNAL_ID or its id",
  source_id: "only this source: its name or id",
};

/** Returns the flags that filter a list, from the input of its contract. */
export function filterFlags({ properties }: Pick<TObject, "properties">): Flags {
  const names = Object.keys(properties).filter((name) => !NOT_FILTERS.has(name));
  return Object.fromEntries(
    names.map((name) => {
      const { description, enum: words, anyOf }: JsonObject = properties[name] ?? {};
      const about = ABOUT[name] ?? sentence(description) ?? `only this ${name.replaceAll("_", " ")}`;
      const [one] = Array.isArray(anyOf) ? anyOf.filter(isObject) : [];
      return [flagOf(name), flag(placeholder(name), filter(about, wordsIn(words ?? one?.["enum"])))];
    }),
  );
}

function filter(about: string, words: readonly string[]) {
  if (words.length === 0) return maybe(about, (raw) => raw);
  const shown = words.filter((word) => !word.startsWith("!"));
  return maybe(`${about}: ${shown.join(", ")}`, (raw) => oneOf(words, raw));
}

/** Returns the query of a list, with the ids of the account and source that the flags name. */
export async function filtersOf(
  { api, command, values }: RemoteCall,
  { properties }: Pick<TObject, "properties">,
): Promise<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const name of Object.keys(properties)) {
    const value = values[flagOf(name)];
    if (NOT_FILTERS.has(name) || value === undefined) continue;
    query[name] = name === "account_id" ? await accountId({ api, command }, value) : value;
    if (name === "source_id") query[name] = (await findSource(api, value)).id;
  }
  return query;
}

/** Returns the id of an account named by `PROVIDER:EXTERNAL_ID` or id. @throws {Failure} if there is none */
export async function accountId(
  { api, command }: Pick<RemoteCall, "api" | "command">,
  named: string,
): Promise<string> {
  if (isUuid(named)) return named;
  const wanted = parseWanted(named);
  if (wanted === undefined)
    throw usage(command, `an account is PROVIDER:EXTERNAL_ID, such as aws:123456789012, or its id`);
  return (await findAccount(api, wanted)).id;
}

/** Returns an id, which must be a UUID. @throws {Failure} `usage` */
export function idOf(named: string, what: string): string {
  if (isUuid(named)) return named;
  throw new Failure("usage", `the id of ${what} is a UUID; leeway ${what}s lists them`);
}

function flagOf(name: string): string {
  return `--${(REFERENCES.has(name) ? name.slice(0, -"_id".length) : name).replaceAll("_", "-")}`;
}

function placeholder(name: string): string {
  if (name === "account_id") return "ACCOUNT";
  return name.replace(/_id$/, "").toUpperCase();
}

/** Returns the first sentence of a description, in the style of flags. */
function sentence(description: unknown): string | undefined {
  if (typeof description !== "string") return undefined;
  const [first = ""] = description.split(/(?<=[^.])\. /);
  return (first.charAt(0).toLowerCase() + first.slice(1)).replaceAll("`", "").replace(/\.$/, "");
}

function wordsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
}
