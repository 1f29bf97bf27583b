/**
 * Factor on the promised times (P10, P11), whose actual values each test prints. Tests share the machine, so a test
 * fails only when something takes twenty times as long.
 */
const LEEWAY = 20;

/** Time within which a call is answered, even if a dependency is down or slow. */
export const ANSWER_LIMIT_MS = 3_000 * LEEWAY;
/** Time from the return of a dependency until requests succeed again. */
export const BACK_LIMIT_MS = 2_000 * LEEWAY;
/** Longest wait for one condition on a busy machine. Lost work is offered again after a minute, jobs after three. */
export const WAIT_MS = 400_000;
/**
 * Time limit of a test, longer than its waits together: a wait that fails names what it waited for. After a time-out
 * Bun kills the processes that the file started, so that all of its other tests would fail too.
 */
export const TEST_MS = 1_200_000;
