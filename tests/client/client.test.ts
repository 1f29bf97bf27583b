import { afterAll, beforeAll, expect, test } from "bun:test";

import { createClient, dataOf, rows, type Client } from "@leeway/client";
import { CLIENT_SCHEMA_FILE, clientSchemaText } from "@leeway/client/generate";

import { read } from "../docs/repository.ts";
import { startStack, type Stack } from "../isolation/stack.ts";
import { ndjson } from "../../services/inventory/test/kit.ts";

let stack: Stack;
let client: Client;
let path: { id: string };
beforeAll(async () => {
  stack = await startStack();
  const token = await stack.newPerson("ada@example.com");
  client = createClient({ url: stack.url, token });
  const { id } = await dataOf(client.POST("/api/v2/orgs", { body: { name: "Client" } }));
  path = { id };
});
afterAll(() => stack.stop());

test("the client's types are those of the API", async () => {
  expect(await Bun.file(CLIENT_SCHEMA_FILE).text()).toBe(
    await clientSchemaText(await read("docs/openapi.json")),
  );
});

test("the client creates, uploads and lists with a running server", async () => {
  const arns = ["a", "b", "c"].map((name) => `arn:aws:sqs:eu-west-1:111111111111:${name}`);
  const account = await dataOf(
    client.POST("/api/v2/orgs/{id}/cloud-accounts", {
      params: { path },
      body: { provider: "aws", external_id: "111111111111" },
    }),
  );
  await dataOf(
    client.PUT("/api/v2/orgs/{id}/cloud-accounts/{account_id}/listing", {
      params: { path: { ...path, account_id: account.id } },
      body: new Blob([
        ndjson(arns.map((id) => ({ provider_resource_id: id, provider_type: "AWS::SQS::Queue" }))),
      ]),
    }),
  );
  const found = rows((next) =>
    client.GET("/api/v2/orgs/{id}/resources", { params: { path, query: { limit: 1, ...next } } }),
  );
  const ids = (await Array.fromAsync(found)).map(({ provider_resource_id: id }) => id);
  expect(ids.toSorted()).toEqual(arns);
});

test("another organization is a typed 404", async () => {
  const other = { id: crypto.randomUUID() };
  const { error, response } = await client.GET("/api/v2/orgs/{id}/posture", { params: { path: other } });
  expect([response.status, error?.code]).toEqual([404, "not_found"]);
});
