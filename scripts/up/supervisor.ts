import type { ProcessIdentity } from "../local/process.ts";
import type { Running } from "../local/running.ts";

export interface SupervisorOptions {
  say: (line: string) => void;
  /** Called after each start of a program. */
  onStart: () => Promise<void>;
  /** Returns the last lines of a program, for the error when it is given up. */
  lastLines: (name: string) => readonly string[];
  timing?: Timing;
}

interface Timing {
  /** Shortest lifetime of a program that didn't fail at once. */
  atOnceMs: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

const DEATHS_ALLOWED = 5;
const TIMING: Timing = { atOnceMs: 5000, firstPauseMs: 250, longestPauseMs: 10_000 };

interface Kept {
  name: string;
  start: () => Promise<Running>;
  running?: Running;
  /** Settles when the program has ended and isn't restarted. */
  life: Promise<void>;
}

/** Keeps programs running, and stops them in the reverse order of their start. */
export class Supervisor {
  /** Rejects when a program can't be kept running. */
  readonly failed: Promise<never>;
  readonly #options: SupervisorOptions;
  readonly #all: Kept[] = [];
  readonly #fail: (error: unknown) => void;
  readonly #stopping = Promise.withResolvers<void>();
  /** Settles when `onStart` has returned for the last start. */
  #reported = Promise.resolve();
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.#fail = reject;
    // A failure that nothing awaits yet must not be an unhandled rejection.
    promise.catch(() => undefined);
  }

  /** Starts a program, and restarts it whenever it ends. */
  async keep<R extends Running>(name: string, start: () => Promise<R>): Promise<R> {
    const kept: Kept = { name, start, life: Promise.resolve() };
    this.#all.push(kept);
    const first = this.#launch(kept, start);
    kept.life = first.then((running) => this.#live(kept, running)).catch(this.#fail);
    return first;
  }

  /** Returns the running programs by name, in the order of their first start. */
  running(): Record<string, ProcessIdentity> {
    return Object.fromEntries(
      this.#all.flatMap(({ name, running }) => (running ? [[name, running.identity]] : [])),
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.resolve();
    for (const { running, life } of this.#all.toReversed()) {
      await running?.stop();
      await life;
    }
  }

  async #launch<R extends Running>(kept: Kept, start: () => Promise<R>): Promise<R> {
    const running = await start();
    kept.running = running;
    // Calls run one at a time, because each writes all running programs to the same files.
    this.#reported = this.#reported.then(this.#options.onStart);
    await this.#reported;
    if (this.#isStopping) await running.stop();
    return running;
  }

  async #live(kept: Kept, first: Running): Promise<void> {
    const { say, lastLines, timing = TIMING } = this.#options;
    let running = first;
    for (let deaths = 0; !this.#isStopping;) {
      const since = performance.now();
      const code = await running.exited;
      if (this.#isStopping) return;
      deaths = performance.now() - since < timing.atOnceMs ? deaths + 1 : 1;
      if (deaths === DEATHS_ALLOWED) throw givenUp(kept.name, lastLines(kept.name));
      const pauseMs = Math.min(timing.firstPauseMs * 2 ** (deaths - 1), timing.longestPauseMs);
      say(`${kept.name} ended (code ${String(code)}): starting it again in ${pauseMs / 1000} s`);
      await Promise.race([Bun.sleep(pauseMs), this.#stopping.promise]);
      if (!this.#isStopping) running = await this.#launch(kept, kept.start);
    }
  }
}

function givenUp(name: string, lines: readonly string[]): Error {
  const said = lines.length > 0 ? `; it said:\n${lines.join("\n")}` : "";
  return new Error(`${name} ended at once, ${DEATHS_ALLOWED} times in a row${said}`);
}
