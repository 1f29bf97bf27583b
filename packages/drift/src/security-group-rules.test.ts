import { describe, expect, test } from "bun:test";

import type { Json } from "@leeway/shared/values/json";

import { securityGroupRules } from "./security-group-rules.ts";

const RULE = { cidr_blocks: ["10.0.0.0/8"], from_port: 443, to_port: 443, protocol: "tcp", self: false };
const LIVE_RULE = { IpProtocol: "tcp", FromPort: 443, ToPort: 443, CidrIp: "10.0.0.0/8" };
const MORE = { ...RULE, cidr_blocks: ["10.0.0.0/8", "10.1.0.0/16"] };
const SELF = { ...MORE, self: true };

const shaped = (live: Json, declared: Json) =>
  securityGroupRules("ingress")(live, declared, { declared: { id: "sg-1" }, live: {}, parts: [] });

describe("the rules of a security group", () => {
  test.each<[fact: string, live: Json, declared: Json, shaped: Json]>([
    [
      "are unchanged when EC2 groups them differently",
      [LIVE_RULE, { ...LIVE_RULE, CidrIp: "10.1.0.0/16" }],
      [MORE],
      [MORE],
    ],
    ["lose a source that was removed", [LIVE_RULE], [MORE], [RULE]],
    ["lose the group itself when it was removed", [LIVE_RULE], [SELF], [RULE]],
    ["are removed when all their sources are", [], [RULE], [null]],
  ])("%s", (_, live, declared, rules) => {
    expect(shaped(live, declared)).toEqual(rules);
  });
});
