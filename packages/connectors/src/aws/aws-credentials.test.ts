import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";

import { createEgress } from "@leeway/shared/security/egress/egress";
import { failureOf } from "@leeway/shared/testing/testing";

import { ACCESS_KEY, ACCOUNT, type Answer, SECRET, serveAws } from "./aws.fixture.ts";
import {
  STATIC,
  ROLE,
  SESSION_TOKEN,
  never,
  connect,
  listed,
  listedUntilFailure,
  account,
  on,
  denial,
  SESSION,
  type Options,
} from "./account.fixture.ts";

describe("credentials", () => {
  test("of a role are requested once, with its external id, for all regions", async () => {
    await using cloud = serveAws(account(on("sts:AssumeRole", SESSION)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    await connector.shards([], never);
    for (const region of ["eu-west-1", "us-east-1"]) await listed(connector, { service: "tagging", region });
    const [assumed, ...more] = cloud.calls.filter(({ action }) => action === "sts:AssumeRole");
    expect(more).toEqual([]);
    expect(assumed).toMatchObject({
      accessKeyId: ACCESS_KEY.accessKeyId,
      input: { RoleArn: ROLE.kind === "aws_role" ? ROLE.role_arn : "", ExternalId: "org-7" },
    });
    const others = cloud.calls.filter(({ action }) => action !== "sts:AssumeRole");
    expect(new Set(others.map(({ accessKeyId }) => accessKeyId))).toEqual(new Set(["ASIASESSION"]));
  });

  test("of a role that doesn't trust us name the missing permission", async () => {
    const refusal: Answer = { ...denial("sts:AssumeRole"), status: 403, code: "AccessDenied" };
    await using cloud = serveAws(account(on("sts:AssumeRole", refusal)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    expect(await connector.verify(never)).toEqual({
      checks: [
        {
          name: "sts",
          ok: false,
          missing: ["sts:AssumeRole"],
          message: "sts:AssumeRole isn't allowed in us-east-1",
        },
      ],
    });
  });

  test("that have expired fail verification and the scan before anything is listed", async () => {
    const expired: Answer = { status: 403, code: "ExpiredToken" };
    await using cloud = serveAws(({ action }) =>
      action.startsWith("sts:") ? expired : { status: 400, code: "ExpiredTokenException" },
    );
    const connector = connect(cloud.endpoint);
    expect(await connector.verify(never)).toMatchObject({ checks: [{ name: "sts", ok: false }] });
    expect(await failureOf(connector.shards([], never))).toMatchObject({
      failure: { code: "permission_denied" },
    });
    const [, failure] = await listedUntilFailure(connector, { service: "ec2", region: "eu-west-1" });
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(cloud.calls).toHaveLength(3);
  });

  test("of another account are refused", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { accountId: "999999999999" });
    expect(await connector.verify(never)).toMatchObject({
      identity: expect.stringContaining(ACCOUNT),
      checks: [{ ok: false, message: expect.stringContaining("not 999999999999") }],
    });
    expect(await failureOf(connector.shards([], never))).toMatchObject({
      failure: { code: "permission_denied" },
    });
  });

  test.each<[string, Options["credentials"], string]>([
    ["another cloud", { kind: "gcp_wif", audience: "a", service_account_email: "b" }, "kind"],
    ["an incomplete key", { kind: "static", access_key_id: ACCESS_KEY.accessKeyId }, "secret_access_key"],
    ["a malformed key id", { ...STATIC, access_key_id: "my key" }, "access_key_id"],
    ["a user ARN", { kind: "aws_role", role_arn: `arn:aws:iam::${ACCOUNT}:user/leeway` }, "role_arn"],
    [
      "another account's role",
      { kind: "aws_role", role_arn: "arn:aws:iam::999999999999:role/leeway" },
      "role_arn",
    ],
    ["another organization's external id", { ...ROLE, external_id: "org-8" }, "external_id"],
  ])("of %s are refused", (_, credentials, field) => {
    expect(() => connect("http://127.0.0.1:1", { credentials })).toThrow(
      expect.objectContaining({
        code: "invalid_parameter",
        details: [expect.objectContaining({ field: `credentials.${field}` })],
      }),
    );
  });

  test("of a role use the organization's external id when none is set", async () => {
    await using cloud = serveAws(account(on("sts:AssumeRole", SESSION)));
    const credentials = { kind: "aws_role" as const, role_arn: `arn:aws:iam::${ACCOUNT}:role/leeway` };
    await connect(cloud.endpoint, { credentials, identity: ACCESS_KEY }).verify(never);
    expect(cloud.calls[0]).toMatchObject({ action: "sts:AssumeRole", input: { ExternalId: "org-7" } });
  });

  test("aren't sent to an endpoint that isn't allowed", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { egress: createEgress({ allow: [] }) });
    expect(await failureOf(connector.verify(never))).toMatchObject({ code: "invalid_parameter" });
    expect(cloud.calls).toEqual([]);
  });

  test("appear in no error", async () => {
    const message = `no: ${SECRET} ${SESSION_TOKEN} AWS4-HMAC-SHA256 Signature=f00`;
    for (const code of ["InternalFailure", "ThrottledByNobody", "AccessDeniedException", SECRET]) {
      await using cloud = serveAws(account(on("tag:GetResources", { status: 400, code, message })));
      const connector = connect(cloud.endpoint, { timeoutMs: 500 });
      const giveUp = AbortSignal.timeout(300);
      const failure = await failureOf(listed(connector, { service: "tagging", region: "eu-west-1" }, giveUp));
      const shown = inspect(failure, { depth: 10, showHidden: true }) + JSON.stringify(failure);
      for (const secret of [SECRET, SESSION_TOKEN, "Signature="]) expect(shown).not.toContain(secret);
    }
  });
});
