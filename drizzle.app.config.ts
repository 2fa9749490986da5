import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./lib/storage/schema/index.ts",
  out: "./lib/storage/migrations",
});
