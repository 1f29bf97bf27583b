/**
 * Factor on the promised times (P10, P11), whose actual values each test prints. Tests share the machine, so a test
 * fails only when something takes ten times as long.
 */
const LEEWAY = 10;

/** Time within which a call is answered, even if a dependency is down or slow. */
export const ANSWER_LIMIT_MS = 3_000 * LEEWAY;
/** Time from the return of a dependency until requests succeed again. */
export const BACK_LIMIT_MS = 2_000 * LEEWAY;
