import { expect, test } from "bun:test";

import { sourcesOf } from "../code-hash.ts";
import { digestSeed, READING } from "./digest-seed.ts";

test("digests depend on the account, and on the code and tables that read its listings", async () => {
  const account = { provider: "aws", external_id: "123456789012" };
  expect(await digestSeed(account)).not.toBe(await digestSeed({ ...account, external_id: "210987654321" }));
  expect(await sourcesOf(READING)).toEqual(
    expect.arrayContaining([
      "packages/clouds/src/aws/keys.ts",
      "packages/shared/src/security/redaction/redact.ts",
      "packages/clouds/src/reading/listed-line.ts",
    ]),
  );
});
