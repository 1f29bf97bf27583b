import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";

/** An analysis as people are told it: without noise that is muted, and without drift that is nothing else. */
export function withoutMuted<A extends Pick<Analysis, "noise" | "drift">>(analysis: A): A {
  const muted = new Set(analysis.noise.filter((one) => one.muted).map(({ fingerprint }) => fingerprint));
  return {
    ...analysis,
    noise: analysis.noise.filter((one) => !one.muted),
    drift: analysis.drift.filter(({ noise }) => !noise || !muted.has(noise.fingerprint)),
  };
}
