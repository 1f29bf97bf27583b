import { expect, test } from "bun:test";

import { failureOf, inWords, notFoundAt, unreachable, type ApiFailure } from "./failure.ts";

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ApiFailure> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return failureOf(new Response(text, { status, headers }));
}

test.each([
  [401, "an API key is needed", "You were signed out: Sign in, and try again."],
  [403, "this takes the role admin or above", "Not allowed: This takes the role admin or above."],
  [404, "there is no such scan", "Not found: There is no such scan."],
  [409, "the last owner can't leave", "That didn't work: The last owner can't leave."],
  [503, "the database is down", "Not available just now: The database is down."],
  [500, "internal", "Leeway failed: That is our fault. Trying again may help."],
])("%d, %s, is told in words", async (status, message, words) => {
  expect(told(await answer(status, { code: "x", message }))).toBe(words);
});

test.each([
  ["scan_id", "Not found: There is nothing at this address."],
  ["account_id", "That didn't work: Account_id must be a uuid."],
])(
  "a reading that is refused for %s, where scan_id is a step of the path, is told in words",
  async (field, words) => {
    const details = [{ field, message: "must be a uuid" }];
    const refused = await answer(400, { message: `${field} must be a uuid`, details });
    expect(told(notFoundAt(["id", "scan_id"], refused))).toBe(words);
  },
);

test("a body of another form is told too", async () => {
  const unknown = await answer(400, { error: 'invalid request body: json: unknown field "x"' });
  expect(told(unknown)).toBe(`That didn't work: Invalid request body: json: unknown field "x".`);
  expect(told(await answer(418, "<html>no json</html>"))).toBe("That didn't work: The answer was 418.");
});

test.each([502, 504])("%d, of what stands before Leeway, is told as what it is", async (status) => {
  const failure = await answer(status, "<html>no json</html>");
  expect(told(failure)).toBe("Leeway doesn't answer: It may be starting. Try again in a while.");
  expect(inWords(failure).retry).toBe(true);
});

test("whoever was too fast is told how long to wait", async () => {
  const failure = await answer(429, { message: "too many requests" }, { "retry-after": "7" });
  expect(told(failure)).toBe("Too many requests: Too many requests.");
  expect(failure.retryAfterSeconds).toBe(7);
  expect(failure.retryAt).toBeGreaterThan(Date.now());
});

function told(error: unknown): string {
  const { title, text } = inWords(error);
  return `${title}: ${text}`;
}

test("when nobody answers, that is what is said", () => {
  expect(inWords(unreachable())).toMatchObject({ title: "Leeway can't be reached", retry: true });
});

test("a failure that isn't the API's says nothing of its inside", () => {
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
