import { expect } from "bun:test";

import { until } from "../chaos/until.ts";
import { browserTest, SEEN_MS, useSight, visit, quiet } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

/** Creates an account. @returns its id and a function that pushes its listing and processes it */
async function newAccount(
  name: string,
): Promise<{ id: string; push: (...resources: object[]) => Promise<void> }> {
  const { stack, tenant } = sight;
  const path = `/api/v2/orgs/${tenant.id}/cloud-accounts`;
  const body = { provider: "custom", external_id: crypto.randomUUID(), name };
  const { id } = (await stack.ask("POST", path, { as: tenant.owner, body })).body;
  return {
    id,
    async push(...resources) {
      const body = resources.map((resource) => JSON.stringify(resource)).join("\n");
      const pushed = await stack.ask("PUT", `${path}/${id}/listing`, { as: tenant.owner, body });
      expect(pushed.status).toBe(202);
      const scan = `/api/v2/orgs/${tenant.id}/scans/${pushed.body.id}`;
      // A push during the scan of an earlier one would get 409.
      await until(
        async () => (await stack.ask("GET", scan, { as: tenant.key })).body.finished_at !== undefined,
        SEEN_MS,
      );
    },
  };
}

browserTest("an exclusion rule that leaves a resource out is found from it, and switched", async () => {
  const { stack, tenant } = sight;
  const rule = "aws.sso_role";
  await using opened = await visit(sight, `/inventory/${tenant.ids.resource}`, { person: OWNER });
  const { page } = opened;
  await page.route(`**/resources/${tenant.ids.resource}`, async (route) => {
    const known = await (await route.fetch()).json();
    const match = { ...known.match, status: "excluded", level: undefined };
    return route.fulfill({ json: { ...known, match, excluded_by: rule } });
  });
  await page.reload();
  await page.getByRole("link", { name: rule }).click();
  const row = page.getByRole("row", { name: new RegExp(rule) });
  await row.getByRole("button", { name: /^Switch off / }).click();
  await row.getByRole("button", { name: /^Switch on / }).waitFor();
  const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/exclusion-rules`, { as: tenant.key });
  expect(body.data.find(({ id }: { id: string }) => id === rule).enabled).toBe(false);
});

browserTest("what comes from outside shows as the text that it is", async () => {
  const markup = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  const account = await newAccount(markup);
  await account.push({
    provider_resource_id: `evil/${markup}`,
    provider_type: markup,
    name: markup,
    tags: { [markup]: markup },
    properties: { [markup]: markup },
  });
  await using opened = await visit(sight, `/inventory?account_id=${account.id}`, { person: OWNER });
  const { page, complaints } = opened;
  await page.getByRole("row").getByRole("link", { name: markup }).click();
  await page.getByRole("heading", { level: 1, name: markup }).waitFor();
  await quiet(page);
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});

browserTest("what a scan found that ended elsewhere shows by itself", async () => {
  const { stack, tenant } = sight;
  const { id, push } = await newAccount("grows");
  const isLive = async (count: number): Promise<boolean> => {
    const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/posture`, { as: tenant.key });
    const row = body.data.find(({ cloud_account_id: of }: { cloud_account_id: string }) => of === id);
    return row?.live_count === count;
  };
  const [first, second] = ["first", "second"].map((name) => ({
    provider_resource_id: `grows/${name}`,
    provider_type: "thing",
    name: `the ${name} one`,
  }));
  await push(first ?? {});
  await until(() => isLive(1), SEEN_MS);
  await using opened = await visit(sight, `/inventory?account_id=${id}`, { person: OWNER });
  const { page, complaints } = opened;
  await page.clock.install();
  await page.reload();
  await page.getByRole("link", { name: "the first one" }).waitFor();
  await push(first ?? {}, second ?? {});
  await until(() => isLive(2), SEEN_MS);
  await page.clock.fastForward(60_000);
  await page.getByRole("link", { name: "the second one" }).waitFor();
  expect(complaints).toEqual([]);
});
