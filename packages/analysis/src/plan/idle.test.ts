import { expect, test } from "bun:test";

import { isIdle } from "./idle.ts";

const changed = (type: string, actions: string[]) => ({ address: `${type}.a`, type, change: { actions } });

test.each([
  ["stays as it is", changed("aws_instance", ["no-op"]), true],
  ["is only read", changed("aws_ami", ["read"]), true],
  ["changes", changed("aws_instance", ["update"]), false],
  ["is replaced", changed("aws_instance", ["delete", "create"]), false],
  ["speaks for others by what it is", changed("aws_security_group_rule", ["no-op"]), false],
  ["is of no known form", { change: { actions: "no-op" } }, false],
])("the values of what %s are left out: %p", (_, resource, idle) => {
  expect(isIdle(resource)).toBe(idle);
});
