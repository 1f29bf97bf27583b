/** A program that was started, whatever it is. */
export interface Running {
  pid: number;
  /** Settles when it has ended, on purpose or not. */
  exited: Promise<unknown>;
  /** Ends it in good order and resolves when it is gone. */
  stop: () => Promise<void>;
}

/** What tests need beyond themselves. */
export interface Infrastructure {
  /** A PostgreSQL's superuser, in the database `postgres`. */
  databaseUrl: string;
  natsUrl: string;
  /** What it is, and why this and nothing else. */
  description: string;
  stop: () => Promise<void>;
}
