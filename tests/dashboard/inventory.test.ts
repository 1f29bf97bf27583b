import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

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
  const { stack, tenant } = sight;
  const markup = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  const body = { provider: "custom", external_id: "evil", name: markup };
  const path = `/api/v2/orgs/${tenant.id}`;
  const account = await stack.ask("POST", `${path}/cloud-accounts`, { as: tenant.owner, body });
  const resource = {
    provider_resource_id: `evil/${markup}`,
    provider_type: markup,
    name: markup,
    tags: { [markup]: markup },
    properties: { [markup]: markup },
  };
  const listing = `${path}/cloud-accounts/${account.body.id}/listing`;
  const pushed = await stack.ask("PUT", listing, { as: tenant.owner, body: JSON.stringify(resource) });
  expect(pushed.status).toBe(202);

  await using opened = await visit(sight, `/inventory?account_id=${account.body.id}`, { person: OWNER });
  const { page, complaints } = opened;
  await page.getByRole("row").getByRole("link", { name: markup }).click();
  await page.getByRole("heading", { level: 1, name: markup }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});
