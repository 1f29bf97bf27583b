import { describe, expect, test } from "bun:test";

import { status } from "../../../tests/code-hosts/server.ts";
import { putComment } from "../src/code-host/comments.ts";
import { createGithubApp } from "../src/code-host/github-app.ts";
import { startTestWebhooks } from "./kit.ts";
import { commenting, MARKER, PLANNER, partsOf, planner } from "./support/commenting.ts";

const hosts = commenting();
const { github, newOrg, put } = hosts;

const minted = (): number => github.requests.filter(({ path }) => path.endsWith("/access_tokens")).length;

describe("the GitHub App", () => {
  test("writes only to the owners that the operator lists for an organization", async () => {
    const { orgId } = await newOrg();
    const owners = new Map([[orgId, new Set(["acme"])]]);
    const dependencies = {
      ...hosts.webhooks.dependencies,
      githubApp: createGithubApp({ ...hosts.options.githubApp, owners }),
    };
    const putAs = (org_id: string) =>
      putComment(dependencies, {
        org_id,
        target: planner({ repository: "Acme/infra" }),
        parts: partsOf("a"),
      });
    github.recover();
    expect(await putAs(crypto.randomUUID())).toEqual({ done: false, problem: "forbidden" });
    expect(github.requests).toEqual([]);
    expect(await putAs(orgId)).toEqual({ done: false, problem: "app_not_installed" });
  });

  test("writes only to repositories that name the organization when no owners are set", async () => {
    const { orgId } = await newOrg();
    const { owners: _, ...githubApp } = hosts.options.githubApp;
    const dependencies = { ...hosts.webhooks.dependencies, githubApp: createGithubApp(githubApp) };
    const putAs = (org_id: string) =>
      putComment(dependencies, { org_id, target: planner(), parts: partsOf("a") });
    const refused = { done: false, problem: "organization_not_named" } as const;
    expect(await putAs(orgId)).toEqual(refused);
    github.named.set(PLANNER, `# ours\r\n${orgId.toUpperCase()} # the platform team\r\n`);
    expect(await putAs(orgId)).toMatchObject({ done: true });
    expect(await putAs(crypto.randomUUID())).toEqual(refused);
    github.named.set(PLANNER, `# ${orgId}\n${orgId.slice(1)}\n`);
    expect(await putAs(orgId)).toEqual(refused);
    github.named.delete(PLANNER);
    expect(github.texts(7)).toEqual([`${MARKER}\na`]);
  });

  test("requests one token per repository with minimal permissions, and reuses it", async () => {
    const { orgId } = await newOrg();
    const target = planner({ repository: "acme/other" });
    await put(orgId, target, partsOf("a"));
    await put(orgId, target, partsOf("b"));
    expect(minted()).toBe(1);
    const asked = github.requests.find(({ path }) => path.endsWith("/access_tokens"));
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      repositories: ["other"],
      permissions: { pull_requests: "write", metadata: "read" },
    });
  });

  test("requests a new token when the current one is rejected", async () => {
    const { orgId } = await newOrg();
    await put(orgId, planner(), partsOf("a"));
    github.tokens.clear();
    github.requests.length = 0;
    expect(await put(orgId, planner(), partsOf("b"))).toMatchObject({ outcome: "updated" });
    expect(minted()).toBe(1);
  });

  test("reports when it is no longer installed", async () => {
    const { orgId } = await newOrg();
    await put(orgId, planner(), partsOf("a"));
    github.uninstall(PLANNER);
    expect(await put(orgId, planner(), partsOf("b"))).toEqual({ done: false, problem: "app_not_installed" });
    github.install(PLANNER);
    expect(await put(orgId, planner(), partsOf("b"))).toMatchObject({ outcome: "updated" });
  });

  test("with a rejected key reports a rejected token", async () => {
    const { orgId } = await newOrg();
    github.uninstall(PLANNER);
    github.install(PLANNER);
    github.fail(status(401), /installation$/);
    expect(await put(orgId, planner(), partsOf("a"))).toEqual({ done: false, problem: "token_rejected" });
  });
});

test("a plan gets no comment without a configured app", async () => {
  const bare = await startTestWebhooks({ egressAllow: hosts.options.egressAllow });
  const target = planner();
  const { dependencies } = bare;
  const input = { org_id: crypto.randomUUID(), target, parts: partsOf("a") };
  expect(await putComment(dependencies, input)).toEqual({ done: false, problem: "app_not_configured" });
  await bare.stop();
});
