import { expect, test } from "bun:test";

import { withoutIdleValues } from "./idle.ts";

const changed = (type: string, actions: string[], more = {}) => ({
  address: `${type}.a`,
  type,
  change: { actions, before: { a: 1 }, after: { a: 1 }, after_sensitive: {}, ...more },
});

test("what stays as it is keeps its name and loses its values", () => {
  const plan = { format_version: "1.2", resource_changes: [changed("aws_instance", ["no-op"])] };
  expect(withoutIdleValues(plan)).toEqual({
    format_version: "1.2",
    resource_changes: [{ address: "aws_instance.a", type: "aws_instance", change: { actions: ["no-op"] } }],
  });
});

test("an import is still one", () => {
  const plan = { resource_changes: [changed("aws_instance", ["no-op"], { importing: { id: "i-1" } })] };
  expect(withoutIdleValues(plan)).toMatchObject({
    resource_changes: [{ change: { actions: ["no-op"], importing: { id: "i-1" } } }],
  });
});

test.each([
  ["changes", changed("aws_instance", ["update"])],
  ["speaks for others by what it is", changed("aws_security_group_rule", ["no-op"])],
  ["is of no known form", { change: { actions: "no-op" } }],
])("what %s stays as it is", (_, resource) => {
  const plan = { resource_changes: [resource] };
  expect(withoutIdleValues(plan)).toEqual(plan);
});

test("a plan without changes stays as it is", () => {
  expect(withoutIdleValues({ format_version: "1.2" })).toEqual({ format_version: "1.2" });
});
