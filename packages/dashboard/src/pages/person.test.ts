import { expect, test } from "bun:test";

import { personName } from "./person.ts";

test.each([
  ["arn:aws:sts::123456789012:assumed-role/AWSReservedSSO_Administrators_0123/grace.hopper", "grace.hopper"],
  ["arn:aws:iam::123456789012:user/ops/linus", "linus"],
  ["arn:aws:iam::123456789012:root", "root"],
  ["ada@example.com", "ada@example.com"],
])("%s is shown as %s", (principal, name) => expect(personName(principal)).toBe(name));
