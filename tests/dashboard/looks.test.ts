import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = { person: "canary@example.com" };
const sight = useSight("canary");

/** How far the ring around what has the focus stays below what cuts it off. */
const ROOM_ABOVE = `((box) => {
  const { outlineOffset, outlineWidth } = getComputedStyle(box);
  const edge = box.parentElement.getBoundingClientRect().top;
  return box.getBoundingClientRect().top - edge - parseFloat(outlineOffset) - parseFloat(outlineWidth);
})(document.activeElement)`;

browserTest("what can be done about members stands together", async () => {
  await using opened = await visit(sight, "/settings/members", OWNER);
  const { page } = opened;
  const leave = await page.getByRole("button", { name: "Leave" }).boundingBox();
  const invite = await page.getByRole("button", { name: "Invite" }).boundingBox();
  expect((invite?.x ?? 0) - (leave?.x ?? 0) - (leave?.width ?? 0)).toBe(8);
});

browserTest("the ring around a new key is seen whole", async () => {
  await using opened = await visit(sight, "/settings/keys", OWNER);
  const { page } = opened;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("ringed");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Copy the key now" }).waitFor();
  expect(await page.evaluate(ROOM_ABOVE)).toBeGreaterThanOrEqual(0);
});

browserTest("what a channel tells of is called as where it was chosen", async () => {
  await using opened = await visit(sight, "/settings/channels", OWNER);
  const { page } = opened;
  await page.getByRole("cell", { name: "A scan that failed" }).waitFor();
  await page.getByRole("cell", { name: "New drift" }).waitFor();
});
