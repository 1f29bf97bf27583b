import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";

import { constantTimeEqual } from "@leeway/shared/values/digest";
import type { JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { clean } from "./clean.ts";
import { textOf, type Text } from "./content.ts";
import { subjectOf } from "./mail/letters.ts";
import { makeSigningSecret, signatureHeaders } from "./signature.ts";
import { escapeSlack, slackMessage } from "./kinds/slack.ts";
import { teamsMessage } from "./kinds/teams.ts";

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
const CHANGE = fc.record({
  kind: NASTY,
  risk_level: NASTY,
  resource_type: NASTY,
  resource: NASTY,
  message: NASTY,
});
const DATA = fc.record({
  account_name: NASTY,
  risk_level: NASTY,
  missing: fc.nat(20),
  changes: fc.array(CHANGE, { maxLength: 12 }),
});
const EVENT = { id: "evt_1", createdAt: "2026-01-01T00:00:00Z" };
const drift = (data: JsonObject, url?: string): Text =>
  textOf({ ...EVENT, type: "drift.detected", data, url });
const long = (lines: number, line: string): Text => ({
  title: "Drift",
  lines: Array.from({ length: lines }, () => line),
  url: "https://leeway.example.com",
});

/** Returns all objects nested in `value`. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap(objectsIn)];
}

describe("the text of an event", () => {
  const titles: [type: string, data: JsonObject, title: string, ...lines: string[]][] = [
    [
      "drift.detected",
      {
        account_name: "Crumbline shop (production)",
        cloud_account_id: "018f6e0a",
        risk_level: "critical",
        changed: 1,
        missing: 2,
        undeclared: 1,
        changes: [
          {
            kind: "missing",
            risk_level: "critical",
            resource_type: "aws_db_instance",
            resource: "aws_db_instance.orders",
            message: "Deleted outside code: all data in it is lost",
          },
          {
            kind: "undeclared",
            risk_level: "high",
            resource_type: "AWS::EC2::SecurityGroup",
            resource: "sg-0a1b",
            message: "Opens port 8080 to 0.0.0.0/0",
          },
          {
            kind: "changed",
            risk_level: "medium",
            resource_type: "aws_security_group",
            resource: "aws_security_group.web",
            message: "Allows port 443 from 10.0.0.0/8",
          },
        ],
      },
      "Crumbline shop (production): critical drift: 1 changed, 2 missing, 1 undeclared",
      "[critical] aws_db_instance.orders: Deleted outside code: all data in it is lost",
      "[high] AWS::EC2::SecurityGroup sg-0a1b: Undeclared. Opens port 8080 to 0.0.0.0/0",
      "[medium] aws_security_group.web: Allows port 443 from 10.0.0.0/8",
      "and 1 more",
    ],
    [
      "drift.resolved",
      { account_name: "prod", risk_level: "low", missing: 1, changes: [] },
      "prod: drift resolved: 1 missing",
      "and 1 more",
    ],
    [
      "posture.degraded",
      {
        account_name: "prod",
        risk_level: "high",
        coverage_pct: 80,
        prior: { risk_level: "none", coverage_pct: 91.5 },
      },
      "prod: risk went from none to high, coverage from 91.5 % to 80 %",
    ],
    [
      "posture.degraded",
      {
        account_name: "prod",
        risk_level: "high",
        coverage_pct: 80,
        prior: { risk_level: "high", coverage_pct: 91.5 },
      },
      "prod: coverage went from 91.5 % to 80 %",
    ],
    [
      "scan.failed",
      {
        account_name: "prod",
        consecutive_failures: 3,
        errors: [{ message: "AccessDenied: config:SelectResourceConfig" }],
      },
      "prod: 3 consecutive scans failed",
      "AccessDenied: config:SelectResourceConfig",
    ],
    [
      "scan_schedule.disabled",
      { account_name: "prod", reason: "5 consecutive scans failed" },
      "prod: a scan schedule was disabled",
      "5 consecutive scans failed",
    ],
    [
      "iac_source.unreadable",
      { source_name: "network", reason: "the bucket isn't there", read_at: "2026-11-27T10:00:00.000Z" },
      "The state of source network can't be read",
      "the bucket isn't there",
      "Drift is computed from the state of 2026-11-27 10:00 UTC.",
    ],
    [
      "rule.expiring",
      {
        rule_name: "Sandbox",
        owner: "platform",
        reason: "a trial",
        expires_at: "2026-11-30T00:00:00.000Z",
        hidden_count: 12,
      },
      "The rule Sandbox expires at 2026-11-30 00:00 UTC",
      "It hides 12 changes, which will be shown again.",
      "Owner: platform",
      "a trial",
    ],
    [
      "vcs_token.expiring",
      { name: "ci", days_left: 1 },
      "The token of ci expires in 1 day",
      "Replace it before then. Otherwise plans and comments stop working.",
    ],
    [
      "quota.exhausted",
      { bucket: "weekly", used: 200, cap: 200, resets_at: "2026-11-30T00:00:00.000Z" },
      "The platform AI quota for this week is used up (200 calls)",
      "Until 2026-11-30 00:00 UTC, findings come without a model's explanation.",
    ],
    [
      "byok.breaker_opened",
      { provider: "openai", consecutive_failures: 5, retry_at: "2026-11-28T10:01:00.000Z" },
      "Your model provider openai keeps failing",
      "5 calls in a row failed. Leeway tries again at 2026-11-28 10:01 UTC.",
    ],
    [
      "webhook_config.rejecting",
      { source: "planner", consecutive_rejects: 5, reason: "signature_mismatch" },
      "The planner webhook rejected 5 requests in a row",
      "signature_mismatch",
    ],
    [
      "notification_channel.disabled",
      { name: "on-call", reason: "the receiver answered 410 Gone" },
      "The channel on-call was disabled",
      "the receiver answered 410 Gone",
    ],
    ["channel.test", { name: "on-call" }, "Test of the notification channel on-call"],
  ];
  test.each(titles)("%s", (type, data, title, ...lines) => {
    expect(textOf({ ...EVENT, type, data })).toEqual({ title, lines, url: undefined });
  });
});

describe("Slack", () => {
  test("values of others never become a mention, a link or markup", () => {
    fc.assert(
      fc.property(DATA, (data) => {
        const message = slackMessage([drift(data, "https://leeway.example.com/x")]);
        const marked = objectsIn(message).filter(({ type }) => type === "mrkdwn");
        expect(marked.map(({ text }) => text)).toEqual(["<https://leeway.example.com/x|Open in Leeway>"]);
        expect(message["text"]).not.toMatch(/[<>]/);
      }),
    );
  });

  test("escaped text contains no angle brackets and can be restored", () => {
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
    "the URL %p never becomes markup",
    (url) => {
      const message = JSON.stringify(slackMessage([drift({}, url)]));
      expect(message).not.toContain("javascript:");
      expect(message).not.toContain("<!channel>");
    },
  );

  test("a message has at most fifty blocks of 3,000 characters", () => {
    const blocks = slackMessage(Array.from({ length: 100 }, () => long(40, "x".repeat(300))))["blocks"];
    for (const { text: inner } of objectsIn(blocks)) {
      if (typeof inner === "string") expect(inner.length).toBeLessThan(3_000);
    }
    expect(slackMessage(Array.from({ length: 100 }, () => long(1, "x")))["blocks"]).toBeArrayOfSize(41);
  });

  test("a digest fits Slack's total size and says how many events it omits", () => {
    for (const count of [1, 20, 100]) {
      const blocks = slackMessage(Array.from({ length: count }, () => long(15, "&".repeat(60))))["blocks"];
      const texts = objectsIn(blocks).flatMap(({ text: inner }) =>
        typeof inner === "string" ? [inner] : [],
      );
      expect(texts.join("").length).toBeLessThan(10_000);
      const shown = texts.filter((inner) => inner.startsWith("Drift")).length;
      expect(shown).toBeGreaterThan(0);
      expect(texts.at(-1)).toBe(shown < count ? `and ${count - shown} more` : texts.at(-1)!);
    }
  });

  test.each(["", "x"])("a text is never cut inside a character (%p)", (before) => {
    const message = slackMessage([long(20, `${before}${"😀".repeat(140)}`)]);
    const texts = objectsIn(message).flatMap(({ text: inner }) => inner);
    expect(texts.filter((inner) => typeof inner === "string" && !inner.isWellFormed())).toEqual([]);
  });
});

describe("Teams", () => {
  test("values of others are only in text runs, without markdown or mentions", () => {
    fc.assert(
      fc.property(DATA, (data) => {
        const objects = objectsIn(teamsMessage([drift(data)]));
        expect(objects.filter((object) => "text" in object && object["type"] !== "TextRun")).toEqual([]);
        expect(objects.filter((object) => "msteams" in object || object["type"] === "TextBlock")).toEqual([]);
      }),
    );
  });

  test("a digest fits into Teams' 28 KB", () => {
    const message = JSON.stringify(
      teamsMessage(Array.from({ length: 100 }, () => long(12, "é".repeat(300)))),
    );
    expect(Buffer.byteLength(message)).toBeLessThan(28_000);
  });
});

test("others' text is reduced to one short line without invisible characters", () => {
  fc.assert(
    fc.property(NASTY, (text) => {
      const cleaned = clean(text);
      expect(cleaned).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(cleaned.length).toBeLessThanOrEqual(300);
      expect(cleaned.isWellFormed()).toBe(true);
    }),
  );
});

test("a name can't inject headers into the subject of an e-mail", () => {
  fc.assert(
    fc.property(NASTY, (name) => {
      expect(subjectOf([drift({ account_name: name })])).not.toMatch(/[\r\n]/);
    }),
  );
});

test("a name isn't decoded as an encoded word in the subject", () => {
  const subject = subjectOf([drift({ account_name: "=?utf-8?B?4oCuZ25wLmV4ZQ==?=", missing: 1 })]);
  expect(subject).toBe("[Leeway] = ?utf-8?B?4oCuZ25wLmV4ZQ== ?=: drift: 1 missing");
});

describe("the webhook signature", () => {
  test("equals that of the Standard Webhooks example", () => {
    const headers = signatureHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    });
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  test("verifies exactly the signed content", () => {
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
