import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import type { MatchedResource } from "./compare-resource.ts";
import { driftOf } from "./drift-of.ts";

const group = (port: number, cidr: string, address = "aws_security_group.web"): MatchedResource => ({
  type: "aws_security_group",
  address,
  declared: { ingress: [], egress: [] },
  live: {
    properties: { ipPermissions: [{ ipProtocol: "tcp", fromPort: port, toPort: port, ipRanges: [cidr] }] },
  },
});

const service = (desired: number, properties: JsonObject = {}): MatchedResource => ({
  type: "aws_ecs_service",
  address: "aws_ecs_service.web",
  declared: { desired_count: 2, enable_execute_command: false },
  live: { properties: { DesiredCount: desired, ...properties } },
});

const judge = (resource: MatchedResource) => driftOf(resource, { profile: "standard" }).drift;

describe("a change outside code", () => {
  test("that opens SSH to the internet is reported with its rule, path and level", () => {
    const drift = judge(group(22, "0.0.0.0/0"));
    expect(drift?.risk_flags.find(({ rule }) => rule === "R09")?.evidence).toEqual([
      ["ingress", 0, "cidr_blocks"],
    ]);
    expect(drift?.risk_level).toBe("critical");
  });

  test("isn't reported without a difference or for an unknown type", () => {
    expect(driftOf(service(2), { profile: "standard" })).toMatchObject({ checked: true });
    expect(judge(service(2))).toBeUndefined();
    expect(driftOf({ ...service(3), type: "acme_service" }, { profile: "standard" })).toEqual({
      checked: false,
    });
  });

  test("keeps its fingerprint and changes its hash when the value changes again", () => {
    const [one, other] = [judge(group(22, "0.0.0.0/0")), judge(group(3389, "0.0.0.0/0"))];
    expect(one?.fingerprint).toBe(other?.fingerprint ?? "");
    expect(one?.values_hash).not.toBe(other?.values_hash);
    expect(judge(group(22, "0.0.0.0/0"))).toEqual(one);
    expect(judge(group(22, "0.0.0.0/0", "aws_security_group.db"))?.fingerprint).not.toBe(one?.fingerprint);
  });

  test("by an autoscaler is noise without risk and doesn't affect other changes", () => {
    const scaled = judge(service(5));
    expect([scaled?.noise?.class, scaled?.risk_level]).toEqual(["autoscaler_owned", "none"]);
    const exec = { EnableExecuteCommand: true };
    expect(judge(service(5, exec))).not.toHaveProperty("noise");
    expect(judge(service(5, exec))?.fingerprint).toBe(judge(service(2, exec))?.fingerprint ?? "");
    expect(judge(service(5, exec))?.values_hash).toBe(judge(service(7, exec))?.values_hash);
  });
});
