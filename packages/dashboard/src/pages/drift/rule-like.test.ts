import { expect, test } from "bun:test";

import { ruleLike } from "./rule-like.ts";

const value = (...path: (string | number)[]) => ({
  path,
  before: 1,
  after: 2,
  before_sensitive: false,
  after_sensitive: false,
  unknown: false,
});

test("a rule for changes like one asks for its type and its attributes, each once", () => {
  const resource_type = "aws_security_group";
  const attribute_changes = [
    value("tags", "owner"),
    value("ingress", 0, "cidr_blocks"),
    value("tags", "owner"),
  ];
  expect(ruleLike({ kind: "changed", resource_type, attribute_changes })).toEqual({
    on: "changed",
    when: 'resource.type == "aws_security_group" && paths.all(p, p in ["tags.owner","ingress.0.cidr_blocks"])',
  });
});

test("a resource as a whole is known by its type", () => {
  expect(
    ruleLike({ kind: "undeclared", resource_type: "AWS::SQS::Queue", attribute_changes: [] })?.when,
  ).toBe('resource.type == "AWS::SQS::Queue"');
});
