import type { NextConfig } from "next";
import { bodyLimitBytes } from "./lib/server/guard";
import {
  apiHeaders,
  commonHeaders,
  fallbackPolicy,
  workerPolicy,
} from "./lib/server/security-headers";

/** A header set here wins over one of a handler, and the bytes of a file have their own. */
const file = "api/files/[0-9a-f]{64}$";
const preview = "preview$";
const shared = "shared/[^/]+$";

const config: NextConfig = {
  poweredByHeader: false,
  // Pages and scripts, for a phone: a fifth of the bytes. What the API answers says `no-transform`: packing would hold chunks.
  compress: true,
  reactStrictMode: true,
  // `npm run pack` needs what a server needs, apart; `next start` would warn of it.
  ...(process.env.GROVE_PACK === "1" && { output: "standalone" as const }),
  serverExternalPackages: ["postgres"],
  images: { unoptimized: true },
  // Types are checked by `npm run check`; a second time would only slow the first start.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Loading each route at its first request takes it no longer, and saves 55 MB and half a second of the start.
    preloadEntriesOnStart: false,
    // Next keeps the body of every request that `proxy.ts` sees, refused ones too. Those are pages, which take none.
    proxyClientMaxBodySize: bodyLimitBytes,
    // Fewer and larger scripts: by default a chat has twice as many, which are not smaller together.
    turbopackChunking: { requestCost: 1_000_000, minChunkSize: 150_000 },
    // Four fifths of the build, and nothing reads them: Next starts without them.
    turbopackSourceMaps: false,
    // Half a gigabyte, for builds that people make once a version. A failed worker can leave one that fails every later build.
    turbopackFileSystemCacheForBuild: false,
  },
  headers: async () => [
    {
      source: "/:path*",
      headers: [...commonHeaders],
    },
    {
      source: `/((?!${file}|${preview}|${shared}).*)`,
      headers: [{ key: "Content-Security-Policy", value: fallbackPolicy }],
    },
    { source: "/shared/:token", headers: [{ key: "Referrer-Policy", value: "same-origin" }] },
    { source: "/preview", headers: [{ key: "X-Frame-Options", value: "SAMEORIGIN" }] },
    {
      source: "/_next/static/chunks/:path*",
      headers: [{ key: "Content-Security-Policy", value: workerPolicy }],
    },
    { source: `/((?=api/)(?!${file}).*)`, headers: [...apiHeaders] },
    { source: "/v1/:path*", headers: [...apiHeaders] },
    { source: "/mcp", headers: [...apiHeaders] },
  ],
};

export default config;
