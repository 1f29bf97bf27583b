import { useSyncExternalStore } from "react";

import { Button } from "./button.tsx";

const SHOWN_MS = 5_000;
/** With a button, which takes longer to reach. */
const SHOWN_WITH_BUTTON_MS = 15_000;

/** A button in a message. */
interface Reply {
  text: string;
  onClick: () => void;
}
interface Said {
  id: number;
  text: string;
  reply?: Reply;
}

let said: readonly Said[] = [];
let next = 0;
const listeners = new Set<() => void>();

/** Shows a brief confirmation. Failures are shown where the action was tried. */
export function say(text: string, reply?: Reply): void {
  const id = (next += 1);
  change([...said, { id, text, ...(reply && { reply }) }]);
  setTimeout(() => drop(id), reply ? SHOWN_WITH_BUTTON_MS : SHOWN_MS);
}

function drop(id: number): void {
  change(said.filter((one) => one.id !== id));
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => said);
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, text, reply }) => (
        <div
          key={id}
          className="bg-ink text-page shadow-lift flex max-w-full items-center gap-3 rounded-lg px-4 py-2 font-medium"
        >
          <p className="min-w-0 wrap-anywhere">{text}</p>
          {reply && (
            <Button
              className="pointer-events-auto"
              onClick={() => {
                drop(id);
                reply.onClick();
              }}
            >
              {reply.text}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}

function change(to: typeof said): void {
  said = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
