import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import { isThere, partIn } from "../../parts.ts";

/** An ordinary record in the provider's state. */
const PLAIN = {
  fqdn: "www.example.com",
  type: "A",
  set_identifier: "",
  ttl: 300,
  records: ["192.0.2.1", "192.0.2.2"],
  health_check_id: "",
  multivalue_answer_routing_policy: false,
  alias: [],
  weighted_routing_policy: [],
};
const SET = {
  Name: "www.example.com",
  Type: "A",
  TTL: 300,
  ResourceRecords: [{ Value: "192.0.2.2" }, { Value: "192.0.2.1" }],
};
const BALANCER = "shop-1.eu-west-1.elb.amazonaws.com";
const ALIAS = {
  Name: "www.example.com",
  Type: "A",
  AliasTarget: {
    DNSName: `dualstack.${BALANCER}.`,
    HostedZoneId: "Z32O12XQLNTSW2",
    EvaluateTargetHealth: true,
  },
};
const alias = (more: JsonObject = {}) => ({
  ...PLAIN,
  ttl: 0,
  records: [],
  alias: [{ name: BALANCER, zone_id: "Z32O12XQLNTSW2", evaluate_target_health: true, ...more }],
});
const record = (attributes: JsonObject) => ({ type: "aws_route53_record", attributes });
const zone = (...sets: JsonObject[]) => ({ Id: "Z1", ResourceRecordSets: sets });

/** Returns the differences in a zone's record. */
function differing(declared: JsonObject, set: JsonObject) {
  const properties = partIn(zone({ Name: "example.com", Type: "NS" }, set), record(declared));
  const { changes } = compareResource({
    type: "aws_route53_record",
    address: "x",
    declared,
    live: { properties },
  });
  return Object.fromEntries(changes.map(({ path, before, after }) => [path.join("."), [before, after]]));
}

describe("a DNS record", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["with its values in another order", PLAIN, SET],
    ["with a name in capitals", { ...PLAIN, fqdn: "WWW.example.com" }, SET],
    ["that is an alias of a load balancer, as an older provider wrote it", alias(), ALIAS],
    ["that is an alias written as in Route 53", alias({ name: `dualstack.${BALANCER}.` }), ALIAS],
    [
      "with quoted texts",
      { ...PLAIN, type: "TXT", records: ["v=spf1 -all", 'a""b'] },
      { ...SET, Type: "TXT", ResourceRecords: [{ Value: '"v=spf1 -all"' }, { Value: '"a""b"' }] },
    ],
    [
      "with a weight",
      { ...PLAIN, set_identifier: "Blue", weighted_routing_policy: [{ weight: 90 }] },
      { ...SET, SetIdentifier: "Blue", Weight: 90 },
    ],
  ])("%s is unchanged", (_, declared, set) => {
    expect(differing(declared, set)).toEqual({});
    expect(isThere(zone(set), record(declared))).toBe(true);
  });

  test.each<[string, JsonObject, JsonObject, Record<string, unknown[]>]>([
    [
      "another address",
      PLAIN,
      { ...SET, ResourceRecords: [{ Value: "203.0.113.9" }] },
      {
        records: [["192.0.2.1", "192.0.2.2"], ["203.0.113.9"]],
      },
    ],
    ["another TTL", PLAIN, { ...SET, TTL: 60 }, { ttl: [300, 60] }],
    [
      "another text",
      { ...PLAIN, type: "TXT", records: ["a"] },
      {
        ...SET,
        Type: "TXT",
        ResourceRecords: [{ Value: '"b"' }],
      },
      { "records.0": ["a", "b"] },
    ],
    [
      "another target",
      alias(),
      {
        ...ALIAS,
        AliasTarget: { ...ALIAS.AliasTarget, DNSName: "other.example.net." },
      },
      { "alias.0.name": [BALANCER, "other.example.net"] },
    ],
    [
      "another weight",
      { ...PLAIN, set_identifier: "b", weighted_routing_policy: [{ weight: 90 }] },
      {
        ...SET,
        SetIdentifier: "b",
        Weight: 0,
      },
      { "weighted_routing_policy.0.weight": [90, 0] },
    ],
  ])("with %s set by hand differs only there", (_, declared, set, changes) => {
    expect(differing(declared, set)).toEqual(changes);
  });

  test("turned into an alias by hand has the alias and no values", () => {
    const changes = differing(PLAIN, ALIAS);
    expect(Object.keys(changes).toSorted()).toEqual(["alias.0", "records", "ttl"]);
  });

  test.each<[string, JsonObject]>([
    ["with another type", { ...PLAIN, type: "AAAA" }],
    ["with another name", { ...PLAIN, fqdn: "ww.example.com" }],
    ["with another set identifier", { ...PLAIN, set_identifier: "blue" }],
  ])("%s isn't the live record", (_, declared) => {
    expect(isThere(zone(SET), record(declared))).toBe(false);
  });

  test.each([PLAIN, alias()])("isn't compared when its zone's records weren't read: %j", (declared) => {
    const live = { properties: partIn({ Id: "Z1" }, record(declared)) };
    const compared = compareResource({ type: "aws_route53_record", address: "x", declared, live });
    expect(compared).toEqual({ checked: false, changes: [], noise: [] });
  });

  test("isn't missing when its zone's records weren't read", () => {
    expect(isThere({ Id: "Z1" }, record(PLAIN))).toBeUndefined();
  });
});
