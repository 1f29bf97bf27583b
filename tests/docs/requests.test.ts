import { expect, test } from "bun:test";

import { isObject, text } from "@leeway/shared/values/json";

import openapi from "../../docs/openapi.json";
import { read, repositoryFiles } from "./repository.ts";

const DOCUMENTS = repositoryFiles().filter((path) => path.endsWith(".md"));
/** A path of an organization, with its query. Commands write `$api` for the organization's address. */
const REQUEST = /(?:\$api|(\/operator)?\/orgs\/(?::id|\$\w+))((?:\/[\w$:-]+)*)(?:\?([\w$=&:-]+))?/g;

/** Paths of the API, with the query parameters of all their methods. */
const PARAMETERS = new Map(
  Object.entries(openapi.paths).map(([path, methods]) => [
    shapeOf(path),
    new Set(Object.values(methods).flatMap(queryNames)),
  ]),
);

function queryNames(operation: unknown): string[] {
  const parameters = isObject(operation) ? operation["parameters"] : undefined;
  const all: unknown[] = Array.isArray(parameters) ? parameters : [];
  return all
    .filter(isObject)
    .flatMap((one) => (text(one, "in") === "query" ? (text(one, "name") ?? []) : []));
}

/** Returns a path with `*` for every placeholder. */
function shapeOf(path: string): string {
  return path.replaceAll(/\/(?:\{\w+\}|:\w+|\$\w+)/g, "/*");
}

test.each(DOCUMENTS)("every request in %s exists in the API", async (document) => {
  const wrong: string[] = [];
  for (const [request, operator, path = "", query = ""] of (await read(document)).matchAll(REQUEST)) {
    const taken = PARAMETERS.get(shapeOf(`${operator ?? "/api/v2"}/orgs/:id${path}`));
    const given = query === "" ? [] : [...new URLSearchParams(query).keys()];
    if (!taken || given.some((name) => !taken.has(name))) wrong.push(request);
  }
  expect(wrong).toEqual([]);
});

test.each(DOCUMENTS)("%s uses the common names for the address and the organization", async (document) => {
  for (const [, url, organization] of (await read(document)).matchAll(/\$(\w+)\/api\/v2\/orgs\/\$(\w+)/g)) {
    expect({ url, organization }).toEqual({ url: "LEEWAY_URL", organization: "LEEWAY_ORG_ID" });
  }
});
