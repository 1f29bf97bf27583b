import { expect, test } from "bun:test";

import { isIdle } from "./idle.ts";

const changed = (type: string, actions: string[]) => ({ address: `${type}.a`, type, change: { actions } });

test.each([
  ["is unchanged", changed("aws_instance", ["no-op"]), true],
  ["is only read", changed("aws_ami", ["read"]), true],
  ["changes", changed("aws_instance", ["update"]), false],
  ["is replaced", changed("aws_instance", ["delete", "create"]), false],
  ["declares a setting of another resource", changed("aws_security_group_rule", ["no-op"]), false],
  ["has an unknown format", { change: { actions: "no-op" } }, false],
])("values of a resource that %s are left out: %p", (_, resource, idle) => {
  expect(isIdle(resource)).toBe(idle);
});
