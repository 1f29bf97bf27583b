import { useSyncExternalStore } from "react";

import { storageOf } from "../api/storage.ts";

const STORED = "leeway.theme";
export type Theme = "system" | "light" | "dark";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let chosen = storedTheme();

/** Returns the chosen theme; the system's by default. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen);
}

export function chooseTheme(theme: Theme): void {
  storageOf("localStorage")?.setItem(STORED, theme);
  chosen = theme;
  applyTheme();
  for (const listener of listeners) listener();
}

/** Applies the theme, and follows the system's if that is chosen. */
export function followTheme(): void {
  applyTheme();
  prefersDark.addEventListener("change", applyTheme);
}

function applyTheme(): void {
  const dark = chosen === "dark" || (chosen === "system" && prefersDark.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

function storedTheme(): Theme {
  const stored = storageOf("localStorage")?.getItem(STORED);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
