import { Printer } from "lucide-react";
import { useEffect, useState } from "react";

import type { Rows } from "../api/hooks.ts";
import { Button } from "./button.tsx";

/** Prints all rows of a list, after reading those that aren't loaded yet. */
export function PrintButton<R>({ rows: { hasMore, isReadingMore, error, readMore } }: { rows: Rows<R> }) {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    if (hasMore && !error) {
      if (!isReadingMore) readMore();
      return;
    }
    setAsked(false);
    if (!error) print();
  }, [isAsked, hasMore, isReadingMore, error, readMore]);
  return (
    <Button busy={isAsked} onClick={() => setAsked(true)} className="narrow:hidden">
      <Printer aria-hidden="true" className="size-4" /> Print
    </Button>
  );
}
