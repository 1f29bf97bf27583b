import { expect, test } from "bun:test";

import { failureOf, inWords, notFoundAt, unreachable, type ApiFailure } from "./failure.ts";

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ApiFailure> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return failureOf(new Response(text, { status, headers }));
}

test.each([
  [401, "an API key is needed", "You were signed out: Sign in and try again."],
  [403, "this requires the role admin or above", "Not allowed: This requires the role admin or above."],
  [404, "there is no such scan", "Not found: There is no such scan."],
  [409, "the last owner can't leave", "That didn't work: The last owner can't leave."],
  [503, "the database is down", "Temporarily unavailable: The database is down."],
  [500, "internal", "Leeway failed: The server had an internal error. Try again."],
])("describes %d with the message %s", async (status, message, words) => {
  expect(shownText(await answer(status, { code: "x", message }))).toBe(words);
});

test.each([
  ["scan_id", "Not found: There is nothing at this address."],
  ["account_id", "That didn't work: Account_id must be a UUID."],
])("describes a read rejected for %s, where scan_id is a path parameter", async (field, words) => {
  const details = [{ field, message: "must be a UUID" }];
  const refused = await answer(400, { message: `${field} must be a UUID`, details });
  expect(shownText(notFoundAt(["id", "scan_id"], refused))).toBe(words);
});

test("describes an error body in another format", async () => {
  const unknown = await answer(400, { error: 'invalid request body: json: unknown field "x"' });
  expect(shownText(unknown)).toBe(`That didn't work: Invalid request body: json: unknown field "x".`);
  expect(shownText(await answer(418, "<html>no json</html>"))).toBe(
    "That didn't work: The server answered 418.",
  );
});

test.each([502, 504])("describes %d from a proxy in front of Leeway", async (status) => {
  const failure = await answer(status, "<html>no json</html>");
  expect(shownText(failure)).toBe("Leeway doesn't answer: It may be starting. Try again in a few minutes.");
  expect(inWords(failure).retry).toBe(true);
});

test("shows how long to wait after a rate limit", async () => {
  const failure = await answer(429, { message: "too many requests" }, { "retry-after": "7" });
  expect(shownText(failure)).toBe("Too many requests: Too many requests.");
  expect(failure.retryAfterSeconds).toBe(7);
  expect(failure.retryAt).toBeGreaterThan(Date.now());
});

function shownText(error: unknown): string {
  const { title, text } = inWords(error);
  return `${title}: ${text}`;
}

test("reports a missing answer as unreachable", () => {
  expect(inWords(unreachable())).toMatchObject({ title: "Leeway can't be reached", retry: true });
});

test("an unexpected error reveals no internals", () => {
  expect(inWords(new Error("x is undefined")).text).not.toContain("undefined");
});

test("a failure names the request and the fields that were refused", async () => {
  const details = [{ field: "name", code: "x", message: "must not be empty" }, "odd"];
  const failure = await answer(400, { message: "invalid", details }, { "x-request-id": "r-1" });
  expect(failure.requestId).toBe("r-1");
  expect(failure.fields.map(({ field, message }) => `${field} ${message}`)).toEqual([
    "name must not be empty",
  ]);
});
