import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { unavailable } from "@leeway/shared/values/errors";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ FREE_ORGANIZATIONS_PER_PERSON: "2" });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const makeBy = async (token: string): Promise<string> =>
  (await gateway.ask("POST", "/api/v2/orgs", { as: token, body: { name: "x" } })).body.id;
const withoutNarratives = () =>
  gateway.others.asked.flatMap(({ subject, input }) => (subject === SetPlan.subject ? [input] : []));

describe("a person's organizations", () => {
  test("get free narratives only a limited number of times, even when deleted", async () => {
    const { token } = await gateway.newPerson();
    const ids = await Promise.all(Array.from({ length: 4 }, () => makeBy(token)));
    expect(new Set(ids).size).toBe(4);
    expect(withoutNarratives()).toHaveLength(2);
    for (const id of ids) await gateway.ask("DELETE", `/api/v2/orgs/${id}`, { as: token });
    const fifth = await makeBy(token);
    expect(withoutNarratives()).toHaveLength(3);
    expect(withoutNarratives()[2]).toEqual({ org_id: fifth, plan: "free", weekly_platform_llm_quota: 0 });
    await gateway.db.admin`update identity.foundings set gone_at = gone_at - interval '8 days'`;
    await makeBy(token);
    expect(withoutNarratives()).toHaveLength(3);
  });

  test("don't count for another person", async () => {
    await makeBy((await gateway.newPerson()).token);
    expect(withoutNarratives()).toEqual([]);
  });

  test("aren't created when their plan can't be stored", async () => {
    const { token } = await gateway.newPerson();
    for (let count = 0; count < 2; count += 1) await makeBy(token);
    gateway.others.on(SetPlan, () => {
      throw unavailable("away");
    });
    const refused = await gateway.ask("POST", "/api/v2/orgs", { as: token, body: { name: "x" } });
    expect(refused.status).toBe(503);
    expect((await gateway.ask("GET", "/api/v2/orgs", { as: token })).body.data).toHaveLength(2);
  });
});
