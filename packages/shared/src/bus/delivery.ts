import { nanos, type Msg } from "nats";

/** One delivery of an event, and the ways to end it. */
export interface Delivery {
  data: Uint8Array;
  header(name: string): string | undefined;
  /** 1 for the first. */
  attempt: number;
  /** Its place in the stream. */
  sequence: number;
  /** It is worked off. */
  done(): void;
  /** It is to be delivered again, after a while. */
  retry(delayMs?: number): void;
  /** It is not to be delivered any more. */
  giveUp(): void;
  /** It is still being worked on. */
  stillWorking(): void;
}

/**
 * What a stream delivered. The subject that answers go to tells of the delivery:
 * `$JS.ACK[.<domain>.<account>].<stream>.<consumer>.<attempt>.<sequence>.<consumer sequence>.<time>.<pending>[.<token>]`
 * (https://docs.nats.io/nats-concepts/jetstream/consumers#acknowledgment-models, ADR-15)
 */
export function deliveryOf(message: Msg): Delivery {
  const tokens = message.reply?.split(".") ?? [];
  const [attempt, sequence] = tokens.slice(tokens.length > 9 ? 6 : 4).map(Number);
  if (tokens[1] !== "ACK" || !attempt || !sequence) throw new Error("not delivered by a stream");
  return {
    data: message.data,
    header: (name) => message.headers?.get(name) || undefined,
    attempt,
    sequence,
    done: () => void message.respond("+ACK"),
    retry: (delayMs) =>
      void message.respond(delayMs ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : "-NAK"),
    giveUp: () => void message.respond("+TERM"),
    stillWorking: () => void message.respond("+WPI"),
  };
}
