import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The server during development; the built console is served by the binary itself.
const server = process.env.DRIFTLESS_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  build: {
    // The policy allows scripts and styles from this origin alone, so nothing may be inlined as data.
    assetsInlineLimit: 0,
    // dist/.gitkeep keeps a clean checkout compiling; it stays.
    emptyOutDir: false,
    sourcemap: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': server,
      '/oauth': server,
      '/mcp': server,
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
  },
});
