import { describe, expect, test } from "bun:test";

import { argumentsOf, EXCERPTS, resourceOf } from "./excerpts.fixture.ts";
import { joined } from "./join.ts";
import type { Argument } from "./schema.ts";

/** Lowest share of settable attributes that must get a counterpart, by cloud. */
const LEAST: Readonly<Record<string, number>> = { aws: 0.95, azure: 1, gcp: 1 };

function pathsIn(args: readonly Argument[], within = ""): string[] {
  return args.flatMap(({ name, inner }) => [`${within}${name}`, ...pathsIn(inner, `${within}${name}.`)]);
}

function pairs(type: string, args: string, members: string): Record<string, string> {
  return Object.fromEntries(
    joined(type, argumentsOf(args), resourceOf(members)).map(({ attribute, live, kind }) => [
      attribute,
      `${live} ${kind}`,
    ]),
  );
}

describe("attributes with a counterpart get one", () => {
  test.each(Object.entries(EXCERPTS))("in the excerpts of %s", async (cloud, excerpts) => {
    const wanted = excerpts.flatMap(({ type, args }) =>
      pathsIn(argumentsOf(args)).map((path) => `${type}.${path}`),
    );
    const found = excerpts.flatMap(({ type, args, members }) =>
      Object.keys(pairs(type, args, members)).map((path) => `${type}.${path}`),
    );
    const missed = wanted.filter(
      (path) => !found.includes(path) && !found.some((one) => one.startsWith(`${path}.`)),
    );
    const share = 1 - missed.length / wanted.length;
    await Bun.write(
      Bun.stdout,
      `${cloud}: ${(100 * share).toFixed(0)} % of ${wanted.length} attributes paired\n`,
    );
    expect({ cloud, missed, isEnough: share >= (LEAST[cloud] ?? 1) }).toMatchObject({ isEnough: true });
  });
});

test("kinds, notation and blocks are recognized", () => {
  const [queue, balancer] = EXCERPTS["aws"] ?? [];
  expect(pairs("aws_sqs_queue", queue?.args ?? "", queue?.members ?? "")).toEqual({
    fifo_queue: "FifoQueue switch",
    kms_master_key_id: "KmsMasterKeyId text",
    redrive_allow_policy: "RedriveAllowPolicy json",
    visibility_timeout_seconds: "VisibilityTimeout number",
  });
  expect(pairs("aws_elb", balancer?.args ?? "", balancer?.members ?? "")).toMatchObject({
    access_logs: "AccessLoggingPolicy block",
    "access_logs.bucket": "S3BucketName text",
    idle_timeout: "ConnectionSettings.IdleTimeout number",
    listener: "Listeners blocks",
    "listener.lb_port": "LoadBalancerPort number",
  });
});

describe("a wrong pair isn't made", () => {
  test.each([
    ["of two kinds", "retention number", "Retention json"],
    [
      "of blocks that are alike inside, but not by name",
      "endpoint [] { uri text group text encoding text }",
      "Routing { Containers [] { Uri text Group text Encoding text } }",
    ],
    ["of two units", "timeout_in_minutes number", "TimeoutInSeconds number"],
    [
      "of an attribute that two members resemble",
      "role text",
      "ReadRole { Role text } WriteRole { Role text }",
    ],
    ["of blocks with nothing in common", "rules [] { port number }", "Rules [] { Name text }"],
    [
      "of a block and what encrypts something else",
      "logs { enabled switch }",
      "Encryption { Services { Enabled switch } }",
    ],
  ])("%s", (_fact, args, members) => {
    expect(pairs("aws_made_up", args, members)).toEqual({});
  });
});

test("a document is paired with the member that holds it, not with the object around it", () => {
  const found = pairs("aws_made_up", "trust_policy text", "TrustPolicy { RoleName text TrustPolicy json }");
  expect(found).toEqual({ trust_policy: "TrustPolicy.TrustPolicy json" });
});

test("a switch and its negation are opposite", () => {
  expect(pairs("azurerm_made_up", "local_auth_enabled switch", "disableLocalAuth switch")).toEqual({
    local_auth_enabled: "disableLocalAuth opposite",
  });
});
