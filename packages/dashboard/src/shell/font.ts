import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };

/** Brings the font as a file of its own: the bundler would write it into the style sheet, which waits for it. */
export function loadFont(): void {
  const face = new FontFace("Inter Variable", `url(${inter})`, { weight: "100 900", display: "swap" });
  document.fonts.add(face);
  void face.load().catch(() => undefined); // without it, the system's own font stands in
}
