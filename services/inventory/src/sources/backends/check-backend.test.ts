import { expect, test } from "bun:test";

import { createEgress } from "@leeway/shared/egress/egress";

import { checkBackend } from "./check-backend.ts";

const egress = createEgress({ allow: [], resolve: () => Promise.reject(new Error("ENOTFOUND")) });

test("a host that there isn't is told as what is wrong with the field that names it", async () => {
  const address = "https://states.example.invalid/network";
  await expect(checkBackend(egress, { type: "http", address }, undefined)).rejects.toMatchObject({
    code: "invalid_parameter",
    message: "backend.address names a host that can't be resolved",
  });
  const remote = {
    type: "remote",
    hostname: "tfe.example.invalid",
    organization: "a",
    workspace: "b",
  } as const;
  await expect(checkBackend(egress, remote, undefined)).rejects.toMatchObject({
    message: "backend.hostname names a host that can't be resolved",
  });
});
