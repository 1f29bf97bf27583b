import { describe, expect, test } from "bun:test";

import type { Json } from "@leeway/shared/json";

import { valueAtPath } from "./live-path.ts";
import type { Shape } from "./mapping.ts";
import { googleValue } from "./google-values.ts";
import { mirrored, nested } from "./mirrored.ts";
import { snakeCase } from "./names.ts";
import { anyCase, document, isWord, redrivePolicy, reference, references, switched } from "./shapes.ts";

const ROLE = "arn:aws:iam::123456789012:role/app";
const POLICY = '{"Version":"2012-10-17","Statement":[]}';

type Case = [fact: string, shape: Shape, live: Json, declared: Json, shaped: Json | undefined];

describe("a live value becomes its attribute's", () => {
  test.each<Case>([
    ["a number as text", mirrored, 3, "3", "3"],
    ["text as a number", mirrored, "3", 1, 3],
    ["text as a switch", mirrored, "True", false, true],
    ["a word that is no number stays", mirrored, "3px", 1, "3px"],
    ["a list in the state's order", mirrored, ["c", "b", "a"], ["a", "b"], ["a", "b", "c"]],
    [
      "a block as a list of one",
      mirrored,
      { httpTokens: "required", extra: 1 },
      [{ http_tokens: "optional" }],
      [{ http_tokens: "required" }],
    ],
    [
      "blocks at the places of their names",
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
      "null in the place of a block that is gone",
      mirrored,
      [{ name: "b" }],
      [{ name: "a" }, { name: "b" }],
      [null, { name: "b" }],
    ],
    ["a map with keys that come", mirrored, { a: 1, b: 2 }, { a: "1" }, { a: "1", b: "2" }],
    [
      "an object in a nested attribute",
      nested,
      { Enabled: false, More: 1 },
      { enabled: true },
      { enabled: false },
    ],
    ["none of a block where one was", mirrored, null, [{ a: 1 }], []],
    ["nothing where a block is no block", mirrored, "text", [{ a: 1 }], undefined],
    ["a word for on", switched, "Enabled", false, true],
    ["a word for off", switched, "DISABLED", true, false],
    ["no switch of another word", switched, "perhaps", true, undefined],
    ["whether it is the word", isWord("internal"), "internet-facing", true, false],
    ["an ARN as the name at its end", reference, ROLE, "app", "app"],
    ["a name as the ARN that ends with it", reference, "app", ROLE, ROLE],
    [
      "another name stays another",
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
    ["a document that is parsed", document, { Statement: [], Version: "2012-10-17" }, POLICY, POLICY],
    ["a document encoded as in an address", document, encodeURIComponent(POLICY), POLICY, POLICY],
    ["another document as text", document, { Version: "1" }, POLICY, '{"Version":"1"}'],
    [
      "a redrive policy whose number is text",
      redrivePolicy,
      { maxReceiveCount: 4 },
      '{"maxReceiveCount":"4"}',
      '{"maxReceiveCount":"4"}',
    ],
    [
      "another redrive policy",
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
    ["nothing where the list holds no blocks", mirrored, { quantity: 0 }, [], undefined],
    ["nothing of text that is no document", document, "%zz", POLICY, undefined],
    ["an enumeration in any case", anyCase, "STANDARD", "Standard", "Standard"],
    [
      "a URL as a path of the same thing",
      googleValue,
      "https://www.googleapis.com/compute/v1/projects/p/global/networks/n",
      "projects/p/global/networks/n",
      "projects/p/global/networks/n",
    ],
    [
      "another host's address stays another",
      googleValue,
      "https://other.example.com/v1/push",
      "https://example.com/v1/push",
      "https://other.example.com/v1/push",
    ],
    ["a path as the name of the thing", googleValue, "projects/p/global/networks/n", "n", "n"],
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
