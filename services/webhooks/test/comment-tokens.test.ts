import { describe, expect, test } from "bun:test";

import type { CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import { GetConfig, UpdateConfig } from "@leeway/shared/contracts/webhooks/configs";

import { json } from "../../../tests/code-hosts/server.ts";
import { commenting, MARKER, VCS, partsOf, vcs } from "./support/commenting.ts";

const hosts = commenting();
const { gitlab, elsewhere, config, newOrg, put } = hosts;

const tokensUsed = (): Set<string | null> =>
  new Set(gitlab.requests.map(({ headers }) => headers.get("private-token")));

describe("the token for a comment", () => {
  test("is the named config's, then the repository's own, then one for any repository", async () => {
    const orgId = crypto.randomUUID();
    const [any, own, named, foreign] = [gitlab.issue(), gitlab.issue(), gitlab.issue(), gitlab.issue()];
    await config(orgId, { api_token: foreign, repo_path: "platform/other" });
    await config(orgId, { api_token: any });
    const used = async (target: CommentTarget) => {
      gitlab.recover();
      await put(orgId, target, partsOf("a"));
      return [...tokensUsed()];
    };
    expect(await used(vcs())).toEqual([any]);
    await config(orgId, { api_token: own, repo_path: VCS });
    expect(await used(vcs())).toEqual([own]);
    const { id } = await config(orgId, { api_token: named });
    expect(await used(vcs({ config_id: id }))).toEqual([named]);
    await hosts.webhooks.call(UpdateConfig, { org_id: orgId, config_id: id, enabled: false });
    expect(await used(vcs({ config_id: id }))).toEqual([own]);
  });

  test("is missing for another organization, another repository or a planner config", async () => {
    const orgId = crypto.randomUUID();
    const theirs = await newOrg();
    await config(orgId, { repo_path: "platform/other" });
    await hosts.webhooks.newConfig(orgId);
    const target = vcs({ config_id: theirs.configId });
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, problem: "token_missing" });
  });

  test("that the host rejects is marked and not used again until it changes", async () => {
    const { orgId, configId, token } = await newOrg();
    gitlab.revoke(token);
    gitlab.recover();
    const rejected = { done: false, problem: "token_rejected" } as const;
    expect(await put(orgId, vcs(), partsOf("a"))).toEqual(rejected);
    expect(gitlab.requests).toHaveLength(1);
    expect(await put(orgId, vcs(), partsOf("a"))).toEqual(rejected);
    expect(gitlab.requests).toHaveLength(1);
    const one = { org_id: orgId, config_id: configId };
    expect((await hosts.webhooks.call(GetConfig, one)).api_token_status?.last_error).toBe(
      "api_token was rejected by the instance",
    );
    await hosts.webhooks.call(UpdateConfig, { ...one, api_token: gitlab.issue() });
    expect((await hosts.webhooks.call(GetConfig, one)).api_token_status).not.toHaveProperty("last_error");
    expect(await put(orgId, vcs(), partsOf("a"))).toMatchObject({ done: true, outcome: "created" });
  });

  test("that the host rejects is replaced by another valid one", async () => {
    const { orgId, configId, token } = await newOrg();
    await config(orgId);
    gitlab.revoke(token);
    const target = vcs({ config_id: configId });
    expect(await put(orgId, target, partsOf("a"))).toMatchObject({ done: true, outcome: "created" });
  });

  test("isn't taken from another host with a repository of the same name", async () => {
    const { orgId, configId, token } = await newOrg();
    await config(orgId, { api_token: elsewhere.issue(), provider_base_url: elsewhere.url });
    gitlab.revoke(token);
    const target = vcs({ config_id: configId });
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, problem: "token_rejected" });
    expect(elsewhere.texts(7)).toEqual([]);
  });

  test("belongs to the host in the merge request's URL, even if repositories share a name", async () => {
    const { orgId, configId } = await newOrg();
    await config(orgId, { api_token: elsewhere.issue(), provider_base_url: elsewhere.url });
    const path = `${VCS}/-/merge_requests/7`;
    for (const target of [
      vcs({ url: `${elsewhere.url}/${path}` }),
      vcs({ url: `${elsewhere.url}/${path}`, config_id: configId }),
    ])
      expect(await put(orgId, target, partsOf("a"))).toMatchObject({ done: true });
    expect([gitlab.texts(7), elsewhere.texts(7)]).toEqual([[], [`${MARKER}\na`]]);
    gitlab.recover();
    expect(await put(orgId, vcs({ url: `https://git.example.org/${path}` }), partsOf("a"))).toMatchObject({
      done: true,
    });
    expect(gitlab.texts(7)).toHaveLength(1);
  });

  test("that can't see the repository is replaced by another, unless the config is named", async () => {
    const { orgId, configId, token } = await newOrg();
    await config(orgId);
    gitlab.fail((request, usual) =>
      request.headers.get("private-token") === token ? json(404, { message: "404 Not Found" }) : usual(),
    );
    const target = vcs({ config_id: configId });
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, problem: "not_found" });
    expect(await put(orgId, vcs(), partsOf("a"))).toMatchObject({ done: true, outcome: "created" });
  });

  test("can be rotated: the same user's comment is updated in place", async () => {
    const orgId = crypto.randomUUID();
    const user = { id: 31, username: "project_1_bot" };
    const old = gitlab.issue(user);
    const { id } = await config(orgId, { api_token: old });
    await put(orgId, vcs(), partsOf("a"));
    gitlab.revoke(old);
    await hosts.webhooks.call(UpdateConfig, { org_id: orgId, config_id: id, api_token: gitlab.issue(user) });
    expect(await put(orgId, vcs(), partsOf("b"))).toMatchObject({ outcome: "updated" });
    expect(gitlab.texts(7)).toEqual([`${MARKER}\nb`]);
  });

  test("that is rotated during a rejection isn't marked", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await config(orgId);
    const one = { org_id: orgId, config_id: id };
    const fresh = gitlab.issue();
    gitlab.fail(
      async () => {
        await hosts.webhooks.call(UpdateConfig, { ...one, api_token: fresh });
        return Response.json({ message: "401 Unauthorized" }, { status: 401 });
      },
      /^GET \/api\/v4\/user$/,
      1,
    );
    expect(await put(orgId, vcs(), partsOf("a"))).toEqual({
      done: false,
      problem: "unavailable",
      retry_after_seconds: 1,
    });
    expect((await hosts.webhooks.call(GetConfig, one)).api_token_status).not.toHaveProperty("last_error");
    expect(await put(orgId, vcs(), partsOf("a"))).toMatchObject({ done: true });
  });
});
