import { expect, test } from "bun:test";

import { strict } from "@leeway/shared/contracts/contract";
import { decode } from "@leeway/shared/values/decode";
import { isObject, member } from "@leeway/shared/values/json";

import { ENDPOINTS } from "../endpoints.ts";
import type { Answered } from "../http/endpoint.ts";
import { openApiDocument } from "./document.ts";
import { SAMPLES } from "./errors.ts";
import { OPENAPI_FILE, openApiText } from "./file.ts";
import { TAGS } from "./introduction.ts";

test("docs/openapi.json is up to date (run `bun run docs`)", async () => {
  expect((await Bun.file(OPENAPI_FILE).text()) === openApiText()).toBe(true);
});

test.each(ENDPOINTS.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  "the examples of %s match their schemas",
  (_, { success, otherwise, body, upload, bodyExample }) => {
    for (const answer of [success, ...(otherwise ?? [])]) {
      const { schema } = answer;
      if (schema) for (const example of examplesIn(answer)) decode(strict(schema), example);
    }
    const schema = body ?? (upload?.schema && strict(upload.schema));
    if (schema) decode(schema, bodyExample);
  },
);

function examplesIn({ example, examples = {} }: Answered): unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples)];
}

test("every operation that answers JSON has an example", () => {
  const without = ENDPOINTS.filter(({ success }) => success.schema && success.example === undefined);
  expect(without.map(({ operationId }) => operationId)).toEqual(["getOpenApi"]);
});

test("operation ids are unique, and every tag is described", () => {
  const names = ENDPOINTS.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const tags = new Set(ENDPOINTS.map(({ tag }) => tag));
  expect([...tags].toSorted()).toEqual(TAGS.map(({ name }) => name).toSorted());
});

test("every reference resolves, and no internal error message appears", () => {
  const text = openApiText();
  const document: unknown = JSON.parse(text);
  for (const [, pointer = ""] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
    const found = pointer
      .split("/")
      .reduce((at: unknown, step) => (isObject(at) ? at[step] : undefined), document);
    expect(found, pointer).toBeDefined();
  }
  expect(text).not.toContain("errorMessage");
});

test("every error code of an operation has a sample", () => {
  const responses = member(member(openApiDocument(ENDPOINTS, "http://localhost"), "components"), "responses");
  const codes = Object.keys(responses ?? {}).flatMap((name) => name.split("."));
  expect(codes).toContain("not_found");
  for (const code of codes) expect(SAMPLES).toHaveProperty(code);
});
