import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // The Dockerfile sets it: the build then has a server with only the modules that it needs.
  ...(process.env.STANDALONE && { output: "standalone" as const }),
  turbopack: { root: import.meta.dirname },
  experimental: { serverActions: { bodySizeLimit: "512kb" } },
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "X-Frame-Options", value: "DENY" },
        // Addresses of orders, quotes and resets of a password have their secret token in them.
        { key: "Referrer-Policy", value: "same-origin" },
      ],
    },
  ],
};

export default config;
