import { describe, expect, test } from "bun:test";

import { openBodies } from "@leeway/shared/bus/bodies";
import { SubmitPlan } from "@leeway/shared/contracts/analyzer/jobs";
import { AppError, type ErrorCode } from "@leeway/shared/values/errors";
import { inflated } from "@leeway/shared/values/inflated";
import { isObject, text } from "@leeway/shared/values/json";

import { JOB_TAKEN, SUBMISSION } from "../src/examples/analyzer.ts";
import { ID } from "../src/examples/common.ts";
import { analyzing, TAKEN, unannounced } from "./support/analyzing.ts";

const MAX_BYTES = 20 << 20;

const here = analyzing();
const { keys, analyze, lastAsked } = here;

/** Returns the body that the analyzer would read from its reference. */
async function received(input: Record<string, unknown> = lastAsked()?.input ?? {}): Promise<Buffer> {
  const { body } = input;
  const stream = await openBodies(here.gateway.bus, "analyzer").open(
    (isObject(body) && text(body, "ref")) || "",
  );
  return Buffer.concat(await Array.fromAsync(inflated(stream, MAX_BYTES)));
}

/** Makes the fake analyzer read each body, as the real one does. */
function takeForReal(): void {
  here.gateway.others.on(SubmitPlan, async (input) => {
    await received(input);
    return TAKEN;
  });
}

describe("a plan", () => {
  test("is stored as sent, and the analyzer gets only its reference", async () => {
    const body = JSON.stringify(SUBMISSION, null, 2);
    expect((await analyze({ body })).status).toBe(202);
    expect(lastAsked()).toEqual({
      subject: "analyzer.plans.submit",
      input: {
        org_id: here.org.id,
        job_id: expect.any(String),
        submitted_by: { type: "api_key", id: expect.any(String) },
        body: { ref: expect.any(String) },
      },
    });
    expect((await received()).toString()).toBe(body);
  });

  test("is accepted with its job, the poll URL and Retry-After", async () => {
    const answered = await analyze();
    const url = `${here.base}/llm-jobs/${ID.job}`;
    expect(answered.status).toBe(202);
    expect(answered.body).toEqual({
      job_id: ID.job,
      kind: "analyze",
      status: "queued",
      poll_url: url,
      created_at: JOB_TAKEN.created_at,
    });
    expect(answered.headers.get("location")).toBe(url);
    expect(answered.headers.get("retry-after")).toBe("2");
    expect(answered.headers.get("ratelimit")).toBeNull();
  });

  test("that reserved a slot returns what remains of each gate", async () => {
    const limits = [
      { gate: "weekly", cap: 5, used: 2, resets_in_seconds: 380_400 },
      { gate: "hourly", cap: 20, used: 20, resets_in_seconds: 7 },
    ];
    const grant = { granted: true, source: "platform", limits };
    here.gateway.others.on(SubmitPlan, () => ({ ...TAKEN, grant }));
    const { body, headers } = await analyze();
    expect(headers.get("ratelimit-policy")).toBe('"llm_weekly";q=5;w=604800, "llm_hourly";q=20;w=3600');
    expect(headers.get("ratelimit")).toBe('"llm_weekly";r=3;t=380400, "llm_hourly";r=0;t=7');
    expect(body).not.toContainKeys(["grant", "accepted"]);
  });

  test("may be compressed with gzip, and is stored unchanged", async () => {
    const sent = Buffer.from(JSON.stringify(SUBMISSION));
    const body = Bun.gzipSync(sent);
    expect((await analyze({ body, headers: { "content-encoding": "gzip" } })).status).toBe(202);
    expect((await received()).equals(sent)).toBe(true);
  });
});

describe("permission to submit", () => {
  test.each([
    ["admin", 202],
    ["member", 202],
    ["viewer", 403],
  ])("a key with role %s gets %d", async (role, status) => {
    expect((await analyze({ as: keys[role] ?? "" })).status).toBe(status);
    expect(here.gateway.others.asked).toHaveLength(status === 202 ? 1 : 0);
  });

  test("a person gets 403, even an owner", async () => {
    expect(await analyze({ as: here.org.owner })).toMatchObject({
      status: 403,
      body: { code: "forbidden", message: "this requires an API key" },
    });
    expect(here.gateway.others.asked).toEqual([]);
  });

  test("a key of another organization gets 404, an unknown key 401", async () => {
    const other = await here.gateway.newOrg();
    expect((await analyze({ as: other.key })).status).toBe(404);
    expect((await analyze({ as: "guess" })).status).toBe(401);
    expect(here.gateway.others.asked).toEqual([]);
  });
});

describe("a body of 20 MiB", () => {
  const whole = Buffer.alloc(MAX_BYTES + 1, "0123456789abcdef");

  test.each([
    ["with Content-Length", (body: Buffer<ArrayBuffer>) => body],
    ["in chunks", unannounced],
  ])("sent %s is accepted, one byte more is refused", async (_, sent) => {
    const most = whole.subarray(0, MAX_BYTES);
    expect((await analyze({ body: sent(most) })).status).toBe(202);
    expect((await received()).equals(most)).toBe(true);
    here.gateway.others.reset();
    expect(await analyze({ body: sent(whole) })).toMatchObject({
      status: 413,
      body: { code: "payload_too_large", message: `the body exceeds the limit of ${MAX_BYTES} bytes` },
    });
    expect(here.gateway.others.asked).toEqual([]);
  });

  test("after decompression is accepted, one byte more or a zip bomb is refused", async () => {
    takeForReal();
    for (const [bytes, status] of [
      [MAX_BYTES, 202],
      [MAX_BYTES + 1, 413],
      [300 << 20, 413],
    ] as const) {
      expect((await analyze({ body: Bun.gzipSync(Buffer.alloc(bytes, " ")) })).status).toBe(status);
    }
  });
});

describe("a body is refused", () => {
  test.each<[Record<string, string>, number, ErrorCode]>([
    [{ "content-encoding": "br" }, 415, "unsupported_media_type"],
    [{ "content-encoding": "deflate" }, 415, "unsupported_media_type"],
    [{ "content-type": "multipart/form-data; boundary=x" }, 415, "unsupported_media_type"],
    [{ "content-type": "application/xml" }, 415, "unsupported_media_type"],
  ])("with %j", async (headers, status, code) => {
    expect(await analyze({ headers })).toMatchObject({ status, body: { code } });
    expect(here.gateway.others.asked).toEqual([]);
  });

  test("that is empty", async () => {
    expect(await analyze({ body: "" })).toMatchObject({
      status: 400,
      body: { details: [{ field: "body" }] },
    });
    expect(here.gateway.others.asked).toEqual([]);
  });

  test("that is gzip cut off", async () => {
    takeForReal();
    const body = Bun.gzipSync(Buffer.from(JSON.stringify(SUBMISSION))).slice(0, -9);
    expect(await analyze({ body })).toMatchObject({ status: 400, body: { code: "unsupported_format" } });
  });

  test("with an unknown field, in the exact words of Go's decoder", async () => {
    here.gateway.others.on(SubmitPlan, () => {
      throw new AppError("invalid_body", 'invalid request body: json: unknown field "llm_config"');
    });
    const refused = await analyze();
    expect(refused.status).toBe(400);
    expect(refused.text).toBe('{"error":"invalid request body: json: unknown field \\"llm_config\\""}');
  });

  test("that is a bare plan, with the correct format next to Go's words", async () => {
    const error = 'invalid request body: json: unknown field "format_version"';
    here.gateway.others.on(SubmitPlan, () => {
      throw new AppError("invalid_body", error, { fields: { message: "send it otherwise" } });
    });
    expect(await analyze()).toMatchObject({ status: 400, body: { error, message: "send it otherwise" } });
  });

  test.each<ErrorCode>([
    "plan_is_binary",
    "plan_is_state_file",
    "plan_is_stream",
    "state_encrypted",
    "unsupported_plan_format",
  ])("as %s", async (code) => {
    here.gateway.others.on(SubmitPlan, () => {
      throw new AppError(code, "this is something else");
    });
    expect(await analyze()).toMatchObject({ status: 400, body: { code, error: code } });
  });
});
