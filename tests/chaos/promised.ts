/**
 * What Leeway promises (P10, P11), and half as much again: a machine that runs other tests beside is no measure. What
 * each test prints tells what it took.
 */
const LEEWAY = 1.5;

/** Whatever is down or slow, a call is answered. */
export const ANSWER_LIMIT_MS = 3_000 * LEEWAY;
/** What was down takes connections again, and all is well. */
export const BACK_LIMIT_MS = 2_000 * LEEWAY;
