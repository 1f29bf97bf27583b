/** The longest that the server takes, 24 days: of a zero, which would be no limit, the driver says nothing. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Settings of a connection for what may take hours. Limits that a database or its owner has for everyday statements aren't
 * meant for it; and what it left running at the server when it was killed ends, and lets go of what it held.
 */
export const UNHURRIED = {
  statement_timeout: LONGEST_MS,
  idle_in_transaction_session_timeout: LONGEST_MS,
  idle_session_timeout: LONGEST_MS,
  client_connection_check_interval: 1_000,
};
