/**
 * What Leeway promises (P10, P11) is seen in what each test prints. No time is a measure beside other tests, on whatever
 * machine: what takes ten times as long hangs.
 */
const LEEWAY = 10;

/** Whatever is down or slow, a call is answered. */
export const ANSWER_LIMIT_MS = 3_000 * LEEWAY;
/** What was down takes connections again, and all is well. */
export const BACK_LIMIT_MS = 2_000 * LEEWAY;
