import { defineConfig } from "vite";

// The page is served from one folder, under a content policy that allows nothing inline and nothing from elsewhere.
// It is also what an address that leads nowhere is answered with: its files are named from the root, not from there.
export default defineConfig({
  base: "/",
  publicDir: "public",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/fuda/serve/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: false,
  },
});
