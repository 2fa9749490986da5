import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./lib/postgres/schema/index.ts",
  out: "./drizzle",
});
