import { beforeAll, expect } from "bun:test";
import { barriers, browserTest, START_MS, quiet, useSight, visit } from "./browser.ts";
import { fillWeek, listQueues, type Week } from "./week.ts";
const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");
let week: Week;
beforeAll(async () => {
  week = await fillWeek(sight.stack, sight.tenant.id, sight.tenant.owner);
}, START_MS);
browserTest(
  "shots",
  async () => {
    const { stack, tenant } = sight;
    await stack.db.admin`delete from webhooks.channels where org_id = ${tenant.id}`.catch((e) =>
      console.log(String(e)),
    );
    await using opened = await visit(sight, "/posture", OWNER);
    const { page } = opened;
    await quiet(page);
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.clearBrowserCache");
    let count = 0,
      bytes = 0;
    const urls: string[] = [];
    client.on("Network.requestWillBeSent", (e) => {
      count++;
      urls.push(e.request.url.replace(/.*:\d+/, "").slice(0, 90));
    });
    client.on("Network.loadingFinished", (e) => {
      bytes += e.encodedDataLength;
    });
    await page.reload();
    await quiet(page);
    await Bun.sleep(1500);
    console.log("COLD", count, bytes, "\n" + urls.join("\n"));
    const { body } = await stack.ask("GET", `/api/v2/orgs/${tenant.id}/drift-changes?limit=50`, {
      as: tenant.key,
    });
    const one = body.data.find((c: any) => c.address === "module.network.aws_security_group.web");
    await stack.ask("PATCH", `/api/v2/orgs/${tenant.id}/drift-changes/${one.fingerprint}`, {
      as: tenant.owner,
      body: { status: "acknowledged", reason: "Grace debugs the bastion until Friday" },
    });
    for (const [name, path] of [
      ["home", "/posture"],
      ["change", `/drift/${one.fingerprint}`],
      ["drift", `/drift?account_id=${week.staging}`],
      ["connect", "/accounts/new?place=gcp"],
      ["schedules", "/scans/schedules"],
    ] as const) {
      await page.goto(`${stack.url}/orgs/${tenant.id}${path}`);
      await quiet(page);
      if (name === "drift") {
        await listQueues(stack, { orgId: tenant.id, as: tenant.owner, account: week.staging }, 5);
        await page.getByRole("button", { name: /new change/ }).waitFor();
      }
      if (name === "schedules") await page.getByRole("button", { name: "New schedule" }).click();
      for (const scheme of ["light", "dark"] as const)
        for (const width of [1440, 1280, 390]) {
          if (scheme === "dark" && width === 1280) continue;
          await page.emulateMedia({ colorScheme: scheme });
          await page.setViewportSize({ width, height: 900 });
          await Bun.sleep(300);
          await page.screenshot({
            path: `/tmp/live/shots/${name}-${scheme}-${width}.png`,
            fullPage: name !== "schedules",
          });
          const found = await barriers(page);
          if (found.length) console.log(name, scheme, width, found);
        }
      await page.setViewportSize({ width: 1360, height: 860 });
    }
    await page.keyboard.press("Escape");
    await page.goto(`${stack.url}/orgs/${tenant.id}/posture`);
    await quiet(page);
    await page.getByRole("button", { name: "Help" }).click();
    await page.getByRole("menuitem", { name: "API reference" }).waitFor();
    await page.screenshot({ path: `/tmp/live/shots/help.png` });
  },
  300000,
);
