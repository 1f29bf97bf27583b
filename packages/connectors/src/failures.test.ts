import { describe, expect, test } from "bun:test";

import { isObject, type JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { azureFailure, azurePause, signInFailure } from "./azure/azure-failure.ts";
import { googleFailure, googlePause, tokenFailure } from "./gcp/google-failure.ts";
import { readServiceAccountKey } from "./gcp/service-account-key.ts";
import type { Answer } from "./rest/rest-client.ts";

const SECRET = "S3cret-4711";

/** Error bodies of both clouds, with a secret in every text. */
const text = fc.string().map((around) => `${around}${SECRET}`);
const part = fc.record(
  { code: text, status: text, message: text, reason: text, retryDelay: text },
  { requiredKeys: [] },
);
const error = fc.oneof(
  text,
  fc.record({ code: text, status: text, message: text, details: fc.array(part), errors: fc.array(part) }),
);
const body = fc
  .oneof(fc.record({ error, error_description: text }), fc.jsonValue())
  .map((value): JsonObject => (isObject(value) ? value : {}));
const headers = fc.constantFrom<Record<string, string>>(
  {},
  { "x-ms-user-quota-remaining": "0", "x-ms-user-quota-resets-after": "00:00:05" },
  { "x-ms-user-quota-remaining": "0", "x-ms-user-quota-resets-after": "soon" },
);
const answers: fc.Arbitrary<Answer> = fc.record({
  status: fc.integer({ min: 300, max: 599 }),
  headers: headers.map((given) => new Headers(given)),
  body,
});

describe("for any response", () => {
  test("a failure message contains no text of the cloud", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const failures = [
          googleFailure(answer, { service: "cloudasset", permission: "a.b.c", project: "shop" }),
          tokenFailure(answer, "leeway@shop"),
          azureFailure(answer, { action: "A/b/read", subscription: "shop" }),
          signInFailure(answer, "leeway"),
        ];
        for (const { message } of failures) expect(message).not.toContain(SECRET);
      }),
    );
  });

  test("the pause is a finite number of at least 0", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        for (const pause of [googlePause(answer, 0), azurePause(answer, 0)])
          expect(pause === undefined || (Number.isFinite(pause) && pause >= 0)).toBe(true);
      }),
    );
  });
});

test("an invalid service account key is refused without quoting it", () => {
  const file = fc.oneof(
    text,
    fc
      .record(
        {
          type: fc.constantFrom("service_account", SECRET),
          client_email: text,
          private_key: text,
          token_uri: text,
          universe_domain: text,
        },
        { requiredKeys: [] },
      )
      .map((key) => JSON.stringify(key)),
  );
  fc.assert(
    fc.property(file, (json) => {
      expect(() => readServiceAccountKey(json)).toThrow(
        expect.objectContaining({ code: "invalid_parameter", message: expect.not.stringContaining(SECRET) }),
      );
    }),
  );
});
