import { describe, expect, test } from "bun:test";
import { CreateSource, DeleteSource, UpdateSource } from "@leeway/shared/contracts/inventory/sources";
import { failureOf } from "@leeway/shared/testing/testing";

import { declaredQueue, declaring, postureOf, queue } from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, start } = declaring();

describe("two sources that declare one resource", () => {
  test("share it: the older one owns it, and both sides show the conflict", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    const [older, newer] = [await org.source("older"), await org.source("newer")];
    await org.pushState(newer, tfstate([declaredQueue("a")]));
    await org.pushState(older, tfstate([declaredQueue("a"), declaredQueue("b")]));
    const declared = await org.declared();
    const of = (source: { id: string }) =>
      declared.filter(({ iac_source_id }) => iac_source_id === source.id);
    const [a, b] = (await org.resources()).toSorted((x, y) =>
      x.provider_resource_id < y.provider_resource_id ? -1 : 1,
    );
    expect(a).toMatchObject({ match: { status: "matched", conflict: true } });
    expect(of(older).map(({ id }) => id)).toContain(a!.iac_resource_id!);
    expect(b!.match).not.toContainKey("conflict");
    expect(declared.filter(({ match }) => match.conflict)).toHaveLength(2);
    expect(declared.every(({ match }) => match.status === "matched")).toBe(true);
    expect(await postureOf(org, one)).toMatchObject({ live_count: 2, matched_count: 2, missing_count: 0 });
  });

  test("have no conflict after either is deleted", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const [older, newer] = [await org.source("older"), await org.source("newer")];
    for (const source of [older, newer]) await org.pushState(source, tfstate([declaredQueue("a")]));
    await call(DeleteSource, { org_id: org.id, source_id: older.id });
    const [left] = await org.declared();
    const [live] = await org.resources();
    expect(live).toMatchObject({ iac_resource_id: left!.id, match: { status: "matched" } });
    expect(live!.match).not.toContainKey("conflict");
    expect(left!.iac_source_id).toBe(newer.id);
  });
});

describe("a source", () => {
  test("that is deleted leaves its resources undeclared", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    const jobs = await org.source("jobs");
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("gone")]));
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 1, missing_count: 1 });
    await call(DeleteSource, { org_id: org.id, source_id: jobs.id });
    expect(await postureOf(org, one)).toMatchObject({
      matched_count: 0,
      missing_count: 0,
      undeclared_count: 2,
      coverage_pct: 0,
      risk_level: "none",
    });
    expect(await org.declared()).toEqual([]);
    const gone = { org_id: org.id, source_id: jobs.id };
    expect(await failureOf(call(DeleteSource, gone))).toMatchObject({ code: "not_found" });
  });

  test("needs a unique name and an existing account", async () => {
    const { org } = await start();
    await org.source("jobs");
    const other = await org.source("other");
    const taken = { code: "conflict" };
    expect(await failureOf(org.source("jobs"))).toMatchObject(taken);
    const renamed = { org_id: org.id, source_id: other.id, name: "jobs" };
    expect(await failureOf(call(UpdateSource, renamed))).toMatchObject(taken);
    const nowhere = { org_id: org.id, name: "x", cloud_account_id: crypto.randomUUID() };
    expect(await failureOf(call(CreateSource, nowhere))).toMatchObject({
      code: "invalid_parameter",
    });
  });
});
