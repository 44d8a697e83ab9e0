// A Medusa for the flash sale of docs/bench.md, with its Redis modules. DATABASE_URL and REDIS_URL name its servers.
const { defineConfig } = require("@medusajs/framework/utils");
const redisUrl = process.env.REDIS_URL;
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL, redisUrl,
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "flash", cookieSecret: "flash" },
  },
  modules: [
    { resolve: "@medusajs/medusa/event-bus-redis", options: { redisUrl } },
    { resolve: "@medusajs/medusa/workflow-engine-redis", options: { redis: { redisUrl } } },
    { resolve: "@medusajs/medusa/locking", options: { providers: [
      { resolve: "@medusajs/medusa/locking-redis", id: "locking-redis", is_default: true, options: { redisUrl } }] } },
  ],
});
