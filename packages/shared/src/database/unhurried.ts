/** The longest timeout the server accepts, 24 days. Zero would mean no limit, but the driver doesn't send it. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Connection settings for work that may take hours. They override everyday timeouts of the database or its owner. If
 * the client is killed, its statement still ends and releases its locks.
 */
export const UNHURRIED = {
  statement_timeout: LONGEST_MS,
  idle_in_transaction_session_timeout: LONGEST_MS,
  idle_session_timeout: LONGEST_MS,
  client_connection_check_interval: 1_000,
};
