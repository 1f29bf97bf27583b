import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };

/** Loads the font as a separate file: the bundler would inline it in the style sheet and delay that. */
export function loadFont(): void {
  const face = new FontFace("Inter Variable", `url(${inter})`, { weight: "400 700", display: "swap" });
  document.fonts.add(face);
  void face.load().catch(() => undefined); // the system's font is the fallback
}
