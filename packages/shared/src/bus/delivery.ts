import { nanos, type Msg } from "nats";

/** One delivery of an event, and the ways to end it. */
export interface Delivery {
  data: Uint8Array;
  header(name: string): string | undefined;
  /** From 1. */
  attempt: number;
  /** Sequence number in the stream. */
  sequence: number;
  /** Confirms that the event is processed. */
  done(): void;
  /** Requests another delivery, after the delay. */
  retry(delayMs?: number): void;
  /** Ends the deliveries of the event. */
  giveUp(): void;
  /** Reports that the event is still being processed. */
  stillWorking(): void;
}

/**
 * Returns the delivery in a message from a stream. The reply subject contains its details:
 * `$JS.ACK[.<domain>.<account>].<stream>.<consumer>.<attempt>.<sequence>.<consumer
 * sequence>.<time>.<pending>[.<token>]`
 * (https://docs.nats.io/nats-concepts/jetstream/consumers#acknowledgment-models, ADR-15)
 */
export function deliveryOf(message: Msg): Delivery {
  const tokens = message.reply?.split(".") ?? [];
  const [attempt, sequence] = tokens.slice(tokens.length > 9 ? 6 : 4).map(Number);
  if (tokens[1] !== "ACK" || !attempt || !sequence)
    throw new Error("the message wasn't delivered by a stream");
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
