import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest(
  "without an own key and a platform model, the page shows that no model is configured",
  async () => {
    await using opened = await visit(sight, "/usage", { person: OWNER });
    const { page } = opened;
    await page.getByText("Your own key is in use").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No model is then used").waitFor();
    await page.getByRole("button", { name: "Delete key" }).click();
    await page.getByText("No model is configured").waitFor();
    await page.getByRole("heading", { name: "No model is in use" }).waitFor();
    expect(await page.getByText("Leeway’s model is in use").count()).toBe(0);
  },
);
