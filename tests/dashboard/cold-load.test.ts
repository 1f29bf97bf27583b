import { beforeAll, expect } from "bun:test";

import { browserTest, CHROMIUM, quiet, START_MS, useSight, visit } from "./browser.ts";
import { fillWeek } from "./week.ts";

const MAX_REQUESTS = 20;
const MAX_BYTES = 150_000;

const sight = useSight("canary");
beforeAll(async () => {
  if (CHROMIUM) await fillWeek(sight.stack, sight.tenant.id, sight.tenant.owner);
}, START_MS);

browserTest("a first visit to home is at most 20 requests and 150 KB, headers included", async () => {
  await using opened = await visit(sight, "/usage", { person: "canary@example.com" });
  const page = await opened.page.context().newPage();
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const urls: string[] = [];
  let bytes = 0;
  network.on("Network.requestWillBeSent", ({ request }) => urls.push(request.url));
  network.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${sight.stack.url}/orgs/${sight.tenant.id}/posture`);
  await page.getByRole("heading", { name: "By account" }).waitFor();
  await page.getByRole("table", { name: "Worst changes" }).getByRole("row").nth(1).waitFor();
  await page.waitForLoadState("load");
  await quiet(page);
  expect(urls.length).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(MAX_BYTES);
});
