import { useSyncExternalStore } from "react";

const SHOWN_MS = 5_000;
let said: readonly { id: number; text: string }[] = [];
let next = 0;
const listeners = new Set<() => void>();

/** Shows a brief confirmation. Failures are shown where the action was tried. */
export function say(text: string): void {
  const id = (next += 1);
  change([...said, { id, text }]);
  setTimeout(() => change(said.filter((one) => one.id !== id)), SHOWN_MS);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => said);
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, text }) => (
        <p
          key={id}
          className="bg-ink text-page shadow-lift max-w-full rounded-lg px-4 py-2 font-medium wrap-anywhere"
        >
          {text}
        </p>
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
