import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListScans, RescanProjects } from "@leeway/shared/contracts/inventory/scans";
import { describe, expect, test } from "bun:test";

import { scansOf } from "./aws-cloud.ts";
import { scanning, setQueues } from "./scanning.ts";

const cloud = scanning();
const { start } = cloud;

describe("a scan request", () => {
  test("without an account starts one for each account with credentials", async () => {
    const { org, world, scans, account } = await start();
    const other = await scans.account(world, { external_id: "123456789013" });
    await org.account("aws", "123456789014");
    const { also_started = [], ...scan } = await scans.start({});
    expect(scan).toMatchObject({ account_id: account.id, status: "queued" });
    const { data } = await cloud.inventory.call(ListScans, { org_id: org.id, limit: 10 });
    expect(data.map(({ account_id }) => account_id).toSorted()).toEqual([account.id, other.id].toSorted());
    await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    const foreign = await scans.until(also_started[0]!, ({ finished_at }) => finished_at !== undefined);
    expect(foreign).toMatchObject({
      status: "failed",
      errors: [{ message: "the credentials belong to account 123456789012, not 123456789013" }],
    });
  });

  test("repeated with its id returns the same scan, running or finished", async () => {
    const { world, scans, account } = await start();
    const one = { account_id: account.id, scan_id: Bun.randomUUIDv7() };
    expect(await scans.start(one)).toMatchObject({ id: one.scan_id });
    expect(await scans.start(one)).toMatchObject({ id: one.scan_id });
    await scans.until(one.scan_id, ({ finished_at }) => finished_at !== undefined);
    expect(await scans.start(one)).toMatchObject({ id: one.scan_id, status: "succeeded" });
    await scans.account(world, { external_id: "123456789013" });
    const all = { scan_id: Bun.randomUUIDv7() };
    const { id, also_started } = await scans.start(all);
    expect(await scans.start(all)).toMatchObject({ id, also_started: also_started ?? [] });
  });

  test("for every account isn't stopped by unreadable credentials of one", async () => {
    const { org, world, scans, account } = await start();
    await cloud.inventory.test.admin`
      update inventory.cloud_accounts set sealed_credentials = '\\x00' where id = ${account.id}
    `;
    const other = await scans.account(world, { external_id: "123456789013" });
    expect(await scans.start({})).toMatchObject({ account_id: other.id });
    await expect(scans.start({ account_id: account.id })).rejects.toMatchObject({
      code: "no_credentials",
      message: "the account's credentials can't be decrypted; save them again",
    });
    expect(await org.resources()).toEqual([]);
  });

  test("for drift only starts one for each account that was ever scanned", async () => {
    const { org, scans } = await start(); // with an account that has credentials and was never scanned
    const pushed = await org.account("aws", "123456789014");
    await org.pushListing(pushed, "[]");
    const { also_started: others, ...scan } = await scans.start({ kind: "drift" });
    expect(scan).toMatchObject({ account_id: pushed.id, kind: "drift" });
    expect(others).toBeUndefined();
    const over = await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    expect(over).toMatchObject({ status: "succeeded", drift_snapshot_id: expect.any(String) });
  });

  test.each([
    ["unknown account", { account_id: crypto.randomUUID() }, "not_found"],
    ["organization without credentials", {}, "no_credentials"],
    ["organization that was never scanned, for drift only", { kind: "drift" } as const, "conflict"],
  ])("for an %s is refused", async (_, input, code) => {
    await expect(scansOf(cloud.inventory.call, crypto.randomUUID()).start(input)).rejects.toMatchObject({
      code,
    });
  });

  test("for a cloud that isn't configured, or without credentials, is refused", async () => {
    const { org, scans } = await start();
    const credentials = {
      kind: "static" as const,
      tenant_id: crypto.randomUUID(),
      client_id: crypto.randomUUID(),
      client_secret: "secret",
    };
    const azure = await cloud.inventory.call(CreateAccount, {
      org_id: org.id,
      provider: "azure",
      external_id: crypto.randomUUID(),
      credentials,
    });
    await expect(scans.start({ account_id: azure.id })).rejects.toMatchObject({
      code: "registry_not_configured",
    });
    const pushed = await org.account("aws", "123456789014");
    await expect(scans.start({ account_id: pushed.id })).rejects.toMatchObject({ code: "no_credentials" });
  });

  test("by project name scans its source's account, or the only account", async () => {
    const { org, world, scans, account } = await start();
    const rescan = async (...project_names: string[]) =>
      (
        await cloud.inventory.call(RescanProjects, {
          org_id: org.id,
          requested_by: { type: "system", id: "comment" },
          project_names,
        })
      ).accounts;
    const [only] = await rescan("network/prod");
    expect(only?.account_id).toBe(account.id);
    const scan = await scans.until(only!.scan_id!, ({ finished_at }) => finished_at !== undefined);
    expect(scan).toMatchObject({ trigger: "webhook", status: "succeeded" });
    await scans.account(world, { external_id: "123456789013" });
    expect(await rescan("network/prod")).toEqual([]);
    const pushed = await org.account("aws", "123456789014");
    await org.source("network/prod", pushed.id);
    const [refused] = await rescan("network", "network/prod");
    expect(refused?.account_id).toBe(pushed.id);
    expect(refused?.refusal).toContain("no credentials");
  });

  test("is the latest even if an earlier caller's clock was ahead", async () => {
    const { org, scans, account } = await start();
    const scan_id = Bun.randomUUIDv7("hex", Date.now() + 3_600_000);
    await scans.run({ account_id: account.id, scan_id });
    const { finished_at: last_scan_at } = await scans.run({ account_id: account.id });
    expect(await org.posture()).toMatchObject([{ last_scan_at }]);
  });

  test("for inventory only computes no drift, and for drift only calls no cloud", async () => {
    const { org, world, scans, account } = await start();
    setQueues(world, "eu-west-1", ["a"]);
    await expect(scans.start({ account_id: account.id, kind: "drift" })).rejects.toMatchObject({
      code: "conflict",
    });
    const scan = await scans.run({ account_id: account.id, kind: "inventory" });
    expect(scan).toMatchObject({ status: "succeeded", phase: "match", stats: { seen: 1, undeclared: 1 } });
    expect(scan).not.toHaveProperty("drift_snapshot_id");
    const { finished_at: last_scan_at } = scan;
    expect(await org.posture()).toMatchObject([{ drift_status: "none", undeclared_count: 1, last_scan_at }]);
    const { length } = world.calls;
    const drift = await scans.run({ account_id: account.id, kind: "drift" });
    expect(drift).toMatchObject({ status: "succeeded", drift_snapshot_id: expect.any(String) });
    expect(world.calls).toHaveLength(length);
    expect(await org.posture()).toMatchObject([{ drift_status: "ready", coverage_pct: 0, last_scan_at }]);
  });
});
