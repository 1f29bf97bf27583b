import { describe, expect, test } from "bun:test";

import { FINGERPRINT, NOISE } from "../api/recorded.fixture.ts";
import { LeewayServer, ORG_ID } from "../api/server.fixture.ts";
import { run } from "../run.fixture.ts";

describe("the noise of all pages", () => {
  test("is printed as a table", async () => {
    using server = new LeewayServer();
    const { code, output } = await run(["noise"], server.env);
    const lines = output.split("\n").map((line) => line.split(/ {2,}/));
    expect([code, lines]).toEqual([
      0,
      [
        ["FINGERPRINT", "STATUS", "PLANS", "CLASS", "TYPE", "PATH"],
        [FINGERPRINT, "active", "12", "autoscaler_owned", "aws_ecs_service", "desired_count"],
        [expect.any(String), "muted", "1", "set_order", "aws_instance", "tags.*"],
        [""],
      ],
    ]);
  });

  test("is printed as JSON on request", async () => {
    using server = new LeewayServer();
    const { output } = await run(["noise", "--json"], server.env);
    expect(JSON.parse(output)).toEqual(
      NOISE.map((row) => ({
        ...row,
        dashboard_url: `${server.url}/orgs/${ORG_ID}/noise/${row.fingerprint}`,
      })),
    );
  });

  test("is filtered by class and status", async () => {
    using server = new LeewayServer();
    const { output } = await run(["noise", "--class", "set_order", "--status", "muted"], server.env);
    expect(output).not.toContain(FINGERPRINT);
    expect(output).toContain("set_order");
    const none = await run(["noise", "--class", "set_order", "--status", "fixed"], server.env);
    expect(none).toMatchObject({ code: 0, output: "no noise\n" });
  });

  test("isn't requested with an unknown class or status", async () => {
    using server = new LeewayServer();
    const { code, messages } = await run(["noise", "--class", "x", "--status", "y"], server.env);
    expect([code, messages]).toEqual([
      64,
      [expect.stringMatching(/--class must be one of .*--status must be/)],
    ]);
    expect(server.requests).toEqual([]);
  });
});
