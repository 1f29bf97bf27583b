import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { compareResource } from "../compare-resource.ts";
import { isThere, partIn } from "../parts.ts";

/** As the provider has it of a record that is nothing special. */
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

/** What differs in a record of a zone. */
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

describe("a record", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["with its values in another order", PLAIN, SET],
    ["whose name is written in capitals", { ...PLAIN, fqdn: "WWW.example.com" }, SET],
    ["that is an alias of a balancer, as an older provider wrote it", alias(), ALIAS],
    ["that is an alias, in the state as Route 53 has it", alias({ name: `dualstack.${BALANCER}.` }), ALIAS],
    [
      "of texts in quotation marks",
      { ...PLAIN, type: "TXT", records: ["v=spf1 -all", 'a""b'] },
      { ...SET, Type: "TXT", ResourceRecords: [{ Value: '"v=spf1 -all"' }, { Value: '"a""b"' }] },
    ],
    [
      "with a weight",
      { ...PLAIN, set_identifier: "Blue", weighted_routing_policy: [{ weight: 90 }] },
      { ...SET, SetIdentifier: "Blue", Weight: 90 },
    ],
  ])("%s is as it is declared", (_, declared, set) => {
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
    ["another time to live", PLAIN, { ...SET, TTL: 60 }, { ttl: [300, 60] }],
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
  ])("that got %s by hand differs in that alone", (_, declared, set, changes) => {
    expect(differing(declared, set)).toEqual(changes);
  });

  test("that was made an alias by hand has the alias, and no values", () => {
    const changes = differing(PLAIN, ALIAS);
    expect(Object.keys(changes).toSorted()).toEqual(["alias.0", "records", "ttl"]);
  });

  test.each<[string, JsonObject]>([
    ["of another type", { ...PLAIN, type: "AAAA" }],
    ["of another name", { ...PLAIN, fqdn: "ww.example.com" }],
    ["of another set", { ...PLAIN, set_identifier: "blue" }],
  ])("%s isn't the one that is there", (_, declared) => {
    expect(isThere(zone(SET), record(declared))).toBe(false);
  });

  test.each([PLAIN, alias()])("isn't compared with a zone whose records nobody has read: %j", (declared) => {
    const live = { properties: partIn({ Id: "Z1" }, record(declared)) };
    const compared = compareResource({ type: "aws_route53_record", address: "x", declared, live });
    expect(compared).toEqual({ checked: false, changes: [], noise: [] });
  });

  test("isn't known to have gone from a zone whose records nobody has read", () => {
    expect(isThere({ Id: "Z1" }, record(PLAIN))).toBeUndefined();
  });
});
