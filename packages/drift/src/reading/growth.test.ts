import { expect, test } from "bun:test";

import { cloudOfType } from "@leeway/clouds/clouds";
import { readState } from "@leeway/clouds/states/read-state";
import { growthOf, many, STEEPEST, wide } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { comparableAttributes } from "../comparable-attributes.ts";
import { declaredLines } from "./declared-line.ts";

/** Reads a state through every step before the database. */
async function readWhole(json: string): Promise<void> {
  const body = new Blob([json]).stream();
  await readState(body, {
    take(resource) {
      const cloud = cloudOfType(resource.type);
      declaredLines(resource, cloud, comparableAttributes(resource, cloud));
    },
    drain: () => Promise.resolve(),
  });
}

const QUEUE = { mode: "managed", type: "aws_sqs_queue", name: "x" };

function terraform(instances: object[], type = QUEUE.type): object {
  return { version: 4, serial: 1, lineage: "x", resources: [{ ...QUEUE, type, instances }] };
}

function shown(resources: object[]): object {
  return { format_version: "1.0", values: { root_module: { resources } } };
}

function pulumi(resources: object[]): object {
  const custom = { custom: true, type: "aws:sqs/queue:Queue", id: "q" };
  const all = resources.map((one, n) => ({
    ...custom,
    urn: `urn:pulumi:a::b::aws:sqs/queue:Queue::q${n}`,
    ...one,
  }));
  return { version: 3, deployment: { resources: all } };
}

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const step = (type: string, value: unknown): object => ({ type, value });

/** States of a given size, each of which stresses one part of the reader. */
const FAMILIES: Record<string, (size: number) => object> = {
  "many instances": (size) =>
    terraform(many(size / 50, (n) => ({ index_key: n, attributes: { id: `q${n}` } }))),
  "many attributes": (size) => terraform([{ attributes: wide(size / 20, "k", String) }]),
  "many sensitive attributes": (size) =>
    terraform([
      {
        attributes: wide(size / 80, "k", String),
        sensitive_attributes: many(size / 80, (n) => [step("get_attr", `k${n}`)]),
      },
    ]),
  "many sensitive items": (size) =>
    terraform([
      {
        attributes: { xs: many(size / 100, String) },
        sensitive_attributes: many(size / 100, (n) => [
          step("get_attr", "xs"),
          step("index", { value: n, type: "number" }),
        ]),
      },
    ]),
  "one attribute that is sensitive many times": (size) =>
    terraform([
      {
        attributes: { xs: many(size / 60, String) },
        sensitive_attributes: many(size / 60, () => [step("get_attr", "xs")]),
      },
    ]),
  "many rules of a group": (size) =>
    terraform(
      [
        {
          attributes: {
            id: "sg",
            ingress: many(size / 80, (n) => ({
              from_port: n,
              to_port: n,
              protocol: "tcp",
              cidr_blocks: ["10.0.0.0/8"],
            })),
          },
        },
      ],
      "aws_security_group",
    ),
  "many inline policies": (size) =>
    terraform(
      [
        {
          attributes: {
            id: "r",
            name: "r",
            inline_policy: many(size / 40, (n) => ({ name: `p${n}`, policy: "{}" })),
          },
        },
      ],
      "aws_iam_role",
    ),
  "many sensitive values of `show`": (size) =>
    shown([
      {
        ...QUEUE,
        address: "aws_sqs_queue.x",
        values: wide(size / 30, "k", Number),
        sensitive_values: wide(size / 30, "k", () => true),
      },
    ]),
  "many resources of `show`": (size) =>
    shown(many(size / 120, (n) => ({ ...QUEUE, address: `aws_sqs_queue.x${n}`, values: { id: `q${n}` } }))),
  "many resources of Pulumi": (size) => pulumi(many(size / 120, () => ({ outputs: { arn: "x" } }))),
  "many secrets of Pulumi": (size) => pulumi([{ outputs: { xs: many(size / 80, () => SECRET) } }]),
  "many outputs of Pulumi": (size) =>
    pulumi([{ inputs: wide(size / 40, "k", Number), outputs: wide(size / 40, "k", Number) }]),
  ...Object.fromEntries(
    Object.entries(ONCE_QUADRATIC).map(([name, text]): [string, (size: number) => object] => [
      `an attribute that is ${name}`,
      (size) => terraform([{ attributes: { id: "x", policy: text(size) } }]),
    ]),
  ),
};

test.each(Object.entries(FAMILIES))(
  "reading a state takes time in proportion to its size, for %s",
  async (_, family) => {
    const make = (size: number): string => JSON.stringify(family(size));
    expect(await growthOf({ make, work: readWhole, size: 60_000 })).toBeLessThan(STEEPEST);
  },
);
