import type { NextConfig } from "next";

const cartd = process.env.CARTD_URL ?? "http://127.0.0.1:8080";

const config: NextConfig = {
  poweredByHeader: false,
  turbopack: { root: import.meta.dirname },
  experimental: { serverActions: { bodySizeLimit: "512kb" } },
  // The pictures of the demo store. Remove this when your products name pictures of your own.
  rewrites: async () => [{ source: "/pictures/:path*", destination: `${cartd}/pictures/:path*` }],
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "X-Frame-Options", value: "DENY" },
        // Addresses of orders and quotes have their secret token in them.
        { key: "Referrer-Policy", value: "same-origin" },
      ],
    },
  ],
};

export default config;
