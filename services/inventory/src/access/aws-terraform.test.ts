import { parseHcl } from "@leeway/analysis/fix/hcl/parse-hcl";
import { expect, test } from "bun:test";

import { roleAsTerraform } from "./aws-terraform.ts";

test("the role as Terraform is well-formed, and variables of policies stay as they are", async () => {
  const policy = { Statement: [{ Resource: "arn:aws:s3:::${aws:username}/*" }] };
  const code = roleAsTerraform({ trust: { Version: "2012-10-17" }, policy, readers: ["SecurityAudit"] });
  const parsed = await parseHcl(code);
  expect(parsed?.root.hasError).toBe(false);
  expect(code).toContain('"arn:aws:s3:::$${aws:username}/*"');
  expect(code).toContain('"arn:aws:iam::aws:policy/${each.value}"');
});
