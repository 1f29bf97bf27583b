import { expect } from "bun:test";

import { browserTest, useSight, visit } from "./browser.ts";

const OWNER = "canary@example.com";
const sight = useSight("canary");

browserTest(
  "without an own key and a model of the platform's it is told that no model is configured",
  async () => {
    await using opened = await visit(sight, "/usage", { person: OWNER });
    const { page } = opened;
    await page.getByText("Your own key is in use").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("From then on no model is used").waitFor();
    await page.getByRole("button", { name: "Delete the key" }).click();
    await page.getByText("No model is configured").waitFor();
    await page.getByRole("heading", { name: "No model is used" }).waitFor();
    expect(await page.getByText("own model is used").count()).toBe(0);
  },
);
