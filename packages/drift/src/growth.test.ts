import { expect, test } from "bun:test";

import { growthOf, many, STEEPEST, wide } from "@leeway/shared/testing/growth.fixture";
import type { JsonObject } from "@leeway/shared/values/json";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import type { MatchedResource } from "./compare-resource.ts";
import { driftOf } from "./drift-of.ts";

type Compared = Omit<MatchedResource, "address">;

/** Returns a resource of a provider that mirrors its cloud's API. */
function mirrored(declared: JsonObject, properties: JsonObject): Compared {
  return { type: "awscc_x_y", declared, live: { properties } };
}

const range = (index: number): string => `10.${index >> 8}.${index & 255}.0/24`;

/** Resources of a given size, each of which stresses one part of the comparison. */
const FAMILIES: Record<string, (size: number) => Compared> = {
  "many attributes": (size) =>
    mirrored(
      wide(size / 20, "k_", String),
      wide(size / 20, "K", (n) => `x${n}`),
    ),
  "many attributes missing in the cloud": (size) =>
    mirrored(wide(size / 20, "a_", String), wide(size / 20, "B", String)),
  "many attributes with Terraform's names": (size) => ({
    type: "aws_x",
    declared: wide(size / 20, "k", String),
    live: { attributes: wide(size / 20, "k", (n) => `x${n}`) },
  }),
  "a long list": (size) => mirrored({ xs: many(size / 10, String) }, { Xs: many(size / 10, (n) => `x${n}`) }),
  "a long list of blocks": (size) =>
    mirrored({ xs: many(size / 20, (a) => ({ a })) }, { Xs: many(size / 20, (n) => ({ A: n + 1_000_000 })) }),
  "a long list of blocks with names": (size) => ({
    type: "google_compute_instance",
    declared: { network_interface: many(size / 40, (n) => ({ network: `a${n}`, subnetwork: "b" })) },
    live: {
      properties: { networkInterfaces: many(size / 40, (n) => ({ network: `x${n}`, subnetwork: "b" })) },
    },
  }),
  "many networks in a rule": (size) => ({
    type: "aws_security_group",
    declared: {
      id: "sg",
      ingress: [{ from_port: 1, to_port: 1, protocol: "tcp", cidr_blocks: many(size / 40, range) }],
    },
    live: {
      properties: {
        groupId: "sg",
        ipPermissions: [
          {
            fromPort: 2,
            toPort: 2,
            ipProtocol: "tcp",
            ipRanges: many(size / 40, (n) => ({ cidrIp: range(n) })),
          },
        ],
      },
    },
  }),
  "many tags": (size) => ({
    type: "aws_sqs_queue",
    declared: { tags: wide(size / 30, "k", String), tags_all: wide(size / 30, "k", String) },
    live: { properties: {}, tags: wide(size / 30, "k", (n) => `x${n}`) },
  }),
  "blocks in blocks": (size) => {
    const side = Math.sqrt(size) / 4;
    const lists = (mark: string): string[][] =>
      many(side, (one) => many(side, (other) => one + mark + other));
    return mirrored({ xs: lists("a") }, { Xs: lists("b") });
  },
  ...Object.fromEntries(
    Object.entries(ONCE_QUADRATIC).map(([name, text]): [string, (size: number) => Compared] => [
      `an attribute that is ${name}`,
      (size) => mirrored({ x: text(size) }, { X: text(size + 1) }),
    ]),
  ),
};

function work(compared: Compared): void {
  driftOf({ address: "a", ...compared }, { profile: "standard" });
}

test.each(Object.entries(FAMILIES))(
  "a comparison takes time in proportion to the resource, for %s",
  async (_, make) => {
    expect(await growthOf({ make, work, size: 60_000 })).toBeLessThan(STEEPEST);
  },
);
