import { describe, expect, test } from "bun:test";

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CORPUS } from "@leeway/shared/testing/corpus.fixture";

import { failureOf } from "@leeway/shared/testing/testing";

import { bytes, dayFrom, json, redirect, reset, type Answer } from "./support/code-host.ts";
import { about, padded, refused, REPO, SELF, UNREACHABLE, validating } from "./support/validating.ts";

const REJECTED = "api_token was rejected by the instance";
const HIDDEN = "api_token cannot reach repo_path";

const here = validating();
const { validate } = here;

describe("a valid token", () => {
  test("is described by its name, user, scopes and expiry", async () => {
    here.host.answerWith(about({ scopes: ["api", "read_user"] }), SELF);
    expect(await validate()).toEqual({
      name: "leeway",
      username: "project_1_bot",
      scopes: ["api", "read_user"],
      expiresAt: "2026-12-31",
    });
  });

  test("is sent only to the host's API, in a header", async () => {
    const sent = here.host.issue();
    here.host.requests.length = 0;
    await validate({ token: sent, repoPath: REPO }, new Date());
    expect(here.host.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v4/personal_access_tokens/self",
      "GET /api/v4/user",
      "GET /api/v4/projects/platform%2Fnetwork",
    ]);
    expect(here.host.requests.map(({ headers }) => headers["private-token"])).toEqual([sent, sent, sent]);
  });

  test("may come in a response of 256 KB", async () => {
    here.host.answerWith(padded(256 * 1024), SELF);
    expect(await validate()).toMatchObject({ name: "leeway" });
  });

  test("works for an instance with a path in its URL", async () => {
    here.host.requests.length = 0;
    await validate({ baseUrl: `${here.host.url}/gitlab` }, new Date());
    expect(here.host.requests[0]?.path).toBe("/gitlab/api/v4/personal_access_tokens/self");
  });

  test.each([
    ["for years", "2028-10-07", "2026-10-07T00:00:00Z"],
    ["until the end of the day before it expires, in UTC", "2026-10-08", "2026-10-07T23:59:59.999Z"],
  ])("is accepted %s", async (_, expiresAt, now) => {
    here.host.answerWith(about({ expires_at: expiresAt }), SELF);
    expect(await validate({}, new Date(now))).toMatchObject({ expiresAt });
  });

  test("may have a long name with unprintable characters, which are cleaned", async () => {
    here.host.answerWith(about({ name: `a\0b\u{202e}c\ud800${"x".repeat(1_000)}` }), SELF);
    const { name } = await validate();
    expect(name).toStartWith("abcxx");
    expect(name.length).toBeLessThanOrEqual(255);
  });
});

const unauthorized = (description: string): Answer =>
  json(401, { error: "invalid_token", error_description: description });

describe("a token is refused that", () => {
  test.each<[string, Answer, string]>([
    ["expired yesterday", about({ expires_at: "2026-10-06" }), "api_token is expired"],
    ["expired when today began", about({ expires_at: "2026-10-07", active: false }), "api_token is expired"],
    ["expired and is inactive", about({ expires_at: "2026-10-06", active: false }), "api_token is expired"],
    [
      "is expired according to the host",
      unauthorized("Token is expired. You can either do re-authorization or token refresh."),
      "api_token is expired",
    ],
    [
      "is expired according to the host's message",
      json(401, { message: "Token expired" }),
      "api_token is expired",
    ],
    ["never expires", about({ expires_at: null }), "api_token has no expiry"],
    ["is read-only", about({ scopes: ["read_api", "read_user"] }), "api_token is missing the api scope"],
    ["has no scopes", about({ scopes: [] }), "api_token is missing the api scope"],
    ["is revoked", about({ revoked: true }), "api_token is revoked"],
    ["is revoked and expired", about({ revoked: true, expires_at: "2020-01-01" }), "api_token is revoked"],
    ["is inactive", about({ active: false }), "api_token is revoked"],
    ["is inactive and never expires", about({ active: false, expires_at: null }), "api_token is revoked"],
    ["is unknown to the host", json(401, { message: "401 Unauthorized" }), REJECTED],
    [
      "may have one of several problems",
      unauthorized("The access token is expired, revoked or malformed"),
      REJECTED,
    ],
    ["gets an empty 401", bytes(401, ""), REJECTED],
    ["gets an HTML page with 401", bytes(401, "<html>Your session expired</html>"), REJECTED],
    ["gets 403", json(403, { message: "403 Forbidden" }), REJECTED],
  ])("%s", async (_, answer, message) => {
    here.host.answerWith(answer, SELF);
    expect(await failureOf(validate())).toMatchObject(refused(message));
  });

  test.each<[string, Answer, string]>([
    ["has no user", json(401, { message: "401 Unauthorized" }), REJECTED],
    ["belongs to a blocked user", json(403, { message: "403 Forbidden - blocked" }), REJECTED],
    ["belongs to a user without a name", json(200, { id: 7 }), UNREACHABLE],
  ])("%s", async (_, answer, message) => {
    here.host.answerWith(answer, /\/user$/);
    expect(await failureOf(validate({}, new Date()))).toMatchObject(refused(message));
  });

  test("was issued by the host and later expired or revoked", async () => {
    const expired = here.host.issue({ expires_at: dayFrom(new Date(), -1) });
    expect(await failureOf(validate({ token: expired }))).toMatchObject(refused("api_token is expired"));
    const revoked = here.host.issue({ revoked: true });
    expect(await failureOf(validate({ token: revoked }))).toMatchObject(refused(REJECTED));
    expect(await failureOf(validate({ token: "glpat-unknown" }))).toMatchObject(refused(REJECTED));
  });

  test.each([
    ["is empty", ""],
    ["is a space", " "],
    ["contains a newline", "glpat-x\r\nx-admin: 1"],
    ["ends with a newline", "glpat-x\n"],
    ["contains NUL", "glpat-\0"],
    ["contains an accented letter", "glpat-ü"],
    ["contains a character outside Latin-1", "glpat-€"],
    ["has 10 KB", "x".repeat(10_240)],
  ])("%s, without a request to the host", async (_, unsendable) => {
    here.host.requests.length = 0;
    expect(await failureOf(validate({ token: unsendable }))).toMatchObject(refused(REJECTED));
    expect(here.host.requests).toEqual([]);
  });
});

const project = (changes: object): Answer =>
  json(200, {
    id: 1,
    merge_requests_access_level: "enabled",
    permissions: { project_access: { access_level: 30 }, group_access: null },
    ...changes,
  });

describe("the repository", () => {
  const level = (own: number | null, inherited: number | null): Answer => {
    const [project_access, group_access] = [own, inherited].map((value) => value && { access_level: value });
    return project({ permissions: { project_access, group_access } });
  };
  const PROJECT = /\/projects\/[^/]+$/;
  const MEMBER = /\/members\/all\/7$/;

  test.each<[string, Answer, Answer]>([
    ["of a developer", level(30, null), reset],
    ["of an owner of the group", level(null, 50), reset],
    ["of a guest who is a maintainer of the group", level(10, 40), reset],
    ["of a member of an invited group", level(null, null), json(200, { access_level: 30 })],
    ["with unknown permissions", project({ permissions: undefined }), reset],
    ["with merge requests for members only", project({ merge_requests_access_level: "private" }), reset],
  ])("%s is reachable", async (_, answer, member) => {
    here.host.answerWith(answer, PROJECT);
    here.host.answerWith(member, MEMBER);
    expect(await validate({ repoPath: REPO }, new Date())).toMatchObject({ name: "leeway" });
  });

  test.each<[string, Answer, Answer, string]>([
    ["that doesn't exist", json(404, { message: "404 Project Not Found" }), reset, HIDDEN],
    ["that is forbidden", json(403, { message: "403 Forbidden" }), reset, HIDDEN],
    ["without merge requests", project({ merge_requests_access_level: "disabled" }), reset, HIDDEN],
    ["of a reporter", level(20, null), json(200, { access_level: 20 }), HIDDEN],
    [
      "that the token's user isn't a member of",
      level(null, null),
      json(404, { message: "404 Not found" }),
      HIDDEN,
    ],
    ["that answers with a list", json(200, []), reset, UNREACHABLE],
    ["that moved", redirect("/api/v4/projects/2"), reset, UNREACHABLE],
    ["of a token revoked during the check", json(401, {}), reset, REJECTED],
  ])("%s is unreachable", async (_, answer, member, message) => {
    here.host.answerWith(answer, PROJECT);
    here.host.answerWith(member, MEMBER);
    expect(await failureOf(validate({ repoPath: REPO }, new Date()))).toMatchObject(refused(message));
  });

  test.each(["other/repo", "platform", "..", ".", "a/../../user", "%2e%2e", "a?b#c", "\ud800", "ü/€"])(
    "%p is encoded and reaches no other path",
    async (repoPath) => {
      expect(await failureOf(validate({ repoPath }, new Date()))).toMatchObject(refused(HIDDEN));
    },
  );
});

const recorded = join(CORPUS, "vcs-webhooks/gitlab-api/atlantis--project-success.json");

describe.skipIf(!existsSync(recorded))("real data (skipped without LEEWAY_CORPUS)", () => {
  test("a recorded GitLab project is reachable for its owner", async () => {
    here.host.answerWith(bytes(200, await Bun.file(recorded).bytes()), /\/projects\//);
    expect(await validate({ repoPath: "lkysow/atlantis-example" }, new Date())).toMatchObject({
      name: "leeway",
    });
  });
});
