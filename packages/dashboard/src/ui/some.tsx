import { useState, type ReactNode } from "react";

import { Button } from "./button.tsx";
import { countText } from "./number.ts";

interface SomeProps<T> {
  items: readonly T[];
  /** Renders one item, with a key. */
  children: (item: T) => ReactNode;
}

const STEP = 50;

/** Shows the first items, and more on demand, so that a long list doesn't slow the page down. */
export function Some<T>({ items, children }: SomeProps<T>) {
  const [shown, setShown] = useState(STEP);
  const left = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map((item) => children(item))}
      {left > 0 && (
        <Button onClick={() => setShown(shown + STEP)} className="self-start">
          Show {countText(Math.min(STEP, left))} more of {countText(left)}
        </Button>
      )}
    </>
  );
}
