import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";

/** Returns an analysis as shown to people: without muted noise, and without drift that is only muted noise. */
export function withoutMuted<A extends Pick<Analysis, "noise" | "drift">>(analysis: A): A {
  const muted = new Set(analysis.noise.filter((one) => one.muted).map(({ fingerprint }) => fingerprint));
  return {
    ...analysis,
    noise: analysis.noise.filter((one) => !one.muted),
    drift: analysis.drift.filter(({ noise }) => !noise || !muted.has(noise.fingerprint)),
  };
}
