import { describe, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { expectNone, expectOnly, GET, json, policy, type Case } from "./same.fixture.ts";

const PUT = { Effect: "Deny", Action: ["s3:PutObject", "s3:DeleteObject"], Resource: "*" };

const withPassword = (layout: number): JsonObject => ({
  definition: JSON.stringify({ db_password: "hunter2hunter2" }, null, layout),
});

describe("json_policy_normalization", () => {
  test.each<Case>([
    [
      "layout",
      "aws_iam_policy",
      { policy: json({ Statement: [GET] }) },
      { policy: `{ "Statement": [\n${json(GET)}] }` },
    ],
    [
      "order of members",
      "aws_iam_policy",
      policy(GET),
      policy({ Resource: "*", Action: "s3:GetObject", Effect: "Allow" }),
    ],
    ["order of statements", "aws_iam_policy", policy([GET, PUT]), policy([PUT, GET])],
    ["a single statement", "aws_iam_policy", policy(GET), policy([GET])],
    [
      "order of actions",
      "aws_iam_policy",
      policy(PUT),
      policy({ ...PUT, Action: ["s3:DeleteObject", "s3:PutObject"] }),
    ],
    [
      "a single action in a list",
      "aws_iam_policy",
      policy(GET),
      policy({ ...GET, Action: ["s3:GetObject"] }),
    ],
    ["an empty Sid", "aws_iam_policy", policy(GET), policy({ ...GET, Sid: "" })],
    ["the default version", "aws_iam_policy", policy(GET, {}), policy(GET, { Version: "2008-10-17" })],
    [
      "an account and its root",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: { AWS: "210987654321" } }),
      policy({ ...GET, Principal: { AWS: ["arn:aws:iam::210987654321:root"] } }),
    ],
    [
      "everyone",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: "*" }),
      policy({ ...GET, Principal: { AWS: "*" } }),
    ],
    [
      "a boolean in a condition as text",
      "aws_sqs_queue_policy",
      policy({ ...GET, Condition: { Bool: { "aws:SecureTransport": true } } }),
      policy({ ...GET, Condition: { Bool: { "aws:SecureTransport": ["true"] } } }),
    ],
    [
      "reordered containers and variables with explicit defaults",
      "aws_ecs_task_definition",
      {
        container_definitions: json([
          {
            name: "a",
            image: "a",
            environment: [
              { name: "X", value: "1" },
              { name: "Y", value: "2" },
            ],
          },
          { name: "b", image: "b", portMappings: [{ containerPort: 80 }] },
        ]),
      },
      {
        container_definitions: json([
          {
            name: "b",
            image: "b",
            cpu: 0,
            essential: true,
            portMappings: [{ containerPort: 80, hostPort: 0, protocol: "tcp" }],
          },
          {
            name: "a",
            image: "a",
            mountPoints: [],
            environment: [
              { name: "Y", value: "2" },
              { name: "X", value: "1" },
            ],
          },
        ]),
      },
    ],
    [
      "the mode of a column",
      "google_bigquery_table",
      { schema: json([{ name: "a", type: "RECORD", fields: [{ name: "b", type: "STRING" }] }]) },
      {
        schema: json([
          {
            name: "a",
            mode: "NULLABLE",
            type: "RECORD",
            fields: [{ name: "b", mode: "NULLABLE", type: "STRING" }],
          },
        ]),
      },
    ],
    [
      "members of a binding",
      "google_project_iam_policy",
      { policy_data: json({ bindings: [{ role: "roles/viewer", members: ["user:a@b.c", "user:d@e.f"] }] }) },
      { policy_data: json({ bindings: [{ members: ["user:d@e.f", "user:a@b.c"], role: "roles/viewer" }] }) },
    ],
  ])("%s is noise", (_, type, before, after) => {
    expectOnly("json_policy_normalization 1", type, before, after);
  });

  test.each<Case>([
    [
      "an additional action",
      "aws_iam_policy",
      policy(GET),
      policy({ ...GET, Action: ["s3:GetObject", "s3:PutObject"] }),
    ],
    ["an effect", "aws_iam_policy", policy(GET), policy({ ...GET, Effect: "Deny" })],
    [
      "NotAction for Action",
      "aws_iam_policy",
      policy(GET),
      policy({ Effect: "Allow", NotAction: "s3:GetObject", Resource: "*" }),
    ],
    ["a statement's new Sid", "aws_iam_policy", policy(GET), policy({ ...GET, Sid: "Read" })],
    ["another policy version", "aws_iam_policy", policy(GET, {}), policy(GET)],
    [
      "another account",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: { AWS: "210987654321" } }),
      policy({ ...GET, Principal: { AWS: "arn:aws:iam::210987654322:root" } }),
    ],
    [
      "everyone instead of an account",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: { AWS: "210987654321" } }),
      policy({ ...GET, Principal: "*" }),
    ],
    [
      "the order of a list in a state machine",
      "aws_sfn_state_machine",
      { definition: json({ a: [1, 2] }) },
      { definition: json({ a: [2, 1] }) },
    ],
    [
      "a number that is equal only after rounding",
      "aws_x",
      { definition: '{"a":12345678901234567890}' },
      { definition: '{"a":12345678901234567891}' },
    ],
    ["a duplicate member", "aws_x", { definition: '{"a":1,"a":2}' }, { definition: '{"a":2}' }],
    ["the bytes of a file", "aws_s3_object", { content: '{"a":1}' }, { content: '{"a": 1}' }],
    [
      "a duplicate variable",
      "aws_ecs_task_definition",
      {
        container_definitions: json([
          {
            name: "a",
            environment: [
              { name: "X", value: "1" },
              { name: "X", value: "2" },
            ],
          },
        ]),
      },
      {
        container_definitions: json([
          {
            name: "a",
            environment: [
              { name: "X", value: "2" },
              { name: "X", value: "1" },
            ],
          },
        ]),
      },
    ],
    [
      "a container that is no longer essential",
      "aws_ecs_task_definition",
      { container_definitions: json([{ name: "a" }]) },
      { container_definitions: json([{ name: "a", essential: false }]) },
    ],
    [
      "the order of a command",
      "aws_ecs_task_definition",
      { container_definitions: json([{ name: "a", command: ["a", "b"] }]) },
      { container_definitions: json([{ name: "a", command: ["b", "a"] }]) },
    ],
  ])("%s is significant", (_, type, before, after) => {
    expectNone(type, before, after);
  });

  test("masked values in a document aren't proven equal", () => {
    expectNone("aws_x", withPassword(0), withPassword(2));
  });
});
