import { describe, expect, test } from "bun:test";

import { text, type JsonObject } from "@leeway/shared/values/json";
import { failureOf } from "@leeway/shared/testing/testing";
import { isDeepStrictEqual } from "node:util";

import type { Connector } from "../connector.ts";
import { account, connect, denial, never, on } from "./account.fixture.ts";
import { type Answer, type Call, serveAws } from "./aws.fixture.ts";

const ZONE = { Id: "Z1", Name: "example.com.", HostedZoneConfig: { Comment: "ours" } };
const set = (Name: string, more: JsonObject = {}): JsonObject => ({
  Name: `${Name}.`,
  Type: "A",
  TTL: 300,
  ResourceRecords: [{ Value: "192.0.2.1" }],
  ...more,
});
const BLUE = set("www.example.com", { SetIdentifier: "<blue>", Weight: 90 });
const names = (one: JsonObject) => ["Name", "Type", "SetIdentifier"].map((key) => text(one, key));

/** Serves a zone with these records, two per page. */
const zone =
  (sets: JsonObject[], size = 2) =>
  ({ action, input }: Call): Answer | undefined => {
    if (action === "cloudformation:GetResource")
      return { body: { ResourceDescription: { Properties: JSON.stringify(ZONE) } } };
    if (action !== "route53:ListResourceRecordSets") return undefined;
    const start = ["name", "type", "identifier"].map((key) => text(input, key));
    const from = Math.max(
      0,
      sets.findIndex((one) => isDeepStrictEqual(names(one), start)),
    );
    const next = sets[from + size];
    const [NextRecordName = "", NextRecordType = "", NextRecordIdentifier] = next ? names(next) : [];
    return {
      body: {
        ResourceRecordSets: sets.slice(from, from + size),
        IsTruncated: next !== undefined,
        ...(next && {
          NextRecordName,
          NextRecordType,
          ...(NextRecordIdentifier && { NextRecordIdentifier }),
        }),
        MaxItems: size,
      },
    };
  };
const enrichZone = (connector: Connector) =>
  connector.enrich?.(
    { providerId: "arn:aws:route53:::hostedzone/Z1", type: "AWS::Route53::HostedZone" },
    never,
  );

describe("an enriched hosted zone", () => {
  test("has its records from all pages, with readable names", async () => {
    const sets = [
      set("example.com"),
      set("\\052.example.com"),
      BLUE,
      set("www.example.com", { SetIdentifier: "green" }),
      set("x.example.com"),
    ];
    await using cloud = serveAws(account(zone(sets)));
    const found = await enrichZone(connect(cloud.endpoint));
    expect(found).toMatchObject({
      outcome: "enriched",
      properties: {
        ...ZONE,
        ResourceRecordSets: [
          { Name: "example.com", Type: "A", TTL: 300, ResourceRecords: [{ Value: "192.0.2.1" }] },
          { Name: "*.example.com" },
          { Name: "www.example.com", SetIdentifier: "<blue>", Weight: 90 },
          { Name: "www.example.com", SetIdentifier: "green" },
          { Name: "x.example.com" },
        ],
      },
    });
    const asked = cloud.calls.filter(({ action }) => action === "route53:ListResourceRecordSets");
    expect(asked.map(({ region }) => region)).toEqual(["us-east-1", "us-east-1", "us-east-1"]);
  });

  test("has no records when it has more than the limit", async () => {
    const sets = Array.from({ length: 10_001 }, (_, at) => set(`r${at}.example.com`));
    await using cloud = serveAws(account(zone(sets, 10_001)));
    expect(await enrichZone(connect(cloud.endpoint))).toEqual({ outcome: "enriched", properties: ZONE });
  });

  test("has no record list when the response contains none", async () => {
    await using cloud = serveAws(account(zone([])));
    expect(await enrichZone(connect(cloud.endpoint))).toEqual({ outcome: "enriched", properties: ZONE });
  });

  test("fails with the missing permission when its records are denied", async () => {
    const refusal: Answer = {
      ...denial("route53:ListResourceRecordSets"),
      status: 403,
      code: "AccessDenied",
    };
    await using cloud = serveAws(
      account((call) => on("route53:ListResourceRecordSets", refusal)(call) ?? zone([])(call)),
    );
    expect(await enrichZone(connect(cloud.endpoint))).toMatchObject({
      outcome: "failed",
      reason: "permission_denied",
      message: "route53:ListResourceRecordSets isn't allowed in us-east-1",
    });
  });

  test.each<[string, Answer, string]>([
    ["hangs", "silence", "timeout"],
    ["fails", { status: 500, code: "InternalFailure" }, "internal"],
    ["is throttled", { status: 400, code: "Throttling" }, "throttled"],
    ["breaks off", { status: 200, nonsense: "<ListResourceRecordSetsResponse><ResourceRec" }, "internal"],
  ])("whose request %s fails the connector, not the zone", async (_, answer, code) => {
    await using cloud = serveAws(
      account((call) => on("route53:ListResourceRecordSets", answer)(call) ?? zone([])(call)),
    );
    const connector = connect(cloud.endpoint, { timeoutMs: 500 });
    const asked = connector.enrich?.({ providerId: "Z1", type: "AWS::Route53::HostedZone" }, never, 1);
    expect(await failureOf(asked ?? Promise.resolve())).toMatchObject({ failure: { code } });
  });
});
