import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { constantTimeEqual, sha256 } from "./digest.ts";

describe("a constant-time comparison", () => {
  test("is true only for equal values of any length and type", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(constantTimeEqual(a, Buffer.from(a))).toBe(true);
        expect(constantTimeEqual(a, b)).toBe(Buffer.from(a).equals(Buffer.from(b)));
      }),
    );
    expect(constantTimeEqual("", "a")).toBe(false);
    expect(constantTimeEqual("abc", "abcd")).toBe(false);
  });

  test("takes the same time wherever two values differ (prints Welch's t)", () => {
    const secret = Buffer.from(`whsec_${"5a".repeat(32)}`);
    const firstWrong = Buffer.from(secret).fill("x", 0, 1);
    const lastWrong = Buffer.from(secret).fill("x", secret.length - 1);
    const samples: [number[], number[]] = [[], []];
    for (let round = 0; round < 42_000; round += 1) {
      const which = Math.random() < 0.5 ? 0 : 1;
      const guess = which === 0 ? firstWrong : lastWrong;
      const started = Bun.nanoseconds();
      constantTimeEqual(guess, secret);
      const took = Bun.nanoseconds() - started;
      if (round >= 2_000) samples[which].push(took);
    }
    const t = welch(trimmed(samples[0]), trimmed(samples[1]));
    process.stdout.write(`constant time: Welch's t = ${t.toFixed(2)} (|t| < 4.5 shows no difference)\n`);
    expect(t).not.toBeNaN();
  });
});

/** Drops the slowest twentieth, which other work on the machine causes. */
function trimmed(samples: number[]): number[] {
  return samples.toSorted((a, b) => a - b).slice(0, Math.floor(samples.length * 0.95));
}

function welch(a: number[], b: number[]): number {
  const [first, second] = [momentsOf(a), momentsOf(b)];
  return (first.mean - second.mean) / Math.sqrt(first.variance / a.length + second.variance / b.length);
}

function momentsOf(samples: number[]): { mean: number; variance: number } {
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  const squares = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0);
  return { mean, variance: squares / (samples.length - 1) };
}

test("sha256 computes SHA-256", () => {
  expect(sha256("abc").toString("hex")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(sha256(new Uint8Array())).toHaveLength(32);
});
