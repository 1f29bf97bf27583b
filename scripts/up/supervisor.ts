import type { ProcessIdentity } from "../local/process.ts";
import type { Running } from "../local/running.ts";

export interface SupervisorOptions {
  say: (line: string) => void;
  /** Told after each start of a program. */
  onStart: () => Promise<void>;
  /** What a program said last, for the message when it is given up. */
  lastLines: (name: string) => readonly string[];
  timing?: Timing;
}

interface Timing {
  /** A program that ends sooner than this has died at once. */
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
  /** Settles when the program has ended for good. */
  life: Promise<void>;
}

/** Keeps programs running, and ends them in the reverse of the order in which they came. */
export class Supervisor {
  /** Rejects once a program can't be kept running. */
  readonly failed: Promise<never>;
  readonly #options: SupervisorOptions;
  readonly #all: Kept[] = [];
  readonly #fail: (error: unknown) => void;
  readonly #stopping = Promise.withResolvers<void>();
  /** Settles when the last start has been told of. */
  #told = Promise.resolve();
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.#fail = reject;
    // A failure that nobody waits for yet is no unhandled one.
    promise.catch(() => undefined);
  }

  /** Starts a program, and starts it again whenever it ends. */
  async keep<R extends Running>(name: string, start: () => Promise<R>): Promise<R> {
    const kept: Kept = { name, start, life: Promise.resolve() };
    this.#all.push(kept);
    const first = this.#launch(kept, start);
    kept.life = first.then((running) => this.#live(kept, running)).catch(this.#fail);
    return first;
  }

  /** By name, in the order of their first start. */
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
    // One after the other: each writes down all that runs, in the same files.
    this.#told = this.#told.then(this.#options.onStart);
    await this.#told;
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
