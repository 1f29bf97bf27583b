const WINDOW_MS = 60_000;
const FIRST_MS = 20;
const LONGEST_MS = 1_000;

/**
 * Delays attempts with the operator's token after failures. The delay applies to all callers, because guesses can
 * come from many addresses. It is at most a second, so that attackers can't lock the operator out.
 */
export interface OperatorTries {
  /** Waits before a token is compared, whether it is correct or not. */
  wait(): Promise<void>;
  failed(): void;
}

export function createOperatorTries(
  now: () => number = Date.now,
  sleep: (ms: number) => Promise<void> = Bun.sleep,
): OperatorTries {
  let failures: number[] = [];
  return {
    async wait() {
      failures = failures.filter((at) => at > now() - WINDOW_MS);
      if (failures.length > 0) await sleep(Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures.length - 1)));
    },
    failed() {
      failures = [...failures, now()].slice(-MAX_KEPT);
    },
  };
}

/** Number of failures after which the delay no longer grows. */
const MAX_KEPT = Math.ceil(Math.log2(LONGEST_MS / FIRST_MS)) + 1;
