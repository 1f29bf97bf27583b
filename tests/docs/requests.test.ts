import { expect, test } from "bun:test";

import { isObject, text } from "@leeway/shared/json";

import openapi from "../../docs/openapi.json";
import { read, repositoryFiles } from "./repository.ts";

const DOCUMENTS = repositoryFiles().filter((path) => path.endsWith(".md"));
/** A path of an organization, `$api` in commands, with its query. */
const REQUEST = /(?:\$api|(\/operator)?\/orgs\/(?::id|\$\w+))((?:\/[\w$:-]+)*)(?:\?([\w$=&:-]+))?/g;

/** Paths of the API with the names of the query parameters that one of their methods takes. */
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

/** A path whose placeholders are all one. */
function shapeOf(path: string): string {
  return path.replaceAll(/\/(?:\{\w+\}|:\w+|\$\w+)/g, "/*");
}

test.each(DOCUMENTS)("every request of an organization that %s shows is one of the API", async (document) => {
  const wrong: string[] = [];
  for (const [request, operator, path = "", query = ""] of (await read(document)).matchAll(REQUEST)) {
    const taken = PARAMETERS.get(shapeOf(`${operator ?? "/api/v2"}/orgs/:id${path}`));
    const given = query === "" ? [] : [...new URLSearchParams(query).keys()];
    if (!taken || given.some((name) => !taken.has(name))) wrong.push(request);
  }
  expect(wrong).toEqual([]);
});

test.each(DOCUMENTS)("%s calls the address and the organization as all documents do", async (document) => {
  for (const [, url, organization] of (await read(document)).matchAll(/\$(\w+)\/api\/v2\/orgs\/\$(\w+)/g)) {
    expect({ url, organization }).toEqual({ url: "LEEWAY_URL", organization: "LEEWAY_ORG_ID" });
  }
});
