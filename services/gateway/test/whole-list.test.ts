import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { AppError } from "@leeway/shared/values/errors";

import { DRIFT_CHANGE } from "../src/examples/drift.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; key: string };
let changes: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOrg();
  changes = `/api/v2/orgs/${org.id}/drift-changes`;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const asked = () => gateway.others.asked.map(({ input }) => input);
const download = (accept: string, query = "") =>
  gateway.ask("GET", changes + query, { as: org.key, headers: { accept } });

/** Answers with pages of one change each, named by their cursors. */
function answerPages(names: readonly string[]): void {
  gateway.others.on(ListDriftChanges, ({ cursor = names[0] }) => {
    const at = names.indexOf(String(cursor));
    const next = names[at + 1];
    const change = { ...DRIFT_CHANGE, resource_name: cursor, address: undefined };
    return { data: [change], ...(next !== undefined && { next_cursor: next }) };
  });
}

describe("a whole list", () => {
  test("as CSV has all pages of what is filtered, with a column for each member", async () => {
    answerPages(["first", "second, quoted", "third"]);
    const { status, headers, text } = await download("text/csv", "?kind=changed&limit=1");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toBe('attachment; filename="drift-changes.csv"');
    const [header = "", ...lines] = text.trim().split("\r\n");
    expect(header.split(",")).toContain("disposition.status");
    expect(header).toStartWith("id,cloud_account_id,kind,");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(',"second, quoted",');
    expect(asked()).toMatchObject([
      { kind: "changed", limit: 500 },
      { kind: "changed", limit: 500, cursor: "second, quoted" },
      { kind: "changed", limit: 500, cursor: "third" },
    ]);
  });

  test.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\ttab"])(
    "as CSV doesn't let a spreadsheet calculate %j",
    async (name) => {
      answerPages([name]);
      expect((await download("text/csv")).text).toContain(`,'${name},`);
    },
  );

  test("as NDJSON has one row in each line", async () => {
    answerPages(["a", "b"]);
    const { headers, text } = await download("application/x-ndjson");
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    const names = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).resource_name);
    expect(names).toEqual(["a", "b"]);
  });

  test("is JSON, a page at a time, unless another form is preferred", async () => {
    answerPages(["a", "b"]);
    for (const accept of ["*/*", "application/json, text/csv;q=0.5"]) {
      expect((await download(accept)).body).toMatchObject({ next_cursor: "b" });
    }
  });

  test("fails with a status before it began, and by breaking off afterwards", async () => {
    expect((await download("text/csv", "?kind=nosuch")).body).toMatchObject({ code: "invalid_parameter" });
    gateway.others.on(ListDriftChanges, ({ cursor }) => {
      if (cursor !== undefined) throw new AppError("unavailable", "the database is gone");
      return { data: [DRIFT_CHANGE], next_cursor: "b" };
    });
    await expect(download("text/csv")).rejects.toThrow();
  });

  test("is hidden from other organizations", async () => {
    const other = await gateway.newOrg();
    const { status } = await gateway.ask("GET", changes, { as: other.key, headers: { accept: "text/csv" } });
    expect([status, asked()]).toEqual([404, []]);
  });

  test("of the gateway itself can be downloaded, too", async () => {
    const { text } = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, {
      as: org.key,
      headers: { accept: "text/csv" },
    });
    expect(text.split("\r\n")[0]).toContain("action");
  });
});
