import { expect, test } from "bun:test";

import { createEgress } from "@leeway/shared/security/egress/egress";

import { checkBackend } from "./check-backend.ts";

const egress = createEgress({ allow: [], resolve: () => Promise.reject(new Error("ENOTFOUND")) });

test("an error for an unknown host names the field with the host", async () => {
  const address = "https://states.example.invalid/network";
  await expect(checkBackend(egress, { type: "http", address }, undefined)).rejects.toMatchObject({
    code: "invalid_parameter",
    message: "backend.address has a host name that can't be resolved",
  });
  const remote = {
    type: "remote",
    hostname: "tfe.example.invalid",
    organization: "a",
    workspace: "b",
  } as const;
  await expect(checkBackend(egress, remote, undefined)).rejects.toMatchObject({
    message: "backend.hostname has a host name that can't be resolved",
  });
});
