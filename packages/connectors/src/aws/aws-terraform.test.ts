import { expect, test } from "bun:test";

import { roleAsTerraform } from "./aws-terraform.ts";

test("variables of policies aren't templates in the role as Terraform, and all policies are in it", () => {
  const policy = { Statement: [{ Resource: "arn:aws:s3:::${aws:username}/%{x}" }] };
  const code = roleAsTerraform({ trust: { Version: "2012-10-17" }, policy, readers: ["SecurityAudit"] });
  expect(code).toContain('"arn:aws:s3:::$${aws:username}/%%{x}"');
  expect(code).toContain('for_each = toset([\n    "SecurityAudit"\n  ])');
  expect(code.match(/\$\{(?!aws)/g)).toEqual(["${"]); // each.value
  const trust = /assume_role_policy = jsonencode\((.*?)\)\n\}/s.exec(code)?.[1] ?? "";
  expect(JSON.parse(trust)).toEqual({ Version: "2012-10-17" });
});
