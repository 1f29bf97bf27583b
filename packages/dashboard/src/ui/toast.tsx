import { useSyncExternalStore } from "react";

const SHOWN_MS = 5_000;
/** Longer, so that there is time to read it and reach the button. */
const SHOWN_WITH_UNDO_MS = 15_000;

interface Said {
  id: number;
  text: string;
  undo: (() => void) | undefined;
}

let said: readonly Said[] = [];
let next = 0;
const listeners = new Set<() => void>();

/** Shows a brief confirmation, with a button if `undo` can take the action back. Failures are shown where the action was tried. */
export function say(text: string, undo?: () => void): void {
  const id = (next += 1);
  change([...said, { id, text, undo }]);
  setTimeout(() => forget(id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => said);
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, text, undo }) => (
        <div
          key={id}
          className="bg-ink text-page shadow-lift flex max-w-full items-center gap-4 rounded-lg px-4 py-2 font-medium"
        >
          <p className="min-w-0 wrap-anywhere">{text}</p>
          {undo && (
            <button
              type="button"
              onClick={() => {
                forget(id);
                undo();
              }}
              className="pointer-events-auto shrink-0 underline underline-offset-4"
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function forget(id: number): void {
  change(said.filter((one) => one.id !== id));
}

function change(to: typeof said): void {
  said = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
