import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect, useRef } from "react";

import { useOnline } from "./online.ts";

/** Shows that the browser is offline, so that figures may be old. Reads everything on the page again afterwards. */
export function OfflineBar() {
  const isOnline = useOnline();
  const wasOffline = useRef(false);
  const queries = useQueryClient();
  useEffect(() => {
    if (isOnline && wasOffline.current) void queries.invalidateQueries();
    wasOffline.current = !isOnline;
  }, [isOnline, queries]);
  return (
    <div role="status" className="sticky top-12 z-20 xl:top-0">
      {!isOnline && (
        <p className="bg-medium-soft text-medium border-medium/30 flex items-center gap-2 border-b px-4 py-2 font-medium sm:px-8">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          You’re offline. This page may be out of date; it updates once you’re back online.
        </p>
      )}
    </div>
  );
}
