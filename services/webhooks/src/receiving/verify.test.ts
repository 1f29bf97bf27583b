import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { CORPUS } from "@leeway/shared/testing/corpus.fixture";

import { isObject, members, text } from "@leeway/shared/values/json";
import fc from "fast-check";

import { verified } from "./verify.ts";

const VECTORS = `${CORPUS}/planner-webhooks/signatures/hmac-sha256-vectors.json`;

const config = (...raws: string[]) => ({ secrets: raws.map((raw) => ({ raw, expiresAt: Infinity })) });
const call = (source: "planner" | "vcs", credential: string, body: Uint8Array | string = "{}", now = 0) => ({
  source,
  credential,
  body: Buffer.from(body),
  now,
});
const sign = (secret: string, body: Uint8Array | string): string =>
  `sha256=${new Bun.CryptoHasher("sha256", secret).update(body).digest("hex")}`;

/** From GitHub's documentation on validating webhook deliveries. */
const GITHUB = {
  secret: "It's a Secret to Everybody",
  payload: "Hello, World!",
  header: "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
};

describe("a signature", () => {
  test("from a published example verifies", async () => {
    const known = await verified([config(GITHUB.secret)], call("planner", GITHUB.header, GITHUB.payload));
    expect(known).toHaveLength(1);
  });

  test.skipIf(!existsSync(VECTORS))(
    "gives the published result for every test vector (skipped without LEEWAY_CORPUS)",
    async () => {
      const file: unknown = JSON.parse(readFileSync(VECTORS, "utf8"));
      const vectors = members(isObject(file) ? file : {}, "vectors");
      expect(vectors.length).toBeGreaterThan(4);
      for (const vector of vectors) {
        const { secret, payload, header } = {
          secret: text(vector, "secret") ?? "",
          payload: text(vector, "payload") ?? "",
          header: text(vector, "header") ?? "",
        };
        const known = await verified([config(secret)], call("planner", header, payload));
        expect(known.length, JSON.stringify(vector)).toBe(vector["valid"] === true ? 1 : 0);
      }
    },
  );

  test("of any bytes verifies, and fails when one bit of the body or signature changes", async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
    const secret = fc.string({ minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(bytes, secret, fc.nat(), fc.nat(7), async (body, raw, place, bit) => {
        const header = sign(raw, body);
        const configs = [config(raw)];
        expect(await verified(configs, call("planner", header, body))).toHaveLength(1);
        const flip = (given: Uint8Array): Uint8Array => {
          const flipped = Uint8Array.from(given);
          const at = place % flipped.length;
          flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
          return flipped;
        };
        expect(await verified(configs, call("planner", header, flip(body)))).toHaveLength(0);
        const digest = Buffer.from(flip(Buffer.from(header.slice(7), "hex"))).toString("hex");
        expect(await verified(configs, call("planner", `sha256=${digest}`, body))).toHaveLength(0);
      }),
      { numRuns: 300 },
    );
  });

  test("can't be used as a token, nor a secret as a signature", async () => {
    expect(await verified([config("s")], call("vcs", sign("s", "{}")))).toHaveLength(0);
    expect(await verified([config("s")], call("planner", "s"))).toHaveLength(0);
  });
});

describe("a token", () => {
  test("must equal the whole secret", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (raw, given) => {
        expect(await verified([config(raw)], call("vcs", given))).toHaveLength(raw === given ? 1 : 0);
        expect(await verified([config(raw)], call("vcs", raw))).toHaveLength(1);
      }),
    );
  });
});

test("a token matches every config with that secret until the secret expires", async () => {
  const [one, second] = [config("a"), config("b", "a")];
  const ending = { secrets: [{ raw: "a", expiresAt: 100 }] };
  const configs = [one, second, ending, config("c"), { secrets: [] }];
  expect(await verified(configs, call("vcs", "a", "{}", 99))).toEqual([one, second, ending]);
  expect(await verified(configs, call("vcs", "a", "{}", 100))).toEqual([one, second]);
  expect(await verified([], call("vcs", "a"))).toEqual([]);
});

test("comparing a large body with many secrets doesn't block other work", async () => {
  const configs = Array.from({ length: 50 }, (_, index) => config(`one ${index}`, `before ${index}`));
  const body = new Uint8Array(5 << 20);
  let others = 0;
  const other = (): void => {
    others += 1;
    next = setImmediate(other);
  };
  let next = setImmediate(other);
  const known = await verified(configs, call("planner", sign("before 49", body), body));
  clearImmediate(next);
  expect(known).toEqual(configs.slice(-1));
  expect(others).toBeGreaterThan(10);
});
