import { describe, expect, test } from "bun:test";

import type { Json } from "@leeway/shared/values/json";

import { valueAtPath } from "./live-path.ts";
import type { Shape } from "./mapping.ts";
import { googleValue } from "./google-values.ts";
import { mirrored, nested } from "./mirrored.ts";
import { snakeCase } from "./names.ts";
import { anyCase, document, isWord, redrivePolicy, reference, references, switched } from "./shapes.ts";

const ROLE = "arn:aws:iam::123456789012:role/app";
const POLICY = '{"Version":"2012-10-17","Statement":[]}';

type Case = [fact: string, shape: Shape, live: Json, declared: Json, shaped: Json | undefined];

describe("a live value takes the form of its attribute", () => {
  test.each<Case>([
    ["a number as text", mirrored, 3, "3", "3"],
    ["text as a number", mirrored, "3", 1, 3],
    ["text as a boolean", mirrored, "True", false, true],
    ["text that isn't a number", mirrored, "3px", 1, "3px"],
    ["a list in the state's order", mirrored, ["c", "b", "a"], ["a", "b"], ["a", "b", "c"]],
    [
      "a block as a list of one",
      mirrored,
      { httpTokens: "required", extra: 1 },
      [{ http_tokens: "optional" }],
      [{ http_tokens: "required" }],
    ],
    [
      "blocks in the order of their names in the state",
      mirrored,
      [
        { name: "b", size: 2 },
        { name: "a", size: 9 },
      ],
      [
        { name: "a", size: 1 },
        { name: "b", size: 2 },
      ],
      [
        { name: "a", size: 9 },
        { name: "b", size: 2 },
      ],
    ],
    [
      "null in place of a removed block",
      mirrored,
      [{ name: "b" }],
      [{ name: "a" }, { name: "b" }],
      [null, { name: "b" }],
    ],
    ["a map with new keys", mirrored, { a: 1, b: 2 }, { a: "1" }, { a: "1", b: "2" }],
    [
      "an object in a nested attribute",
      nested,
      { Enabled: false, More: 1 },
      { enabled: true },
      { enabled: false },
    ],
    ["an empty list for a removed block", mirrored, null, [{ a: 1 }], []],
    ["nothing for text in place of a block", mirrored, "text", [{ a: 1 }], undefined],
    ["a word for true", switched, "Enabled", false, true],
    ["a word for false", switched, "DISABLED", true, false],
    ["nothing for an unknown word in place of a boolean", switched, "perhaps", true, undefined],
    ["whether it equals a word", isWord("internal"), "internet-facing", true, false],
    ["an ARN as the name at its end", reference, ROLE, "app", "app"],
    ["a name as the ARN that ends with it", reference, "app", ROLE, ROLE],
    [
      "a different name",
      reference,
      "arn:aws:iam::123456789012:role/myapp",
      "app",
      "arn:aws:iam::123456789012:role/myapp",
    ],
    [
      "references in the state's order",
      references,
      "subnet-2,subnet-1",
      ["subnet-1", "subnet-2"],
      ["subnet-1", "subnet-2"],
    ],
    ["a document as an object", document, { Statement: [], Version: "2012-10-17" }, POLICY, POLICY],
    ["a URL-encoded document", document, encodeURIComponent(POLICY), POLICY, POLICY],
    ["a different document as text", document, { Version: "1" }, POLICY, '{"Version":"1"}'],
    [
      "a redrive policy with a number as text",
      redrivePolicy,
      { maxReceiveCount: 4 },
      '{"maxReceiveCount":"4"}',
      '{"maxReceiveCount":"4"}',
    ],
    [
      "a different redrive policy",
      redrivePolicy,
      { maxReceiveCount: 5 },
      '{"maxReceiveCount":"4"}',
      '{"maxReceiveCount":5}',
    ],
    [
      "a role by its id without a scope",
      reference,
      "/providers/x/y",
      "/subscriptions/s/providers/x/y",
      "/subscriptions/s/providers/x/y",
    ],
    ["nothing for an object where the list holds no blocks", mirrored, { quantity: 0 }, [], undefined],
    ["nothing for text that isn't a document", document, "%zz", POLICY, undefined],
    ["an enum in any case", anyCase, "STANDARD", "Standard", "Standard"],
    [
      "a URL as a path to the same resource",
      googleValue,
      "https://www.googleapis.com/compute/v1/projects/p/global/networks/n",
      "projects/p/global/networks/n",
      "projects/p/global/networks/n",
    ],
    [
      "a URL of another host",
      googleValue,
      "https://other.example.com/v1/push",
      "https://example.com/v1/push",
      "https://other.example.com/v1/push",
    ],
    ["a path as the name of the resource", googleValue, "projects/p/global/networks/n", "n", "n"],
    [
      "another network's path",
      googleValue,
      "projects/p/global/networks/m",
      "n",
      "projects/p/global/networks/m",
    ],
  ])("%s", (...[, shape, live, declared, shaped]) => {
    expect(shape(live, declared)).toEqual(shaped);
  });
});

describe("a live path", () => {
  const payload = { Groups: [{ groupId: "sg-1" }, { groupId: "sg-2" }], state: { name: "on" }, empty: [{}] };
  test.each<[string, Json | undefined]>([
    ["groups[].group_id", ["sg-1", "sg-2"]],
    ["State.Name", "on"],
    ["missing | state.name", "on"],
    ["missing", undefined],
    ["empty[].group_id", undefined],
    ["state[].name", undefined],
    ["", payload],
  ])("%s", (path, value) => {
    expect(valueAtPath(payload, path)).toEqual(value);
  });
});

test.each([
  ["ipProtocol", "ip_protocol"],
  ["KMSKeyId", "kms_key_id"],
  ["IPProtocol", "ip_protocol"],
  ["plain", "plain"],
])("%s is %s in Terraform", (name, snake) => {
  expect(snakeCase(name)).toBe(snake);
});
