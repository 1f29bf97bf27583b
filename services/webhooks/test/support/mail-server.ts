import { createServer, type Socket } from "node:net";

/** An e-mail as received. */
export interface ReceivedMail {
  to: string[];
  data: string;
}

/** A small SMTP server, which rejects recipients that begin with `nobody`. */
export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** Rejects the next mail with this answer. */
  refuseOnce(answer: string): void;
  /** Answers 450 the next `times` times to recipients that begin with `later`. */
  putOff(times: number): void;
  /** Delays the greeting to the next client, and the answer to its mail. */
  dawdleOnce(waitMs: number): void;
  /** Delays the answers to further mails until the promise resolves. */
  hold(until: Promise<void>): void;
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const state: State = { refusal: undefined, putOff: 0, waitMs: 0, until: Promise.resolve() };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    converse(socket, state, (mail) => mails.push(mail));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseOnce(answer) {
      state.refusal = answer;
    },
    putOff(times) {
      state.putOff = times;
    },
    dawdleOnce(waitMs) {
      state.waitMs = waitMs;
    },
    hold(until) {
      state.until = until;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface State {
  refusal: string | undefined;
  putOff: number;
  waitMs: number;
  until: Promise<void>;
}

function refusalOf(recipient: string, state: State): string | undefined {
  if (recipient.startsWith("nobody")) return "550 no such user";
  if (!recipient.startsWith("later") || state.putOff === 0) return undefined;
  state.putOff -= 1;
  return "450 try again later";
}

function converse(socket: Socket, state: State, take: (mail: ReceivedMail) => void): void {
  let buffer = "";
  let inData = false;
  let to: string[] = [];
  const { waitMs } = state;
  state.waitMs = 0;
  const say = (line: string): boolean => socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    const [, recipient] = verb === "RCPT" ? (/<([^>]*)>/.exec(line) ?? []) : [];
    const refusal = recipient === undefined ? undefined : refusalOf(recipient, state);
    if (refusal !== undefined) return void say(refusal);
    if (recipient !== undefined) to.push(recipient);
    if (verb === "QUIT") return void socket.end("221 bye\r\n");
    if (verb !== "DATA") return void say("250 ok");
    inData = state.refusal === undefined;
    say(state.refusal ?? "354 go on");
    state.refusal = undefined;
  };
  setTimeout(say, waitMs, "220 test");
  socket.on("data", (bytes) => {
    buffer += bytes.toString("utf8");
    for (;;) {
      const end = inData ? buffer.indexOf("\r\n.\r\n") : buffer.indexOf("\r\n");
      if (end < 0) return;
      const text = buffer.slice(0, end);
      buffer = buffer.slice(end + (inData ? 5 : 2));
      if (!inData) {
        command(text);
        continue;
      }
      take({ to, data: text });
      to = [];
      inData = false;
      void state.until.then(() => setTimeout(say, waitMs, "250 taken"));
    }
  });
}
