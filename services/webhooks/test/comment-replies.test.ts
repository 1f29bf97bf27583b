import { describe, expect, test } from "bun:test";

import {
  GetPermission,
  ReactToComment,
  ReplyToComment,
  type CommentTarget,
} from "@leeway/shared/contracts/webhooks/comments";

import { status } from "../../../tests/code-hosts/server.ts";
import { commenting, PLANNER, VCS, planner, vcs } from "./support/commenting.ts";

const hosts = commenting();
const { gitlab, github, newOrg } = hosts;

describe("an emoji", () => {
  test.each([
    ["eyes", "eyes"],
    ["thumbsup", "+1"],
    ["confused", "confused"],
  ] as const)("%s is added once, even if requested again", async (emoji, reaction) => {
    const { orgId } = await newOrg();
    const note = gitlab.write("/leeway help");
    const comment = github.write("/leeway help");
    const react = (target: CommentTarget, comment_id: number) =>
      hosts.webhooks.call(ReactToComment, { org_id: orgId, target, comment_id, emoji });
    for (let count = 0; count < 2; count += 1) {
      expect(await react(vcs(), note.id)).toEqual({ done: true });
      expect(await react(planner(), comment.id)).toEqual({ done: true });
    }
    expect(note.awards.map(({ name }) => name)).toEqual([emoji]);
    expect(comment.reactions.map(({ content }) => content)).toEqual([reaction]);
    expect(await react(vcs(), 404)).toEqual({ done: false, problem: "not_found" });
    expect(await react(planner(), 404)).toEqual({ done: false, problem: "not_found" });
  });

  test("of another user doesn't replace ours", async () => {
    const { orgId } = await newOrg();
    const note = gitlab.write("/leeway help");
    note.awards.push({ name: "eyes", user: { id: 5, username: "somebody" } });
    await hosts.webhooks.call(ReactToComment, {
      org_id: orgId,
      target: vcs(),
      comment_id: note.id,
      emoji: "eyes",
    });
    expect(note.awards).toHaveLength(2);
  });
});

test("a reply joins the command's discussion, or starts a new one if it was deleted", async () => {
  const { orgId } = await newOrg();
  const { discussion } = gitlab.write("/leeway help");
  const reply = (discussion_id: string) =>
    hosts.webhooks.call(ReplyToComment, {
      org_id: orgId,
      target: vcs(),
      marker: `<!-- leeway:reply:${discussion_id} -->`,
      body: "Help",
      discussion_id,
    });
  expect(await reply(discussion)).toMatchObject({ done: true });
  expect(await reply("gone")).toMatchObject({ done: true });
  const [, first, second] = gitlab.notes;
  expect(first?.discussion).toBe(discussion);
  expect(second?.discussion).not.toBe("gone");
});

const permission = (orgId: string, target: CommentTarget, user_id: number, username: string) =>
  hosts.webhooks.call(GetPermission, { org_id: orgId, target, user_id, username });

describe("write permission", () => {
  test.each([
    [50, true],
    [40, true],
    [30, true],
    [20, false],
    [10, false],
    [undefined, false],
  ])("for GitLab's access level %p: %p", async (level, may_write) => {
    const { orgId } = await newOrg();
    const userId = 10_000 + (level ?? 0);
    if (level !== undefined) gitlab.setAccess(VCS, userId, level);
    expect(await permission(orgId, vcs(), userId, "mara")).toEqual({ done: true, may_write });
  });

  test.each([
    ["admin", true],
    ["write", true],
    ["read", false],
    ["none", false],
    [undefined, false],
  ])("for GitHub's permission %p: %p", async (level, may_write) => {
    const { orgId } = await newOrg();
    const login = `mara-${level}`;
    if (level !== undefined) github.setPermission(PLANNER, { id: 9, login }, level);
    expect(await permission(orgId, planner(), 9, login)).toEqual({ done: true, may_write });
  });

  test("isn't taken from another user who now has the name", async () => {
    const { orgId } = await newOrg();
    github.setPermission(PLANNER, { id: 77, login: "renamed" }, "admin");
    expect(await permission(orgId, planner(), 9, "renamed")).toEqual({ done: true, may_write: false });
  });

  test("is unknown when the host fails, and isn't read from another path", async () => {
    const { orgId } = await newOrg();
    gitlab.fail(status(500), /members/);
    expect(await permission(orgId, vcs(), 1, "mara")).toEqual({ done: false, problem: "unavailable" });
    expect(await permission(orgId, planner(), 1, "..")).toEqual({ done: false, problem: "not_found" });
  });
});
