import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { constantTimeEqual } from "@leeway/shared/digest";
import fc from "fast-check";

import { clean, textOf, type Text } from "./content.ts";
import { subjectOf } from "./mail.ts";
import { makeSigningSecret, signatureHeaders } from "./signature.ts";
import { escapeSlack, slackMessage } from "./slack.ts";
import { teamsMessage } from "./teams.ts";

const NASTY = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "<!channel>",
    "<@U123>",
    "<https://evil.example|click>",
    "[click](https://evil.example)",
    "<at>Everyone</at>",
    "*bold* _it_ `code`",
    "a\r\nBcc: eve@evil.example",
    "&lt;!here&gt;",
    "\u202Egnp.exe",
  ),
);
const DATA = fc.dictionary(NASTY, NASTY, { maxKeys: 8 });
const textsOf = (data: Record<string, string>, url?: string): Text[] => [
  textOf({ id: "evt_1", type: "drift.detected", createdAt: "2026-01-01T00:00:00Z", data, url }),
];

/** Every object in `value` that has a member `text` of a type of its own. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}

test("people read what each item of a list says, and no ids where a link leads on", () => {
  const data = {
    account_name: "prod",
    cloud_account_id: "018f6e0a",
    missing: 1,
    changes: [
      { fingerprint: "dc1_x", kind: "missing", risk_level: "high", resource: "aws_lambda_function.b" },
      { kind: "changed", risk_level: "low", resource: "aws_lambda_function.a" },
    ],
  };
  const told = { id: "evt_1", type: "drift.detected", createdAt: "2026-01-01T00:00:00Z", data };
  const facts: [string, string][] = [
    ["account name", "prod"],
    ["missing", "1"],
    ["change", "missing high aws_lambda_function.b"],
    ["change", "changed low aws_lambda_function.a"],
  ];
  expect(textOf({ ...told, url: "https://leeway.example.com/x" }).facts).toEqual(facts);
  expect(textOf(told).facts).toEqual(facts.toSpliced(1, 0, ["cloud account id", "018f6e0a"]));
});

test("people read how it stood before", () => {
  const data = {
    account_name: "prod",
    risk_level: "none",
    coverage_pct: 80,
    prior: { risk_level: "none", coverage_pct: 91.5 },
  };
  const told = { id: "evt_1", type: "posture.degraded", createdAt: "2026-01-01T00:00:00Z", data };
  expect(textOf(told).facts).toEqual([
    ["account name", "prod"],
    ["risk level", "none"],
    ["coverage pct", "80"],
    ["prior risk level", "none"],
    ["prior coverage pct", "91.5"],
  ]);
});

describe("Slack", () => {
  test("what others wrote is never read as a mention, a link or markup", () => {
    fc.assert(
      fc.property(DATA, (data) => {
        const message = slackMessage(textsOf(data, "https://leeway.example.com/x"));
        const marked = objectsIn(message).filter(({ type }) => type === "mrkdwn");
        expect(marked.map(({ text }) => text)).toEqual(["<https://leeway.example.com/x|Open in Leeway>"]);
        expect(message["text"]).toBe("Leeway: Drift was detected");
      }),
    );
  });

  test("escaped text holds no bracket, and comes back as it was", () => {
    fc.assert(
      fc.property(NASTY, (text) => {
        const escaped = escapeSlack(text);
        expect(escaped).not.toMatch(/[<>]/);
        const back = escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
        expect(back).toBe(text);
      }),
    );
  });

  test.each(["javascript:alert(1)", "https://x/|<!channel>", "not a url"])(
    "a url %p marks up nothing",
    (url) => {
      const message = JSON.stringify(slackMessage(textsOf({}, url)));
      expect(message).not.toContain("javascript:");
      expect(message).not.toContain("<!channel>");
    },
  );

  test("a message keeps within Slack's fifty blocks of three thousand characters", () => {
    const facts = Array.from({ length: 40 }, (_, index) => [`name ${index}`, "x".repeat(5_000)] as const);
    const [text] = textsOf(Object.fromEntries(facts), "https://leeway.example.com");
    const blocks = slackMessage(Array.from({ length: 100 }, () => text!))["blocks"];
    for (const { text: inner } of objectsIn(blocks)) {
      if (typeof inner === "string") expect(inner.length).toBeLessThan(3_000);
    }
    const [short] = textsOf({ name: "x" }, "https://leeway.example.com");
    expect(slackMessage(Array.from({ length: 100 }, () => short!))["blocks"]).toBeArrayOfSize(41);
  });

  test("the blocks of a digest together are no longer than Slack takes, and say how many aren't shown", () => {
    const facts = Array.from({ length: 15 }, (_, index) => [`name ${index}`, "&".repeat(60)] as const);
    const [text] = textsOf(Object.fromEntries(facts), "https://leeway.example.com");
    for (const count of [1, 20, 100]) {
      const blocks = slackMessage(Array.from({ length: count }, () => text!))["blocks"];
      const texts = objectsIn(blocks).flatMap(({ text: inner }) =>
        typeof inner === "string" ? [inner] : [],
      );
      expect(texts.join("").length).toBeLessThan(10_000);
      const shown = texts.filter((inner) => inner.startsWith("Drift was detected")).length;
      expect(shown).toBeGreaterThan(0);
      expect(texts.at(-1)).toBe(shown < count ? `and ${count - shown} more` : texts.at(-1)!);
    }
  });

  test.each(["", "x"])("a text is never cut within a character (%p)", (before) => {
    const facts = Array.from({ length: 20 }, (_, index) => [`${index}`, "😀".repeat(140)] as const);
    const [text] = textsOf({ [before]: before, ...Object.fromEntries(facts) });
    const texts = objectsIn(slackMessage([text!])).flatMap(({ text: inner }) => inner);
    expect(texts.filter((inner) => typeof inner === "string" && !inner.isWellFormed())).toEqual([]);
  });
});

describe("Teams", () => {
  test("what others wrote stands in text runs only, which hold no markdown, and nobody is mentioned", () => {
    fc.assert(
      fc.property(DATA, (data) => {
        const objects = objectsIn(teamsMessage(textsOf(data)));
        expect(objects.filter((object) => "text" in object && object["type"] !== "TextRun")).toEqual([]);
        expect(objects.filter((object) => "msteams" in object || object["type"] === "TextBlock")).toEqual([]);
      }),
    );
  });

  test("a digest keeps within the 28 KB that Teams takes", () => {
    const facts = Array.from({ length: 12 }, (_, index) => [`name ${index}`, "é".repeat(300)] as const);
    const [text] = textsOf(Object.fromEntries(facts));
    const message = JSON.stringify(teamsMessage(Array.from({ length: 100 }, () => text!)));
    expect(Buffer.byteLength(message)).toBeLessThan(28_000);
  });
});

test("text of others has one line, nothing invisible, and an end", () => {
  fc.assert(
    fc.property(NASTY, (text) => {
      const cleaned = clean(text);
      expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(cleaned.length).toBeLessThanOrEqual(300);
      expect(cleaned.isWellFormed()).toBe(true);
    }),
  );
});

test("a name can't end the subject of an e-mail and begin a header", () => {
  fc.assert(
    fc.property(NASTY, (name) => {
      expect(subjectOf(textsOf({ name }))).not.toMatch(/[\r\n]/);
    }),
  );
});

test("a name reads in the subject as it was written, and hides nothing", () => {
  const hidden = "=?utf-8?B?4oCuZ25wLmV4ZQ==?=";
  const subject = subjectOf(textsOf({ name: hidden }));
  expect(subject).toBe("[Leeway] Drift was detected: = ?utf-8?B?4oCuZ25wLmV4ZQ== ?=");
});

describe("the signature", () => {
  test("is that of Standard Webhooks' own example", () => {
    const headers = signatureHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    });
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  test("holds for exactly what was signed", () => {
    const verify = (secret: string, { id, timestamp, body }: Signed, signature: string): boolean => {
      const key = Buffer.from(secret.replace("whsec_", ""), "base64");
      const own = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
      return constantTimeEqual(signature, `v1,${own}`);
    };
    interface Signed {
      id: string;
      timestamp: number;
      body: string;
    }
    const signed = fc.record({
      id: fc.stringMatching(/^evt_[0-9a-f]{8}$/),
      timestamp: fc.nat(),
      body: fc.string({ unit: "grapheme" }),
    });
    fc.assert(
      fc.property(signed, signed, (one, other) => {
        const secret = makeSigningSecret();
        const { "webhook-signature": signature = "" } = signatureHeaders(secret, one);
        expect(verify(secret, one, signature)).toBe(true);
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(verify(secret, other, signature)).toBe(isSame);
        expect(verify(makeSigningSecret(), one, signature)).toBe(false);
      }),
    );
  });
});
