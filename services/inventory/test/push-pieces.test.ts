import { describe, expect, test } from "bun:test";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, tfstate } from "./kit.ts";
import { ACCOUNT, arn, declaredQueue, ids, pushing, queue, url, wideFrom } from "./pushing.ts";

const service = pushing();
const { start } = service;

const instance = (provider_resource_id: string) => ({
  provider_resource_id,
  provider_type: "AWS::EC2::Instance",
  region: "eu-west-1",
});

const declaredInstance = (id: string) => ({ type: "aws_instance", name: id.slice(0, 3), attributes: { id } });

describe("a listing written in parts", () => {
  test("inserts new, updates changed and deletes removed resources, and nothing else", async () => {
    const { org, account } = await start();
    const versions = async () => {
      const rows = await service.inventory.test.admin`
        select provider_resource_id as id, name, xmin::text as version
          from inventory.live_resources
         where org_id = ${org.id}
      `;
      return new Map(rows.map(({ id, name, version }) => [id, { name, version }]));
    };
    await org.pushListing(account, ndjson(wideFrom(0, 40)));
    const before = await versions();
    const listing = [...wideFrom(10, 20, { name: "renamed" }), ...wideFrom(20, 40), ...wideFrom(40, 50)];
    const { stats } = await org.pushListing(account, ndjson(listing));
    expect(stats).toMatchObject({ seen: 40, created: 10, gone: 10, undeclared: 40 });
    const after = await versions();
    expect(new Set(after.keys())).toEqual(new Set(ids(listing)));
    for (const index of Array.from({ length: 30 }, (_, index) => index + 10)) {
      const [was, is] = [before, after].map((all) => all.get(arn(`q${index}`)));
      expect(is?.name).toBe(index < 20 ? "renamed" : null);
      expect(is?.version === was?.version).toBe(index >= 20);
    }
  });

  test("with an error near its end changes nothing", async () => {
    const { org, account } = await start();
    await org.pushListing(account, ndjson([queue("a")]));
    const cut = org.startPush(account, `${ndjson(wideFrom(0, 40))}{"cut":`);
    expect(await failureOf(cut)).toMatchObject({ code: "unsupported_format" });
    expect(ids(await org.resources())).toEqual([arn("a")]);
  });

  test("may repeat a resource much later with more details, which are kept and matched", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a"), declaredQueue("q0")]));
    await org.pushListing(account, ndjson([queue("a", { name: "old" })]));
    const listing = [queue("q0"), queue("a"), ...wideFrom(1, 40), queue("a", { tags: { team: "core" } })];
    listing.push(queue("q0", { name: "late", tags: { team: "core" } }), queue("q0", { name: "less" }));
    const { stats } = await org.pushListing(account, ndjson(listing));
    expect(stats).toMatchObject({ seen: 44, created: 40, gone: 0, matched: 2, undeclared: 39 });
    expect(await org.resources({ q: ":q0" })).toMatchObject([{ name: "late", match: { status: "matched" } }]);
  });

  test("leaves a declaration undecided if two resources far apart could be it", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a")]));
    const byUrl = { ...queue("a"), provider_resource_id: url("a") };
    await org.pushListing(account, ndjson([queue("a"), ...wideFrom(0, 40), byUrl]));
    expect(await org.resources({ match: "matched" })).toEqual([]);
    expect(await org.declared()).toMatchObject([{ match: { status: "unobserved", ambiguous: true } }]);

    await org.pushListing(account, ndjson([byUrl]));
    expect(ids(await org.resources({ match: "matched" }))).toEqual([url("a")]);
    expect(await org.declared()).toMatchObject([{ match: { status: "matched" } }]);
  });

  test("isn't matched with a declaration whose name only starts the same", async () => {
    const { org, account } = await start();
    for (const [index, end] of ["\u001Ex", "\u001Fx"].entries())
      await org.pushState(
        await org.source(`s${index}`),
        tfstate([declaredInstance(`i-1${end}`), declaredInstance("i-2")]),
      );
    await org.pushListing(account, ndjson([instance("i-1"), instance("i-2")]));
    expect(ids(await org.resources({ match: "matched" }))).toEqual(["i-2"]);
  });

  test("matches a declaration with the surer of two resources, even if it is later", async () => {
    const { org, account } = await start();
    const sure = `arn:aws:ec2:eu-west-1:${ACCOUNT}:instance/i-1`;
    const attributes = { id: "i-1", arn: sure };
    await org.pushState(await org.source("s"), tfstate([{ type: "aws_instance", name: "a", attributes }]));
    await org.pushListing(account, ndjson([instance("i-1"), ...wideFrom(0, 40), instance(sure)]));
    const [matched, another] = await org.resources({ match: "matched" });
    expect([matched?.provider_resource_id, another]).toEqual([sure, undefined]);
    expect(await org.declared()).toMatchObject([{ match: { live_resource_id: matched!.id } }]);
  });
});

describe("a resource listed with another id than before", () => {
  test("keeps its match", async () => {
    const { org, account } = await start();
    await org.pushState(await org.source("s"), tfstate([declaredQueue("a")]));
    await org.pushListing(account, ndjson([queue("a")]));
    const byUrl = { ...queue("a"), provider_resource_id: url("a") };
    // Listed twice to force a new match, in which the old resource doesn't count.
    await org.pushListing(account, ndjson([byUrl, { ...byUrl, tags: { team: "core" } }]));
    const [live] = await org.resources();
    expect(live).toMatchObject({ provider_resource_id: url("a"), match: { status: "matched" } });
    expect(await org.declared()).toMatchObject([{ match: { live_resource_id: live!.id } }]);
  });

  test("is recognized if its id can't be stored as it is", async () => {
    const { org, account } = await start();
    const odd = ndjson([queue("a\u0000b"), queue("a\uD800b"), { ...queue("c"), provider_type: "T\u0000" }]);
    expect((await org.pushListing(account, odd)).stats).toMatchObject({ seen: 3, created: 2 });
    expect((await org.pushListing(account, odd)).stats).toMatchObject({ seen: 3, created: 0, gone: 0 });
  });
});
